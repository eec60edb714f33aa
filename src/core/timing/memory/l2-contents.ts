/**
 * Contents of L2, as far as this SM's own traffic determines them, and the resulting traffic of DRAM. That traffic is
 * reads of missing sectors, fills, and write-backs of written or evicted data.
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
 * Data written where it was loaded from delays transfers from DRAM by this share of its own transfer time, even if it
 * stays in L2. Measured: with a quarter written, reads reach 3.0 to 3.5 instead of 3.5 to 4.2 TB/s
 * (h200/micro/phases.json, phaseWrite).
 */
const IN_PLACE_SHARE = 0.85;

/**
 * Hit rate of loads on sectors that a neighbouring block requests at about the same time (h200/micro/hits.json, back:
 * .54 and .44).
 */
const PENDING_FOUND = 0.5;

/**
 * DRAM turns between reads and writes less often if each partly written line is matched by a read. This share of the
 * extra cost of partial writes is then hidden (h200/micro/reread.json, copyStride: 2^22 words take 65 instead of 79
 * us).
 */
const HIDDEN_BY_READS = 0.25;

export interface MemoryConditions {
  readonly activeSms: number;
  readonly l1Bytes: number;
  /** Share of the lines that L2 holds from the start. */
  readonly warmShare: number;
  /** Fraction of DRAM's peak that this mix of reads and writes reaches. */
  readonly dramFraction: number;
  /** Share of the first-written bytes that are written back to DRAM within the launch. */
  readonly writeBackFraction: number;
  /** Share of a 64-byte burst that a block writes, where it writes to the burst. */
  readonly writtenShare: number;
  /** Cost of written bytes for DRAM, relative to whole lines. */
  readonly writeCost: number;
  /** Share of the partly written sectors that L2 reads from DRAM, and writes back, within the launch. */
  readonly partialFillFraction: number;
  readonly partialWriteBackFraction: number;
  /** How far reads hide the extra DRAM cost of partial writes: 0 to 1. */
  readonly partsBesideReads: number;
  /** Traffic of stores to random addresses. */
  readonly random: RandomTraffic;
  /** Share of the bytes from DRAM for which L2 evicts dirty data of earlier launches. */
  readonly dirtyShare: number;
  /** The same for partly written lines. */
  readonly dirtyPartialShare: number;
  /** Bytes for which L2 makes room, relative to the bytes that come in. */
  readonly lineFactor: number;
  /** Extra cycles of a load on this SM, relative to the mean SM, by its distance from L2. */
  readonly distanceCycles: number;
  /** Some load bypasses L1 (`strong-loads.ts`). */
  readonly loadsStrongly: boolean;
}

export class L2Contents {
  readonly dram: Dram;
  /** Sectors per DRAM fetch. */
  readonly fetchSectors: number;
  readonly lookups: L2Lookups;
  /** Sectors that loads request. */
  readSectors = 0;
  /** Cycles of this SM's share of DRAM to complete the sectors written in part last. */
  partCycles: number = FRACTION;
  private readonly table: SectorTable;
  /** Fetch units that all blocks read and this SM has requested. */
  private readonly common = new KeyNumbers();
  private readonly latency: number;
  /** The unit that the current request fetched from DRAM last. */
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

  /** Whether stores wait for DRAM, because some written data does not stay in L2. */
  get writesBack(): boolean {
    return (
      this.conditions.writeBackFraction > 0 ||
      this.conditions.partialFillFraction > 0 ||
      this.conditions.random.fills > 0
    );
  }

  /** The following sectors belong to a new request. */
  nextRequest(): void {
    this.missedUnit = Number.NaN;
  }

  /**
   * Reads `sectors` sectors, served from `served` on; returns the time at which the SM has them. `dramCost` is relative
   * to the cheapest read. `begun` is the time at which the block requested its first sector.
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
      // A neighbouring block that started at about the same time fetches its sectors along with this one. Sectors that
      // all blocks read may still be on their way. The SM that is ahead waits for DRAM, and the others catch up.
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

  /** Latency of a hit. */
  private latencyOf(line: number): number {
    return this.latency * l2Spread(line);
  }

  /** An atomic updates a sector, which L2 has to hold first. */
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

  /** Writes a sector of L2 at `time`. Its first write costs DRAM the expected write-back. */
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
   * Writes a part of `sectors` sectors that never become whole: L2 later reads the rest and writes the sectors back.
   * Returns the number of such fetches for which this store waits, if it writes a sector a second time.
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
   * The same for a store to random addresses; returns cycles of this SM's share of DRAM. `readCost`, `writeCost`:
   * relative to whole sectors.
   */
  writeAtRandom(key: number, encoded: number, readCost: number, writeCost: number, time: number): number {
    if (this.markPart(key, encoded, 1, time) > 0 || (encoded & FROM_L2) !== 0) return 0;
    const { fills, writeBacks } = this.conditions.random;
    return this.complete(SECTOR_BYTES * fills, readCost, SECTOR_BYTES * writeBacks, writeCost, time);
  }

  /**
   * Allocates `sectors` that are written in part, if they are not held. Returns how often they were written before (2:
   * twice or more).
   */
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

  /** Reads the rest of such sectors and writes them back; returns cycles of this SM's share of DRAM. */
  private complete(read: number, readCost: number, written: number, writeCost: number, time: number): number {
    if (read > 0) this.dram.fill(read, read * readCost, time);
    if (written > 0) this.dram.write(written, written * writeCost, time);
    return (read * readCost + written * writeCost) * this.dram.cyclesPerByte;
  }

  /** Dirty bytes evicted by `bytes` incoming bytes. */
  private dirtyOf(bytes: number, share = this.conditions.dirtyShare): number {
    return bytes * this.conditions.lineFactor * share;
  }

  /** Evicts the dirty bytes that `bytes` incoming bytes replace. */
  private evict(bytes: number, time: number, share = this.conditions.dirtyShare): void {
    const dirty = this.dirtyOf(bytes, share);
    if (dirty > 0) this.dram.evict(dirty, time);
  }
}
