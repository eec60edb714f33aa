/** Time that the clocks of published programs show around a launch beyond the model's events. */
import { deviceById } from "../../../core/device/index.js";
import { readReference } from "../measured-table.js";

export type Clock = "host" | "event";

interface FirstLaunchRow {
  readonly clock: Clock;
  /** Time that the clock shows beyond the kernel's own, over the launches of one process. */
  readonly beyondKernelMicroseconds: { readonly median: number };
}

/**
 * The time that a clock shows around a kernel's only launch, after the copy of its data, beyond the model's events. The
 * model's launch waits in a queue. The least disturbed process counts, as other work on the machine only adds.
 */
export function firstLaunchMicroseconds(clock: Clock): number {
  const file = readReference("h200/micro/first-launch.json") as { readonly rows: readonly FirstLaunchRow[] };
  const medians = file.rows.filter((row) => row.clock === clock).map((row) => row.beyondKernelMicroseconds.median);
  return Math.min(...medians) - deviceById("h200").launch.queuedKernelEventMicroseconds;
}

/** The time beyond the model's events on a clock that shows `beyondKernelMicroseconds` more than the kernel's duration. */
export function beyondEvents(beyondKernelMicroseconds: number, device: string): number {
  const { queuedKernelEventMicroseconds, emptyKernelDurationMicroseconds } = deviceById(device).launch;
  return beyondKernelMicroseconds - (queuedKernelEventMicroseconds - emptyKernelDurationMicroseconds);
}

/** The published programs' clocks, in words. */
export const CLOCK_WORDS: Readonly<Record<Clock, string>> = {
  host: "a host's clock around launch and wait",
  event: "two events",
};
