/**
 * What L2 holds, as far as this SM's own traffic tells, and what it has to ask of DRAM: reads of what it does not hold,
 * fills and write-backs of what was written, write-backs of what stood in its place.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { KeyNumbers } from "../base/key-numbers.js";
import { hashShare, l2Spread } from "../base/latency-spread.js";
import { SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { COMMON, FROM_DRAM, FROM_L2, PENDING } from "../trace/sector-marks.js";
import { Dram } from "./dram.js";
import { L2Lookups } from "./l2-lookups.js";
import { keptInLaps } from "./l2-retention.js";
import type { RandomTraffic } from "./random-stores.js";
import { NOT_HELD, SectorTable } from "./sector-table.js";

/**
 * What is written in place, where it was loaded from, holds up what comes from DRAM for as long as this share of its own
 * transfer, whether it is written back or stays (h200/micro/phases.json, phaseWrite: with a quarter written, 2 to 8 rounds of
 * blocks that L2 can hold read 3.0 to 3.5 TB/s, where phase4 reads 3.5 to 4.2; dram__bytes_write a tenth of what is written).
 */
const IN_PLACE_SHARE = 0.85;

/**
 * Of sectors that a neighbouring block asks for at about the same time, the share that a load finds (h200/micro/hits.json, back:
 * words 256 and 4096 places apart, which blocks of one round read twice: .54 and .44).
 */
const PENDING_FOUND = 0.5;

/**
 * Where as much is read as lines have parts written, DRAM goes from reads to writes less often: of what parts cost beyond whole sectors this
 * share is hidden (h200/micro/reread.json, copyStride of every 16th to 64th word, clean, less h200/micro/pattern.json, strideLoad, against
 * strideStore: 2^22 words 65 us for 79, 2^20 14.9 for 15.2, 29 for 34 and 43 for 48).
 */
const HIDDEN_BY_READS = 0.25;

export interface MemoryConditions {
  readonly activeSms: number;
  readonly l1Bytes: number;
  /** Share of the lines that are in L2 already. */
  readonly warmShare: number;
  /** Share of DRAM's peak that this mixture of reads and writes reaches. */
  readonly dramFraction: number;
  /** Share of the bytes written first that are written back to DRAM within the launch. */
  readonly writeBackFraction: number;
  /** Of the pieces that DRAM takes at a time, the share that a block writes. */
  readonly writtenShare: number;
  /** What DRAM asks for what is written, against whole lines. */
  readonly writeCost: number;
  /** Share of the sectors written in part that L2 has to read from DRAM, and to write back, within the launch. */
  readonly partialFillFraction: number;
  readonly partialWriteBackFraction: number;
  /** How much of what parts of sectors cost DRAM beyond whole ones reads beside them hide: 0 to 1. */
  readonly partsBesideReads: number;
  /** Of what is stored in no order. */
  readonly random: RandomTraffic;
  /** Share of what comes from DRAM for which L2 has to write back what stood there: dirty data of earlier launches. */
  readonly dirtyShare: number;
  /** The same of lines written in part. */
  readonly dirtyPartialShare: number;
  /** Bytes that L2 makes room for, a byte that comes in. */
  readonly lineFactor: number;
  /** How much farther than the mean SM this one is from L2. */
  readonly distanceCycles: number;
  /** Some load bypasses L1 (`strong-loads.ts`). */
  readonly loadsStrongly: boolean;
}

export class L2Contents {
  readonly dram: Dram;
  /** Sectors that DRAM gives at a time. */
  readonly fetchSectors: number;
  readonly lookups: L2Lookups;
  /** Sectors that loads ask for. */
  readSectors = 0;
  /** Cycles of this SM's share of DRAM that completing the parts written last takes. */
  partCycles: number = FRACTION;
  private readonly table: SectorTable;
  /** What all blocks read and this SM has asked for. */
  private readonly common = new KeyNumbers();
  private readonly latency: number;
  /** What the request under way has asked DRAM for last. */
  private missedUnit: number = Number.NaN;

