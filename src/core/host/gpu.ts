/**
 * A simulated GPU: its memory and its launches. The counterpart of the CUDA runtime for one device, with the words of
 * TypeScript: `gpu.alloc`, `buffer.write`, `gpu.launch`, `buffer.read`.
 */
import { InputError } from "../base/errors.js";
import { platform } from "../base/platform.js";
import {
  boolean,
  checkArgument,
  checkOptions,
  type Fields,
  oneOf,
  optional,
  type Shape,
  shape,
  whole,
} from "../base/shape.js";
import { shown } from "../base/shown.js";
import { summarized } from "../base/summary.js";
import { deviceSummary } from "../device/device-summary.js";
import {
  checkDevice,
  type DeviceId,
  type DeviceJson,
  type DeviceSpec,
  deviceById,
  deviceFrom,
  type IdOr,
  isDeviceJson,
} from "../device/index.js";
import { createDeviceMemory, type GrowableDeviceMemory } from "../engine/memory.js";
import { PRINTF_BYTES } from "../engine/printf-buffer.js";
import { CudaKernel, type CudaSymbol } from "../frontend/cuda-cpp-kernel.js";
import { isValueType, type Kernel, kernelShape } from "../frontend/index.js";
import { byteSize, type ElementType } from "../ir/types.js";
import { note } from "./activity.js";
import { Allocator } from "./allocator.js";
import { type ArrayOf, type BufferOwner, DeviceBuffer, type HostArray, plainArray, scalarOfArray } from "./buffer.js";
import { type DeviceLimit, DeviceLimits } from "./children/device-limits.js";
import { type LaunchConfig, type LaunchSite, runLaunch } from "./launch.js";
import type { LaunchArguments } from "./launch-arguments.js";
import type { LaunchResult } from "./launch-result.js";
import { type LaunchStepper, type SteppingOptions, startStepping } from "./stepping.js";
import { type DeviceProperties, deviceProperties } from "./streams/device-properties.js";
import type { DeviceTimeline } from "./streams/device-timeline.js";
import type { EventOptions, GpuEvent } from "./streams/event.js";
import { GpuStreams } from "./streams/gpu-streams.js";
import { hostAlloc } from "./streams/host-alloc.js";
import { checkPitched, PitchedBuffer, pitchBytesOf } from "./streams/pitched-buffer.js";
import type { Stream, StreamOptions } from "./streams/stream.js";
import { LEGACY_STREAM, PER_THREAD_STREAM, type StreamKey } from "./streams/stream-key.js";
import type { StreamOwner } from "./streams/stream-owner.js";
import type { StreamTrace } from "./streams/stream-trace.js";
import { type Timeline, type TimelineOptions, timeline } from "./timeline.js";

/** The fast engine reads whole vectors across the end of an allocation; these bytes after the last one are there for it. */
const VECTOR_MARGIN_BYTES = 64;

/** Room for what the engines keep in front of the allocations. */
const ENGINE_BYTES = 8 << 20;

/** WebAssembly's linear memory ends here; a device with more memory than that is simulated with this much. */
const ADDRESSABLE_BYTES = 4 * 1024 ** 3 - 65536;

export interface GpuOptions {
  /** Bytes of device memory that may be allocated; at most 4 GiB, and what the device has, unless told otherwise. */
  readonly memoryBytes?: number;
  /** nvcc's -fmad: contract `a * b + c` into one rounding. Default true, as nvcc's. */
  readonly contractFma?: boolean;
  /**
   * Warp instructions that a launch may issue, together with all grids that its grids start and under every schedule. A
   * launch that issues more ends with a KernelFault `cudaErrorLaunchTimeout`. Default 1 billion.
   */
  readonly stepLimit?: number;
  /**
   * A warp that issues more instructions than this is taken for endless. Default 10 million, or `stepLimit` where that is
   * given.
   */
  readonly warpStepLimit?: number;
  /** Bytes of the printf buffer (cudaLimitPrintfFifoSize): what is oldest makes room for what is new. Default 1 MiB. */
  readonly printfBytes?: number;
  /** nvcc's --default-stream: "legacy" (default) waits for all blocking streams, "per-thread" is a stream like any other. */
  readonly defaultStream?: "legacy" | "per-thread";
}

