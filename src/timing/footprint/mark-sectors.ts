/** Encodes what the footprint knows of a traced block's sectors into its memory stream (`sector-marks.ts`). */
import type { Instruction } from "../../lower/program.js";
import { SECTOR_BYTES, SECTORS_PER_BURST, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { sparseCost, sparseStoreCost } from "../memory/dram.js";
import { isMissed } from "../memory/random-reuse.js";
import { densityOf, goesOn, isIrregular, STRIDE_SLACK, sameSectors } from "../trace/request-order.js";
import {
  ATOMIC_SHARERS_SHIFT,
  COMMON,
  CROWDED,
  FLOAT_ATOMIC,
  FROM_DRAM,
  FROM_L2,
  IRREGULAR_STORE,
  LAP_STORE,
  LOAD_COST_MASK,
  LOAD_WAVEFRONTS_SHIFT,
  PARTIAL,
  PENDING,
  SECTOR_SHIFT,
  STORE_WAVEFRONTS_SHIFT,
  WIDE_ATOMIC,
} from "../trace/sector-marks.js";
import type { SectorPages } from "../trace/sector-pages.js";
import { type BlockTrace, RECORD_HEADER, RETURNED_SHIFT } from "../trace/trace.js";
import { walkRequests } from "../trace/trace-requests.js";
import { type AccessCode, type BlockUse, BROUGHT, lastRecords, NO_ROOT, TOUCHED, WRITTEN } from "./block-use.js";

/** Neighbouring blocks start together and stay in step for this many requests of a warp. */
const IN_STEP_REQUESTS = 4;

/** Properties of a parameter, as the footprint found them. */
export interface RootMarks {
  /** Blocks that use a sector, and blocks that use one of the two sectors of a burst. */
  readonly sharers: number;
  readonly pieceSharers: number;
  /** Adjacent sectors that the same block fetches. */
  readonly run: number;
  /** Share of its bursts that the grid touches. */
  readonly density: number;
  /** Whether its written data has gaps, and whether a later pass of blocks fills those. */
  readonly incomplete: boolean;
  readonly inLaps: boolean;
  /** Consecutive blocks touch it in random order. */
  readonly inNoOrder: boolean;
  /** Share of random loads that miss because their data was evicted. */
  readonly drivenOut: number;
  /** The same share for other loads, where blocks wrap around. */
  readonly drivenOutInOrder: number;
  /** Distance in sectors from the accesses of the block before to those of a block; undefined if none was found. */
  readonly shift: number | undefined;
  /** Each block fetches what its first load requests, and finds the rest in L2. */
  readonly bringsOwn: boolean;
}

/** For requests through no parameter. */
const UNKNOWN: RootMarks = {
  sharers: 1,
  pieceSharers: 1,
  run: SECTORS_PER_BURST,
  density: 1,
  incomplete: false,
  inLaps: false,
  inNoOrder: false,
  drivenOut: 0,
  drivenOutInOrder: 0,
  shift: undefined,
  bringsOwn: false,
};

export interface GridMarks {
  readonly roots: ReadonlyMap<number, RootMarks>;
  readonly blocksOf: SectorPages<Int32Array>;
  /** By pc, 1 for loads whose blocks read sectors of their own, even if some of these are shared elsewhere. */
  readonly readsOwn: Uint8Array;
  /** Number of traced blocks from which on a common sector counts as common to all. */
  readonly commonFrom: number;
  readonly tracedBlocks: number;
  readonly gridBlocks: number;
  readonly activeSms: number;
  /** Bytes of a DRAM fetch. */
  readonly fetchBytes: number;
}

const WIDE_TYPES: ReadonlySet<string> = new Set(["i64", "u64", "f64"]);

function atomicKind(type: string): number {
  return (type === "f32" || type === "f64" ? FLOAT_ATOMIC : 0) + (WIDE_TYPES.has(type) ? WIDE_ATOMIC : 0);
}

function loadCost(wavefronts: number, dramHundredths: number): number {
  return (wavefronts << LOAD_WAVEFRONTS_SHIFT) | Math.min(LOAD_COST_MASK, dramHundredths);
}

function storeCost(wavefronts: number, cost: number): number {
  return ((wavefronts >>> RETURNED_SHIFT) << STORE_WAVEFRONTS_SHIFT) | cost;
}

function costOfParts({ density, inLaps }: RootMarks): number {
  return Math.round(100 * sparseStoreCost(density)) | (inLaps ? LAP_STORE : 0);
}

/** The hash of the run decides, so that the choice does not depend on the order of accesses. */
function isFirstOf(run: number, sharers: number): boolean {
  return (Math.imul(run, 0x9e3779b1) >>> 8) / 16777216 < 1 / sharers;
}

/**
 * Sectors adjacent to those of a recent request of the warp hit open rows of DRAM, up to this many requests later.
 * Measured: rows of 264 and 520 words are read as fast as rows of 256 (h200/micro/ragged.json).
 */
const OPEN_REQUESTS = 8;

/**
 * Encodes the block's memory stream. Also returns the lines with partly written sectors, each with its number of
 * sharing blocks, and the parameters stored to in random order.
 */
export function markSectors(
  trace: BlockTrace,
  index: number,
  { sectors, stored }: BlockUse,
  grid: GridMarks,
  code: AccessCode,
  instructions: readonly Instruction[],
): {
  readonly encoded: Int32Array;
  readonly partialLines: ReadonlyMap<number, number>;
  readonly randomlyStored: ReadonlySet<number>;
} {
  const { blocksOf, readsOwn, commonFrom, tracedBlocks, gridBlocks, activeSms, fetchBytes } = grid;
  const { memory } = trace;
  const complete = tracedBlocks >= gridBlocks;
  const encoded = memory.slice();
  const partialLines = new Map<number, number>();
  const randomlyStored = new Set<number>();
  const useOf = (sector: number): number => sectors.values[sectors.find(sector)]! & TOUCHED;
  const isBrought = (sector: number): boolean => (sectors.values[sectors.find(sector)]! & BROUGHT) !== 0;
  const hasPiece = (sector: number): boolean => useOf(sector) !== 0 || useOf(sector ^ 1) !== 0;
  const isPart = (sector: number): boolean =>
    useOf(sector) === WRITTEN && stored.values[stored.find(sector)]! < SECTOR_BYTES;
  const loadedLast = lastRecords(code);
  const loadedNth = new Int32Array(loadedLast.length);
  walkRequests(trace, code.traced, (pc, record, nth) => {
    const rootIndex = code.rootOf[pc]!;
    const root = grid.roots.get(rootIndex) ?? UNKNOWN;
    const { run, drivenOut, drivenOutInOrder } = root;
    const from = record + RECORD_HEADER;
    const count = memory[record + 2]!;
    const store = code.stores[pc] === 1;
    const load = code.writes[pc] === 0;
    const early = !store && nth < IN_STEP_REQUESTS && root.shift !== undefined;
    let walks = false;
    if (load && !early) {
      const before = loadedLast[rootIndex - NO_ROOT]!;
      if (before >= 0 && sameSectors(memory, before, record)) {
        encoded[record + 1] = loadCost(memory[record + 1]!, encoded[before + 1]! & LOAD_COST_MASK);
        encoded.copyWithin(from, before + RECORD_HEADER, before + RECORD_HEADER + count);
        return;
      }
      walks = before >= 0 && nth - loadedNth[rootIndex - NO_ROOT]! < OPEN_REQUESTS && goesOn(memory, before, record);
      loadedLast[rootIndex - NO_ROOT] = record;
      loadedNth[rootIndex - NO_ROOT] = nth;
    }
    const irregular =
      isIrregular(memory, from, count, store || walks ? STRIDE_SLACK : 0) ||
      (store && root.inNoOrder && isPart(memory[from]!));
    if (store) encoded[record + 1] = storeCost(memory[record + 1]!, irregular ? IRREGULAR_STORE : costOfParts(root));
    else if (load) {
      const density = irregular ? densityOf(memory, from, count) : root.density;
      encoded[record + 1] = loadCost(memory[record + 1]!, Math.round(100 * sparseCost(density)));
    } else {
      const sharers = Math.max(1, Math.min(activeSms, Math.round(root.sharers)));
      encoded[record + 1] = atomicKind(instructions[pc]!.type) | (sharers << ATOMIC_SHARERS_SHIFT);
    }
    const pieceSharers = store || fetchBytes === SECTOR_BYTES ? root.sharers : root.pieceSharers;
    const shift = root.shift ?? 0;
    const sharesAll = tracedBlocks > 1 && readsOwn[pc] === 0;
    const mayBePartial = store && (irregular || root.incomplete);
    for (let at = from; at < from + count; at++) {
      const sector = memory[at]!;
      const blocksHere = blocksOf.values[blocksOf.find(sector)]!;
      const common = complete || (sharesAll && blocksHere >= (irregular ? tracedBlocks : commonFrom));
      const share = complete ? blocksHere : common ? activeSms : root.sharers;
      const bringing = complete || common ? share : pieceSharers;
      let mark = 0;
      let source =
        bringing <= 1 || isFirstOf(Math.floor(sector / run), Math.min(bringing, gridBlocks)) ? FROM_DRAM : FROM_L2;
      // Whichever of the block's loads reads it first.
      if (root.bringsOwn && load) source = isBrought(sector) ? FROM_DRAM : FROM_L2;
      const gone = irregular ? drivenOut : drivenOutInOrder;
      if (source === FROM_L2 && !(store && irregular) && isMissed(sector, index, gone)) source = FROM_DRAM;
      if (bringing <= 1 && share <= 1 && !complete && shift > 0 && useOf(sector + shift) !== 0) source = FROM_L2;
      if (early && source === FROM_L2 && (hasPiece(sector + shift) || hasPiece(sector - shift))) mark = PENDING;
      // All blocks read it, and none fetched it for itself.
      if (load && common && !complete && source === FROM_L2 && !root.bringsOwn) mark = PENDING;
      const crowded = load || complete || share < activeSms / 2 ? 0 : CROWDED;
      if (mayBePartial && isPart(sector)) {
        mark = PARTIAL;
        if (irregular) randomlyStored.add(rootIndex);
        else partialLines.set(Math.floor(sector / SECTORS_PER_LINE), share);
      }
      encoded[at] = sector * SECTOR_SHIFT + mark + crowded + (common ? COMMON : 0) + source;
    }
  });
  return { encoded, partialLines, randomlyStored };
}
