/**
 * The work that `Gpu` objects do, for a profiler that listens: allocations, copies, launches. Nothing is kept, and nothing but a test of
 * one variable is done, while nobody listens.
 */
import type { DeviceSpec } from "../device/index.js";
import type { LaunchResult } from "./launch-result.js";

export type Activity =
  | { readonly kind: "launch"; readonly launch: LaunchResult }
  /** cudaMemcpy; HtoD from host to device. */
  | ({ readonly kind: "copy"; readonly way: "HtoD" | "DtoH"; readonly device: DeviceSpec | null } & MemoryRange)
  | ({ readonly kind: "memset"; readonly device: DeviceSpec | null } & MemoryRange)
  | ({ readonly kind: "malloc" | "free" } & MemoryRange)
  /** Memory is used after it was freed, which fails. */
  | ({ readonly kind: "use-after-free"; readonly use: FreedUse; readonly cure: string } & MemoryRange)
  /** cudaDeviceReset, before it frees what is left. */
  | { readonly kind: "reset"; readonly owner: object };

/** Memory that was freed is given to a launch, copied from or to, or freed again. */
export type FreedUse = "launch" | "copy" | "free";

/** Bytes of a GPU's memory; `owner` is the GPU. */
export interface MemoryRange {
  readonly owner: object;
  readonly address: number;
  readonly bytes: number;
}

let listeners: readonly ((activity: Activity) => void)[] = [];

/** Tells those who listen. */
export function note(activity: Activity): void {
  for (const listener of listeners) listener(activity);
}

/** Calls `listener` for each activity, when it happens, until `stop` is called. */
export function hear(listener: (activity: Activity) => void): { readonly stop: () => void } {
  listeners = [...listeners, listener];
  return {
    stop: () => {
      listeners = listeners.filter((each) => each !== listener);
    },
  };
}

/** Collects all activities until `stop` is called, which gives them in order. */
export function listen(): { readonly stop: () => readonly Activity[] } {
  const list: Activity[] = [];
  const { stop } = hear((activity) => list.push(activity));
  return {
    stop: () => {
      stop();
      return list;
    },
  };
}
