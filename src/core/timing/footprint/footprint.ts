/**
 * The bytes that the grid touches and how blocks share them, estimated from the traced blocks. From this follows which
 * first touches of a sector hit L2 because a block on another SM fetched it before. The accesses of a parameter span
 * the addresses lo..hi, since the first and last block are traced. If the blocks together touch more than this span
 * holds, they share it. Each sector then has `sharers` blocks in the mean, one of which fetches it from DRAM. The same
 * block fetches a run of adjacent sectors, as long as blocks touch in the mean. If blocks share little, they share
 * their borders: the block before has fetched a sector that the next block's sectors, shifted back, would cover. A
 * block of which only the beginning was traced is extrapolated from the second half of that beginning.
 */
import type { DeviceSpec } from "../../device/spec.js";
import type { Dim3 } from "../../engine/engine.js";
import type { Program } from "../../lower/program.js";
import { LINE_BYTES, SECTORS_PER_BURST } from "../base/sector-sizes.js";
import type { RandomLines } from "../memory/random-stores.js";
import { SectorPages } from "../trace/sector-pages.js";
import type { LaunchTraces } from "../trace/trace.js";
import { halvesToCome } from "../trace/trace-requests.js";
import { type AccessCode, accessCode, type BlockUse, NO_SECTOR, useOfBlock } from "./block-use.js";
import { type GridUse, randomLinesOf, usesOfGrid } from "./grid-use.js";
import type { LocalUse } from "./local-use.js";
import { type GridMarks, markSectors } from "./mark-sectors.js";
import { rootMarks } from "./root-marks.js";

export interface FootprintInput {
  readonly program: Program;
  readonly traces: LaunchTraces;
  readonly microcode: Pick<AccessCode, "traced" | "bytesPerLane" | "slotCount">;
  readonly gridBlocks: number;
  readonly grid: Dim3;
  readonly activeSms: number;
  /** Blocks that are resident at the same time. */
  readonly residentBlocks: number;
  readonly l2: DeviceSpec["l2"];
  /** Number of blocks that each trace stands for, 1 in the mean; null if all stand for as many. */
  readonly weights: readonly number[] | null;
}

export interface Footprint {
  /** The memory streams of the traces, with encoded sectors. */
  readonly memory: readonly Int32Array[];
  /** Estimated distinct bytes that the grid reads first, and that it writes. */
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Share of a 64-byte burst that a block writes, where it writes to the burst. */
  readonly writtenShare: number;
  /** Bytes of all lines touched, which is the space in L2; and their ratio to the bytes of the bursts requested. */
  readonly lineBytes: number;
  readonly lineFactor: number;
  /** Bytes of the written lines, and the DRAM cost of their sectors relative to whole lines. */
  readonly writtenLineBytes: number;
  readonly writeCost: number;
  /** Bytes of the lines with partly written sectors that are stored to in order. */
  readonly partialLineBytes: number;
  readonly randomLines: RandomLines;
}

/**
 * If this share of the traced blocks reads a sector in order, later blocks find it in L2. An example are blocks that
 * read the sums of all blocks before them.
 */
const COMMON_SHARE = 0.5;
const FEW_BLOCKS = 4;

/**
 * Marks loads that start at a shared sector in some blocks and at an own sector in others. The first blocks of a grid,
 * which are simulated, would otherwise find half of those sectors in L1, as no other block does.
 */
function readOwnSectors(
  blocks: readonly BlockUse[],
  blocksOf: SectorPages<Int32Array>,
  commonFrom: number,
): Uint8Array {
  const readsOwn = new Uint8Array(blocks[0]?.firstRead.length ?? 0);
  for (const pc of readsOwn.keys()) {
    const ofAll = blocks.flatMap(({ firstRead }) => {
      const sector = firstRead[pc]!;
      return sector === NO_SECTOR ? [] : [blocksOf.values[blocksOf.find(sector)]! >= commonFrom];
    });
    readsOwn[pc] = ofAll.includes(true) && ofAll.includes(false) ? 1 : 0;
  }
  return readsOwn;
}

