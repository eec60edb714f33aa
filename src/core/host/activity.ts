/**
 * The work that `Gpu` objects do, for a profiler that listens: allocations, copies, launches, events. Nothing is kept, and
 * nothing but a test of some variables is done, while nobody listens and the GPU has no streams.
 */
import type { DeviceSpec } from "../device/index.js";
import type { LaunchResult } from "./launch-result.js";
import { putOutPrintf } from "./printf-output.js";
import type { HostMemory, PinnedRange } from "./streams/pinned.js";
import type { EventKey, StreamKey } from "./streams/stream-key.js";

/** Work that goes to a stream. */
export interface StreamWork {
  readonly stream: StreamKey;
  readonly device: DeviceSpec | null;
}

export interface CopyActivity extends StreamWork, MemoryRange {
  readonly kind: "copy";
  /** cudaMemcpy's kind: HtoD is from host to device. A range is in the destination, for DtoH in the source. */
  readonly way: "HtoD" | "DtoH" | "DtoD";
  /** Where the host's side lies; null for DtoD. */
  readonly host: HostMemory | null;
  /** The host's side of page-locked memory; else null, as an activity may outlive the array. */
  readonly pinned: PinnedRange | null;
  /** Size of an element in the host's array; 4 for DtoD. */
  readonly elementBytes: number;
  /** cudaMemcpyAsync. */
  readonly async: boolean;
  /** Address of the source; null unless DtoD. */
  readonly from: number | null;
  /** cudaMemcpy2D: rows of the range; null for bytes without gaps. */
  readonly rows: CopyRows | null;
}

/** `bytes` of an activity are those of all rows, without the gaps between them. */
export interface CopyRows {
  readonly count: number;
  readonly pitchBytes: number;
}

export interface MemsetActivity extends StreamWork, MemoryRange {
  readonly kind: "memset";
  readonly async: boolean;
}

export interface LaunchActivity {
  readonly kind: "launch";
  readonly owner: object;
  readonly stream: StreamKey;
  readonly launch: LaunchResult;
}

/** cudaStreamSynchronize, cudaEventSynchronize, cudaDeviceSynchronize. */
export interface SynchronizeActivity {
  readonly kind: "synchronize";
  readonly owner: object;
  readonly device: DeviceSpec | null;
  readonly target: StreamKey | EventKey | null;
  readonly what: "device" | "stream" | "event";
}

/** cudaStreamQuery, cudaEventQuery. */
export interface QueryActivity {
  readonly kind: "query";
  readonly owner: object;
  readonly target: StreamKey | EventKey;
  readonly what: "stream" | "event";
  /** The work has ended. */
  readonly ready: boolean;
}

export type Activity =
  | LaunchActivity
  | QueryActivity
  | CopyActivity
  | MemsetActivity
  | SynchronizeActivity
  | ({ readonly kind: "malloc" | "free" } & MemoryRange)
  /** cudaMallocHost. */
  | { readonly kind: "host-alloc"; readonly owner: object; readonly bytes: number }
  | { readonly kind: "stream-create" | "stream-destroy"; readonly owner: object; readonly stream: StreamKey }
  | { readonly kind: "event-create"; readonly owner: object; readonly event: EventKey }
  | {
      readonly kind: "event-record" | "stream-wait";
      readonly owner: object;
      readonly event: EventKey;
      readonly stream: StreamKey;
    }
  /** Memory is used after it was freed, which fails. */
  | ({
      readonly kind: "use-after-free";
      readonly use: FreedUse;
      readonly cure: string;
      /** The kernel and its parameter; null for copies and frees. */
      readonly user: string | null;
    } & MemoryRange)
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

/** A GPU that has streams keeps its own activities. */
const recorders: WeakMap<object, (activity: Activity) => void> = new WeakMap();

/** The host waits for the GPU: cudaMemcpy does, cudaMemcpyAsync does not. */
function waits(activity: Activity): boolean {
  const { kind } = activity;
  return kind === "synchronize" || kind === "reset" || (kind === "copy" && !activity.async);
}

/** Tells those who listen. */
export function note(activity: Activity): void {
  if (waits(activity)) putOutPrintf(activity.owner);
  for (const listener of listeners) listener(activity);
  recorders.get(activity.owner)?.(activity);
}

/** Gives `recorder` the activities of one GPU from now on. */
export function recordActivities(owner: object, recorder: (activity: Activity) => void): void {
  recorders.set(owner, recorder);
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
