/**
 * Runs the blocks of a launch in their order. Sampled blocks run in the reference engine, where an observer
 * records their traces. All others run in the fast engine where it supports the program. A long sampled block is traced at its beginning
 * alone, and runs in the fast engine, too.
 */
import {
  addRawCounters,
  type BlockRange,
  type BlockWork,
  createBlockWork,
  createRawCounters,
  type Engine,
  type Observer,
  type PreparedLaunch,
  type PrintfRecord,
  type RawCounters,
} from "../engine/engine.js";
import { PrintfBuffer } from "../engine/printf-buffer.js";
import type { ReferenceEngine } from "../engine/reference/index.js";
import type { TraceRecorder } from "../timing/index.js";
import { traceBlock } from "./trace-block.js";

export interface EngineChoice {
  /** Runs everything that is not observed. */
  readonly plain: Engine;
  /** Runs under the observer. */
  readonly observed: (recorder: TraceRecorder) => ReferenceEngine;
  /** Sampled blocks run in the observed engine however long they are: with another schedule, or child grids. */
  readonly whole: boolean;
}

export interface SampledRun {
  readonly counters: RawCounters;
  /** Warp instructions of each block; null where the engine does not tell. */
  readonly work: BlockWork | null;
  readonly printed: readonly PrintfRecord[];
  /** Records before them that the printf buffer has dropped. */
  readonly lost: number;
}

/**
 * `sample`: linear block indices, ascending, without repetition; the next is asked for when the one before has run.
 * Throws KernelFault.
 */
export function runSampled(
  launch: PreparedLaunch,
  engines: EngineChoice,
  sample: Iterable<number>,
  recorder: TraceRecorder,
): SampledRun {
  const counters = createRawCounters(launch.program);
  const printed = new PrintfBuffer(launch.printfBytes);
  const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  const { plain, whole } = engines;
  const work = createBlockWork(blocks);
  const observed = engines.observed(recorder);
  const run = (engine: Engine, range: BlockRange): void => {
    if (range.first >= range.end) return;
    const part = createRawCounters(launch.program);
    const result = engine.run(launch, range, part, work);
    addRawCounters(counters, part);
    printed.append(result);
  };
  let next = 0;
  for (const block of sample) {
    run(plain, { first: next, end: block, step: 1 });
    const before = recorder.instructions;
    if (whole) run(observed, { first: block, end: block + 1, step: 1 });
    else printed.append(traceBlock(launch, block, { plain, observed, recorder }, counters));
    if (work !== null) work[block] = recorder.instructions - before;
    next = block + 1;
  }
  run(plain, { first: next, end: blocks, step: 1 });
  return { counters, work, ...printed.result };
}

/** Runs every block in one engine, which lists their work where asked. */
export function runWhole(launch: PreparedLaunch, engine: Engine, work: BlockWork | null = null): SampledRun {
  const counters = createRawCounters(launch.program);
  const end = launch.grid[0] * launch.grid[1] * launch.grid[2];
  const { printed, lost = 0 } = engine.run(launch, { first: 0, end, step: 1 }, counters, work);
  return { counters, work, printed, lost };
}

/** No further block is traced behind so many warp instructions. */
const MOST_TRACED = 2_000_000;

/** Lets the recorder see the blocks of a sample alone, in an engine that runs all blocks at once. */
export function sampling(recorder: TraceRecorder, sample: Iterable<number>): Observer {
  const left = new Set(sample);
  const traced = new Set<number>();
  return {
    instruction(event) {
      const { block } = event;
      if (left.delete(block) && (traced.size < 2 || recorder.recorded < MOST_TRACED)) traced.add(block);
      if (traced.has(block)) recorder.instruction(event);
    },
    get full() {
      return recorder.full;
    },
  };
}
