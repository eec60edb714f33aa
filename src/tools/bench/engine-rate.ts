/**
 * The engine that runs plain launches, alone: its rate, CPU seconds, and growth with the size. All blocks, counters on,
 * one thread; what other threads help is told beside it.
 */

import { median } from "../../core/base/median.js";
import { deviceById } from "../../core/device/index.js";
import { createRawCounters, type Engine, type PreparedLaunch, type RawCounters } from "../../core/engine/engine.js";
import { createFastEngine } from "../../core/engine/fast/index.js";
import { createDeviceMemory } from "../../core/engine/memory.js";
import { referenceEngine } from "../../core/engine/reference/index.js";
import { lowerFor, readyFor } from "../../core/host/timed-launch.js";
import type { KernelIr } from "../../core/ir/ir.js";
import { countEvents } from "../../core/profile/counters.js";
import { ones, randomFloats, sumInt32 } from "../../course/reductions/reduction-run.js";
import {
  example03Reductions,
  labReductions,
  type ReductionVersion,
  reductionShape,
} from "../../course/reductions/reductions.js";
import { shuffleSum } from "./kernels.js";
import { type BenchLine, benchLine, fastest, growthExponent, type Timed, timed } from "./measure.js";

const device = deviceById("h200");

const oneThread = createFastEngine(referenceEngine, { helpers: 0 });
const allThreads = createFastEngine(referenceEngine);

interface EngineLaunch {
  readonly title: string;
  readonly kernel: KernelIr;
  readonly blocks: number;
  readonly block: number;
  readonly size: readonly number[];
}

function versionLaunch(version: ReductionVersion, n: number, block: number): EngineLaunch {
  const { blocks } = reductionShape(version, n, block);
  return { title: version.title, kernel: version.kernel.ir, blocks, block, size: version.guarded ? [n] : [] };
}

/** Runs launches over one array. */
class EngineBench {
  readonly #memory: ReturnType<typeof createDeviceMemory>;
  readonly #input: { readonly address: number; readonly byteLength: number };

