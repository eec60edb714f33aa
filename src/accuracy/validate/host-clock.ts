/** Time that the clocks of published programs show around a launch beyond the model's events. */
import { deviceById } from "../../device/index.js";
import { readReference } from "../measured-table.js";

export type Clock = "host" | "event";

interface FirstLaunchRow {
  readonly clock: Clock;
  /** Time that the clock shows beyond the kernel's own, over the launches of one process. */
  readonly beyondKernelMicroseconds: { readonly median: number };
}

/**
 * What a clock shows around the one launch of a kernel behind the copy of its data, more than the events of the model, whose
 * launch waits behind other work: of the least disturbed process, as others' work on the machine only adds.
 */
export function firstLaunchMicroseconds(clock: Clock): number {
  const file = readReference("h200/micro/first-launch.json") as { readonly rows: readonly FirstLaunchRow[] };
  const medians = file.rows.filter((row) => row.clock === clock).map((row) => row.beyondKernelMicroseconds.median);
  return Math.min(...medians) - deviceById("h200").launch.queuedKernelEventMicroseconds;
}

/** What a clock that shows `beyondKernel` more than the kernel's duration shows more than the model's events. */
export function beyondEvents(beyondKernelMicroseconds: number, device: string): number {
  const { queuedKernelEventMicroseconds, emptyKernelDurationMicroseconds } = deviceById(device).launch;
  return beyondKernelMicroseconds - (queuedKernelEventMicroseconds - emptyKernelDurationMicroseconds);
}

/** The published programs' clocks, in words. */
export const CLOCK_WORDS: Readonly<Record<Clock, string>> = {
  host: "a host's clock around launch and wait",
  event: "two events",
};
