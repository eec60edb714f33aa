/** Requests that L2 answers: sectors of lines, lanes with words of their own, volatile loads after stores, atomics. */
import { meanAbsolute } from "../../compared-numbers.js";
import type { MicroBenchmark } from "./benchmarks.js";
import { benchmarksOf, cyclesOfIteration, eventMicroseconds } from "./measured-rows.js";

interface LinesRow {
  readonly lanesOfLine: number;
  /** Hexadecimal: the sector of the line that each lane asks for, the last digit's first. */
  readonly places: string;
  readonly linesApart: number;
  readonly grid: number;
  readonly rounds: number;
  readonly us: number;
}

/** One to four sectors of each line, wherever in it. */
export function lineBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<LinesRow>({
    file: "h200/micro/lines",
    id: ({ places, linesApart, grid }) => `sectors ${places} of lines ${linesApart} apart, ${grid} blocks`,
    kernel: () => ["lines"],
    grid: ({ grid }) => grid,
    block: () => 256,
    args: ({ lanesOfLine, places, linesApart, rounds }, gpu) => [
      gpu.data,
      gpu.out,
      lanesOfLine,
      Number.parseInt(places, 16),
      linesApart,
      rounds,
    ],
    figures: [
      {
        group: "sectors of lines from L2",
        unit: "us",
        measured: ({ us }) => us,
        simulated: eventMicroseconds("warm"),
      },
    ],
  });
}

interface LaneRow {
  readonly micro: string;
  readonly words: number;
  readonly warpsPerSM: number;
  readonly rounds: number;
  readonly cyclesPerRequestSM: number;
}

/** Fewer warps wait for L2, and fewer requests for the first data. */
const LEAST_WARPS = 16;
const LEAST_ROUNDS = 2;

/** Each lane reads words of its own, one after the other. */
export function laneBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<LaneRow>({
    file: "h200/micro/lanes",
    rows: (rows) =>
      rows.filter(
        ({ micro, warpsPerSM, rounds }) => micro === "segment" && warpsPerSM >= LEAST_WARPS && rounds >= LEAST_ROUNDS,
      ),
    id: ({ words, warpsPerSM }) => `${words} words a lane, ${warpsPerSM} warps an SM`,
    kernel: () => ["segment"],
    grid: (_row, gpu) => gpu.device.smCount,
    block: ({ warpsPerSM }) => warpsPerSM * 32,
    args: ({ words, warpsPerSM, rounds }, gpu) => [gpu.data, words, rounds, warpsPerSM, gpu.out, gpu.out],
    figures: [
      {
        group: "lanes that read words of their own",
        unit: "cycles a request",
        measured: ({ cyclesPerRequestSM }) => cyclesPerRequestSM,
        simulated: (predict, { words, rounds, warpsPerSM }, gpu) =>
          (predict("warm").cycles - gpu.cyclesOutside("warm")) / (words * rounds * warpsPerSM),
      },
    ],
  });
}

interface PieceRow {
  readonly micro: string;
  readonly sms: number;
  readonly warpsPerSm: number;
  readonly steps: number;
  readonly cyclesPerPiece: number;
}

/** The template's argument of each kind of steps. */
const STRONG_KINDS: Readonly<Record<string, number>> = { pieceBoth: 0, pieceEight: 1, pieceNext: 2 };
const MOST_WARPS = 32;
/** All warps' pieces of 512 bytes take so much of L2. */
const PIECES_BYTES = 2 ** 24;

/** Volatile loads after stores to their line, on lines that change; of eight steps a piece. */
export function strongBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<PieceRow>({
    file: "h200/micro/strong",
    rows: (rows) => rows.filter(({ micro, steps }) => micro in STRONG_KINDS && steps === 8),
    id: ({ micro, warpsPerSm, sms }) => `${micro}, ${warpsPerSm} warps on each of ${sms} SMs`,
    kernel: ({ micro }) => ["pieces", STRONG_KINDS[micro]!],
    grid: ({ sms, warpsPerSm }) => sms * (warpsPerSm / Math.min(warpsPerSm, MOST_WARPS)),
    block: ({ warpsPerSm }) => 32 * Math.min(warpsPerSm, MOST_WARPS),
    args: ({ sms, warpsPerSm, steps }, gpu, pieces) => {
      const spread = Math.max(1, Math.floor(PIECES_BYTES / (sms * warpsPerSm * 512)));
      return [gpu.out, pieces, steps, spread];
    },
    figures: [
      {
        group: "volatile loads behind stores",
        unit: "cycles a piece",
        measured: ({ cyclesPerPiece }) => cyclesPerPiece,
        simulated: cyclesOfIteration(4, 12),
      },
    ],
  });
}

interface SpreadRow {
  readonly kind: string;
  readonly words: number;
  readonly nsPerWarpRequest: number;
}

const SPREAD_BLOCKS = 1056;
const SPREAD_WARPS = 8;
const RANDOM_WORDS = 4;
const FEW = 8;
const MORE = 24;

/** One row for all places that an array of so many words had: their mean. */
function meanOfPlaces(rows: readonly SpreadRow[]): readonly SpreadRow[] {
  const random = rows.filter(({ kind }) => kind === "random");
  return [...new Set(random.map(({ words }) => words))].map((words) => {
    const places = random.filter((row) => row.words === words).map(({ nsPerWarpRequest }) => nsPerWarpRequest);
    return { kind: "random", words, nsPerWarpRequest: meanAbsolute(places) ?? Number.NaN };
  });
}

/** Atomics of all SMs, each lane's at random. */
export function spreadBenchmarks(): readonly MicroBenchmark[] {
  return benchmarksOf<SpreadRow>({
    file: "h200/micro/spread",
    rows: meanOfPlaces,
    id: ({ words }) => `${words} words`,
    kernel: () => ["atomics", "int", 0],
    grid: () => SPREAD_BLOCKS,
    block: () => SPREAD_WARPS * 32,
    args: ({ words }, gpu, rounds) => [gpu.out, words, RANDOM_WORDS, rounds],
    figures: [
      {
        group: "atomics at random",
        unit: "ns a request",
        measured: ({ nsPerWarpRequest }) => nsPerWarpRequest,
        simulated: (predict) =>
          ((predict("warm", MORE).timeMs - predict("warm", FEW).timeMs) * 1e6) /
          (SPREAD_BLOCKS * SPREAD_WARPS * (MORE - FEW)),
      },
    ],
  });
}