  constructor(
    device: DeviceSpec,
    private readonly conditions: MemoryConditions,
  ) {
    const { l2 } = device;
    this.dram = new Dram(device, conditions.activeSms, conditions.dramFraction);
    this.table = new SectorTable(keptInLaps(l2) / conditions.activeSms);
    this.fetchSectors = Math.max(1, l2.fetchBytes / SECTOR_BYTES);
    this.latency = l2.hitLatencyCycles;
    this.lookups = new L2Lookups(l2.partitions);
  }

  /** Whether stores wait for DRAM: what they write does not all stay. */
  get writesBack(): boolean {
    return (
      this.conditions.writeBackFraction > 0 ||
      this.conditions.partialFillFraction > 0 ||
      this.conditions.random.fills > 0
    );
  }

  /** The sectors asked for next are another request's. */
  nextRequest(): void {
    this.missedUnit = Number.NaN;
  }

  /**
   * `sectors` sectors are asked for, served from `served` on; when they are in the SM. `dramCost`: against the least. `begun`: when the
   * block asked for its first.
   */
  read(key: number, encoded: number, sectors: number, dramCost: number, served: number, begun: number): number {
    this.readSectors += sectors;
    const unit = Math.floor(key / this.fetchSectors);
    const line = Math.floor(key / SECTORS_PER_LINE);
    const held = this.table.find(unit);
    if (held !== NOT_HELD) {
      if (unit === this.missedUnit) this.lookups.notFound(sectors);
      else this.lookups.found(sectors);
      return Math.max(served + this.latencyOf(line), this.table.readyAt(held));
    }
    const bytes = Math.max(this.fetchSectors, sectors) * SECTOR_BYTES;
    let ready: number;
    const { warmShare } = this.conditions;
    const warm = warmShare > 0 && hashShare(line + 0.125) < warmShare;
    if (warm || (encoded & FROM_L2) !== 0) {
      const there = served + this.latencyOf(line);
      ready = there;
      // What a neighbouring block, which started at about the same time, has asked for as its first is on its way. What all
      // blocks read all SMs come to at about the same time: whoever is ahead waits for DRAM, and the others catch up.
      if (!warm && (encoded & PENDING) !== 0 && this.common.known(unit) < 0) {
        const asked = (encoded & COMMON) === 0 ? begun : served;
        ready = Math.max(ready, asked + this.dram.latencyOf(key, asked));
      }
      if (warm || (encoded & COMMON) !== 0) this.lookups.found(sectors);
      else this.lookups.foundOfAnother(sectors, ready > there ? PENDING_FOUND : 1);
    } else {
      ready = this.dram.read(key, bytes, bytes * dramCost, served);
      this.evict(bytes, served);
      this.lookups.missed(sectors, bytes / SECTOR_BYTES);
      this.missedUnit = unit;
    }
    if ((encoded & COMMON) !== 0) this.common.of(unit);
    this.table.fill(unit, bytes, ready);
    for (let more = this.fetchSectors; more < sectors; more += this.fetchSectors) {
      this.table.fill(unit + more / this.fetchSectors, 0, ready);
    }
    return ready;
  }

  /** Of a hit. */
  private latencyOf(line: number): number {
    return this.latency * l2Spread(line);
  }

  /** What an atomic changes L2 has to hold before (h200-examined: dram__bytes_read has the counters' sectors). */
  update(key: number, encoded: number, time: number): void {
    const { warmShare } = this.conditions;
    const line = Math.floor(key / SECTORS_PER_LINE);
    const warm = warmShare > 0 && hashShare(line + 0.125) < warmShare;
    const held = warm || (encoded & FROM_L2) !== 0 || this.table.find(Math.floor(key / this.fetchSectors)) !== NOT_HELD;
    this.lookups.written(1, held);
    if (!held) {
      const bytes = this.fetchSectors * SECTOR_BYTES;
      this.dram.read(key, bytes, bytes, time);
    }
    this.write(key, FROM_DRAM, time);
  }