export function footprint(input: FootprintInput): Footprint {
  const { program, traces, gridBlocks, grid, activeSms, l2, weights } = input;
  const code = accessCode(program, input.microcode);
  const blocksOf = new SectorPages((length) => new Int32Array(length));
  const blocks = traces.blocks.map((trace) => useOfBlock(trace, code, blocksOf));
  const tracedBlocks = traces.blocks.length;
  const grids = gridBlocks / tracedBlocks;
  const ofGrid = usesOfGrid(traces, blocks, grids, weights);
  const commonFrom = Math.max(Math.min(FEW_BLOCKS, tracedBlocks), Math.ceil(COMMON_SHARE * tracedBlocks));
  const marked = markBlocks(input, blocks, code, {
    roots: rootMarks({ traces, blocks, ofGrid, gridBlocks, gridWidth: grid[0], l2, weights }),
    blocksOf,
    readsOwn: readOwnSectors(blocks, blocksOf, commonFrom),
    commonFrom,
    tracedBlocks,
    gridBlocks,
    activeSms,
    fetchBytes: l2.fetchBytes,
  });
  const touched = bytesOf([...ofGrid.values()]);
  const { local } = marked;
  const random = [...ofGrid].flatMap(([root, each]) => (marked.randomRoots.has(root) ? [each] : []));
  return {
    ...touched,
    lineBytes: touched.lineBytes + local.touched,
    writtenBytes: touched.writtenBytes + local.written,
    writtenLineBytes: touched.writtenLineBytes + local.written,
    memory: marked.memory,
    partialLineBytes: marked.partialLineBytes + local.partial,
    randomLines: randomLinesOf(random, grids, touched.lineBytes),
  };
}

interface MarkedBlocks extends Pick<Footprint, "memory" | "partialLineBytes"> {
  /** Parameters that are stored to in random order. */
  readonly randomRoots: ReadonlySet<number>;
  /** Local memory of the resident blocks: later ones have it at the same places. */
  readonly local: LocalUse;
}

/** Encodes the memory streams of all traced blocks, and sums up the partial writes and the local memory that this finds. */
function markBlocks(
  { program, traces, gridBlocks, residentBlocks, weights }: FootprintInput,
  blocks: readonly BlockUse[],
  code: AccessCode,
  marks: GridMarks,
): MarkedBlocks {
  const grids = gridBlocks / traces.blocks.length;
  let partialLineBytes = 0;
  const local = { touched: 0, written: 0, partial: 0 };
  const resident = residentBlocks / traces.blocks.length;
  const randomRoots = new Set<number>();
  const memory = traces.blocks.map((trace, index) => {
    const marked = markSectors(trace, index, blocks[index]!, marks, code, program.instructions);
    const whole = (weights?.[index] ?? 1) * grids * (1 + halvesToCome(trace, code.slotCount) / 2);
    for (const share of marked.partialLines.values()) partialLineBytes += (LINE_BYTES * whole) / share;
    for (const root of marked.randomlyStored) randomRoots.add(root);
    local.touched += resident * marked.local.touched;
    local.written += resident * marked.local.written;
    local.partial += resident * marked.local.partial;
    return marked.encoded;
  });
  return { memory, partialLineBytes, randomRoots, local };
}

/** Sums the bytes of all parameters, and the costs of their writes. */
function bytesOf(all: readonly GridUse[]): Omit<Footprint, "memory" | "partialLineBytes" | "randomLines"> {
  const sum = (of: (each: GridUse) => number): number => all.reduce((total, each) => total + of(each), 0);
  const lineBytes = sum((each) => each.lineBytes);
  const pieceBytes = sum((each) => each.pieceBytes);
  const writtenPieces = sum(({ use }) => use.writtenPieces);
  const storedSectors = sum(({ use }) => use.storedSectors);
  const written = sum(({ use }) => use.written);
  return {
    readBytes: sum(({ use, bytesPerSector }) => use.readFirst * bytesPerSector),
    writtenBytes: sum(({ use, bytesPerSector }) => use.written * bytesPerSector),
    writtenLineBytes: sum((each) => each.writtenLineBytes),
    writeCost: written === 0 ? 1 : sum(({ use, writeCost }) => use.written * writeCost) / written,
    writtenShare: writtenPieces === 0 ? 1 : storedSectors / (SECTORS_PER_BURST * writtenPieces),
    lineBytes,
    lineFactor: Math.max(1, lineBytes / Math.max(1, pieceBytes)),
  };
}
