/** Runs a program under other legal schedules, by seed, and compares what it returns. */
import { InputError, KernelFault } from "../base/errors.js";
import type { ChildTurn, LaunchSchedule, ScheduleHold } from "../host/launch-schedule.js";
import { type LaunchWatcher, watchLaunches } from "../host/launch-watcher.js";
import { placeOf } from "./finding.js";
import type { Race } from "./race/races.js";
import { withLateCopies } from "./streams/late-copies.js";

export interface WrongSchedule {
  readonly seed: number;
  /** The first difference, or the fault. */
  readonly what: string;
}

/** The default schedule with as few threads held back as make the result differ, or with child grids where they are launched. */
export interface HeldSchedule {
  readonly hold: readonly ScheduleHold[];
  /** "early": no thread is held, and child grids run early. */
  readonly children: ChildTurn;
  /** The first difference, or the fault. */
  readonly what: string;
  /** Who waits or comes early where, a phrase each. */
  readonly words: readonly string[];
}

export interface ScheduleSearch {
  readonly tried: number;
  readonly wrong: readonly WrongSchedule[];
  /** null where neither one or two holds at a race nor early child grids make the result differ. */
  readonly fewest: HeldSchedule | null;
  /** The first difference where copies to page-locked memory arrive when the host waits for them; null for none. */
  readonly lateCopies: string | null;
  /** For the report: "wrong in 37 of 1000; replay with seed 417". */
  readonly lines: readonly string[];
}