const DEFAULT_STEP_LIMIT = 1_000_000_000;
const DEFAULT_WARP_STEP_LIMIT = 10_000_000;

/** The GPU of `new Gpu()`: commands that run a program for the learner choose it (WARPLAB_DEVICE). */
function defaultDevice(): string {
  return platform().environment("WARPLAB_DEVICE") ?? "h200";
}

interface ScalarOfArray {
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;
}

type ScalarOf<A> = {
  [S in keyof ScalarOfArray]: A extends ScalarOfArray[S] ? S : never;
}[keyof ScalarOfArray];

const GPU_OPTIONS: Fields<GpuOptions> = {
  memoryBytes: optional(whole(1)),
  contractFma: optional(boolean),
  stepLimit: optional(whole(1)),
  warpStepLimit: optional(whole(1)),
  printfBytes: optional(whole(1)),
  defaultStream: optional(oneOf("legacy", "per-thread")),
};

const TRACE_OPTIONS: Fields<{ readonly restart?: boolean }> = { restart: optional(boolean) };

/** For callers that no type checker has seen. A bool has no place in memory. */
function checkElement(call: string, type: { readonly type: ElementType } | undefined): void {
  checkArgument(call, "type", type, storable);
}

const storable: Shape = shape(
  "one of i32, u32, i64, u64, f32, f64 or a vector of them",
  (value) => isValueType(value) && value.type !== "bool",
);

export class Gpu implements BufferOwner, StreamOwner {
  readonly device: DeviceSpec;
  readonly options: Required<Omit<GpuOptions, "memoryBytes">>;
  readonly defaultStreamKey: StreamKey;
  readonly #streams: GpuStreams;
  readonly #memory: GrowableDeviceMemory;
  readonly #heap: Allocator;
  readonly #limits: DeviceLimits;
  readonly #buffers: Set<DeviceBuffer> = new Set();
  readonly #cudaSymbols: WeakMap<object, DeviceBuffer> = new WeakMap();

  /** Whether a value is a GPU, and nothing that only looks like one. */
  static is(value: unknown): value is Gpu {
    return typeof value === "object" && value !== null && #memory in value;
  }

  /**
   * `device`: an id such as "v100", a device file's path or its parsed JSON, or a specification.
   * Throws InputError where a number of it is impossible.
   */
  constructor(device: DeviceSpec | DeviceJson | IdOr<DeviceId> = defaultDevice(), options: GpuOptions = {}) {
    this.device = typeof device === "string" ? deviceById(device) : isDeviceJson(device) ? deviceFrom(device) : device;
    checkDevice(this.device);
    checkOptions("new Gpu", options, GPU_OPTIONS);
    const { defaultStream = "legacy", contractFma = true } = options;
    const allocatable = options.memoryBytes ?? this.device.limits.totalGlobalMemBytes;
    const maximumBytes = Math.min(allocatable + ENGINE_BYTES, ADDRESSABLE_BYTES);
    this.#memory = createDeviceMemory({ initialBytes: 0, maximumBytes, shared: true });
    const first = this.#memory.firstFreeAddress;
    this.#heap = new Allocator(first, Math.min(first + allocatable, maximumBytes - VECTOR_MARGIN_BYTES));
    this.options = {
      contractFma,
      stepLimit: options.stepLimit ?? DEFAULT_STEP_LIMIT,
      warpStepLimit: options.warpStepLimit ?? options.stepLimit ?? DEFAULT_WARP_STEP_LIMIT,
      printfBytes: options.printfBytes ?? PRINTF_BYTES,
      defaultStream,
    };
    this.defaultStreamKey = defaultStream === "legacy" ? LEGACY_STREAM : PER_THREAD_STREAM;
    this.#streams = new GpuStreams(this);
    this.#limits = new DeviceLimits(this.device);
  }

