/**
 * What the grid touches, judged from the traced blocks: how many bytes, what of it blocks share, and so which first
 * touches of a sector find it in L2 because a block on another SM has brought it there.
 *
 * A parameter's accesses span addresses lo..hi (the first and last block are in the sample). If the blocks together
 * touch more than that span has room for, blocks share it: on average `sharers` blocks a sector, one of which pays DRAM,
 * for as many sectors beside each other as blocks touch in the mean: who comes first to one comes first to the next.
 * Where blocks share little, it is their borders: a sector that the next block's sectors, shifted back, would cover as
 * well has been brought by the block before.
 *
 * Of a block whose beginning alone was traced, the rest is taken to touch new places as the beginning's second half does.
 */
import type { Program } from "../lower/program.js";
import { sparseCost, sparseStoreCost } from "./dram.js";
import { isMissed, missedAtRandom } from "./random-reuse.js";
import { densityOf, isIrregular } from "./request-order.js";
import { addUse, extrapolate, noUse, type RootUse } from "./root-use.js";
import { SectorMap } from "./sector-map.js";
import { SECTOR_BYTES, SECTORS_PER_LINE, SECTORS_PER_PIECE } from "./sector-sizes.js";
import type { LaunchTraces } from "./trace.js";
import { halvesToCome, walkRequests } from "./trace-requests.js";

/** Low bits of an encoded sector. */
export const FROM_DRAM = 0;
export const FROM_L2 = 1;
export const COMMON = 2;
export const CROWDED = 4;
export const PARTIAL = 8;
export const PENDING = 8;
/**
 * encoded = sector * 16 + (of stores PARTIAL if only part of it is written soon, of loads PENDING if it is on its way for the
 * next block) + (CROWDED if blocks on all SMs use it) + (COMMON if the same for all traced blocks) + (FROM_L2 if another block
 * has brought it).
 */
export const SECTOR_BITS = 4;
export const SECTOR_SHIFT: number = 1 << SECTOR_BITS;

/**
 * The second word of a global access's record: of loads what DRAM asks for it, in hundredths of what it asks for whole
 * rows; of stores what it asks for parts of sectors, in hundredths of where each line has one, or that they go to lines
 * in no order; of atomics their type.
 */
export const IRREGULAR_STORE = 1;
export const FLOAT_ATOMIC = 1;
export const WIDE_ATOMIC = 2;

/** A sector's mark: 0 read, 1 written. */
const UNSEEN = -1;
const LINE_BYTES = SECTORS_PER_LINE * SECTOR_BYTES;
/** Longer runs of pieces, of 1 KiB, would be too few in a sample to be shared as the mean is. */
const LONGEST_RUN = 16;
/** Neighbouring blocks, which start together, are in step for so many of a warp's requests. */
const IN_STEP_REQUESTS = 4;
/** Output of which so much is written in the end, and in order, is complete before L2 lets go of it. */
const COMPLETE = 0.9;

export interface Footprint {
  /** The traces' memory streams with encoded sectors. */
  readonly memory: readonly Int32Array[];
  /** Distinct bytes that the grid reads first, and that it writes, estimated. */
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Of the pieces of 64 bytes that a block writes, the share that it writes of them. */
  readonly writtenShare: number;
  /** What all that takes of L2, whose places are whole lines, and how many times the pieces of 64 bytes that it asks for. */
  readonly lineBytes: number;
  readonly lineFactor: number;
  /** Of what is written, the lines of which sectors are written in part. */
  readonly partialLineBytes: number;
}

/** What one traced block does to its sectors. */
interface BlockUse {
  /** Sectors: 0 read first, 1 written. */
  readonly seen: SectorMap;
  /** Bytes stored into each sector. */
  readonly stored: Map<number, number>;
  readonly lowest: Map<number, number>;
}

/** The number of a run of pieces decides, so that the choice does not depend on the order of accesses. */
function isFirstOf(run: number, sharers: number): boolean {
  return (Math.imul(run, 0x9e3779b1) >>> 8) / 16777216 < 1 / sharers;
}

function held(seen: SectorMap, sector: number): number {
  return seen.get(sector, UNSEEN) === UNSEEN ? 0 : 1;
}

