/** The kernels and variables of the device that a program's module has, and its launches of them. */
import { CompileError, InputError, LaunchError } from "../base/errors.js";
import { occupancy } from "../device/index.js";
import type { HostParameter, HostPart } from "../frontend/cuda-cpp/tree/host-signature.js";
import type { CudaKernel, CudaSymbol } from "../frontend/cuda-cpp-kernel.js";
import { note } from "../host/activity.js";
import { DeviceBuffer } from "../host/buffer.js";
import type { Gpu } from "../host/gpu.js";
import type { LaunchArgument } from "../host/launch-arguments.js";
import type { LaunchResult } from "../host/launch-result.js";
import { launchWatcher } from "../host/launch-watcher.js";
import type { StreamKey } from "../host/streams/stream-key.js";
import { programFor } from "../host/timed-launch.js";
import { byteSize, type ElementType } from "../ir/types.js";
import type { Program } from "../lower/program.js";
import type { DeviceMemory, DeviceRange } from "./device-memory.js";
import type { HostMemory } from "./host-memory.js";
import { RepeatedLaunches } from "./repeated-launches.js";

/** A kernel as a program launches it. */
export interface ProgramKernel {
  readonly kernel: CudaKernel;
  readonly parameters: readonly HostParameter[];
}

/**
 * A kernel by its name for the linker, among all names of the program.
 * @throws CompileError for one that is refused, or that the file does not have
 */
export type FindKernel = (mangled: string, all: readonly string[]) => ProgramKernel;

export interface LaunchShape {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  readonly stream: StreamKey;
}

const EMPTY_BYTES = 0;

export class ProgramKernels {
  readonly #gpu: Gpu;
  readonly #host: HostMemory;
  readonly #memory: DeviceMemory;
  readonly #find: FindKernel;
  /** Names by the address of the host's stub. */
  readonly #names: Map<number, string> = new Map();
  readonly #variables: Map<number, { readonly name: string; readonly bytes: number }> = new Map();
  readonly #places: Map<number, number> = new Map();
  readonly #optIns: Map<number, number> = new Map();
  readonly #repeated: RepeatedLaunches;

  constructor(gpu: Gpu, host: HostMemory, memory: DeviceMemory, find: FindKernel) {
    this.#gpu = gpu;
    this.#host = host;
    this.#memory = memory;
    this.#find = find;
    this.#repeated = new RepeatedLaunches(memory);
  }

  registerKernel(stub: number, name: string): void {
    this.#names.set(stub, name);
  }

  registerVariable(address: number, name: string, bytes: number): void {
    this.#variables.set(address, { name, bytes });
  }

  /** Names of all kernels that the module may launch. */
  get names(): readonly string[] {
    return [...this.#names.values()];
  }

  kernel(stub: number): ProgramKernel | null {
    const name = this.#names.get(stub);
    return name === undefined ? null : this.#find(name, this.names);
  }

  setOptIn(stub: number, bytes: number): void {
    this.#optIns.set(stub, bytes);
  }

  launch(stub: number, shape: LaunchShape, args: number): void {
    const found = this.kernel(stub);
    if (found === null) {
      throw new LaunchError("cudaErrorInvalidDeviceFunction", {
        what: "The launch is given what is no kernel of this program.",
        cure: "Launch a function that is declared __global__.",
      });
    }
    const { kernel } = found;
    const { given, reached } = this.#arguments(found, args);
    const optIn = this.#optIns.get(stub);
    const { stream, ...sizes } = shape;
    const config = { ...sizes, ...(optIn === undefined ? {} : { sharedOptInBytes: optIn }) };
    const launch = (): LaunchResult => this.#gpu.launchOn(stream, kernel, config, given);
    if (launchWatcher() !== null) {
      launch();
      return;
    }
    const key = JSON.stringify([stub, config, Object.values(given).map(valueText)]);
    const again = this.#repeated.found(key);
    if (again === null) this.#repeated.make(key, reached, launch);
    else note({ kind: "launch", owner: this.#gpu, stream, launch: again });
  }

  /** The arguments by the kernel's names, and all memory that the kernel can reach. */
  #arguments(
    { kernel, parameters }: ProgramKernel,
    args: number,
  ): { readonly given: Readonly<Record<string, LaunchArgument>>; readonly reached: readonly DeviceBuffer[] } {
    const given: Record<string, LaunchArgument> = {};
    const reached = new Set<DeviceBuffer>();
    const names = kernel.ir.params;
    let next = 0;
    parameters.forEach((parameter, index) => {
      if (parameter.refused !== null) this.#refuse(kernel, parameter, parameter.refused);
      const at = this.#host.u32(args + 4 * index);
      for (const part of parameter.parts) {
        const param = names[next++];
        if (param === undefined || (param.kind === "pointer") !== (part.type === "pointer")) {
          this.#refuse(kernel, parameter, "it has other parts in the kernel");
          return;
        }
        const name = param.name;
        if (param.kind !== "pointer") {
          given[name] = this.#number(at + part.offset, part);
          continue;
        }
        const range = this.#memory.forKernel(this.#host.u32(at + part.offset));
        if (range !== null) reached.add(range.buffer);
        else if (param.notNull === true) refuseNull(kernel, name);
        given[name] = this.#pointer(range, param.type.pointer);
      }
    });
    for (const symbol of kernel.symbols) {
      this.#placeOf(symbol.name, null);
      reached.add(this.#gpu.symbol(symbol));
    }
    return { given, reached: [...reached] };
  }

  #refuse(kernel: CudaKernel, parameter: HostParameter, reason: string): never {
    throw new InputError({
      what: `Kernel ${kernel.name}: parameter ${parameter.name} cannot be handed over: ${reason}.`,
      cure: "Pointers and long have 32 bits on the host here, 64 in kernels: use int, long long or separate parameters.",
    });
  }

  #pointer(range: DeviceRange | null, element: ElementType): DeviceBuffer {
    // What a null pointer leads to has no bytes: an access of it is out of bounds.
    if (range === null) return new DeviceBuffer(this.#gpu, element, EMPTY_BYTES, 0);
    const length = Math.floor(range.bytes / byteSize(element));
    const { address: start, buffer } = range;
    return new DeviceBuffer<ElementType>(this.#gpu, element, length, start, buffer, start - buffer.address);
  }

  #number(at: number, { type, bytes }: HostPart): number | bigint {
    const { view } = this.#host;
    switch (type) {
      case "f32":
        return view.getFloat32(at, true);
      case "f64":
        return view.getFloat64(at, true);
      case "i64":
        return bytes === 8 ? view.getBigInt64(at, true) : BigInt(view.getInt32(at, true));
      case "u64":
        return bytes === 8 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true));
      case "i8":
        return view.getInt8(at);
      case "u8":
      case "bool":
        return view.getUint8(at);
      case "i16":
        return view.getInt16(at, true);
      case "u16":
        return view.getUint16(at, true);
      case "u32":
        return view.getUint32(at, true);
      default:
        return view.getInt32(at, true);
    }
  }

