/**
 * Benchmarks launch one kernel a hundred times. A launch that left memory as it found it does so again, as long as nothing
 * else has written there. It is not simulated again: its result is taken once more, with its predicted time.
 */
import type { DeviceBuffer } from "../host/buffer.js";
import { launchesChildren } from "../host/children/child-grids.js";
import type { LaunchResult } from "../host/launch-result.js";
import { equalBytes } from "./equal-bytes.js";

/** Memory beyond this is not compared: two copies of it would be held. */
const MOST_BYTES = 1 << 28;
/** A launch that changed memory so often, as one that counts by atomics, is compared no more. */
const MOST_TRIES = 2;

/** The GPU's memory; `writes` counts what may have changed it. */
export interface WrittenMemory {
  writes: number;
  readonly memoryBuffer: ArrayBufferLike;
}

/** All launches of a kernel with equal arguments and an equal configuration. */
interface Repeated {
  /** The last of them, if it left memory as it was. */
  readonly result: LaunchResult | null;
  /** The memory's `writes` when it ended. */
  readonly writes: number;
  readonly tries: number;
}

export class RepeatedLaunches {
  readonly #memory: WrittenMemory;
  readonly #known: Map<string, Repeated> = new Map();

  constructor(memory: WrittenMemory) {
    this.#memory = memory;
  }

  /** The result of a launch that need not be simulated again; null for any other. */
  found(key: string): LaunchResult | null {
    const known = this.#known.get(key);
    return known?.writes === this.#memory.writes ? known.result : null;
  }

  /**
   * Makes a launch, and keeps its result if it leaves memory as it was.
   * @param key equal for launches of one kernel with equal arguments and configuration
   * @param buffers all that the kernel can reach
   */
  make(key: string, buffers: readonly DeviceBuffer[], launch: () => LaunchResult): LaunchResult {
    const known = this.#known.get(key);
    const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const compares = known !== undefined && known.tries < MOST_TRIES && bytes <= MOST_BYTES;
    const before = compares ? buffers.map((buffer) => this.#bytes(buffer).slice()) : null;
    const { writes } = this.#memory;
    // A launch that fails has written, too.
    this.#memory.writes++;
    const result = launch();
    const same = before?.every((old, i) => equalBytes(old, this.#bytes(buffers[i]!))) ?? false;
    if (same) this.#memory.writes = writes;
    this.#known.set(key, {
      result: same && isRepeatable(result) ? result : null,
      writes: this.#memory.writes,
      tries: (known?.tries ?? 0) + (compares && !same ? 1 : 0),
    });
    return result;
  }

  #bytes({ address, byteLength }: DeviceBuffer): Uint8Array {
    return new Uint8Array(this.#memory.memoryBuffer, address, byteLength);
  }
}

/** Whether memory is all that the launch may have changed, and all of it was compared. */
function isRepeatable({ program }: LaunchResult): boolean {
  return !launchesChildren(program) && program.instructions.every(({ op }) => op !== "printf");
}