  constructor(data: Int32Array | Float32Array) {
    const bytes = data.byteLength + 4 * Math.ceil(data.length / 64) + 2 ** 23;
    this.#memory = createDeviceMemory({ initialBytes: bytes, maximumBytes: bytes, shared: true });
    this.#input = { address: this.#memory.firstFreeAddress, byteLength: data.byteLength };
    const source = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    new Uint8Array(this.#memory.buffer, this.#input.address, data.byteLength).set(source);
  }

  #prepare({ kernel, blocks, block, size }: EngineLaunch): PreparedLaunch {
    const address = Math.ceil((this.#input.address + this.#input.byteLength) / 256) * 256;
    return readyFor(device, {
      program: lowerFor(kernel, device),
      grid: [blocks, 1, 1],
      block: [block, 1, 1],
      dynamicSharedBytes: block * 4,
      args: [this.#input, { address, byteLength: 4 * blocks }, ...size],
      memory: this.#memory,
      stepLimit: 1e8,
    });
  }

  /** The fastest of `runs` after one that compiles. */
  run(launch: EngineLaunch, runs: number): Timed<EngineRun> {
    const prepared = this.#prepare(launch);
    const engine = oneThread.supports(prepared) ? oneThread : referenceEngine;
    const work = (chosen: Engine): RawCounters => {
      const counters = createRawCounters(prepared.program);
      chosen.run(prepared, { first: 0, end: launch.blocks, step: 1 }, counters);
      return counters;
    };
    work(engine);
    const best = fastest(runs, () => work(engine));
    const { warpInstructions } = countEvents(prepared.program, best.result);
    let helpedSeconds = best.seconds;
    if (engine === oneThread) {
      work(allThreads);
      const helped = Array.from({ length: runs }, () => timed(() => work(allThreads)).seconds);
      helpedSeconds = Math.min(...helped);
    }
    return { ...best, result: { warpInstructions, engine: engine.name, helpedSeconds } };
  }

  /**
   * CPU seconds of each launch: the median of several turns, each of all launches, so that a slow spell of the machine
   * meets all alike. A short launch runs so often in a row that it takes as long as the longest.
   */
  medianOfTurns(launches: readonly EngineLaunch[], turns: number): readonly number[] {
    const most = Math.max(...launches.map(({ blocks }) => blocks));
    const works = launches.map((launch) => {
      const prepared = this.#prepare(launch);
      const engine = oneThread.supports(prepared) ? oneThread : referenceEngine;
      const counters = createRawCounters(prepared.program);
      const times = Math.round(most / launch.blocks);
      const range = { first: 0, end: launch.blocks, step: 1 };
      return (): number => {
        const { cpuSeconds } = timed(() => {
          for (let run = 0; run < times; run++) engine.run(prepared, range, counters);
        });
        return cpuSeconds / times;
      };
    });
    for (const work of works) work();
    const measured = Array.from({ length: turns }, () => works.map((work) => work()));
    return works.map((_, index) => median(measured.map((turn) => turn[index] ?? Number.NaN)));
  }
}

interface EngineRun {
  readonly warpInstructions: number;
  readonly engine: string;
  /** By the clock, with all threads that the machine has for it. */
  readonly helpedSeconds: number;
}

/** Lane slots a second, in thousands of millions, that are asked of some of the labs' kernels. */
const DEMANDED_SLOTS: Readonly<Record<string, number>> = {
  "lab-26-sequential": 3,
  "lab-25-divergent": 1.5,
  shuffle: 1,
};

/** (b) Rates beside a plain JavaScript loop over the same data. */
export function benchRates(n: number): readonly BenchLine[] {
  const data = ones(n);
  sumInt32(data);
  const loop = fastest(3, () => sumInt32(data));
  const bench = new EngineBench(data);
  const shuffle: EngineLaunch = {
    title: "Sum by shuffles",
    kernel: shuffleSum.ir,
    blocks: Math.floor(n / 1024),
    block: 1024,
    size: [],
  };
  const all = [
    ...labReductions.map((version) => ({ id: version.id, launch: versionLaunch(version, n, 1024) })),
    { id: "shuffle", launch: shuffle },
  ];
  return all.map(({ id, launch }) => {
    const { result, seconds, cpuSeconds } = bench.run(launch, 3);
    const atLeast = DEMANDED_SLOTS[id];
    return benchLine(
      `rate.${id}`,
      `${launch.title}: lane slots a CPU second`,
      (result.warpInstructions * 32) / cpuSeconds / 1e9,
      "G/s",
      atLeast === undefined ? {} : { atLeast },
      `${(result.warpInstructions / cpuSeconds / 1e6).toFixed(0)} M warp instructions/s; ${seconds.toFixed(3)} s by the clock, ${result.helpedSeconds.toFixed(3)} s on all cores, CPU ${cpuSeconds.toFixed(3)} s: ${(cpuSeconds / loop.cpuSeconds).toFixed(1)} times a plain loop (${(loop.cpuSeconds * 1000).toFixed(1)} ms); ${result.engine} engine`,
    );
  });
}

/** CPU seconds asked of Example 03's V1 to V5 over 2^24 floats. */
const DEMANDED_CPU: readonly number[] = [0.89, 0.72, 0.38, 0.19, 0.09];

export function benchExample03(n: number): readonly BenchLine[] {
  const bench = new EngineBench(randomFloats(n));
  return example03Reductions.map((version, index) => {
    const { seconds, cpuSeconds, result } = bench.run(versionLaunch(version, n, 256), 3);
    const demanded = DEMANDED_CPU[index];
    return benchLine(
      `example03.v${index + 1}`,
      `Example 03 ${version.title}: CPU seconds`,
      cpuSeconds,
      "s",
      n === 2 ** 24 && demanded !== undefined ? { atMost: demanded } : {},
      `${seconds.toFixed(3)} s by the clock, ${result.helpedSeconds.toFixed(3)} s on all cores, ${((result.warpInstructions * 32) / cpuSeconds / 1e9).toFixed(2)} G lane slots a CPU second; ${result.engine} engine`,
    );
  });
}

/** Turns of the growth: an odd number, for the median. */
const GROWTH_TURNS = 5;

/** (d) How the cost grows with the size: Lab 26's kernel over the beginning of one array. */
export function benchGrowth(sizes: readonly number[]): readonly BenchLine[] {
  const version = labReductions.find(({ id }) => id === "lab-26-sequential");
  if (version === undefined) return [];
  const bench = new EngineBench(ones(Math.max(...sizes)));
  const launches = sizes.map((n) => versionLaunch(version, n, 1024));
  const seconds = bench.medianOfTurns(launches, GROWTH_TURNS);
  const points = sizes.map((n, index) => ({ n, seconds: seconds[index] ?? Number.NaN }));
  const note = points.map(({ n, seconds }) => `2^${Math.log2(n)}: ${seconds.toFixed(4)} s`).join(", ");
  return [
    benchLine(
      "growth.exponent",
      "exponent of the CPU seconds over the size",
      growthExponent(points),
      "",
      { atMost: 1.05 },
      note,
    ),
  ];
}
