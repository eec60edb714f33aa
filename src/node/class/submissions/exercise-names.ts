/** Exercises in the names of files and folders: lab-28.ts, Lab_28, lab28-anna. */

const patterns = new Map<string, RegExp>();

/** `lab-28` with any of the signs that names put in place of the hyphen, and not `lab-281`. */
function patternOf(id: string): RegExp {
  const known = patterns.get(id);
  if (known !== undefined) return known;
  const [word = "", number = ""] = id.split("-");
  const pattern = new RegExp(`(?<![a-z0-9])${word}[-_ .]?0*${number}(?![0-9])`, "i");
  patterns.set(id, pattern);
  return pattern;
}

/** The exercise that a name tells; null where it tells none, or several. */
export function exerciseInName(name: string, ids: readonly string[]): string | null {
  const [first, second] = ids.filter((id) => patternOf(id).test(name));
  return first === undefined || second !== undefined ? null : first;
}

/** The name without the exercise: the student's part of `lab-28-anna`. The name itself where nothing would be left. */
export function withoutExercise(name: string, ids: readonly string[]): string {
  const id = exerciseInName(name, ids);
  if (id === null) return name;
  const parts = name.split(patternOf(id)).map((part) => part.replace(/^[-_ .+]+|[-_ .+]+$/g, ""));
  const rest = parts.filter((part) => part !== "").join("-");
  return rest === "" ? name : rest;
}

/** Whether a name is an exercise's alone. */
export function isExerciseName(name: string, ids: readonly string[]): boolean {
  const id = exerciseInName(name, ids);
  return id !== null && name.replace(patternOf(id), "").trim() === "";
}

/** Jupyter, Windows and macOS add this to the name of a copy. */
const COPY = /(?: ?[-_] ?| )(?:copy|Kopie|copie)[ -_]?\d*$/i;

/** Whether a name without its ending is that of a copy. */
export function isCopy(stem: string): boolean {
  return COPY.test(stem);
}

/** The name without its ending and without what browsers and systems add to it: "lab-28 (2)" and "lab-28 copy" are "lab-28". */
export function plainStem(stem: string): string {
  return stem.replace(/ ?\(\d+\)$/, "").replace(COPY, "");
}

/** Parts of digits count as numbers: "lab-28 (2)" comes before "lab-28 (10)". */
export function naturalOrder(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/(\d+)/)) as [string[], string[]];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [one = "", other = ""] = [left[index], right[index]];
    if (one === other) continue;
    // Every second part is a number.
    const difference = index % 2 === 1 ? compareDigits(one, other) : 0;
    if (difference !== 0) return difference;
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

function compareDigits(a: string, b: string): number {
  const [one, other] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : one > other ? 1 : 0;
}
