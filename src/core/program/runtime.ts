/** The functions of the CUDA runtime that a program's module imports. */
import { WarplabError } from "../base/errors.js";
import type { DeviceLimit } from "../host/children/device-limits.js";
import type { Gpu } from "../host/gpu.js";
import type { GpuEvent } from "../host/streams/event.js";
import type { Stream } from "../host/streams/stream.js";
import type { ProgramClock } from "./clock.js";
import type { CopyKind, CopyRows, DeviceMemory } from "./device-memory.js";
import type { HostMemory } from "./host-memory.js";
import type { ProgramKernels } from "./kernels.js";
import type { Problems } from "./problems.js";
import { programProperty } from "./properties.js";

/** A function of the runtime: its number is the call's result. */
type Import = (...given: number[]) => unknown;

const COPY_KINDS: readonly CopyKind[] = ["HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default"];
/** Handles below are those of CUDA's own streams. */
const FIRST_HANDLE = 16;
const NON_BLOCKING = 1;
const WITHOUT_TIMING = 2;
const NOT_READY = 600;
const PITCH_BYTES = 512;
/** cudaLimit by its number. */
const LIMITS: readonly (DeviceLimit | null)[] = [
  null,
  null,
  null,
  "cudaLimitDevRuntimeSyncDepth",
  "cudaLimitDevRuntimePendingLaunchCount",
];
/** CUDA's defaults of the limits that bound nothing here: a thread's stack, printf's buffer, the heap of kernels. */
const FREE_LIMITS: readonly number[] = [1024, 1 << 20, 8 << 20];

export interface RuntimeParts {
  readonly gpu: Gpu;
  readonly host: HostMemory;
  readonly memory: DeviceMemory;
  readonly kernels: ProgramKernels;
  readonly problems: Problems;
  readonly clock: ProgramClock;
  /** Writes what the C library holds back of the program's output. */
  flush(): void;
}

interface Configuration {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly shared: number;
  readonly stream: number;
}

