/** How one traced block uses the sectors that it touches, counted by parameter and recorded by sector. */
import type { Program } from "../../lower/program.js";
import { SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { isIrregular, STRIDE_SLACK, sameSectors } from "../trace/request-order.js";
import { SectorPages } from "../trace/sector-pages.js";
import { type BlockTrace, RECORD_HEADER } from "../trace/trace.js";
import { halvesToCome, walkRequests } from "../trace/trace-requests.js";
import { greatestCommonDivisor } from "./lattice.js";
import { extrapolate, noUse, type RootUse } from "./root-use.js";

/** State of a sector in `BlockUse.sectors`: 0 until it is touched, then one of three. */
export const READ = 1;
/** Written, and not read before. */
export const WRITTEN = 2;
const READ_THEN_WRITTEN = 3;
export const TOUCHED = 3;
/** Flag of a burst's first sector: the last write to the burst was a store. */
const STORED_PIECE = 4;
/** Flag of a line's first sector: some sector of the line was written. */
const WRITTEN_LINE = 8;
/** Flag of a sector: its parameter's first load read it. */
export const BROUGHT = 16;

/** Root of an access through no parameter. */
export const NO_ROOT = -1;

const NO_LOAD = -1;

export const NO_SECTOR = -1;

/** Properties of the program's accesses that the footprint needs, by pc. */
export interface AccessCode {
  readonly traced: Uint8Array;
  readonly bytesPerLane: Uint8Array;
  readonly slotCount: Int32Array;
  /** Index of the parameter, or NO_ROOT. */
  readonly rootOf: Int32Array;
  /** `writes` is 1 for stores and atomics, `stores` for stores alone. */
  readonly writes: Uint8Array;
  readonly stores: Uint8Array;
}

export function accessCode(
  { instructions }: Program,
  { traced, bytesPerLane, slotCount }: Pick<AccessCode, "traced" | "bytesPerLane" | "slotCount">,
): AccessCode {
  return {
    traced,
    bytesPerLane,
    slotCount,
    rootOf: Int32Array.from(instructions, ({ root }) => (root?.kind === "param" ? root.index : NO_ROOT)),
    writes: Uint8Array.from(instructions, ({ op }) => (op === "st" || op === "atom" ? 1 : 0)),
    stores: Uint8Array.from(instructions, ({ op }) => (op === "st" ? 1 : 0)),
  };
}

/**
 * A slot by parameter (minus NO_ROOT) for the record of its last load. Blocks that walk along rows load the same
 * sectors repeatedly.
 */
export function lastRecords({ rootOf }: AccessCode): Int32Array {
  return new Int32Array(1 + rootOf.reduce((most, root) => Math.max(most, root), NO_ROOT) - NO_ROOT).fill(-1);
}

export interface BlockUse {
  readonly sectors: SectorPages<Uint8Array>;
  /** Bytes stored into each sector. */
  readonly stored: SectorPages<Float64Array>;
  /** The lowest sector by parameter; and its use, extrapolated to the whole block. */
  readonly lowest: Map<number, number>;
  readonly ofRoot: ReadonlyMap<number, RootUse>;
  /** The load that first reads anything of a parameter, and the number of sectors it reads. */
  readonly firstLoads: ReadonlyMap<number, FirstLoad>;
  /** By pc, the first sector of the first load there whose sectors are in order; NO_SECTOR if there is none. */
  readonly firstRead: Int32Array;
}

export interface FirstLoad {
  readonly pc: number;
  sectors: number;
}

/** Counts the use of one block. `blocksOf`: number of blocks that touch each sector, to which this block is added. */
export function useOfBlock(trace: BlockTrace, code: AccessCode, blocksOf: SectorPages<Int32Array>): BlockUse {
  const count = new UseCount(trace.memory, code, blocksOf);
  const { sectors, stored, lowest, ofRoot, firstLoads, firstRead } = count;
  const visit = (pc: number, record: number): void => count.request(pc, record);
  const toCome = halvesToCome(trace, code.slotCount);
  if (toCome === 0) walkRequests(trace, code.traced, visit);
  else {
    walkRequests(trace, code.traced, visit, 0, 0.5);
    const half = new Map([...ofRoot].map(([root, use]) => [root, { ...use }]));
    walkRequests(trace, code.traced, visit, 0.5, 1);
    for (const [root, use] of ofRoot) extrapolate(use, half.get(root), toCome);
  }
  return { sectors, stored, lowest, ofRoot, firstLoads, firstRead };
}

class UseCount implements BlockUse {
  readonly sectors: SectorPages<Uint8Array> = new SectorPages((length) => new Uint8Array(length));
  readonly stored: SectorPages<Float64Array> = new SectorPages((length) => new Float64Array(length));
  readonly lowest: Map<number, number> = new Map();
  readonly ofRoot: Map<number, RootUse> = new Map();
  readonly firstLoads: Map<number, FirstLoad> = new Map();
  readonly firstRead: Int32Array;
  private readonly loadedLast: Int32Array;

  constructor(
    private readonly memory: Int32Array,
    private readonly code: AccessCode,
    private readonly blocksOf: SectorPages<Int32Array>,
  ) {
    this.firstRead = new Int32Array(code.rootOf.length).fill(NO_SECTOR);
    this.loadedLast = lastRecords(code);
  }

  /** Counts the request whose record is at `record`. */
  request(pc: number, record: number): void {
    const { memory, code, sectors, stored } = this;
    const write = code.writes[pc] === 1;
    if (!write && this.repeatsLoad(pc, record)) return;
    const root = code.rootOf[pc]!;
    const store = code.stores[pc] === 1;
    const count = memory[record + 2]!;
    const from = record + RECORD_HEADER;
    const use = this.useOf(root, memory[from]!);
    if (!write) this.countAsked(use, pc, record);
    const first = this.firstLoadOf(root, write ? NO_LOAD : pc);
    const bytes = store ? (memory[record]! * code.bytesPerLane[pc]!) / count : 0;
    for (let i = from; i < from + count; i++) {
      const sector = memory[i]!;
      const at = sectors.place(sector);
      if (bytes > 0) {
        use.stored += bytes;
        const total = stored.place(sector);
        stored.values[total]! += bytes;
      }
      const before = sectors.values[at]! & TOUCHED;
      if (first.pc === pc && (sectors.values[at]! & BROUGHT) === 0) {
        sectors.values[at]! |= BROUGHT;
        first.sectors++;
      }
      if (before === 0) this.firstTouch(sector, at, use, write, store);
      else if (before === READ && write) this.firstWrite(at, use, store, READ_THEN_WRITTEN);
    }
  }

  /** Whether a load asks for the same sectors as its parameter's last load. Otherwise it becomes the last load. */
  private repeatsLoad(pc: number, record: number): boolean {
    const { memory, firstRead, loadedLast } = this;
    const from = record + RECORD_HEADER;
    if (firstRead[pc] === NO_SECTOR && !isIrregular(memory, from, memory[record + 2]!)) firstRead[pc] = memory[from]!;
    const slot = this.code.rootOf[pc]! - NO_ROOT;
    const before = loadedLast[slot]!;
    if (before >= 0 && sameSectors(memory, before, record)) return true;
    loadedLast[slot] = record;
    return false;
  }

  /** The use of a parameter, of which a request now touches `sector`. */
  private useOf(root: number, sector: number): RootUse {
    const low = this.lowest.get(root);
    if (low === undefined || sector < low) this.lowest.set(root, sector);
    let use = this.ofRoot.get(root);
    if (use === undefined) {
      use = noUse(sector);
      this.ofRoot.set(root, use);
    }
    return use;
  }

  /** Counts the sectors of a load. They are scattered if the load is random and needs only a part of their bytes. */
  private countAsked(use: RootUse, pc: number, record: number): void {
    const { memory } = this;
    const count = memory[record + 2]!;
    const from = record + RECORD_HEADER;
    use.asked += count;
    const inPart = memory[record]! * this.code.bytesPerLane[pc]! < count * SECTOR_BYTES;
    if (inPart && isIrregular(memory, from, count, STRIDE_SLACK)) use.scattered += count;
  }

  private firstLoadOf(root: number, pc: number): FirstLoad {
    let first = this.firstLoads.get(root);
    if (first === undefined) {
      first = { pc, sectors: 0 };
      this.firstLoads.set(root, first);
    }
    return first;
  }

  /** Counts a sector in slot `at` that the block has not touched before. */
  private firstTouch(sector: number, at: number, use: RootUse, write: boolean, store: boolean): void {
    if (sector < use.lo) use.lo = sector;
    if (sector > use.hi) use.hi = sector;
    if (use.step !== 1) use.step = greatestCommonDivisor(use.step, Math.abs(sector - use.first));
    use.distinct++;
    use.runs += 1 - this.touched(sector - 1) - this.touched(sector + 1);
    const { values } = this.sectors;
    const piece = at & ~1;
    const line = at & ~(SECTORS_PER_LINE - 1);
    const ofPiece = (values[piece]! | values[piece + 1]!) & TOUCHED;
    const other = line === piece ? piece + 2 : line;
    if (ofPiece === 0) {
      use.pieces++;
      if (((values[other]! | values[other + 1]!) & TOUCHED) === 0) use.lines++;
    }
    if (write) this.firstWrite(at, use, store, WRITTEN);
    else {
      use.readFirst++;
      values[at]! |= READ;
    }
    const counted = this.blocksOf.place(sector);
    this.blocksOf.values[counted]!++;
  }

  private touched(sector: number): number {
    return (this.sectors.values[this.sectors.find(sector)]! & TOUCHED) === 0 ? 0 : 1;
  }

  /** Counts the first write to the sector in slot `at`, whose state becomes `state`. */
  private firstWrite(at: number, use: RootUse, store: boolean, state: number): void {
    const { values } = this.sectors;
    countWritten(use, values, at);
    if (store) countStored(use, values, at & ~1);
    else values[at & ~1]! &= ~STORED_PIECE;
    values[at]! |= state;
  }
}

/** Counts the first write to the sector in slot `at`. */
function countWritten(use: RootUse, values: Uint8Array, at: number): void {
  const line = at & ~(SECTORS_PER_LINE - 1);
  use.written++;
  if ((values[line]! & WRITTEN_LINE) === 0) use.writtenLines++;
  values[line]! |= WRITTEN_LINE;
}

/** Counts the first store to a sector of the burst in slot `piece`. */
function countStored(use: RootUse, values: Uint8Array, piece: number): void {
  use.storedSectors++;
  if ((values[piece]! & STORED_PIECE) === 0) use.writtenPieces++;
  values[piece]! |= STORED_PIECE;
}