  /** The address of a variable's memory, and its bytes; null for what is no variable of the device. */
  variable(address: number): { readonly place: number; readonly bytes: number } | null {
    const found = this.#variables.get(address);
    if (found === undefined) return null;
    const place = this.#places.get(address) ?? this.#placeOf(found.name, found.bytes);
    if (place === null) return null;
    this.#places.set(address, place);
    return { place, bytes: found.bytes };
  }

  /** Where a variable lies; one that no kernel uses gets memory of its own. */
  #placeOf(name: string, bytes: number | null): number | null {
    const found = this.names.flatMap((each) => this.#symbolOf(each, name) ?? []);
    const [symbol] = found;
    if (symbol === undefined) return bytes === null ? null : this.#memory.unusedVariable(bytes);
    if (found.some(({ key }) => key !== symbol.key)) {
      throw new InputError({
        what: `Two variables of the device are named ${symbol.name}, in two files or two namespaces.`,
        cure: "Give each a name of its own. A kernel uses those of its own file.",
      });
    }
    const buffer = this.#gpu.symbol(symbol);
    if (bytes !== null && bytes > buffer.byteLength) {
      throw new InputError({
        what: `Variable ${symbol.name} has ${bytes} bytes on the host and ${buffer.byteLength} in kernels.`,
        cure: "Pointers and long have 32 bits on the host here, 64 in kernels: use int or long long.",
      });
    }
    return this.#memory.variable(buffer, bytes ?? buffer.byteLength);
  }

  #symbolOf(kernel: string, name: string): CudaSymbol | undefined {
    try {
      const own = plainName(name);
      return this.#find(kernel, this.names).kernel.symbols.find((symbol) => symbol.name === own);
    } catch (problem) {
      // A kernel that is refused tells its reason when it is launched.
      if (problem instanceof CompileError) return undefined;
      throw problem;
    }
  }

  /** Blocks of an SM, for the occupancy calls; 0 for what is no kernel. */
  activeBlocks(stub: number, threadsPerBlock: number, dynamicSharedBytes: number): number {
    const program = this.programOf(stub);
    const { device } = this.#gpu;
    if (program === null || threadsPerBlock < 1 || threadsPerBlock > device.limits.maxThreadsPerBlock) return 0;
    const { registersPerThread, staticSharedBytes } = program;
    const optIn = this.#optIns.get(stub);
    return occupancy(device, {
      threadsPerBlock,
      registersPerThread,
      staticSharedBytes,
      dynamicSharedBytes,
      ...(optIn === undefined ? {} : { dynamicSharedOptInBytes: optIn }),
    }).activeBlocksPerSm;
  }

  /** The block size with the most threads of an SM; of equal ones the largest, as CUDA's function finds. */
  bestBlock(stub: number, dynamicSharedBytes: number, most: number): number {
    const limit = most > 0 ? most : this.#gpu.device.limits.maxThreadsPerBlock;
    let best = 0;
    let threads = 0;
    for (let block = Math.floor(limit / 32) * 32; block > 0; block -= 32) {
      const now = block * this.activeBlocks(stub, block, dynamicSharedBytes);
      if (now <= threads) continue;
      threads = now;
      best = block;
    }
    return best;
  }

  programOf(stub: number): Program | null {
    const found = this.kernel(stub);
    return found === null ? null : programFor(found.kernel.ir, this.#gpu.device, this.#gpu.options.contractFma);
  }
}

function refuseNull(kernel: CudaKernel, name: string): never {
  throw new InputError({
    what: `Kernel ${kernel.name}: ${name} is null, and the kernel compares a pointer with null.`,
    cure: "Such kernels take no null here: pass a bool beside the pointer, and ask that.",
  });
}

/** The argument as text: two arguments have one text only if they are equal, and -0 has another one than 0. */
function valueText(value: LaunchArgument): string {
  if (value instanceof DeviceBuffer) return `${value.address}`;
  return Object.is(value, -0) ? "-0" : `${value}`;
}

/** The name of a variable without its namespaces: `_ZN1a1bE` and `_ZL1b` are b. */
function plainName(mangled: string): string {
  if (!mangled.startsWith("_Z")) return mangled;
  let at = 2;
  let name = mangled;
  while (at < mangled.length) {
    const count = /^\d+/.exec(mangled.slice(at))?.[0];
    if (count === undefined) {
      at += 1;
      continue;
    }
    at += count.length;
    name = mangled.slice(at, at + Number(count));
    at += Number(count);
  }
  return name;
}