export class CudaRuntime {
  readonly #parts: RuntimeParts;
  readonly #streams: Map<number, Stream> = new Map();
  readonly #events: Map<number, GpuEvent> = new Map();
  readonly #limits: Map<number, number> = new Map();
  /** Streams and events that were asked for and not at their end. */
  readonly #asked: Set<object> = new Set();
  readonly #configurations: Configuration[] = [];
  #next = FIRST_HANDLE;

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
  }

  /** All imports by name. Each takes none of the program's time. */
  imports(): Readonly<Record<string, Import>> {
    const all = { ...this.#registration(), ...this.#launches(), ...this.#memory(), ...this.#copies() };
    const more = { ...this.#waiting(), ...this.#streamCalls(), ...this.#eventCalls(), ...this.#device() };
    const { clock } = this.#parts;
    return Object.fromEntries(
      Object.entries({ ...all, ...more }).map(([name, call]) => [
        name,
        (...given: number[]) => clock.inside(() => call(...given)),
      ]),
    );
  }

  /** A call's code; what is thrown becomes CUDA's code, with the sentence on stderr. */
  #tried(call: () => string | null): number {
    const { problems } = this.#parts;
    try {
      return problems.code(call());
    } catch (problem) {
      if (!(problem instanceof WarplabError) || isFinal(problem)) throw problem;
      return problems.report(problem);
    }
  }

  #dim3(at: number): readonly [number, number, number] {
    const { host } = this.#parts;
    return [host.u32(at), host.u32(at + 4), host.u32(at + 8)];
  }

  #registration(): Record<string, Import> {
    const { host, kernels } = this.#parts;
    return {
      __cudaRegisterFatBinary: () => 1,
      __cudaRegisterFatBinaryEnd: () => undefined,
      __cudaUnregisterFatBinary: () => undefined,
      __cudaRegisterFunction: (_binary = 0, stub = 0, _name = 0, device = 0) => {
        kernels.registerKernel(stub, host.text(device));
        return 0;
      },
      __cudaRegisterVar: (_binary = 0, variable = 0, _address = 0, name = 0, _external = 0, bytes = 0) => {
        kernels.registerVariable(variable, host.text(name), bytes);
      },
      __cudaRegisterManagedVar: (_binary = 0, pointer = 0, _initial = 0, name = 0, bytes = 0) => {
        kernels.registerVariable(pointer, host.text(name), bytes);
      },
    };
  }

  #launch(stub: number, { grid, block, shared, stream }: Configuration, args: number): number {
    const { kernels, gpu, flush } = this.#parts;
    flush();
    return this.#tried(() => {
      const key = stream < FIRST_HANDLE ? gpu.defaultStreamKey : this.#streams.get(stream)?.key;
      if (key === undefined) return "cudaErrorInvalidResourceHandle";
      if (shared > gpu.device.limits.sharedBytesPerBlockOptIn) return "cudaErrorInvalidValue";
      kernels.launch(stub, { grid, block, sharedBytes: shared, stream: key }, args);
      return null;
    });
  }

  #launches(): Record<string, Import> {
    const { host, kernels } = this.#parts;
    const push: Import = (grid = 0, block = 0, shared = 0, stream = 0) => {
      this.#configurations.push({ grid: this.#dim3(grid), block: this.#dim3(block), shared, stream });
      return 0;
    };
    const launch: Import = (stub = 0, grid = 0, block = 0, args = 0, shared = 0, stream = 0) =>
      this.#launch(stub, { grid: this.#dim3(grid), block: this.#dim3(block), shared, stream }, args);
    return {
      __cudaPushCallConfiguration: push,
      cudaConfigureCall: push,
      __cudaPopCallConfiguration: (grid = 0, block = 0, shared = 0, stream = 0) => {
        const found = this.#configurations.pop();
        if (found === undefined) return 1;
        found.grid.forEach((value, i) => {
          host.setU32(grid + 4 * i, value);
        });
        found.block.forEach((value, i) => {
          host.setU32(block + 4 * i, value);
        });
        host.setU32(shared, found.shared);
        host.setU32(stream, found.stream);
        return 0;
      },
      cudaLaunchKernel: launch,
      cudaLaunchCooperativeKernel: launch,
      __warplab_active_blocks: (stub = 0, block = 0, shared = 0) => kernels.activeBlocks(stub, block, shared),
      __warplab_best_block: (stub = 0, shared = 0, most = 0) => kernels.bestBlock(stub, shared, most),
      __warplab_opt_in: (stub = 0, bytes = 0) => {
        kernels.setOptIn(stub, bytes);
        return 0;
      },
      __warplab_function: (stub = 0, what = 0) => {
        const program = kernels.programOf(stub);
        if (program === null) return 0;
        const { staticSharedBytes, registersPerThread } = program;
        const { maxThreadsPerBlock } = this.#parts.gpu.device.limits;
        const known: Readonly<Record<string, number>> = { staticSharedBytes, registersPerThread, maxThreadsPerBlock };
        return known[host.text(what)] ?? 0;
      },
    };
  }

  #memory(): Record<string, Import> {
    const { host, memory, gpu, kernels } = this.#parts;
    const allocate =
      (make: (bytes: number) => number): Import =>
      (at = 0, bytes = 0) =>
        this.#tried(() => {
          const place = bytes === 0 ? 0 : make(bytes >>> 0);
          if (place === 0 && bytes !== 0) return "cudaErrorMemoryAllocation";
          host.setU32(at, place);
          return null;
        });
    const free =
      (onHost: boolean): Import =>
      (at = 0) =>
        this.#tried(() => (at === 0 || memory.free(at >>> 0, onHost) ? null : "cudaErrorInvalidValue"));
    return {
      cudaMalloc: allocate((bytes) => memory.malloc(bytes)),
      cudaMallocManaged: allocate((bytes) => memory.mallocOnHost("managed", bytes)),
      cudaMallocHost: allocate((bytes) => memory.mallocOnHost("pinned", bytes)),
      cudaHostAlloc: allocate((bytes) => memory.mallocOnHost("pinned", bytes)),
      cudaMallocPitch: (at = 0, pitchAt = 0, width = 0, height = 0) =>
        this.#tried(() => {
          const pitch = Math.ceil(width / PITCH_BYTES) * PITCH_BYTES;
          host.setU32(at, memory.malloc(pitch * height));
          host.setU32(pitchAt, pitch);
          return null;
        }),
      cudaFree: free(false),
      cudaFreeHost: free(true),
      cudaHostRegister: (at = 0, bytes = 0) =>
        this.#tried(() => (memory.register(at >>> 0, bytes >>> 0) ? null : "cudaErrorHostMemoryAlreadyRegistered")),
      cudaHostUnregister: (at = 0) =>
        this.#tried(() => (memory.unregister(at >>> 0) ? null : "cudaErrorHostMemoryNotRegistered")),
      cudaHostGetDevicePointer: (at = 0, pointer = 0) =>
        this.#tried(() => {
          if (memory.kindOf(pointer >>> 0) === null) return "cudaErrorInvalidValue";
          host.setU32(at, pointer);
          return null;
        }),
      cudaMemGetInfo: (free = 0, total = 0) => {
        const all = Math.min(gpu.device.limits.totalGlobalMemBytes, 0xffff_ffff);
        host.setU32(free, Math.max(0, all - gpu.allocatedBytes));
        host.setU32(total, all);
        return 0;
      },
      cudaPointerGetAttributes: (at = 0, pointer = 0) => {
        const kind = memory.kindOf(pointer >>> 0);
        host.setU32(at, kind === null ? 0 : kind === "pinned" ? 1 : kind === "device" ? 2 : 3);
        host.setU32(at + 4, 0);
        host.setU32(at + 8, kind === null ? 0 : pointer);
        host.setU32(at + 12, kind === "device" ? 0 : pointer);
        return 0;
      },
      __warplab_symbol: (at = 0, bytesAt = 0, variable = 0) =>
        this.#tried(() => {
          const found = kernels.variable(variable);
          if (found === null) return "cudaErrorInvalidSymbol";
          host.setU32(at, found.place);
          host.setU32(bytesAt, found.bytes);
          return null;
        }),
    };
  }

  #copies(): Record<string, Import> {
    const { memory, gpu, flush } = this.#parts;
    const copy = (to: number, from: number, rows: CopyRows | number, kind: number, stream: number, async: boolean) =>
      this.#tried(() => {
        if (!async) flush();
        const key = stream < FIRST_HANDLE ? gpu.defaultStreamKey : this.#streams.get(stream)?.key;
        const asked = COPY_KINDS[kind];
        if (key === undefined) return "cudaErrorInvalidResourceHandle";
        if (asked === undefined) return "cudaErrorInvalidMemcpyDirection";
        return memory.copy(to >>> 0, from >>> 0, rows, { kind: asked, stream: key, async });
      });
    const rowsOf = (toPitch: number, fromPitch: number, width: number, height: number): CopyRows => ({
      width,
      height,
      toPitch,
      fromPitch,
    });
    const fill = (
      to: number,
      value: number,
      rows: { readonly width: number; readonly height: number; readonly pitch: number },
      stream: number,
      async: boolean,
    ) =>
      this.#tried(() => {
        const key = stream < FIRST_HANDLE ? gpu.defaultStreamKey : this.#streams.get(stream)?.key;
        if (key === undefined) return "cudaErrorInvalidResourceHandle";
        return memory.fill(to >>> 0, value, rows, { kind: "Default", stream: key, async });
      });
    const oneRow = (bytes: number) => ({ width: bytes >>> 0, height: 1, pitch: bytes >>> 0 });
    return {
      cudaMemcpy: (to = 0, from = 0, bytes = 0, kind = 0) => copy(to, from, bytes >>> 0, kind, 0, false),
      cudaMemcpyAsync: (to = 0, from = 0, bytes = 0, kind = 0, stream = 0) =>
        copy(to, from, bytes >>> 0, kind, stream, true),
      cudaMemcpy2D: (to = 0, toPitch = 0, from = 0, fromPitch = 0, width = 0, height = 0, kind = 0) =>
        copy(to, from, rowsOf(toPitch, fromPitch, width, height), kind, 0, false),
      cudaMemcpy2DAsync: (to = 0, toPitch = 0, from = 0, fromPitch = 0, width = 0, height = 0, kind = 0, stream = 0) =>
        copy(to, from, rowsOf(toPitch, fromPitch, width, height), kind, stream, true),
      cudaMemset: (to = 0, value = 0, bytes = 0) => fill(to, value, oneRow(bytes), 0, false),
      cudaMemsetAsync: (to = 0, value = 0, bytes = 0, stream = 0) => fill(to, value, oneRow(bytes), stream, true),
      cudaMemset2D: (to = 0, pitch = 0, value = 0, width = 0, height = 0) =>
        fill(to, value, { width, height, pitch }, 0, false),
    };
  }

  /** The host waits: the kernels' output comes out behind the program's own so far. */
  #wait(work: () => void): number {
    const { flush, memory, problems } = this.#parts;
    return this.#tried(() => {
      flush();
      work();
      memory.toHost();
      void problems.waited;
      return null;
    });
  }

  #waiting(): Record<string, Import> {
    const { gpu, memory, problems } = this.#parts;
    return {
      cudaDeviceSynchronize: () => this.#wait(() => gpu.synchronize()),
      cudaDeviceReset: () => {
        const code = this.#wait(() => gpu.synchronize());
        memory.reset();
        problems.reset();
        return code;
      },
      cudaGetLastError: () => problems.take(),
      cudaPeekAtLastError: () => problems.peek(),
    };
  }

  #handle<T>(table: Map<number, T>, value: T): number {
    table.set(this.#next, value);
    return this.#next++;
  }

  #streamOf(handle: number): Stream | undefined {
    return handle < FIRST_HANDLE ? this.#parts.gpu.defaultStream : this.#streams.get(handle);
  }

  #withStream(handle: number, call: (stream: Stream) => void): number {
    return this.#tried(() => {
      const stream = this.#streamOf(handle);
      if (stream === undefined) return "cudaErrorInvalidResourceHandle";
      call(stream);
      return null;
    });
  }

  /** A host that asks again and again has waited by its second question: its questions alone take no time of the GPU's clock. */
  #polled(what: object, isReady: () => boolean, wait: () => void): number {
    if (this.#asked.delete(what)) this.#wait(wait);
    if (isReady()) return 0;
    this.#asked.add(what);
    return NOT_READY;
  }

  #streamCalls(): Record<string, Import> {
    const { gpu, host } = this.#parts;
    return {
      cudaStreamCreateWithFlags: (at = 0, flags = 0) => {
        const stream = gpu.stream({ nonBlocking: flags === NON_BLOCKING });
        host.setU32(at, this.#handle(this.#streams, stream));
        return 0;
      },
      cudaStreamDestroy: (handle = 0) =>
        this.#withStream(handle, (stream) => {
          stream.destroy();
          this.#streams.delete(handle);
        }),
      cudaStreamSynchronize: (handle = 0) =>
        this.#withStream(handle, (stream) => {
          void this.#wait(() => stream.synchronize());
        }),
      cudaStreamQuery: (handle = 0) => {
        const stream = this.#streamOf(handle);
        if (stream === undefined) return this.#parts.problems.code("cudaErrorInvalidResourceHandle");
        return this.#polled(
          stream,
          () => stream.idle,
          () => stream.synchronize(),
        );
      },
      cudaStreamWaitEvent: (handle = 0, event = 0) =>
        this.#withStream(handle, (stream) => {
          const found = this.#events.get(event);
          if (found !== undefined) stream.wait(found);
        }),
    };
  }

  #withEvent(handle: number, call: (event: GpuEvent) => void): number {
    return this.#tried(() => {
      const event = this.#events.get(handle);
      if (event === undefined) return "cudaErrorInvalidResourceHandle";
      call(event);
      return null;
    });
  }

  #eventCalls(): Record<string, Import> {
    const { gpu, host } = this.#parts;
    return {
      cudaEventCreateWithFlags: (at = 0, flags = 0) => {
        const event = gpu.event({ timing: (flags & WITHOUT_TIMING) === 0 });
        host.setU32(at, this.#handle(this.#events, event));
        return 0;
      },
      cudaEventDestroy: (handle = 0) =>
        this.#withEvent(handle, (event) => {
          event.destroy();
          this.#events.delete(handle);
        }),
      cudaEventRecord: (handle = 0, stream = 0) =>
        this.#withEvent(handle, (event) => {
          event.record(this.#streamOf(stream) ?? null);
        }),
      cudaEventSynchronize: (handle = 0) =>
        this.#withEvent(handle, (event) => {
          void this.#wait(() => event.synchronize());
        }),
      cudaEventQuery: (handle = 0) => {
        const event = this.#events.get(handle);
        if (event === undefined) return this.#parts.problems.code("cudaErrorInvalidResourceHandle");
        return this.#polled(
          event,
          () => event.done,
          () => event.synchronize(),
        );
      },
      cudaEventElapsedTime: (at = 0, start = 0, end = 0) =>
        this.#withEvent(start, (first) => {
          const last = this.#events.get(end);
          if (last !== undefined) host.view.setFloat32(at, first.elapsedMs(last), true);
        }),
    };
  }

  #device(): Record<string, Import> {
    const { gpu, host } = this.#parts;
    return {
      cudaSetDevice: (device = 0) => this.#tried(() => (device === 0 ? null : "cudaErrorInvalidDevice")),
      cudaDeviceSetLimit: (limit = 0, value = 0) =>
        this.#tried(() => {
          const name = LIMITS[limit];
          if (name === undefined) return "cudaErrorUnsupportedLimit";
          if (name === null) this.#limits.set(limit, value);
          else gpu.setLimit(name, value);
          return null;
        }),
      cudaDeviceGetLimit: (at = 0, limit = 0) =>
        this.#tried(() => {
          const name = LIMITS[limit];
          if (name === undefined) return "cudaErrorUnsupportedLimit";
          host.setU32(at, name === null ? (this.#limits.get(limit) ?? FREE_LIMITS[limit] ?? 0) : gpu.limit(name));
          return null;
        }),
      __warplab_property: (name = 0) => programProperty(gpu, host.text(name)),
      __warplab_device_name: (at = 0, count = 0) => {
        const bytes = new TextEncoder().encode(gpu.device.name).subarray(0, count - 1);
        host.bytes(at, bytes.length + 1).set([...bytes, 0]);
      },
    };
  }
}

/** What ends a program: its kernel cannot be compiled, or the host itself has failed. */
function isFinal(problem: WarplabError): boolean {
  return problem.name === "CompileError" || problem.name === "HostFault";
}