  /** A sector of L2 is written at `time`; the first write of one that will not stay costs DRAM its write-back. */
  write(key: number, encoded: number, time: number): void {
    const unit = Math.floor(key / this.fetchSectors);
    const bytes = this.fetchSectors * SECTOR_BYTES;
    let slot = this.table.find(unit);
    const loaded = slot !== NOT_HELD;
    if (!loaded) {
      slot = this.table.fill(unit, bytes, time + this.latency);
      if ((encoded & FROM_L2) === 0) this.dram.giveWay(this.dirtyOf(bytes));
    }
    if (this.table.mark(slot) > 0 || (!loaded && (encoded & FROM_L2) !== 0)) return;
    const whole = bytes * this.conditions.writtenShare;
    const written = whole * this.conditions.writeBackFraction;
    const cost = written * this.conditions.writeCost;
    if (cost > 0) this.dram.write(written, cost, time);
    if (loaded) this.dram.holdUp(whole * IN_PLACE_SHARE - cost, time);
  }

  /**
   * Parts of `sectors` sectors are written that are never whole: L2 fetches the rest, sooner or later, and writes them back. For how many
   * of such fetches this store has to wait, as it comes to a sector that was stored to before.
   */
  writePart(key: number, encoded: number, sectors: number, cost: number, time: number): number {
    const { partialFillFraction, partialWriteBackFraction, partsBesideReads, warmShare } = this.conditions;
    const before = this.markPart(key, encoded, sectors, time);
    this.partCycles = 0;
    if (before > 1 || (encoded & FROM_L2) !== 0) return 0;
    const fills = sectors * partialFillFraction * (1 - warmShare);
    if (before === 1) return fills;
    const written = sectors * SECTOR_BYTES * partialWriteBackFraction;
    const beside = cost - HIDDEN_BY_READS * partsBesideReads * Math.max(0, cost - 1);
    this.partCycles = this.complete(fills * SECTOR_BYTES, beside, written, beside, time);
    return 0;
  }

  /**
   * The same of stores in no order; cycles of this SM's share of DRAM that it takes. `readCost`, `writeCost`: against whole sectors.
   */
  writeAtRandom(key: number, encoded: number, readCost: number, writeCost: number, time: number): number {
    if (this.markPart(key, encoded, 1, time) > 0 || (encoded & FROM_L2) !== 0) return 0;
    const { fills, writeBacks } = this.conditions.random;
    return this.complete(SECTOR_BYTES * fills, readCost, SECTOR_BYTES * writeBacks, writeCost, time);
  }

  /** Brings in `sectors` that a part of is written, if they are not held; how often they were written before, 2 for oftener. */
  private markPart(key: number, encoded: number, sectors: number, time: number): number {
    const unit = Math.floor(key / this.fetchSectors);
    const bytes = this.fetchSectors * SECTOR_BYTES;
    let slot = this.table.find(unit);
    if (slot === NOT_HELD) {
      slot = this.table.fill(unit, bytes, time + this.latency);
      if ((encoded & FROM_L2) === 0) this.evict(bytes, time, this.conditions.dirtyPartialShare);
      this.lookups.notFound(sectors);
    }
    return this.table.mark(slot);
  }

  /** Reads the rest of such sectors and writes them back; cycles of this SM's share of DRAM that it takes. */
  private complete(read: number, readCost: number, written: number, writeCost: number, time: number): number {
    if (read > 0) this.dram.fill(read, read * readCost, time);
    if (written > 0) this.dram.write(written, written * writeCost, time);
    return (read * readCost + written * writeCost) * this.dram.cyclesPerByte;
  }

  /** Dirty bytes in whose place `bytes` come. */
  private dirtyOf(bytes: number, share = this.conditions.dirtyShare): number {
    return bytes * this.conditions.lineFactor * share;
  }

  /** What comes into a dirty L2 drives out dirty bytes. */
  private evict(bytes: number, time: number, share = this.conditions.dirtyShare): void {
    const dirty = this.dirtyOf(bytes, share);
    if (dirty > 0) this.dram.evict(dirty, time);
  }
}
