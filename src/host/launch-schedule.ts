/** The order in which a launch's threads run. */
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

export type LaunchSchedule = "default" | { readonly seed: number } | { readonly hold: readonly ScheduleHold[] };

/** For callers that no type checker has seen. */
export function isSchedule(schedule: LaunchSchedule): boolean {
  if (schedule === "default") return true;
  if (typeof schedule !== "object" || schedule === null) return false;
  if ("seed" in schedule) return Number.isSafeInteger(schedule.seed);
  const whole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  return (
    Array.isArray(schedule.hold) &&
    schedule.hold.every((each) => whole(each?.block) && whole(each.thread) && whole(each.pc))
  );
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
  return { kind: "held", holds: holdsOf(kernel, schedule.hold) };
}
