/** The order in which a launch's threads run. */
import { type Shape, shape } from "../base/shape.js";
import type { Hold, Schedule } from "../engine/reference/index.js";

/** A thread that waits once, before the instruction `pc`. */
export interface ScheduleHold {
  /** Linear index of the block. */
  readonly block: number;
  /** Linear index of the thread in its block. Before 7.0 the lanes of its warp wait with it. */
  readonly thread: number;
  /** Index into the program's instructions. */
  readonly pc: number;
  /** Holds in launches of this kernel alone; in every launch unless told. */
  readonly kernel?: string;
}

/**
 * When child grids run: late, when their block waits for them or all blocks of the grid have run; early, where they are
 * launched. CUDA allows both, and all between.
 */
export type ChildTurn = "late" | "early";

export type LaunchSchedule =
  | "default"
  | { readonly seed: number }
  | { readonly hold: readonly ScheduleHold[]; readonly children?: ChildTurn }
  | { readonly children: ChildTurn };

/** `what` and `words` say why, in a schedule that `sanitize` has found. */
const WORDS: readonly string[] = ["seed", "hold", "children", "what", "words"];

/** For callers that no type checker has seen. */
function isSchedule(given: unknown): boolean {
  const schedule = given as LaunchSchedule;
  if (schedule === "default") return true;
  if (typeof schedule !== "object" || schedule === null) return false;
  const words = Object.keys(schedule);
  if (words.length === 0 || words.some((word) => !WORDS.includes(word))) return false;
  if ("seed" in schedule) return words.length === 1 && Number.isSafeInteger(schedule.seed);
  const { children = "late" } = schedule;
  if (children !== "late" && children !== "early") return false;
  if (!("hold" in schedule)) return true;
  const whole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  return (
    Array.isArray(schedule.hold) &&
    schedule.hold.every((each) => whole(each?.block) && whole(each.thread) && whole(each.pc))
  );
}

export const scheduleShape: Shape = shape(
  '"default", { seed: 1 } with any whole number, { children: "early" }, or { hold: [{ block: 0, thread: 16, pc: 12 }] }',
  isSchedule,
);

/** The holds of a schedule. */
export function heldBy(schedule: LaunchSchedule): readonly ScheduleHold[] {
  return typeof schedule === "object" && "hold" in schedule ? schedule.hold : [];
}

/** The lanes that a kernel's launch holds. */
export function holdsOf(kernel: string, hold: readonly ScheduleHold[]): readonly Hold[] {
  return hold
    .filter((each) => each.kernel === undefined || each.kernel === kernel)
    .map(({ block, thread, pc }) => ({ block, warp: thread >> 5, lanes: 1 << (thread & 31), pc }));
}

/** The engine's schedule for a launch of `kernel`. */
export function engineSchedule(kernel: string, schedule: LaunchSchedule): Schedule {
  if (schedule === "default") return { kind: "default" };
  if ("seed" in schedule) return { kind: "adversarial", seed: schedule.seed };
  if (!("hold" in schedule)) return { kind: "default" };
  return { kind: "held", holds: holdsOf(kernel, schedule.hold) };
}
