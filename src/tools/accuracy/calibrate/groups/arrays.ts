/**
 * Whole launches over arrays. They are short ones, pieces that one block reads, copies, sums or updates, and loops.
 * Others read rows by a few lanes each, or have blocks that load together and then wait together.
 */
import type { MicroSimulator } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";
import {
  benchmarksOf,
  eventMicroseconds,
  type Figure,
  type KernelName,
  kernelMicroseconds,
  type Predict,
} from "./measured-rows.js";

const SMS = 132;

interface EndsRow {
  readonly micro: string;
  readonly param: number;
  readonly words: number;
  readonly blocks: number;
  readonly threads: number;
  readonly ncuUs: number;
  readonly dirtyUs: number;
  readonly warmUs: number;
}

const DIRTY_PIECES = "pieces and loops, behind a dirty L2";

function endsBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<EndsRow>({
    file: "h200/micro/ends",
    // Kernels that read the clock are not simulated.
    rows: (rows) => rows.filter(({ micro }) => micro !== "spinCycles"),
    id: ({ micro, param, words, blocks, threads }) =>
      `${micro} ${param}, ${words / 2 ** 20} Mi words, ${blocks} blocks of ${threads}`,
    kernel: ({ micro, param }) => (micro.endsWith("Piece") ? [micro, param] : [micro]),
    grid: ({ blocks }) => blocks,
    block: ({ threads }) => threads,
    args: ({ micro, param, words }, gpu) => {
      if (micro === "fmaChain") return [gpu.out, param];
      return micro === "readLoop" ? [gpu.data, gpu.out, words] : [gpu.data, gpu.out];
    },
    figures: [
      {
        group: "pieces and loops, by Nsight Compute",
        unit: "us",
        measured: ({ ncuUs }) => ncuUs,
        simulated: kernelMicroseconds,
      },
      { group: DIRTY_PIECES, unit: "us", measured: ({ dirtyUs }) => dirtyUs, simulated: eventMicroseconds("cold") },
      {
        group: "pieces and loops, repeated",
        unit: "us",
        measured: ({ warmUs }) => warmUs,
        simulated: eventMicroseconds("warm"),
      },
    ],
  });
}

interface StreamsRow {
  readonly micro: string;
  readonly writes: number;
  readonly MB: number;
  readonly dirtyUs: number;
}

/** By the row's name: kernel, words that a thread takes, threads a block. */
const PIECES: Readonly<Record<string, readonly [(row: StreamsRow) => KernelName, words: number, threads: number]>> = {
  readPiece8: [() => ["readPiece", 8], 8, 256],
  readPiece4: [() => ["readPiece", 4], 4, 256],
  readPiece1: [() => ["readPiece", 1], 1, 1024],
  copyPiece4: [() => ["copyPiece", 4], 4, 256],
  copyPiece1: [() => ["copyPiece", 1], 1, 256],
  updatePiece: [({ writes }) => ["updatePiece", writes], 8, 256],
  foldPiece: [({ writes }) => ["foldPiece", writes], 8, 256],
  saxpyEach: [() => ["saxpyEach"], 1, 256],
  saxpyEach1024: [() => ["saxpyEach"], 1, 1024],
  scaleEach: [() => ["scaleEach"], 1, 256],
  scaleEach1024: [() => ["scaleEach"], 1, 1024],
  triadEach: [() => ["triadEach"], 1, 256],
};

const LOOP_BLOCKS: Readonly<Record<string, number>> = { readLoopFull: 8, readLoopHalf: 4, readLoopQuarter: 2 };

/** Words from the first array to the third. */
const THIRD = 2 ** 27;

const wordsOf = ({ MB }: StreamsRow): number => Math.round((MB * 1e6) / 4);

/** Rows of several arrays each are left out: they are longer than the simulator's memory. */
function streamsBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<StreamsRow>({
    file: "h200/micro/streams",
    rows: (rows) => rows.filter(({ micro }) => micro in PIECES || micro in LOOP_BLOCKS),
    id: ({ micro, writes, MB }) => `${micro}, ${writes} written, ${MB} MB`,
    kernel: (row) => PIECES[row.micro]?.[0](row) ?? ["readLoop"],
    grid: (row) => {
      const [, words, threads] = PIECES[row.micro] ?? [];
      if (words === undefined || threads === undefined) return SMS * LOOP_BLOCKS[row.micro]!;
      return Math.floor(wordsOf(row) / words / threads);
    },
    block: ({ micro }) => PIECES[micro]?.[2] ?? 256,
    args: (row, gpu) => {
      if (row.micro in LOOP_BLOCKS) return [gpu.data, gpu.out, wordsOf(row)];
      if (row.micro === "triadEach") return [gpu.data, gpu.from(gpu.data, THIRD), gpu.out];
      return row.micro.startsWith("scaleEach") ? [gpu.out] : [gpu.data, gpu.out];
    },
    figures: [
      { group: DIRTY_PIECES, unit: "us", measured: ({ dirtyUs }) => dirtyUs, simulated: eventMicroseconds("cold") },
    ],
  });
}