function hasPiece(seen: SectorMap, sector: number): boolean {
  return seen.get(sector, UNSEEN) !== UNSEEN || seen.get(sector ^ 1, UNSEEN) !== UNSEEN;
}

/** By how many sectors a block's accesses of each parameter lie behind those of the block before; the usual shift. */
function shiftsBetweenNeighbours(traces: LaunchTraces, blocks: readonly BlockUse[]): ReadonlyMap<number, number> {
  const counts = new Map<number, Map<number, number>>();
  for (let i = 1; i < traces.blocks.length; i++) {
    if (traces.blocks[i]!.block !== traces.blocks[i - 1]!.block + 1) continue;
    for (const [root, low] of blocks[i]!.lowest) {
      const before = blocks[i - 1]!.lowest.get(root);
      if (before === undefined) continue;
      const count = counts.get(root) ?? new Map<number, number>();
      counts.set(root, count);
      count.set(low - before, (count.get(low - before) ?? 0) + 1);
    }
  }
  const usual = (count: ReadonlyMap<number, number>): number =>
    [...count].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
  return new Map([...counts].map(([root, count]) => [root, usual(count)]));
}

const WIDE_TYPES: ReadonlySet<string> = new Set(["i64", "u64", "f64"]);

function atomicKind(type: string): number {
  return (type === "f32" || type === "f64" ? FLOAT_ATOMIC : 0) + (WIDE_TYPES.has(type) ? WIDE_ATOMIC : 0);
}

/**
 * How far a parameter's accesses reach, over how far those of the traced blocks do: of a grid in two dimensions the last row of
 * blocks may have nothing to do, and then the last blocks traced that tell are those of some rows before.
 */
function beyondTraced({ blocks: traces }: LaunchTraces, blocks: readonly BlockUse[], root: number): number {
  const touching = traces.filter((_, index) => blocks[index]!.lowest.has(root)).map(({ block }) => block);
  const [first, last] = [touching[0]!, touching.at(-1)!];
  return first === last ? 1 : (traces.at(-1)!.block - traces[0]!.block + 1) / (last - first + 1);
}

/**
 * `l2`: its size, and what it has DRAM give at a time. `weights`: how much each trace counts for, 1 in the mean, where they do not stand for
 * equally many blocks.
 */
