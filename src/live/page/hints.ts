/** Hints one at a time, and the solution after a try: each stands on the page, and is uncovered in its turn. */
import { keptPoints } from "./kept.js";

const summaryOf = (details: Element): string => details.querySelector("summary")?.textContent ?? "";

/** @returns uncovers the solution */
export function foldHints(main: Element): () => void {
  const all = [...main.querySelectorAll<HTMLDetailsElement>("details")];
  const hints = all.filter((details) => /^Hint \d/.test(summaryOf(details)));
  const solutions = all.filter((details) => summaryOf(details) === "A solution");
  for (const [index, hint] of hints.entries()) {
    hint.hidden = index > 0;
    hint.addEventListener("toggle", () => {
      const next = hints[index + 1];
      if (hint.open && next !== undefined) next.hidden = false;
    });
  }
  const notes = solutions.map((solution) => {
    const note = document.createElement("p");
    note.className = "solution-waits";
    note.textContent = "A solution stands here once you have checked a try of your own. ";
    const show = document.createElement("button");
    show.type = "button";
    show.textContent = "Show the solution";
    show.addEventListener("click", () => uncover());
    note.append(show);
    solution.hidden = true;
    solution.before(note);
    return note;
  });
  const uncover = (): void => {
    for (const solution of solutions) solution.hidden = false;
    for (const note of notes) note.remove();
  };
  return uncover;
}

/** The line about the exercise's points, below its cell. */
export function pointsLine(exercise: string): string {
  const kept = keptPoints()[exercise];
  if (kept === undefined) return "";
  const { points, outOf } = kept;
  return points === outOf ? `Solved: ${points} of ${outOf} points.` : `Best so far: ${points} of ${outOf} points.`;
}