export function pieceBenchmarks(): readonly MicroBenchmark[] {
  return [...endsBenchmarks(), ...streamsBenchmarks()];
}

interface LaunchRow {
  readonly kernel: string;
  readonly grid: number;
  readonly block: number;
  readonly n: number;
  readonly repeatedUs: number;
  readonly coldUs: number;
}

const LAUNCH_KERNELS = ["nothing", "readEach", "writeEach", "copyEach", "axpyEach", "triadEach", "sumLoop"];

/** Each second size of blocks and arrays. */
function isTaken({ kernel, block, n }: LaunchRow): boolean {
  return (
    LAUNCH_KERNELS.includes(kernel) && (kernel.endsWith("Loop") || (block !== 128 && block !== 512)) && n !== 2 ** 21
  );
}

/** The repeated launch, too, was queued after another kernel. */
function queuedMicroseconds(predict: Predict, _row: LaunchRow, { device }: MicroSimulator): number {
  const { queuedKernelEventMicroseconds, emptyKernelEventMicroseconds } = device.launch;
  return eventMicroseconds("warm")(predict) + (queuedKernelEventMicroseconds - emptyKernelEventMicroseconds);
}

export function wholeLaunchBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<LaunchRow>({
    file: "h200/micro/launch",
    rows: (rows) => rows.filter(isTaken),
    id: ({ kernel, n, grid, block }) => `${kernel}, ${n / 2 ** 20} Mi, ${grid} blocks of ${block}`,
    kernel: ({ kernel }) => [kernel],
    grid: ({ grid }) => grid,
    block: ({ block }) => block,
    args: ({ n }, { data, out }) => {
      const byteLength = 4 * n;
      const second = out.address + out.byteLength / 2;
      return [
        { address: data.address, byteLength },
        { address: out.address, byteLength },
        { address: second, byteLength },
        n,
      ];
    },
    figures: [
      {
        group: "whole launches, repeated",
        unit: "us",
        measured: ({ repeatedUs }) => repeatedUs,
        simulated: queuedMicroseconds,
      },
      {
        group: "whole launches, behind a dirty L2",
        unit: "us",
        measured: ({ coldUs }) => coldUs,
        simulated: eventMicroseconds("cold"),
      },
    ],
  });
}

interface RaggedRow {
  readonly lanes: number;
  readonly words: number;
  readonly MiB: number;
  readonly behind: string;
  readonly us: number;
}

const RAGGED_LANES = [1, 4, 8, 16];
const RAGGED_THREADS = 128;

const rowsOf = ({ MiB, words }: RaggedRow): number => Math.floor((MiB * 2 ** 18) / words);

/** Rows, of whole lines and not, that 1 to 16 lanes each read from end to end. */
export function raggedBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<RaggedRow>({
    file: "h200/micro/ragged",
    rows: (rows) => rows.filter(({ lanes, behind }) => RAGGED_LANES.includes(lanes) && behind === "dirty"),
    id: ({ MiB, words, lanes }) => `${MiB} MiB of rows of ${words} words, ${lanes} lanes each`,
    kernel: ({ lanes }) => ["rows", lanes],
    grid: (row) => Math.ceil((rowsOf(row) * row.lanes) / RAGGED_THREADS),
    block: () => RAGGED_THREADS,
    args: (row, gpu) => [gpu.data, rowsOf(row), row.words, gpu.out],
    figures: [
      {
        group: "rows of whole lines and not",
        unit: "us",
        measured: ({ us }) => us,
        simulated: eventMicroseconds("cold"),
      },
    ],
  });
}

interface PhaseRow {
  readonly kernel: string;
  readonly think: number;
  readonly rounds: number;
  readonly eventMicroseconds: number;
}

const BLOCKS_PER_SM = 4;

const phases: Figure<PhaseRow> = {
  group: "phases of blocks",
  unit: "us more than an empty kernel",
  measured: (row, { emptyKernelMicroseconds }) => row.eventMicroseconds - Number(emptyKernelMicroseconds),
  simulated: (predict, _row, { device }) => kernelMicroseconds(predict) - device.launch.emptyKernelDurationMicroseconds,
};

/** Rounds of blocks that load together, then wait together. */
export function phaseBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<PhaseRow>({
    file: "h200/micro/phases",
    id: ({ kernel, rounds, think }) => `${kernel}, ${rounds} rounds${kernel === "phaseTree" ? "" : `, ${think} steps`}`,
    kernel: ({ kernel }) => [kernel],
    grid: ({ rounds }, gpu) => rounds * BLOCKS_PER_SM * gpu.device.smCount,
    block: () => 512,
    args: ({ kernel, think }, gpu) => [gpu.data, gpu.out, ...(kernel === "phaseTree" ? [] : [think])],
    figures: [phases],
  });
}
