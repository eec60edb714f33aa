/** Recorded activities in nvprof's words: which are GPU activities, which API calls, and a kernel's name as C++ has it. */
import type { DeviceSpec } from "../../device/index.js";
import type { Activity } from "../../host/activity.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { cudaName } from "../../ir/types.js";

/** One thing that the GPU did. `seconds` is null where the model has no time for it. */
export interface GpuActivity {
  readonly name: string;
  readonly device: DeviceSpec | null;
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

function apiName({ kind }: Happened): string {
  const names = {
    launch: "cudaLaunchKernel",
    copy: "cudaMemcpy",
    memset: "cudaMemset",
    malloc: "cudaMalloc",
    free: "cudaFree",
    reset: "cudaDeviceReset",
  };
  return names[kind];
}

export function apiCalls(activities: readonly Activity[]): readonly ApiCall[] {
  return activities.filter(happened).map((activity, index) => ({
    name: apiName(activity),
    kernel: activity.kind === "launch" ? kernelName(activity.launch) : null,
    correlation: index + 1,
  }));
}

function gpuActivity(activity: Activity, correlation: number): GpuActivity | null {
  const nothing = { launch: null, bytes: null, source: null, destination: null, seconds: null };
  switch (activity.kind) {
    case "launch": {
      const { launch } = activity;
      const seconds = launch.time.durationMicroseconds * 1e-6;
      return { ...nothing, name: kernelName(launch), device: launch.device, seconds, launch, correlation };
    }
    case "copy": {
      const { way, bytes, device } = activity;
      const [source, destination] = way === "HtoD" ? ["Pageable", "Device"] : ["Device", "Pageable"];
      return { ...nothing, name: `[CUDA memcpy ${way}]`, device, bytes, source, destination, correlation };
    }
    case "memset": {
      const { bytes, device } = activity;
      return { ...nothing, name: "[CUDA memset]", device, bytes, source: "Device", correlation };
    }
    default:
      return null;
  }
}

export function gpuActivities(activities: readonly Activity[]): readonly GpuActivity[] {
  return activities
    .filter(happened)
    .map((each, index) => gpuActivity(each, index + 1))
    .filter((each) => each !== null);
}
