/** Each sentence of a task has a check, and each check a sentence: labs/CHECKS.md is made of them. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exercise, exerciseIds } from "../../src/course/exercises/exercise.js";
import { ANSWERS } from "./answers/all.js";
import { cheats } from "./answers/cheats.js";
import { NARROW } from "./answers/narrow.js";
import { TASK_WORDS } from "./answers/task-words.js";

type Kinds = readonly string[];

/** The checks of each sentence, in the task's order. */
const CHECKED: Readonly<Record<string, readonly Kinds[]>> = {
  capstone: [
    ["result"],
    ["result"],
    ["bandwidth"],
    ["result"],
    ["hazards"],
    ["result", "hazards"],
    ["hazards"],
    ["bandwidth"],
  ],
  "day-37": [
    ["primitives", "barriers"],
    ["result"],
    ["primitives", "shared-requests", "additions"],
    ["hazards"],
    ["primitives"],
    ["result"],
    ["result", "hazards"],
  ],
  "day-38": [
    ["loads", "additions"],
    ["divergent-branches"],
    ["sectors-per-request", "loads"],
    ["primitives"],
    ["result"],
    ["result"],
    ["result", "hazards"],
  ],
  "day-39": [
    ["result"],
    ["additions", "child-grids"],
    ["child-grids"],
    ["hazards"],
    ["child-grids"],
    ["additions", "primitives"],
    ["result"],
    ["result", "hazards"],
  ],
  "day-40": [
    ["idle-sms"],
    ["idle-sms"],
    ["additions", "idle-sms"],
    ["sectors-per-request", "result"],
    ["result"],
    ["primitives"],
    ["result", "hazards"],
    ["idle-sms"],
  ],
  "day-41": [
    ["loads", "additions", "empty-warp-places"],
    ["primitives", "empty-warp-places"],
    ["sectors-per-request", "loads"],
    ["result"],
    ["result"],
    ["result", "hazards"],
  ],
  "day-42": [
    ["sectors-per-request", "conflict-degree", "divergent-branches"],
    ["sectors-per-request", "conflict-degree", "divergent-branches"],
    ["loads", "additions"],
    ["primitives"],
    ["result"],
    ["result"],
    ["result", "hazards"],
  ],
  "day-43": [
    ["result", "sectors-per-request"],
    ["hazards", "order", "barriers"],
    ["result"],
    ["result", "additions"],
    ["result", "hazards"],
  ],
  "day-44": [
    ["loads", "additions", "sectors-per-request"],
    ["result"],
    ["barriers", "hazards"],
    ["primitives"],
    ["result"],
    ["result"],
    ["result", "hazards"],
  ],
  "day-45": [
    ["loads", "result"],
    ["primitives", "shared-requests", "barriers", "additions"],
    ["primitives"],
    ["result"],
    ["result"],
    ["speed-up"],
    ["result", "hazards"],
  ],
  "day-46": [
    ["result", "hazards"],
    ["result", "hazards"],
    ["result", "hazards"],
    ["loads"],
    ["additions", "primitives", "barriers"],
    ["result"],
    ["result"],
    ["result", "hazards"],
  ],
  "day-47": [
    ["result"],
    ["primitives", "hazards"],
    ["primitives"],
    ["result"],
    ["result"],
    ["additions", "result"],
    ["speed-up"],
    ["result", "hazards"],
  ],
  "day-48": [
    ["result"],
    ["result"],
    ["local-memory", "hazards"],
    ["result"],
    ["result"],
    ["speed-up"],
    ["result", "hazards"],
  ],
  "lab-25": [
    ["order", "conflict-degree", "shared-requests", "barriers", "additions"],
    ["conflict-degree"],
    ["result"],
    ["result"],
    ["result", "hazards"],
  ],
  "lab-26": [
    ["result"],
    ["result", "barriers", "conflict-degree", "shared-requests"],
    ["additions", "primitives"],
    ["result"],
    ["result", "hazards"],
  ],
  "lab-27": [
    ["loads", "sectors-per-request"],
    ["result"],
    ["result"],
    ["additions", "result"],
    ["speed-up"],
    ["result", "hazards"],
  ],
  "lab-28": [
    ["primitives", "shared-requests", "barriers"],
    ["hazards", "primitives", "shared-requests"],
    ["additions"],
    ["result"],
    ["result"],
    ["result", "hazards"],
  ],
  "lab-29": [
    ["result"],
    ["result"],
    ["result", "hazards"],
    ["instructions-per-warp", "barriers"],
    ["barriers", "primitives"],
    ["primitives", "instructions-per-warp"],
    ["result", "additions"],
  ],
  "lab-30": [
    ["result", "speed-up"],
    ["result"],
    ["sectors-per-request"],
    ["additions", "primitives"],
    ["result"],
    ["result", "hazards"],
    ["speed-up"],
  ],
};

const sentencesOf = (id: string): readonly string[] => exercise(id).task.split(/(?<=[.:]) (?=[A-Z])/);

interface Caught {
  readonly what: string;
  readonly caughtBy: string;
}

/** All wrong answers to an exercise. */
function wrongTo(id: string): readonly Caught[] {
  const own = ANSWERS.find(([of]) => of === id)?.[1].wrong ?? [];
  const narrow = [...NARROW, ...TASK_WORDS].flatMap(([of, what, , caughtBy]) =>
    of === id ? [{ what, caughtBy }] : [],
  );
  return [...narrow, ...own, ...cheats.filter((cheat) => cheat.exercise === id)];
}

/** Three of them, from each check in turn; another sentence begins elsewhere. */
function threeFor(id: string, kinds: Kinds, sentence: number): readonly Caught[] {
  const byKind = kinds.map((kind) => wrongTo(id).filter(({ caughtBy }) => caughtBy === kind));
  const most = Math.max(...byKind.map(({ length }) => length));
  const inTurn = Array.from({ length: most }, (_, round) =>
    byKind.flatMap((list) => (list.length > round ? [list[(round + sentence) % list.length]] : [])),
  );
  return inTurn
    .flat()
    .filter((each) => each !== undefined)
    .slice(0, 3);
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("*", "\\*");

function tableOf(id: string): string {
  const rows = sentencesOf(id).map((sentence, index) => {
    const kinds = CHECKED[id]?.[index] ?? [];
    const wrong = threeFor(id, kinds, index).map(({ what }) => what);
    return `| ${cell(sentence)} | ${kinds.join(", ")} | ${wrong.map(cell).join("; ")} |`;
  });
  return [`## ${id}`, "", "| sentence | checks | answers that lose points |", "|---|---|---|", ...rows, ""].join("\n");
}

describe.each(exerciseIds())("the task of %s", (id) => {
  test("has a check for each sentence, and a sentence for each check", () => {
    const checks = CHECKED[id] ?? [];
    expect(checks).toHaveLength(sentencesOf(id).length);
    const kinds = new Set(exercise(id).checks.map(({ kind }) => kind as string));
    expect(new Set(checks.flat())).toEqual(kinds);
  });

  test("has three wrong answers for each sentence", () => {
    for (const [index, kinds] of (CHECKED[id] ?? []).entries()) {
      expect(threeFor(id, kinds, index).length, `${sentencesOf(id)[index]} (${kinds.join()})`).toBe(3);
    }
  });
});

test("labs/CHECKS.md has them all", async () => {
  const head =
    "# What is checked\n\nEach sentence of each task, its checks, and answers of the tests that those catch.\n";
  const text = [head, ...exerciseIds().map(tableOf)].join("\n");
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, "../../labs/CHECKS.md"));
});
