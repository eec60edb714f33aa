/** Recorded activities in nvprof's words: which are GPU activities, which API calls, and a kernel's name as C++ has it. */
import type { DeviceSpec } from "../../device/index.js";
import type { Activity } from "../../host/activity.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { type ActivityTimes, activityTimes } from "../../host/streams/device-timeline.js";
import type { StreamKey } from "../../host/streams/stream-key.js";
import { cudaName } from "../../ir/types.js";

/** One thing that the GPU did. */
export interface GpuActivity {
  readonly name: string;
  readonly device: DeviceSpec | null;
  readonly stream: StreamKey;
  /** From the session's first call on; null where times were not asked for, or the GPU is unknown. Predicted. */
  readonly startSeconds: number | null;
  readonly seconds: number | null;
  readonly launch: LaunchResult | null;
  readonly bytes: number | null;
  readonly source: string | null;
  readonly destination: string | null;
  /** The number of the API call that started it, from 1. */
  readonly correlation: number;
}

export interface ApiCall {
  readonly name: string;
  /** The kernel that a cudaLaunchKernel starts. */
  readonly kernel: string | null;
  readonly correlation: number;
}

/** `reduce(int*, int*, unsigned int)`, as nvprof demangles it. */
export function kernelName({ program }: Pick<LaunchResult, "program">): string {
  return `${program.name}(${program.params.map(({ type }) => cudaName(type)).join(", ")})`;
}

/** `Tesla V100-SXM2-16GB (0)`, as the driver of nvprof's days named it. */
export function deviceName(device: DeviceSpec | null): string {
  return device === null ? "-" : `${device.name.replace(/^NVIDIA /, "")} (0)`;
}

/** A call that fails for its arguments reaches no GPU. */
type Happened = Exclude<Activity, { readonly kind: "use-after-free" }>;
const happened = (activity: Activity): activity is Happened => activity.kind !== "use-after-free";

function apiName(activity: Happened): string {
  switch (activity.kind) {
    case "copy": {
      const call = activity.rows === null ? "cudaMemcpy" : "cudaMemcpy2D";
      return activity.async ? `${call}Async` : call;
    }
    case "memset":
      return activity.async ? "cudaMemsetAsync" : "cudaMemset";
    case "synchronize":
      return { device: "cudaDeviceSynchronize", stream: "cudaStreamSynchronize", event: "cudaEventSynchronize" }[
        activity.what
      ];
    case "query":
      return activity.what === "stream" ? "cudaStreamQuery" : "cudaEventQuery";
    default:
      return API_NAMES[activity.kind];
  }
}

const API_NAMES = {
  launch: "cudaLaunchKernel",
  malloc: "cudaMalloc",
  "host-alloc": "cudaMallocHost",
  free: "cudaFree",
  reset: "cudaDeviceReset",
  "stream-create": "cudaStreamCreate",
  "stream-destroy": "cudaStreamDestroy",
  "stream-wait": "cudaStreamWaitEvent",
  "event-create": "cudaEventCreate",
  "event-record": "cudaEventRecord",
} as const;

export function apiCalls(activities: readonly Activity[]): readonly ApiCall[] {
  return activities.filter(happened).map((activity, index) => ({
    name: apiName(activity),
    kernel: activity.kind === "launch" ? kernelName(activity.launch) : null,
    correlation: index + 1,
  }));
}

const MEMORY = { pinned: "Pinned", pageable: "Pageable" } as const;

function gpuActivity(activity: Activity, correlation: number, times: ActivityTimes | null): GpuActivity | null {
  const startSeconds = times === null ? null : times.start * 1e-6;
  const seconds = times === null ? null : (times.end - times.start) * 1e-6;
  const nothing = { launch: null, bytes: null, source: null, destination: null, startSeconds, seconds, correlation };
  switch (activity.kind) {
    case "launch": {
      const { launch, stream } = activity;
      return { ...nothing, name: kernelName(launch), device: launch.device, stream, launch };
    }
    case "copy": {
      const { way, bytes, device, stream, host } = activity;
      const memory = host === null ? "Device" : MEMORY[host];
      const [source, destination] = way === "HtoD" ? [memory, "Device"] : ["Device", memory];
      return { ...nothing, name: `[CUDA memcpy ${way}]`, device, stream, bytes, source, destination };
    }
    case "memset": {
      const { bytes, device, stream } = activity;
      return { ...nothing, name: "[CUDA memset]", device, stream, bytes, source: "Device" };
    }
    default:
      return null;
  }
}

/** `timed`: with the times of all, which a report on counts alone does not need. */
export function gpuActivities(activities: readonly Activity[], timed: boolean): readonly GpuActivity[] {
  const times = timed ? activityTimes(activities) : null;
  return activities
    .filter(happened)
    .map((each, index) => gpuActivity(each, index + 1, times?.get(each) ?? null))
    .filter((each) => each !== null);
}
