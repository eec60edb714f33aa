/**
 * A starter is made from its solution, so that the two cannot drift apart. The solution marks what it has instead:
 *
 *     // BEGIN SOLUTION
 *     the solution's lines
 *     // STARTER
 *     //|the starter's lines, each with its indentation
 *     // END SOLUTION
 */
import { InputError } from "../../core/base/errors.js";

const BEGIN = /^\s*\/\/ BEGIN SOLUTION$/;
const STARTER = /^\s*\/\/ STARTER$/;
const END = /^\s*\/\/ END SOLUTION$/;
const LINE = /^\s*\/\/\|(.*)$/;

const TITLE = ": one solution. */";
const STARTER_TITLE = ": where it starts: not yet what is asked for. */";

type Part = "both" | "solution" | "starter";

function refuse(what: string, line: number): never {
  throw new InputError({
    what: `Line ${line} of the solution: ${what}`,
    cure: "Write // BEGIN SOLUTION, the solution's lines, // STARTER, lines that begin with //|, and // END SOLUTION.",
  });
}

/** The part that begins after a marker; null for a line that is none. */
function partAfter(line: string, part: Part, number: number): Part | null {
  const marked = [
    [BEGIN, "both", "solution"],
    [STARTER, "solution", "starter"],
    [END, "starter", "both"],
  ] as const;
  const found = marked.find(([marker]) => marker.test(line));
  if (found === undefined) return null;
  const [, before, after] = found;
  return part === before ? after : refuse(`the marker ${line.trim()} stands at the wrong place.`, number);
}

function starterLine(line: string, number: number): string {
  return LINE.exec(line)?.[1] ?? refuse("it begins with no //|.", number);
}

/**
 * The starter's text.
 * @throws InputError for markers that are not in their order, and for a solution without any
 */
export function starterOf(solution: string): string {
  const [title = "", ...lines] = solution.split("\n");
  if (!title.endsWith(TITLE)) refuse(`it does not end with "${TITLE}".`, 1);
  const made = [title.replace(TITLE, STARTER_TITLE)];
  let part: Part = "both";
  for (const [index, line] of lines.entries()) {
    const next = partAfter(line, part, index + 2);
    if (next !== null) part = next;
    else if (part === "both") made.push(line);
    else if (part === "starter") made.push(starterLine(line, index + 2));
  }
  if (part !== "both") refuse("// END SOLUTION is missing.", lines.length + 1);
  if (made.length === lines.length + 1) refuse("it marks nothing that a learner is to write.", 1);
  return made.join("\n");
}
