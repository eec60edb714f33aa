/**
 * Runs a sample of a launch's blocks in the reference engine and returns their traces, for tests and tables of the
 * model.
 */
import type { Argument, Dim3, PreparedLaunch } from "../../../src/core/engine/engine.js";
import { createRawCounters } from "../../../src/core/engine/engine.js";
import { createDeviceMemory, type GrowableDeviceMemory } from "../../../src/core/engine/memory.js";
import { createReferenceEngine } from "../../../src/core/engine/reference/reference-engine.js";
import type { Program } from "../../../src/core/lower/program.js";
import { createTraceRecorder, type LaunchTraces, sampleBlocks } from "../../../src/core/timing/index.js";

export interface LaunchShape {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  readonly args: readonly Argument[];
  readonly memory: GrowableDeviceMemory;
  /** Blocks to trace; default those of sampleBlocks. */
  readonly blocks?: readonly number[];
  readonly lockstep?: boolean;
}

export function traceLaunch(shape: LaunchShape): LaunchTraces {
  const recorder = createTraceRecorder(shape.program);
  const engine = createReferenceEngine({ observer: recorder });
  const launch: PreparedLaunch = {
    program: shape.program,
    grid: shape.grid,
    block: shape.block,
    dynamicSharedBytes: shape.dynamicSharedBytes,
    args: shape.args,
    memory: shape.memory,
    stepLimit: 1e8,
    sharedBanks: 32,
    lockstep: shape.lockstep ?? false,
  };
  const counters = createRawCounters(shape.program);
  for (const block of shape.blocks ?? sampleBlocks(shape, recorder)) {
    engine.run(launch, { first: block, end: block + 1, step: 1 }, counters);
  }
  return recorder.traces();
}

/** Buffers one after the other in one device memory, 256-byte aligned. */
export class Buffers {
  readonly memory: GrowableDeviceMemory;
  private next: number;

  constructor(megabytes: number) {
    const scratchBytes = 4 << 20;
    const bytes = scratchBytes + (megabytes << 20) + 65536;
    this.memory = createDeviceMemory({ initialBytes: bytes, maximumBytes: bytes, shared: false, scratchBytes });
    this.next = this.memory.firstFreeAddress;
  }

  allocate(byteLength: number): { readonly address: number; readonly byteLength: number } {
    const address = this.next;
    this.next = Math.ceil((address + byteLength) / 256) * 256;
    if (this.next > this.memory.byteLength) throw new Error("buffers do not fit");
    return { address, byteLength };
  }
}
