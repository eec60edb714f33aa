/** A grade for a terminal, and in the form of Exercism's test runners. */
import { wrap } from "../../core/show/output/plain-text.js";
import { number } from "../../course/exercises/finding.js";
import { type CheckSpec, type ExerciseSpec, pointsOf } from "../../course/exercises/spec.js";
import { type CheckResult, countingSentence, NOT_REACHED } from "../../course/exercises/verdict.js";
import type { Grade } from "./grade.js";

/** Exit codes: all points, not all, an input that cannot be graded. */
export const EXIT = { all: 0, some: 1, refused: 2 } as const;

export function exitCodeOf(grade: Grade): number {
  if (grade.kind === "refused") return EXIT.refused;
  return grade.kind === "verdict" && grade.verdict.passed ? EXIT.all : EXIT.some;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of a submission, which cannot steer a terminal then. */
export function harmless(text: string): string {
  return text.replace(CONTROL, "\ufffd");
}

/** The same in one line, for a name or a sentence. */
export function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, " ").trim();
}

/** Why there is no verdict, in a sentence with the line, and the cure. */
export function reasonText(grade: Exclude<Grade, { readonly kind: "verdict" }>): string {
  const at = grade.kind === "refused" ? grade.at : null;
  const line = at === null ? "" : `\nLine ${at.line} of ${at.where}: ${at.text}`;
  return harmless(`${grade.what}${line}\n${grade.cure}`);
}

export const UNCHANGED = "This is the starter, unchanged.";

const INDENT = "  ";

function indented(text: string, width: number): readonly string[] {
  return wrap(oneLine(text), Math.max(16, width - INDENT.length)).map((line) => `${INDENT}${line}`);
}

function wordOf({ passed, waits }: CheckResult): string {
  return passed ? "pass" : waits === true ? NOT_REACHED : "FAIL";
}

function checkLines(check: CheckResult, width: number): readonly string[] {
  const points = `${number(check.points)} of ${number(check.outOf)}`;
  return [`${wordOf(check)}  ${points.padEnd(8)}  ${check.check}`, ...indented(check.sentence, width)];
}

/** The word in front of checks that say the same, or the sentence of one that failed. */
function groupOf({ passed, waits, sentence }: CheckResult): string {
  if (passed) return "pass";
  return waits === true ? NOT_REACHED : sentence;
}

/** Passed checks in one line, and those that were not looked at yet in another: the reasons of the others stand out. */
function briefLines(checks: readonly CheckResult[], width: number): readonly string[] {
  const groups = new Map<string, CheckResult[]>();
  for (const check of checks) groups.set(groupOf(check), [...(groups.get(groupOf(check)) ?? []), check]);
  return [...groups].flatMap(([group, members]) => {
    const [first] = members;
    if (group !== "pass" && group !== NOT_REACHED && first !== undefined) return checkLines(first, width);
    const outOf = members.reduce((sum, check) => sum + check.outOf, 0);
    const points = `${number(group === "pass" ? outOf : 0)} of ${number(outOf)}`;
    const head = `${group.padEnd(5)} ${points.padEnd(8)}  `;
    const names = wrap(members.map(({ check }) => check).join(", "), Math.max(16, width - head.length));
    return names.map((line, index) => (index === 0 ? head : " ".repeat(head.length)) + line);
  });
}

/**
 * The grade as lines of at most `width` columns.
 * @param detail "full" has a sentence for each check, "brief" for those that failed
 */
export function gradeText(spec: ExerciseSpec, grade: Grade, width: number, detail: "full" | "brief" = "full"): string {
  const title = wrap(`${spec.id}: ${spec.title}`, width);
  if (grade.kind !== "verdict") {
    const lines = reasonText(grade)
      .split("\n")
      .flatMap((line) => wrap(line, width));
    return `${[...title, ...lines, `0 of ${number(pointsOf(spec))} points`].join("\n")}\n`;
  }
  const { verdict } = grade;
  const last = `${number(verdict.points)} of ${number(verdict.outOf)} points  (seed ${verdict.seed})`;
  const checks =
    detail === "full" ? verdict.checks.flatMap((check) => checkLines(check, width)) : briefLines(verdict.checks, width);
  const counting = grade.unchanged === true ? UNCHANGED : countingSentence(verdict);
  const how = counting === null ? [] : wrap(counting, width);
  return `${[...title, ...checks, ...how, ...wrap(last, width)].join("\n")}\n`;
}

type Status = "pass" | "fail" | "error";

export interface ExercismTest {
  readonly name: string;
  readonly status: Status;
  readonly message: string | null;
  readonly output: string | null;
  readonly test_code: string;
  readonly task_id: number;
  /** Beyond Exercism's fields. */
  readonly points: number;
  readonly out_of: number;
  /** It was not looked at, as it waits for another check. */
  readonly not_reached: boolean;
}

/** Exercism's results.json, version 3, with the points beside its fields. */
export interface ExercismResult {
  readonly version: 3;
  readonly status: Status;
  readonly message: string | null;
  readonly tests: readonly ExercismTest[];
  readonly exercise: string;
  readonly points: number;
  readonly out_of: number;
  readonly seed: number | null;
  /** Points that the checks give to the untouched starter, from which `points` count; null without a verdict. */
  readonly starter: number | null;
  /** The answer is the starter as it was handed out. */
  readonly unchanged: boolean;
}

/** Exercism's limits, in characters. */
const MOST_MESSAGE = 65_535;
const MOST_OUTPUT = 500;

/** The text, with "..." at its end where it has more than `most` characters. */
export function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 4)} ...` : text;
}

function exercismTest(check: CheckResult, spec: CheckSpec, index: number): ExercismTest {
  const sentence = harmless(check.sentence);
  const waits = check.waits === true;
  return {
    name: check.check,
    status: check.passed ? "pass" : "fail",
    message: check.passed ? null : clipped(waits ? `Not reached. ${sentence}` : sentence, MOST_MESSAGE),
    output: check.passed ? clipped(sentence, MOST_OUTPUT) : null,
    test_code: JSON.stringify(spec),
    task_id: index + 1,
    points: check.points,
    out_of: check.outOf,
    not_reached: waits,
  };
}

export function exercismResult(spec: ExerciseSpec, grade: Grade): ExercismResult {
  const outOf = pointsOf(spec);
  const common = { version: 3, exercise: spec.id } as const;
  if (grade.kind !== "verdict") {
    const message = clipped(reasonText(grade), MOST_MESSAGE);
    return {
      ...common,
      status: "error",
      message,
      tests: [],
      points: 0,
      out_of: outOf,
      seed: null,
      starter: null,
      unchanged: false,
    };
  }
  const { unchanged = false } = grade;
  const { checks, points, passed, seed, devices, starter } = grade.verdict;
  const tests = checks.map((check, index) => exercismTest(check, spec.checks[index]!, index));
  // No GPU has run a kernel that does not compile.
  const message = devices.length === 0 && !passed ? clipped(harmless(checks[0]?.sentence ?? ""), MOST_MESSAGE) : null;
  const status = message === null ? (passed ? "pass" : "fail") : "error";
  return { ...common, status, message, tests, points, out_of: outOf, seed, starter, unchanged };
}
