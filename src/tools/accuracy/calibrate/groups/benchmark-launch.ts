/** Simulates launches of microbenchmarks on the GPUs that they were measured on, in one device memory each. */
import type { DeviceSpec } from "../../../../core/device/index.js";
import type { Argument, Dim3, PointerArgument } from "../../../../core/engine/engine.js";
import { createDeviceMemory, type GrowableDeviceMemory } from "../../../../core/engine/memory.js";
import { predictTime, programFor, readyFor, runEveryBlock, runSample } from "../../../../core/host/timed-launch.js";
import type { KernelIr, Param } from "../../../../core/ir/ir.js";
import { coldStartCycles, type LaunchTime } from "../../../../core/timing/index.js";

export interface MicroLaunch {
  readonly kernel: KernelIr;
  /** A number is x alone. */
  readonly blocks: number | Dim3;
  readonly threads: number | Dim3;
  /** Run every block, as some have less to do, rather than those that are traced. */
  readonly everyBlock?: boolean;
  readonly sharedBytes?: number;
  readonly args: readonly Argument[];
  /** Warm if not said. */
  readonly cache?: "cold" | "warm";
}

const GIB = 2 ** 30;
const CACHE = "warm";

function dim3(extent: number | Dim3): Dim3 {
  return typeof extent === "number" ? [extent, 1, 1] : extent;
}

function argumentOf(param: Param | undefined, value: Argument): Argument {
  const wide = param?.kind === "scalar" && (param.type === "i64" || param.type === "u64");
  return wide && typeof value === "number" ? BigInt(value) : value;
}

export class MicroSimulator {
  readonly device: DeviceSpec;
  readonly #memory: GrowableDeviceMemory;
  /** The array that is read: 1 GiB, zero but for the links of chases. */
  readonly data: PointerArgument;
  /** The array that is written: 1 GiB. */
  readonly out: PointerArgument;

  constructor(device: DeviceSpec) {
    this.device = device;
    this.#memory = createDeviceMemory({ initialBytes: 0, maximumBytes: 2 * GIB + 2 ** 24, shared: true });
    const address = this.#memory.firstFreeAddress;
    this.data = { address, byteLength: GIB };
    this.out = { address: address + GIB, byteLength: GIB };
    this.#memory.grow(address + 2 * GIB);
  }

  /** Links the first word of each 128-byte line to that `step` lines further on, `hops` times from the first on. */
  link(lines: number, step: number, hops: number): void {
    const words = new Uint32Array(this.#memory.buffer, this.data.address, lines * 32);
    let line = 0;
    for (let hop = 0; hop < hops; hop++) {
      const next = (line + step) % lines;
      words[line * 32] = next * 32;
      line = next;
    }
  }

  /** A pointer so many words after another. */
  from({ address, byteLength }: PointerArgument, words: number): PointerArgument {
    return { address: address + 4 * words, byteLength: byteLength - 4 * words };
  }

  /** Cycles around a kernel that clocks within it do not see, where each SM has its blocks at once. */
  cyclesOutside(cache: "cold" | "warm"): number {
    return this.device.launch.emptyBlockResidencyCycles + coldStartCycles(this.device, cache, true);
  }

  predict(launch: MicroLaunch): LaunchTime {
    const prepared = readyFor(this.device, {
      program: programFor(launch.kernel, this.device),
      grid: dim3(launch.blocks),
      block: dim3(launch.threads),
      dynamicSharedBytes: launch.sharedBytes ?? 0,
      args: launch.args.map((value, index) => argumentOf(launch.kernel.params[index], value)),
      memory: this.#memory,
      stepLimit: 1e8,
    });
    const run = launch.everyBlock === true ? runEveryBlock(prepared) : runSample(prepared);
    return predictTime(this.device, run, launch.cache ?? CACHE);
  }
}
