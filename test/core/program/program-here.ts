/** The runtime of a program without a module: calls by name, on a host memory that a test writes. */
import { Gpu } from "../../../src/core/host/gpu.js";
import { ProgramClock } from "../../../src/core/program/clock.js";
import { DeviceMemory } from "../../../src/core/program/device-memory.js";
import { HostMemory } from "../../../src/core/program/host-memory.js";
import { ProgramKernels } from "../../../src/core/program/kernels.js";
import { Problems } from "../../../src/core/program/problems.js";
import { CudaRuntime } from "../../../src/core/program/runtime.js";

/** The ways of a copy, as CUDA numbers them. */
export const WAY = { hostToHost: 0, hostToDevice: 1, deviceToHost: 2, deviceToDevice: 3, default: 4 } as const;

const PAGES = 64;
const PAGE_BYTES = 65_536;
/** Where the heap begins; a test's own values lie below. */
const HEAP = 1 << 20;

export class ProgramHere {
  readonly host: HostMemory = new HostMemory();
  readonly gpu: Gpu;
  /** What stderr has got. */
  readonly told: string[] = [];
  readonly #imports: ReturnType<CudaRuntime["imports"]>;
  #next = HEAP;
  #place = 64;

  constructor(device: string = "v100") {
    this.gpu = new Gpu(device, { memoryBytes: 64 << 20 });
    this.host.attach(new WebAssembly.Memory({ initial: PAGES }));
    const heap = { malloc: (bytes: number) => this.#malloc(bytes), free: () => undefined };
    const { gpu, host } = this;
    const memory = new DeviceMemory(gpu, host, () => heap);
    const kernels = new ProgramKernels(gpu, host, memory, (name) => {
      throw new Error(`no kernel ${name}`);
    });
    const problems = new Problems((text) => this.told.push(text));
    const clock = new ProgramClock(gpu);
    this.#imports = new CudaRuntime({ gpu, host, memory, kernels, problems, clock, flush: () => {} }).imports();
  }

  #malloc(bytes: number): number {
    if (this.#next + bytes > PAGES * PAGE_BYTES) return 0;
    const start = this.#next;
    this.#next += Math.ceil(bytes / 16) * 16;
    return start;
  }

  /** A call of the runtime, by its name. */
  call(name: string, ...given: readonly number[]): number {
    const found = this.#imports[name];
    if (found === undefined) throw new Error(`The runtime has no ${name}.`);
    return Number(found(...given));
  }

  /** A place of so many bytes in the host's memory. */
  place(bytes: number = 4): number {
    const at = this.#place;
    this.#place += Math.ceil(bytes / 16) * 16;
    return at;
  }

  ints(at: number, count: number): Int32Array {
    return new Int32Array(this.host.buffer, at, count);
  }

  /** What a call leaves at a place of its own: `make("cudaMalloc", 400)` is the pointer. */
  made(name: string, ...given: readonly number[]): number {
    const at = this.place();
    const code = this.call(name, at, ...given);
    if (code !== 0) throw new Error(`${name} gives ${code}`);
    return this.host.u32(at);
  }
}
