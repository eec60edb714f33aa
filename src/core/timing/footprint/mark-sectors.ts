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
import { type LocalUse, markLocal } from "./local-use.js";

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

export interface MarkedSectors {
  /** The block's memory stream with encoded sectors. */
  readonly encoded: Int32Array;
  /** Lines with partly written sectors, each with the number of blocks that share it. */
  readonly partialLines: ReadonlyMap<number, number>;
  /** Parameters that are stored to in random order. */
  readonly randomlyStored: ReadonlySet<number>;
}

/** Encodes the memory stream of a traced block, which has number `index` among the traced ones. */
export function markSectors(
  trace: BlockTrace,
  index: number,
  use: BlockUse,
  grid: GridMarks,
  code: AccessCode,
  instructions: readonly Instruction[],
): MarkedSectors & { readonly local: LocalUse } {
  const marker = new SectorMarker(trace.memory, index, use, grid, code, instructions);
  walkRequests(trace, code.traced, (pc, record, nth) => marker.request(pc, record, nth));
  const { encoded, partialLines, randomlyStored } = marker;
  return { encoded, partialLines, randomlyStored, local: markLocal(trace, encoded, code) };
}

/** A request, with the properties that all its sectors have in common. */
interface MarkedRequest {
  readonly rootIndex: number;
  readonly root: RootMarks;
  readonly store: boolean;
  readonly load: boolean;
  /** Neighbouring blocks make the same request at about the same time. */
  readonly early: boolean;
  readonly irregular: boolean;
  /** Blocks that use what a DRAM fetch brings in for this request. */
  readonly fetchSharers: number;
  /** Number of traced blocks from which on a sector is common to all. */
  readonly commonFrom: number;
}

class SectorMarker implements MarkedSectors {
  readonly encoded: Int32Array;
  readonly partialLines: Map<number, number> = new Map();
  readonly randomlyStored: Set<number> = new Set();
  /** All blocks of the grid were traced, so that sharing is known exactly. */
  private readonly complete: boolean;
  private readonly loadedLast: Int32Array;
  private readonly loadedNth: Int32Array;

  constructor(
    private readonly memory: Int32Array,
    private readonly index: number,
    private readonly use: BlockUse,
    private readonly grid: GridMarks,
    private readonly code: AccessCode,
    private readonly instructions: readonly Instruction[],
  ) {
    this.encoded = memory.slice();
    this.complete = grid.tracedBlocks >= grid.gridBlocks;
    this.loadedLast = lastRecords(code);
    this.loadedNth = new Int32Array(this.loadedLast.length);
  }

  /** Encodes the request whose record is at `record`, the `nth` of its warp. */
  request(pc: number, record: number, nth: number): void {
    const { memory, grid, code } = this;
    const rootIndex = code.rootOf[pc]!;
    const root = grid.roots.get(rootIndex) ?? UNKNOWN;
    const from = record + RECORD_HEADER;
    const count = memory[record + 2]!;
    const store = code.stores[pc] === 1;
    const load = code.writes[pc] === 0;
    const early = !store && nth < IN_STEP_REQUESTS && root.shift !== undefined;
    let openRows = false;
    if (load && !early) {
      const slot = rootIndex - NO_ROOT;
      const before = this.loadedLast[slot]!;
      if (before >= 0 && sameSectors(memory, before, record)) {
        this.copyLoad(before, record, count);
        return;
      }
      openRows = before >= 0 && nth - this.loadedNth[slot]! < OPEN_REQUESTS && goesOn(memory, before, record);
      this.loadedLast[slot] = record;
      this.loadedNth[slot] = nth;
    }
    const irregular =
      isIrregular(memory, from, count, store || openRows ? STRIDE_SLACK : 0) ||
      (store && root.inNoOrder && this.isPart(memory[from]!));
    this.encoded[record + 1] = this.costOf(pc, record, root, irregular);
    const sharesAll = grid.tracedBlocks > 1 && grid.readsOwn[pc] === 0;
    this.markAll(from, count, {
      rootIndex,
      root,
      store,
      load,
      early,
      irregular,
      fetchSharers: store || grid.fetchBytes === SECTOR_BYTES ? root.sharers : root.pieceSharers,
      commonFrom: !sharesAll ? Number.POSITIVE_INFINITY : irregular ? grid.tracedBlocks : grid.commonFrom,
    });
  }