function isArray(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** The first place where two results differ; null where they are the same. Arrays are compared element by element. */
function difference(expected: unknown, found: unknown, name: string): string | null {
  if (isArray(expected) && isArray(found)) {
    if (expected.length !== found.length) return `${name} has ${found.length} elements, not ${expected.length}`;
    for (let k = 0; k < expected.length; k++) {
      const inner = difference(expected[k], found[k], `${name}[${k}]`);
      if (inner !== null) return inner;
    }
    return null;
  }
  if (typeof expected === "object" && expected !== null && typeof found === "object" && found !== null) {
    for (const [key, value] of Object.entries(expected)) {
      const inner = difference(value, (found as Readonly<Record<string, unknown>>)[key], `${name}.${key}`);
      if (inner !== null) return inner;
    }
    return null;
  }
  return Object.is(expected, found) ? null : `${name} is ${String(found)}, not ${String(expected)}`;
}

/** The first difference of a run's result, or its fault; null for none. */
function differenceOf(run: () => unknown, expected: unknown): string | null {
  try {
    return difference(expected, run(), "the result");
  } catch (error) {
    if (error instanceof KernelFault) return error.what.split("\n")[0] ?? error.code;
    throw error;
  }
}

/** The first difference of the program's result under a schedule; null for none. */
function differs(program: () => unknown, schedule: LaunchSchedule, expected: unknown): string | null {
  const watcher: LaunchWatcher = { scheduleOf: () => schedule, begin: () => null, end: () => undefined };
  return differenceOf(() => watchLaunches(watcher, program), expected);
}

/** The first difference of the program's result with late copies; null for none, and where no copy can be late. */
function differsLate(program: () => unknown, expected: unknown): string | null {
  return differenceOf(() => {
    const { result, late } = withLateCopies(program);
    return late === 0 ? expected : result;
  }, expected);
}

function lateLines(what: string): readonly string[] {
  return [
    "COPIES: the host reads page-locked memory before the copy to it has ended for certain",
    `    Where the copies end later, ${what}.`,
    "    Wait before the host reads: stream.synchronize(), or event.synchronize() behind the copy.",
  ];
}

/** Schedules with few holds that are tried. */
const MOST_TRIED = 60;

function orderedHolds(races: Iterable<Race>): readonly Held[] {
  const list: Held[] = [];
  for (const { first, second } of races) {
    // A hold lasts until nobody else of its block can go on: it turns the order of two threads of one block alone.
    if (first.launch === null || second.launch === null) continue;
    if (first.launch !== second.launch || first.block !== second.block) continue;
    const { launch, instruction, block, thread } = first;
    const place = placeOf(launch, instruction, first.does, block, thread);
    const hold = { kernel: launch.program.name, block, thread, pc: instruction.pc };
    list.push({
      hold,
      words: `thread (${place.thread?.join(",")}) of block (${place.block?.join(",")}) waits before line ${place.line}`,
    });
  }
  return list;
}

interface Held {
  readonly hold: ScheduleHold;
  readonly words: string;
}

/**
 * The fewest threads that have to wait for the result to differ: one, or two. Each race says whom: the thread that is first in
 * the default schedule.
 */
function fewestHolds(program: () => unknown, expected: unknown, races: readonly Race[]): HeldSchedule | null {
  const early = earlyChildren(program, expected, races);
  if (early !== null) return early;
  const holds = orderedHolds(races);
  const pairs = holds.flatMap((a, index) => holds.slice(index + 1).map((b) => [a, b]));
  for (const chosen of [...holds.map((each) => [each]), ...pairs].slice(0, MOST_TRIED)) {
    const hold = chosen.map((each) => each.hold);
    const what = differs(program, { hold }, expected);
    if (what !== null) return { hold, children: "late", what, words: chosen.map(({ words }) => words) };
  }
  return null;
}

/** Where a grid and one below it race: whether the result differs with child grids where they are launched. */
function earlyChildren(program: () => unknown, expected: unknown, races: readonly Race[]): HeldSchedule | null {
  const between = races.find(({ relation }) => relation === "parent-child" || relation === "child-parent");
  if (between === undefined) return null;
  const what = differs(program, { children: "early" }, expected);
  const [parent, child] =
    between.relation === "parent-child" ? [between.first, between.second] : [between.second, between.first];
  if (what === null || parent.launch === null || child.launch === null) return null;
  const place = placeOf(parent.launch, parent.instruction, parent.does, parent.block, parent.thread);
  const words = [`${child.launch.program.name} runs where it is launched, not after line ${place.line}`];
  return { hold: [], children: "early", what, words };
}

function heldLines({ hold, children, what, words }: HeldSchedule): readonly string[] {
  if (children === "early") {
    return [
      `    The one turn that makes it wrong: ${words.join("; ")}.`,
      `    Then ${what}.`,
      `    gpu.launch(kernel, { ..., schedule: { children: "early" } }, args) runs it again.`,
    ];
  }
  const list = hold.map(({ block, thread, pc }) => `{ block: ${block}, thread: ${thread}, pc: ${pc} }`).join(", ");
  return [
    `    Fewest turns that make it wrong: ${words.join("; ")}, until nobody else of the block can go on.`,
    `    Then ${what}.`,
    `    gpu.step(kernel, { ..., schedule: { hold: [${list}] } }, args) steps through it, forwards and backwards.`,
  ];
}

/** @throws InputError where the program returns nothing that could be compared */
export function searchSchedules(
  program: () => unknown,
  expected: unknown,
  { schedules, seed: first }: { readonly schedules: number; readonly seed: number },
  races: Iterable<Race>,
): ScheduleSearch {
  if (expected === undefined) {
    throw new InputError({
      what: "sanitize: the program returns nothing, so its schedules cannot be compared.",
      cure: "Return the result: sanitize(() => { gpu.launch(...); return output.read(); }, { schedules: 100 }).",
    });
  }
  const wrong: WrongSchedule[] = [];
  for (let seed = first; seed < first + schedules; seed++) {
    const what = differs(program, { seed }, expected);
    if (what !== null) wrong.push({ seed, what });
  }
  const fewest = fewestHolds(program, expected, [...races]);
  const [shown] = wrong;
  const found =
    shown === undefined
      ? [`SCHEDULES: the same result in ${schedules} of ${schedules}`]
      : [
          `SCHEDULES: wrong in ${wrong.length} of ${schedules}; replay with seed ${shown.seed}`,
          `    There ${shown.what}.`,
          `    gpu.launch(kernel, { ..., schedule: { seed: ${shown.seed} } }, args) runs it again.`,
        ];
  const lateCopies = differsLate(program, expected);
  const lines = [
    ...found,
    ...(fewest === null ? [] : heldLines(fewest)),
    ...(lateCopies === null ? [] : lateLines(lateCopies)),
  ];
  return { tried: schedules, wrong, fewest, lateCopies, lines };
}
