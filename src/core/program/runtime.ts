/** The functions of the CUDA runtime that a program's module imports. */
import type { DeviceLimit } from "../host/children/device-limits.js";
import type { Gpu } from "../host/gpu.js";
import type { ProgramClock } from "./clock.js";
import type { CopyKind, CopyRows, DeviceMemory } from "./device-memory.js";
import { Handles, type Import } from "./handles.js";
import type { HostMemory } from "./host-memory.js";
import type { ProgramKernels } from "./kernels.js";
import { type Problems, refuseCall } from "./problems.js";
import { programProperty } from "./properties.js";

const COPY_KINDS: readonly CopyKind[] = ["HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default"];
const PITCH_BYTES = 512;
const NO_PLACE = "an allocation is given no place for its pointer.";
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

/** The name of what is static without the mark of its file, by which the host knows it. */
const ownName = (mangled: string): string => mangled.replace(/__(intern|static)__\w+$/, "");

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
  readonly #handles: Handles;
  readonly #limits: Map<number, number> = new Map();
  readonly #configurations: Configuration[] = [];

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    this.#handles = new Handles({ ...parts, wait: (work) => this.#wait(work) });
  }

  /** All imports by name. Each takes none of the program's time. */
  imports(): Readonly<Record<string, Import>> {
    const all = { ...this.#registration(), ...this.#launches(), ...this.#memory(), ...this.#copies() };
    const more = { ...this.#waiting(), ...this.#handles.imports(), ...this.#device() };
    const { clock } = this.#parts;
    return Object.fromEntries(
      Object.entries({ ...all, ...more }).map(([name, call]) => [
        name,
        (...given: number[]) => clock.inside(() => call(...given)),
      ]),
    );
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
        kernels.registerKernel(stub, ownName(host.text(device)));
        return 0;
      },
      __cudaRegisterVar: (_binary = 0, variable = 0, _address = 0, name = 0, _external = 0, bytes = 0) => {
        kernels.registerVariable(variable, ownName(host.text(name)), bytes);
      },
      __cudaRegisterManagedVar: (_binary = 0, pointer = 0, _initial = 0, name = 0, bytes = 0) => {
        kernels.registerVariable(pointer, ownName(host.text(name)), bytes);
      },
    };
  }

  #launch(stub: number, { grid, block, shared, stream }: Configuration, args: number): number {
    const { kernels, gpu, flush } = this.#parts;
    flush();
    return this.#parts.problems.tried(() => {
      const key = this.#handles.streamKey(stream);
      if (key === null) return "cudaErrorInvalidResourceHandle";
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
        this.#parts.problems.tried(() => {
          if (at === 0) return refuseCall("cudaErrorInvalidValue", NO_PLACE, "Give it the address of a pointer: &p.");
          host.setU32(at, bytes === 0 ? 0 : make(bytes >>> 0));
          return null;
        });
    const free =
      (onHost: boolean): Import =>
      (at = 0) =>
        this.#parts.problems.tried(() => {
          if (at !== 0) memory.free(at >>> 0, onHost);
          return null;
        });
    return {
      cudaMalloc: allocate((bytes) => memory.malloc(bytes)),
      cudaMallocManaged: allocate((bytes) => memory.mallocOnHost("managed", bytes)),
      cudaMallocHost: allocate((bytes) => memory.mallocOnHost("pinned", bytes)),
      cudaHostAlloc: allocate((bytes) => memory.mallocOnHost("pinned", bytes)),
      cudaMallocPitch: (at = 0, pitchAt = 0, width = 0, height = 0) =>
        this.#parts.problems.tried(() => {
          const pitch = Math.ceil((width >>> 0) / PITCH_BYTES) * PITCH_BYTES;
          host.setU32(at, memory.malloc(pitch * (height >>> 0)));
          host.setU32(pitchAt, pitch);
          return null;
        }),
      cudaFree: free(false),
      cudaFreeHost: free(true),
      cudaHostRegister: (at = 0, bytes = 0) =>
        this.#parts.problems.tried(() =>
          memory.register(at >>> 0, bytes >>> 0) ? null : "cudaErrorHostMemoryAlreadyRegistered",
        ),
      cudaHostUnregister: (at = 0) =>
        this.#parts.problems.tried(() => (memory.unregister(at >>> 0) ? null : "cudaErrorHostMemoryNotRegistered")),
      cudaHostGetDevicePointer: (at = 0, pointer = 0) =>
        this.#parts.problems.tried(() => {
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
        this.#parts.problems.tried(() => {
          const found = kernels.variable(variable);
          if (found === null) return "cudaErrorInvalidSymbol";
          host.setU32(at, found.place);
          host.setU32(bytesAt, found.bytes);
          return null;
        }),
    };
  }

  #copies(): Record<string, Import> {
    const { memory, flush } = this.#parts;
    const copy = (to: number, from: number, rows: CopyRows | number, kind: number, stream: number, async: boolean) =>
      this.#parts.problems.tried(() => {
        if (!async) flush();
        const key = this.#handles.streamKey(stream);
        const asked = COPY_KINDS[kind];
        if (key === null) return "cudaErrorInvalidResourceHandle";
        if (asked === undefined) {
          const cure = "Give one of cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice.";
          return refuseCall("cudaErrorInvalidMemcpyDirection", `a copy has the direction ${kind}.`, cure);
        }
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
      this.#parts.problems.tried(() => {
        const key = this.#handles.streamKey(stream);
        if (key === null) return "cudaErrorInvalidResourceHandle";
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
    return this.#parts.problems.tried(() => {
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

  #device(): Record<string, Import> {
    const { gpu, host } = this.#parts;
    return {
      cudaSetDevice: (device = 0) => this.#parts.problems.tried(() => (device === 0 ? null : "cudaErrorInvalidDevice")),
      cudaDeviceSetLimit: (limit = 0, value = 0) =>
        this.#parts.problems.tried(() => {
          const name = LIMITS[limit];
          if (name === undefined) return "cudaErrorUnsupportedLimit";
          if (name === null) this.#limits.set(limit, value);
          else gpu.setLimit(name, value);
          return null;
        }),
      cudaDeviceGetLimit: (at = 0, limit = 0) =>
        this.#parts.problems.tried(() => {
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
