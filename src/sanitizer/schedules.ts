/** Runs a program under other legal schedules, by seed, and compares what it returns. */
import { InputError, KernelFault } from "../base/errors.js";
import { type LaunchWatcher, watchLaunches } from "../host/launch-watcher.js";

export interface WrongSchedule {
  readonly seed: number;
  /** The first difference, or the fault. */
  readonly what: string;
}

export interface ScheduleSearch {
  readonly tried: number;
  readonly wrong: readonly WrongSchedule[];
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

function runSeeded(program: () => unknown, seed: number, expected: unknown): string | null {
  const watcher: LaunchWatcher = { seed, begin: () => null, end: () => undefined };
  try {
    return difference(expected, watchLaunches(watcher, program), "the result");
  } catch (error) {
    if (error instanceof KernelFault) return error.what.split("\n")[0] ?? error.code;
    throw error;
  }
}

/** @throws InputError where the program returns nothing that could be compared */
export function searchSchedules(
  program: () => unknown,
  expected: unknown,
  schedules: number,
  first: number,
): ScheduleSearch {
  if (expected === undefined) {
    throw new InputError({
      what: "sanitize: the program returns nothing, so its schedules cannot be compared.",
      cure: "Return the result: sanitize(() => { gpu.launch(...); return output.read(); }, { schedules: 100 }).",
    });
  }
  const wrong: WrongSchedule[] = [];
  for (let seed = first; seed < first + schedules; seed++) {
    const what = runSeeded(program, seed, expected);
    if (what !== null) wrong.push({ seed, what });
  }
  const [shown] = wrong;
  const lines =
    shown === undefined
      ? [`SCHEDULES: the same result in ${schedules} of ${schedules}`]
      : [
          `SCHEDULES: wrong in ${wrong.length} of ${schedules}; replay with seed ${shown.seed}`,
          `    ${shown.what}`,
          `    gpu.launch(kernel, { ..., schedule: { seed: ${shown.seed} } }, args) runs it again.`,
        ];
  return { tried: schedules, wrong, lines };
}
