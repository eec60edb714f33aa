/** Simulates launches of microbenchmarks on the GPUs that they were measured on, in one device memory each. */
import type { DeviceSpec } from "../../../device/index.js";
import { type Argument, createRawCounters, type Dim3, type PointerArgument } from "../../../engine/engine.js";
import { createDeviceMemory, type GrowableDeviceMemory } from "../../../engine/memory.js";
import { createReferenceEngine } from "../../../engine/reference/index.js";
import type { Kernel } from "../../../frontend/index.js";
import { plainEngine } from "../../../host/engines.js";
import { runSampled } from "../../../host/sampled-run.js";
import { traceBlock } from "../../../host/trace-block.js";
import { lower } from "../../../lower/lower.js";
import type { Program } from "../../../lower/program.js";
import {
  coldStartCycles,
  createTraceRecorder,
  type LaunchTime,
  predictLaunch,
  sampleBlocks,
} from "../../../timing/index.js";

export interface MicroLaunch {
  readonly kernel: Kernel;
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

export class MicroSimulator {
  readonly device: DeviceSpec;
  readonly #memory: GrowableDeviceMemory;
  readonly #programs = new WeakMap<Kernel, Program>();
  /** What is read: 1 GiB, zero but for the links of chases. */
  readonly data: PointerArgument;
  /** What is written: 1 GiB. */
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

  /** Cycles of a launch of one round of blocks that clocks within them see: without what lies around the kernel. */
  clockedCycles(launch: MicroLaunch): number {
    const { launch: around } = this.device;
    const outside = around.emptyBlockResidencyCycles + coldStartCycles(this.device, launch.cache ?? CACHE, true);
    return this.predict(launch).cycles - outside;
  }

  predict(launch: MicroLaunch): LaunchTime {
    const { kernel, sharedBytes = 0 } = launch;
    let program = this.#programs.get(kernel);
    if (program === undefined) {
      program = lower(kernel.ir, { computeCapability: this.device.computeCapability, contractFma: true });
      this.#programs.set(kernel, program);
    }
    const grid = dim3(launch.blocks);
    const block = dim3(launch.threads);
    const recorder = createTraceRecorder(program);
    const observed = createReferenceEngine({ observer: recorder });
    const counters = createRawCounters(program);
    const prepared = {
      program,
      grid,
      block,
      dynamicSharedBytes: sharedBytes,
      args: launch.args,
      memory: this.#memory,
      stepLimit: 1e8,
      sharedBanks: this.device.sharedMemory.banks,
      lockstep: false,
    };
    const plain = plainEngine(prepared);
    const sample = sampleBlocks({ grid, block }, recorder);
    let known = {};
    if (launch.everyBlock === true) {
      const run = runSampled(prepared, { plain, observed: () => observed, whole: false }, sample, recorder);
      known = { counters: run.counters, ...(run.work === null ? {} : { work: run.work }) };
    } else for (const index of sample) traceBlock(prepared, index, { plain, observed, recorder }, counters);
    return predictLaunch({
      device: this.device,
      program,
      grid,
      block,
      dynamicSharedBytes: sharedBytes,
      traces: recorder.traces(),
      ...known,
      cacheState: launch.cache ?? CACHE,
    });
  }
}

/** What a launch is predicted to take, simulated once a simulator: several microbenchmarks are of one launch. */
export function predictedOnce(launchOf: (gpu: MicroSimulator) => MicroLaunch): (gpu: MicroSimulator) => LaunchTime {
  const predicted = new WeakMap<MicroSimulator, LaunchTime>();
  return (gpu) => {
    const time = predicted.get(gpu) ?? gpu.predict(launchOf(gpu));
    predicted.set(gpu, time);
    return time;
  };
}
