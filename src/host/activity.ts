/**
 * The work that `Gpu` objects do, for a profiler that listens: allocations, copies, launches. Nothing is kept, and nothing but a test of
 * one variable is done, while nobody listens.
 */
import type { DeviceSpec } from "../device/index.js";
import type { LaunchResult } from "./launch-result.js";

export type Activity =
  | { readonly kind: "launch"; readonly launch: LaunchResult }
  /** cudaMemcpy; HtoD from host to device. */
  | { readonly kind: "copy"; readonly way: "HtoD" | "DtoH"; readonly bytes: number; readonly device: DeviceSpec | null }
  | { readonly kind: "memset"; readonly bytes: number; readonly device: DeviceSpec | null }
  | { readonly kind: "malloc" | "free"; readonly bytes: number };

let listeners: readonly Activity[][] = [];

/** Tells those who listen. */
export function note(activity: Activity): void {
  for (const list of listeners) list.push(activity);
}

/** Collects all activities until `stop` is called, which gives them in order. */
export function listen(): { readonly stop: () => readonly Activity[] } {
  const list: Activity[] = [];
  listeners = [...listeners, list];
  return {
    stop: () => {
      listeners = listeners.filter((each) => each !== list);
      return list;
    },
  };
}
