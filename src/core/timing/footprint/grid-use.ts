/** The whole grid's use of a parameter, scaled from the traced blocks. */
import { LINE_BYTES, SECTOR_BYTES, SECTORS_PER_BURST, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { loneWriteCost } from "../memory/dram.js";
import type { RandomLines } from "../memory/random-stores.js";
import type { LaunchTraces } from "../trace/trace.js";
import type { BlockUse } from "./block-use.js";
import { type Lattice, latticeOf, roomIn } from "./lattice.js";
import type { RootMarks } from "./mark-sectors.js";
import { addUse, type RootUse } from "./root-use.js";

/** Longest run in bursts, 1 KiB. A sample would hold too few longer runs to be shared as the mean is. */
const LONGEST_RUN = 16;
/** L2 completes output that is written in order and almost whole, from this share on, before it evicts it. */
export const COMPLETE: number = 0.9;
/** Fewer sharers than this mean that only borders are shared. */
export const SHARED_FROM: number = 1.2;

export interface GridUse
  extends Omit<RootMarks, "drivenOut" | "drivenOutInOrder" | "inLaps" | "inNoOrder" | "shift" | "bringsOwn"> {
  readonly use: RootUse;
  /** Bytes of its 64-byte bursts that the grid requests, and of the lines that hold them. */
  readonly pieceBytes: number;
  readonly lineBytes: number;
  readonly writtenLineBytes: number;
  /** Written sectors of a line. */
  readonly writtenOfLine: number;
  readonly writeCost: number;
  readonly spanLines: number;
  /** Sectors that the grid can touch. */
  readonly room: number;
  /** Bytes of the grid for each sector of a traced block. */
  readonly bytesPerSector: number;
}

/** Whether L2 evicts written data, `storedBytes` in `span` sectors, before it is complete. */
export function hasGaps(storedBytes: number, span: number): boolean {
  return storedBytes < COMPLETE * span * SECTOR_BYTES;
}

/** Loads of a parameter are taken for random if more than this share of their sectors is in random order. */
const MOSTLY = 0.5;

export function isScattered({ asked, scattered }: RootUse): boolean {
  return scattered > MOSTLY * asked;
}

/** How many of `room` sectors are touched by that many random accesses. */
function touchedAtRandom(accesses: number, room: number): number {
  return room * (1 - Math.exp(-accesses / room));
}

/**
 * Mean accesses per sector. A parameter that aliases another's array has no sectors of its own, since they count for
 * the other.
 */
function timesOver(accesses: number, places: number): number {
  return places === 0 ? 1 : accesses / places;
}

/**
 * Scales a traced use to the grid. `grids`: blocks of the grid for each traced one. `span`: sectors from the first to
 * the last that the grid touches.
 */
function useOfGrid(use: RootUse, grids: number, span: number, lattice: Lattice): GridUse {
  const room = roomIn(lattice, span, 1);
  const pieces = roomIn(lattice, span, SECTORS_PER_BURST);
  const lines = roomIn(lattice, span, SECTORS_PER_LINE);
  const touched = isScattered(use) ? touchedAtRandom : Math.min;
  const distinct = touched(use.distinct * grids, room);
  const distinctPieces = touched(use.pieces * grids, pieces);
  const share = timesOver(use.distinct * grids, distinct);
  const pieceShare = timesOver(use.pieces * grids, distinctPieces);
  const density = distinctPieces / Math.ceil(span / SECTORS_PER_BURST);
  const spanLines = Math.ceil(span / SECTORS_PER_LINE);
  const writtenLines = Math.min(use.writtenLines * grids, lines);
  const writtenOfLine = (use.written * grids) / share / Math.max(1, writtenLines);
  const piecesOfRun = Math.round(use.distinct / Math.max(1, use.runs) / SECTORS_PER_BURST);
  return {
    use,
    sharers: share < SHARED_FROM ? 1 : share,
    pieceSharers: pieceShare < SHARED_FROM ? 1 : pieceShare,
    run: SECTORS_PER_BURST * Math.max(1, Math.min(LONGEST_RUN, piecesOfRun)),
    density,
    incomplete: hasGaps(use.stored * grids, span),
    pieceBytes: SECTORS_PER_BURST * SECTOR_BYTES * distinctPieces,
    lineBytes: LINE_BYTES * touched(use.lines * grids, lines),
    writtenLineBytes: LINE_BYTES * writtenLines,
    writtenOfLine,
    writeCost: loneWriteCost(writtenOfLine, density),
    spanLines,
    room,
    bytesPerSector: (SECTOR_BYTES * grids) / share,
  };
}

/**
 * Number of sectors by which the grid's accesses of a parameter extend beyond those traced. The last blocks of a grid
 * may do nothing; the last traced block that touches the parameter may then be an earlier one. The extension follows
 * from how far the starts of blocks advance; data that all blocks read adds none.
 */
function beyondTraced({ blocks: traces }: LaunchTraces, blocks: readonly BlockUse[], root: number): number {
  const touching = traces.flatMap(({ block }, index) => {
    const low = blocks[index]!.lowest.get(root);
    return low === undefined ? [] : [{ block, low }];
  });
  const [first, last] = [touching[0]!, touching.at(-1)!];
  if (first === last) return 0;
  const shift = Math.abs(last.low - first.low) / (last.block - first.block);
  return shift * (traces.at(-1)!.block - last.block);
}

/** The grid's use of each parameter. `grids`: blocks of the grid for each traced one. */
export function usesOfGrid(
  traces: LaunchTraces,
  blocks: readonly BlockUse[],
  grids: number,
  weights: readonly number[] | null,
): ReadonlyMap<number, GridUse> {
  const uses = new Map<number, RootUse>();
  for (const [index, { ofRoot }] of blocks.entries()) {
    for (const [root, use] of ofRoot) addUse(uses, root, use, weights?.[index] ?? 1);
  }
  const whole = traces.blocks.every(({ executed }) => executed === null) ? blocks : [];
  return new Map(
    [...uses].map(([root, use]) => {
      const span = use.hi - use.lo + 1 + beyondTraced(traces, blocks, root);
      return [root, useOfGrid(use, grids, span, latticeOf(whole.flatMap(({ ofRoot }) => ofRoot.get(root) ?? [])))];
    }),
  );
}

/** Sums the parameters that are stored to in random order. */
export function randomLinesOf(stored: readonly GridUse[], grids: number, lineBytes: number): RandomLines {
  const asked = stored.reduce((total, { use }) => total + use.lines * grids, 0);
  const lines = stored.reduce((total, { use, spanLines }) => {
    return total + spanLines * (1 - Math.exp((-use.lines * grids) / spanLines));
  }, 0);
  const bytes = LINE_BYTES * lines;
  const stores = lines === 0 ? 1 : asked / lines;
  return { bytes, stores, others: Math.max(0, lineBytes - bytes) / stores };
}