  /** A load of the same sectors as the load before is encoded like that one. */
  private copyLoad(before: number, record: number, count: number): void {
    const { memory, encoded } = this;
    encoded[record + 1] = loadCost(memory[record + 1]!, encoded[before + 1]! & LOAD_COST_MASK);
    encoded.copyWithin(record + RECORD_HEADER, before + RECORD_HEADER, before + RECORD_HEADER + count);
  }

  /** The word of a record that holds the request's costs. */
  private costOf(pc: number, record: number, root: RootMarks, irregular: boolean): number {
    const { memory, grid, code } = this;
    const wavefronts = memory[record + 1]!;
    if (code.stores[pc] === 1) return storeCost(wavefronts, irregular ? IRREGULAR_STORE : costOfParts(root));
    if (code.writes[pc] === 0) {
      const density = irregular ? densityOf(memory, record + RECORD_HEADER, memory[record + 2]!) : root.density;
      return loadCost(wavefronts, Math.round(100 * sparseCost(density)));
    }
    const sharers = Math.max(1, Math.min(grid.activeSms, Math.round(root.sharers)));
    return atomicKind(this.instructions[pc]!.type) | (sharers << ATOMIC_SHARERS_SHIFT);
  }

  private markAll(from: number, count: number, request: MarkedRequest): void {
    const { memory, encoded, complete } = this;
    const { blocksOf, activeSms } = this.grid;
    const { rootIndex, root, store, load, irregular, fetchSharers, commonFrom } = request;
    const mayBePartial = store && (irregular || root.incomplete);
    for (let at = from; at < from + count; at++) {
      const sector = memory[at]!;
      const blocksHere = blocksOf.values[blocksOf.find(sector)]!;
      const common = complete || blocksHere >= commonFrom;
      const share = complete ? blocksHere : common ? activeSms : root.sharers;
      const source = this.sourceOf(sector, request, complete || common ? share : fetchSharers, share);
      let mark = source === FROM_L2 && this.isPending(sector, request, common) ? PENDING : 0;
      const crowded = load || complete || share < activeSms / 2 ? 0 : CROWDED;
      if (mayBePartial && this.isPart(sector)) {
        mark = PARTIAL;
        if (irregular) this.randomlyStored.add(rootIndex);
        else this.partialLines.set(Math.floor(sector / SECTORS_PER_LINE), share);
      }
      encoded[at] = sector * SECTOR_SHIFT + mark + crowded + (common ? COMMON : 0) + source;
    }
  }

  /** Whether DRAM or L2 serves the block's first access of a sector, which `share` blocks use and `fetching` may fetch. */
  private sourceOf(
    sector: number,
    { root, store, load, irregular }: MarkedRequest,
    fetching: number,
    share: number,
  ): number {
    const { run, shift = 0 } = root;
    const { gridBlocks } = this.grid;
    if (fetching <= 1 && share <= 1 && !this.complete && shift > 0 && this.useOf(sector + shift) !== 0) return FROM_L2;
    const fetched = fetching <= 1 || isFirstOf(Math.floor(sector / run), Math.min(fetching, gridBlocks));
    // Whichever of the block's loads reads it first.
    if (root.bringsOwn && load ? this.isBrought(sector) : fetched) return FROM_DRAM;
    const gone = irregular ? root.drivenOut : root.drivenOutInOrder;
    return !(store && irregular) && isMissed(sector, this.index, gone) ? FROM_DRAM : FROM_L2;
  }

  /** Whether a sector that another block fetches may still be on its way to L2. */
  private isPending(sector: number, { root, load, early }: MarkedRequest, common: boolean): boolean {
    const { shift = 0 } = root;
    if (early && (this.hasPiece(sector + shift) || this.hasPiece(sector - shift))) return true;
    // All blocks read it, and none fetched it for itself.
    return load && common && !this.complete && !root.bringsOwn;
  }

  private useOf(sector: number): number {
    const { sectors } = this.use;
    return sectors.values[sectors.find(sector)]! & TOUCHED;
  }

  private isBrought(sector: number): boolean {
    const { sectors } = this.use;
    return (sectors.values[sectors.find(sector)]! & BROUGHT) !== 0;
  }

  private hasPiece(sector: number): boolean {
    return this.useOf(sector) !== 0 || this.useOf(sector ^ 1) !== 0;
  }

  private isPart(sector: number): boolean {
    const { stored } = this.use;
    return this.useOf(sector) === WRITTEN && stored.values[stored.find(sector)]! < SECTOR_BYTES;
  }
}