export function footprint(
  program: Program,
  traces: LaunchTraces,
  code: { readonly traced: Uint8Array; readonly bytesPerLane: Uint8Array; readonly slotCount: Int32Array },
  gridBlocks: number,
  activeSms: number,
  l2: { readonly fetchBytes: number; readonly sizeBytes: number },
  weights: readonly number[] | null = null,
): Footprint {
  const { traced, bytesPerLane } = code;
  const rootOf = Int32Array.from(program.instructions, ({ root }) => (root?.kind === "param" ? root.index : -1));
  const writes = Uint8Array.from(program.instructions, ({ op }) => (op === "st" || op === "atom" ? 1 : 0));
  const stores = Uint8Array.from(program.instructions, ({ op }) => (op === "st" ? 1 : 0));
  const uses = new Map<number, RootUse>();
  const blocksOf = new SectorMap();
  const blocks: BlockUse[] = [];
  for (const [index, trace] of traces.blocks.entries()) {
    const seen = new SectorMap();
    const seenLines = new SectorMap();
    const seenPieces = new SectorMap();
    const stored = new Map<number, number>();
    const lowest = new Map<number, number>();
    blocks.push({ seen, stored, lowest });
    const own = new Map<number, RootUse>();
    const visit = (pc: number, record: number): void => {
      const root = rootOf[pc]!;
      const { memory } = trace;
      const count = memory[record + 2]!;
      let use = own.get(root);
      if (use === undefined) {
        use = noUse(memory[record + 3]!);
        own.set(root, use);
      }
      const bytes = stores[pc] === 1 ? (memory[record]! * bytesPerLane[pc]!) / count : 0;
      let low = lowest.get(root) ?? Number.POSITIVE_INFINITY;
      for (let at = record + 3; at < record + 3 + count; at++) {
        const sector = memory[at]!;
        if (sector < low) low = sector;
        if (bytes > 0) {
          use.stored += bytes;
          stored.set(sector, (stored.get(sector) ?? 0) + bytes);
        }
        const before = seen.get(sector, UNSEEN);
        if (before === UNSEEN) {
          if (sector < use.lo) use.lo = sector;
          if (sector > use.hi) use.hi = sector;
          use.distinct++;
          use.runs += 1 - held(seen, sector - 1) - held(seen, sector + 1);
          const line = Math.floor(sector / SECTORS_PER_LINE);
          if (seenLines.get(line, UNSEEN) === UNSEEN) use.lines++;
          seenLines.set(line, 0);
          const piece = Math.floor(sector / SECTORS_PER_PIECE);
          const pieceBefore = seenPieces.get(piece, UNSEEN);
          if (pieceBefore === UNSEEN) use.pieces++;
          if (writes[pc] === 0) {
            use.readFirst++;
            if (pieceBefore === UNSEEN) seenPieces.set(piece, 0);
          } else {
            use.written++;
            if (stores[pc] === 1) use.storedSectors++;
            if (stores[pc] === 1 && pieceBefore !== 1) use.writtenPieces++;
            seenPieces.set(piece, stores[pc]!);
          }
          seen.set(sector, writes[pc]!);
          blocksOf.set(sector, blocksOf.get(sector, 0) + 1);
        } else if (before === 0 && writes[pc] === 1) {
          use.written++;
          seen.set(sector, 2);
          const piece = Math.floor(sector / SECTORS_PER_PIECE);
          if (stores[pc] === 1) use.storedSectors++;
          if (stores[pc] === 1 && seenPieces.get(piece, UNSEEN) !== 1) use.writtenPieces++;
          seenPieces.set(piece, stores[pc]!);
        }
      }
      lowest.set(root, low);
    };
    const toCome = halvesToCome(trace, code.slotCount);
    if (toCome === 0) walkRequests(trace, traced, visit);
    else {
      walkRequests(trace, traced, visit, 0, 0.5);
      const half = new Map([...own].map(([root, use]) => [root, { ...use }]));
      walkRequests(trace, traced, visit, 0.5, 1);
      for (const [root, use] of own) extrapolate(use, half.get(root), toCome);
    }
    for (const [root, use] of own) addUse(uses, root, use, weights?.[index] ?? 1);
  }
  const sampled = traces.blocks.length;
  const grids = gridBlocks / sampled;
  /** Blocks that use a sector, and one of the two of a piece. */
  const sharers = new Map<number, number>();
  const pieceSharers = new Map<number, number>();
  const rootBytes = new Map<number, number>();
  const runs = new Map<number, number>();
  const densities = new Map<number, number>();
  const incomplete = new Set<number>();
  let readBytes = 0;
  let writtenBytes = 0;
  let lineBytes = 0;
  let pieceBytes = 0;
  let storedSectors = 0;
  let writtenPieces = 0;
  for (const [root, use] of uses) {
    const span = (use.hi - use.lo + 1) * beyondTraced(traces, blocks, root);
    const share = Math.max(1, (use.distinct * grids) / span);
    sharers.set(root, share < 1.2 ? 1 : share);
    const pieceShare = (use.pieces * grids) / Math.ceil(span / SECTORS_PER_PIECE);
    pieceSharers.set(root, pieceShare < 1.2 ? 1 : pieceShare);
    const piecesOfRun = Math.round(use.distinct / use.runs / SECTORS_PER_PIECE);
    runs.set(root, SECTORS_PER_PIECE * Math.max(1, Math.min(LONGEST_RUN, piecesOfRun)));
    densities.set(root, Math.min(1, pieceShare));
    if (use.stored * grids < COMPLETE * span * SECTOR_BYTES) incomplete.add(root);
    const scale = (SECTOR_BYTES * grids) / share;
    readBytes += use.readFirst * scale;
    writtenBytes += use.written * scale;
    storedSectors += use.storedSectors;
    writtenPieces += use.writtenPieces;
    lineBytes += LINE_BYTES * Math.min(use.lines * grids, Math.ceil(span / SECTORS_PER_LINE));
    const ofRoot = SECTORS_PER_PIECE * SECTOR_BYTES * Math.min(1, pieceShare) * Math.ceil(span / SECTORS_PER_PIECE);
    rootBytes.set(root, ofRoot);
    pieceBytes += ofRoot;
  }
  // Of random loads those that find their data driven out again.
  const drivenOut = new Map<number, number>();
  for (const [root, share] of pieceSharers) {
    const own = rootBytes.get(root)!;
    const others = Math.max(0, lineBytes - own) / share;
    drivenOut.set(root, share <= 1 ? 0 : missedAtRandom(own, others, l2.sizeBytes));
  }
  const complete = sampled >= gridBlocks;
  const shifts = shiftsBetweenNeighbours(traces, blocks);
  let partialLineBytes = 0;
  const memory = traces.blocks.map((trace, index) => {
    const { seen, stored } = blocks[index]!;
    const encoded = trace.memory.slice();
    const partialLines = new Map<number, number>();
    walkRequests(trace, traced, (pc, record, nth) => {
      const root = rootOf[pc]!;
      const count = trace.memory[record + 2]!;
      const irregular = isIrregular(trace.memory, record + 3, count);
      const store = stores[pc] === 1;
      if (store)
        encoded[record + 1] = irregular ? IRREGULAR_STORE : Math.round(100 * sparseStoreCost(densities.get(root) ?? 1));
      else if (writes[pc] === 1) encoded[record + 1] = atomicKind(program.instructions[pc]!.type);
      else {
        const density = irregular ? densityOf(trace.memory, record + 3, count) : (densities.get(root) ?? 1);
        encoded[record + 1] = Math.round(100 * sparseCost(density));
      }
      const rootShare = sharers.get(root) ?? 1;
      const rootPieceShare = store || l2.fetchBytes === SECTOR_BYTES ? rootShare : (pieceSharers.get(root) ?? 1);
      const run = runs.get(root) ?? SECTORS_PER_PIECE;
      const shift = shifts.get(root) ?? 0;
      const early = !store && nth < IN_STEP_REQUESTS && shifts.has(root);
      const mayBePartial = store && (irregular || incomplete.has(root));
      for (let at = record + 3; at < record + 3 + count; at++) {
        const sector = trace.memory[at]!;
        const blocksHere = blocksOf.get(sector, 1);
        const common = complete || (sampled > 1 && blocksHere === sampled);
        const share = complete ? blocksHere : common ? activeSms : rootShare;
        const bringing = complete || common ? share : rootPieceShare;
        let mark = 0;
        let from =
          bringing <= 1 || isFirstOf(Math.floor(sector / run), Math.min(bringing, gridBlocks)) ? FROM_DRAM : FROM_L2;
        if (from === FROM_L2 && irregular && !store && isMissed(sector, index, drivenOut.get(root) ?? 0))
          from = FROM_DRAM;
        if (share <= 1 && !complete && shift > 0 && seen.get(sector + shift, UNSEEN) !== UNSEEN) from = FROM_L2;
        if (early && from === FROM_L2 && (hasPiece(seen, sector + shift) || hasPiece(seen, sector - shift))) {
          mark = PENDING;
        }
        const crowded = !complete && share >= activeSms / 2 ? CROWDED : 0;
        if (mayBePartial && seen.get(sector, UNSEEN) === 1 && (stored.get(sector) ?? 0) < SECTOR_BYTES) {
          mark = PARTIAL;
          partialLines.set(Math.floor(sector / SECTORS_PER_LINE), share);
        }
        encoded[at] = sector * SECTOR_SHIFT + mark + crowded + (common ? COMMON : 0) + from;
      }
    });
    const whole = (weights?.[index] ?? 1) * grids * (1 + halvesToCome(trace, code.slotCount) / 2);
    for (const share of partialLines.values()) partialLineBytes += (LINE_BYTES * whole) / share;
    return encoded;
  });
  const writtenShare = writtenPieces === 0 ? 1 : storedSectors / (SECTORS_PER_PIECE * writtenPieces);
  const lineFactor = Math.max(1, lineBytes / Math.max(1, pieceBytes));
  return { memory, readBytes, writtenBytes, writtenShare, lineBytes, lineFactor, partialLineBytes };
}