  /**
   * Allocates `length` elements, all zero. cudaMalloc promises no values: on a GPU a program has to write them before it reads
   * them (cudaMemset, or a copy), as `toCudaProgram` does.
   */
  alloc<E extends ElementType>(type: { readonly type: E }, length: number): DeviceBuffer<E> {
    checkElement("gpu.alloc", type);
    if (!Number.isInteger(length) || length < 0) {
      throw new InputError({
        what: `gpu.alloc: ${shown(length)} elements.`,
        cure: "Give a whole number that is not negative.",
      });
    }
    const element: E = type.type;
    const bytes = length * byteSize(element);
    const address = this.#heap.allocate(bytes);
    this.#memory.grow(address + bytes + VECTOR_MARGIN_BYTES);
    new Uint8Array(this.#memory.buffer, address, bytes).fill(0);
    const buffer = new DeviceBuffer<E>(this, element, length, address);
    this.#buffers.add(buffer);
    note({ kind: "malloc", owner: this, address, bytes });
    return buffer;
  }

  /**
   * Allocates `width` x `height` elements whose rows start at aligned addresses (cudaMallocPitch).
   * @throws InputError for sizes that are no whole numbers above 0.
   */
  allocPitch<E extends ElementType>(type: { readonly type: E }, width: number, height: number): PitchedBuffer<E> {
    checkElement("gpu.allocPitch", type);
    checkPitched(type.type, width, height);
    const pitch = pitchBytesOf(type.type, width) / byteSize(type.type);
    return new PitchedBuffer(this.alloc(type, pitch * height), width, height);
  }

  /**
   * A page-locked array of the host, all zero (cudaMallocHost): a typed array of the element's scalars. Asynchronous copies
   * from and to it, or a subarray of it, run while the host and other streams go on.
   */
  hostAlloc<E extends ElementType>(type: { readonly type: E }, length: number): ArrayOf<E> {
    checkElement("gpu.hostAlloc", type);
    return hostAlloc(this, type.type, length);
  }

  /** Allocates a buffer of the array's type and size and copies it there. */
  upload<A extends HostArray>(data: A): DeviceBuffer<ScalarOf<A>> {
    const scalar = scalarOfArray(data);
    if (scalar === undefined) {
      throw new InputError({
        what: "gpu.upload was given something that is no typed array of 32 or 64 bits.",
        cure: "Give it an Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array or BigUint64Array.",
      });
    }
    const plain = plainArray("gpu.upload", data);
    // The map has just told the array's scalar, which its type cannot tell the compiler.
    const buffer = this.alloc({ type: scalar as ScalarOf<A> }, plain.length);
    buffer.write(plain as unknown as ArrayOf<ScalarOf<A>>);
    return buffer;
  }

  /** Runs `kernel` on `grid` blocks of `block` threads; returns when it has ended. */
  launch(kernel: Kernel, config: LaunchConfig, args: LaunchArguments): LaunchResult {
    return this.launchOn(this.defaultStreamKey, kernel, config, args);
  }

  /** Called by `Stream.launch`. */
  launchOn(stream: StreamKey, kernel: Kernel, config: LaunchConfig, args: LaunchArguments): LaunchResult {
    checkArgument("gpu.launch", "kernel", kernel, kernelShape);
    const launch = runLaunch(this.#siteOf(stream), kernel, config, this.#allArguments(kernel, args));
    note({ kind: "launch", owner: this, stream, launch });
    return launch;
  }

  /** A new stream (cudaStreamCreate). */
  stream(options: StreamOptions = {}): Stream {
    return this.#streams.stream(options);
  }

  /** A new event (cudaEventCreate). */
  event(options: EventOptions = {}): GpuEvent {
    return this.#streams.event(options);
  }

  /** The stream of all work that names none; see the option `defaultStream`. */
  get defaultStream(): Stream {
    return this.#streams.defaultStream;
  }

  /** The host waits for all work of all streams (cudaDeviceSynchronize). */
  synchronize(): this {
    note({ kind: "synchronize", owner: this, device: this.device, what: "device", target: null });
    return this;
  }

  /** Copies all of `source` to the start of `target` (cudaMemcpyDeviceToDevice, in the default stream). */
  copy<E extends ElementType>(target: DeviceBuffer<E>, source: DeviceBuffer<E>): this {
    this.#streams.defaultStream.copyNow(target, source);
    return this;
  }

  /**
   * All operations since the first stream or event was made, with predicted starts and ends: `streamsFigure` draws them,
   * `streamsText` prints them. `restart: true` forgets them afterwards.
   */
  trace(options: { readonly restart?: boolean } = {}): StreamTrace {
    checkOptions("gpu.trace", options, TRACE_OPTIONS);
    const { restart = false } = options;
    const trace = this.#streams.trace();
    if (restart) this.#streams.restart();
    return trace;
  }

  /**
   * Sets a limit of dynamic parallelism for later launches (cudaDeviceSetLimit).
   * @throws InputError for limits that this GPU does not have, and for values that are no whole numbers above 0.
   * @example
   * gpu.setLimit("cudaLimitDevRuntimePendingLaunchCount", 16384);
   */
  setLimit(limit: DeviceLimit, value: number): this {
    this.#limits.set(limit, value);
    return this;
  }

  /** A limit, CUDA's default unless it was set (cudaDeviceGetLimit). @throws InputError for limits that this GPU does not have. */
  limit(limit: DeviceLimit): number {
    return this.#limits.get(limit);
  }

  /** cudaGetDeviceProperties. */
  get properties(): DeviceProperties {
    return deviceProperties(this.device);
  }

  /** The clock that streams and events read. */
  get clock(): DeviceTimeline {
    return this.#streams.clock;
  }

  /**
   * Stops before the first instruction of one block of such a launch, to step through it forwards and backwards. The
   * block works on the GPU's memory; the other blocks are not run.
   */
  step(kernel: Kernel, config: LaunchConfig, args: LaunchArguments, options: SteppingOptions = {}): LaunchStepper {
    return this.stepOn(this.defaultStreamKey, kernel, config, args, options);
  }

  /** Called by `Stream.step`. */
  stepOn(
    stream: StreamKey,
    kernel: Kernel,
    config: LaunchConfig,
    args: LaunchArguments,
    options: SteppingOptions,
  ): LaunchStepper {
    checkArgument("gpu.step", "kernel", kernel, kernelShape);
    return startStepping(this.#siteOf(stream), kernel, config, this.#allArguments(kernel, args), options);
  }

  /** The arguments with what a kernel of CUDA C++ takes besides: its variables of the device, the fields of structs. */
  #allArguments(kernel: Kernel, args: LaunchArguments): LaunchArguments {
    if (!CudaKernel.is(kernel)) return args;
    const symbols = kernel.symbols.map((symbol): readonly [string, DeviceBuffer] => [
      symbol.parameter,
      this.symbol(symbol),
    ]);
    return { ...kernel.flatArguments(args), ...Object.fromEntries(symbols) };
  }

  /**
   * The memory of a `__device__` or `__constant__` variable: `gpu.symbol(kernel.symbol("filter")).write(values)` does what
   * cudaMemcpyToSymbol does.
   */
  symbol(symbol: CudaSymbol): DeviceBuffer {
    const known = this.#cudaSymbols.get(symbol.key);
    if (known !== undefined) return known;
    const made = this.alloc({ type: symbol.element }, symbol.length);
    // The values are of the buffer's own element type, which its static type does not tell.
    made.write(symbol.values() as never);
    this.#cudaSymbols.set(symbol.key, made);
    return made;
  }

  #siteOf(stream: StreamKey): LaunchSite {
    const { device, options } = this;
    return { device, owner: this, memory: this.#memory, limits: this.#limits, stream, options };
  }

  /**
   * Launches the kernel and gives the states of one SM's warps in its first cycles. Predicted.
   * @example
   * display(timelineFigure(gpu.timeline(sum, { grid: 64, block: 256 }, { data }, { cycles: 500 })));
   */
  timeline(kernel: Kernel, config: LaunchConfig, args: LaunchArguments, options: TimelineOptions = {}): Timeline {
    return timeline(this.launch(kernel, config, args), options);
  }

  get memoryBuffer(): ArrayBufferLike {
    return this.#memory.buffer;
  }

  /** Called by `DeviceBuffer.free`. */
  release(buffer: DeviceBuffer): void {
    this.#buffers.delete(buffer);
    this.#heap.release(buffer.address);
  }

  /** Frees every buffer (cudaDeviceReset). */
  reset(): void {
    note({ kind: "reset", owner: this });
    for (const buffer of [...this.#buffers]) buffer.free();
  }

  get allocatedBytes(): number {
    let sum = 0;
    for (const buffer of this.#buffers) sum += buffer.byteLength;
    return sum;
  }
}

export const gpuShape: Shape = shape('what new Gpu("h200") makes', Gpu.is);

summarized(Gpu.prototype, ({ device }) => `Gpu ${deviceSummary(device)}`);
