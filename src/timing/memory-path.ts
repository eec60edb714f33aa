/**
 * Global memory as one SM sees it: L1 (sectors, LRU by bytes), the port to L2, this SM's fair share of L2's and DRAM's
 * bandwidth, L2's contents as far as this SM's own traffic tells, and L2's atomic units. Each request's completion is
 * known when it enters, since all resources serve in order of arrival.
 */
import type { DeviceSpec } from "../device/spec.js";
import { Dram } from "./dram.js";
import { COMMON, CROWDED, FLOAT_ATOMIC, FROM_L2, PARTIAL, SECTOR_SHIFT, WIDE_ATOMIC } from "./footprint.js";
import { hashShare, l2Spread } from "./latency-spread.js";
import { PortQueue } from "./port-queue.js";
import { NOT_HELD, SectorTable } from "./sector-table.js";

const SECTOR_BYTES = 32;
/** Instances of a traced block have their own copies of its sectors: key = sector + instance * this. */
const INSTANCE_STRIDE = 2 ** 28;
const SECTORS_PER_LINE = 4;
/**
 * Neighbouring sectors whose atomics one unit of L2 does one after the other: 512 bytes. From
 * probes/h200-micro-extra.json, globalAtomic: 32 counters (128 bytes) 1.4 cycles a sector, 1024 (4 KiB) an eighth of it.
 */
const SECTORS_PER_ATOMIC_UNIT = 16;
/** A sector's atomics that come with its neighbours' (globalAtomic, 32 counters in a row: 5.1 cycles for 4 sectors). */
const NEIGHBOURING_ATOMICS = 0.88;
/** Bursts of one SM that L2 takes at the port's speed, other SMs being quiet: cycles of its fair share. */
const L2_BURST_CYCLES = 200;
/**
 * Atomics wait in L2 for a crowded line, this many cycles' worth, before they hold up the SM's way to L2, and in the SM, this
 * many cycles' worth of its port, before they hold up its memory unit. From h200-progress-micro.json: a load from L2 behind
 * 64 atomics of all SMs waits 9000, 15000 and 7300 cycles less than they take (one word, one line, 4 KiB of counters); 304
 * requests of a sector issue before they wait, 112 of a line, of which about 250 and 92 stand in the SM.
 */
const ATOMIC_QUEUE_CYCLES = 9000;
const PORT_QUEUE_CYCLES = 500;
/** A partial sector costs L2 this much more than a whole one (h200-micro-3: 2.13 cycles an SM, span write 1.80). */
const PARTIAL_WRITE = 1.18;
/** A line of which one sector is written costs the port and L2 as much as this many sectors of one line (ibid.: 2.04, 1.29). */
const LINE_WRITE_SECTORS = 1.58;

const SECTORS_PER_4_KIB = 128;
/** Stores to lines 4 KiB apart against others (h200-micro-3, scattered store of all SMs: 4.1 and 3.3 cycles a line). */
const CAMPING = 1.24;
/**
 * Floating-point atomics on one sector follow each other more slowly than integer ones (h200-memory-micro, atomics, one lane,
 * one address: 3.49 cycles for 1.45), of eight bytes the unit does half as many (32 neighbours: 2.33 cycles a sector for
 * 1.26).
 */
const FLOAT_ATOMIC_SECTOR = 2.41;
const DOUBLE_ATOMIC_UNIT = 1.83;
/**
 * L2 gives a single sector of a 64-byte piece more slowly than one of two (h200-memory-micro, random_load: 1.63 cycles a sector
 * and SM; h200-micro-3, scattered load from L2: every 32nd word 1.65, but 1.18 for lines 4 KiB apart, every 8th word 1.1).
 */
const LONE_SECTOR = 1.85;
const LONE_SECTOR_OF_4_KIB = 1.34;
/**
 * Sectors written in part cost DRAM as much as this many whole ones, each time, if 1, 2 or more of a line are, or at
 * random (h200-memory-micro, part_write of 256 MiB, every 32nd, 16th, 8th word; random_store).
 */
const PARTIAL_OF_LINE = [0, 2.5, 1.3, 1, 1] as const;
const PARTIAL_AT_RANDOM = 3.8;

export interface MemoryConditions {
  readonly activeSms: number;
  readonly l1Bytes: number;
  /** Share of the lines that are in L2 already. */
  readonly warmShare: number;
  /** Share of DRAM's peak that this mixture of reads and writes reaches. */
  readonly dramFraction: number;
  /** Share of the bytes written first that are written back to DRAM within the launch. */
  readonly writeBackFraction: number;
  /** Share of the sectors written in part that L2 has to read from DRAM, and to write back, within the launch. */
  readonly partialFillFraction: number;
  readonly partialWriteBackFraction: number;
  /** Share of what comes into L2 for which it has to write back what stood there: dirty data of earlier launches. */
  readonly dirtyShare: number;
}

export class MemoryPath {
  private readonly l1: SectorTable;
  private readonly l2: SectorTable;
  private readonly dram: Dram;
  private readonly caches: boolean;
  private readonly storesEvict: boolean;
  private readonly missSectors: number;
  /** When the misses that can be under way at a time come back, the oldest at `missHead`. */
  private readonly misses: Float64Array;
  private missHead = 0;
  private readonly fetchSectors: number;
  private readonly l1Latency: number;
  private readonly l2Latency: number;
  private readonly lineInterval: number;
  private readonly portCyclesPerSector: number;
  private readonly portWriteCyclesPerSector: number;
  private readonly l2CyclesPerSector: number;
  private readonly l2WriteCyclesPerSector: number;
  private readonly atomicSectorCycles: number;
  private readonly atomicLatency: number;
  private readonly atomicLaneCycles: number;
  private readonly unitFree = new Map<number, number>();
  private readonly sectorFree = new Map<number, number>();
  /** When units that all SMs use, or their most crowded sector, are free. */
  private readonly crowdedFree = new Map<number, number>();
  private readonly queue = new PortQueue(PORT_QUEUE_CYCLES);
  private portFree = 0;
  private l2Free = 0;
  l1Sectors = 0;
  l1Hits = 0;
  l2Sectors = 0;
  l2Hits = 0;

  constructor(
    device: DeviceSpec,
    private readonly conditions: MemoryConditions,
  ) {
    const { l1, l2, atomics } = device;
    const bytesPerCycle = (gigabytes: number): number => gigabytes / (device.smClockMHz / 1000) / conditions.activeSms;
    this.dram = new Dram(device, conditions.activeSms, conditions.dramFraction);
    this.l1 = new SectorTable(conditions.l1Bytes);
    this.l2 = new SectorTable(l2.sizeBytes / conditions.activeSms);
    this.caches = l1.cachesGlobalLoads && conditions.l1Bytes > 0;
    this.storesEvict = l1.storesEvict;
    this.misses = new Float64Array(l1.maxOutstandingMisses ?? 0);
    this.missSectors = Math.max(1, l1.missBytes / SECTOR_BYTES);
    this.fetchSectors = Math.max(1, l2.fetchBytes / SECTOR_BYTES);
    this.l1Latency = l1.hitLatencyCycles;
    this.l2Latency = l2.hitLatencyCycles;
    this.lineInterval = l1.lineIntervalCycles;
    this.portCyclesPerSector = SECTOR_BYTES / l2.portBytesPerCyclePerSm;
    this.portWriteCyclesPerSector = SECTOR_BYTES / l2.portWriteBytesPerCyclePerSm;
    this.l2CyclesPerSector = SECTOR_BYTES / bytesPerCycle(l2.bandwidthGBps);
    this.l2WriteCyclesPerSector = SECTOR_BYTES / bytesPerCycle(l2.writeBandwidthGBps);
    this.atomicSectorCycles = atomics.sameAddressIntervalCycles;
    this.atomicLaneCycles = atomics.sameAddressLaneCycles;
    this.atomicLatency = atomics.returnLatencyCycles;
  }

  /** Cycles of this SM's share of DRAM's bandwidth that all its accesses take. */
  get dramBusyCycles(): number {
    return this.dram.busyCycles;
  }

  get dramReadBytes(): number {
    return this.dram.readBytes;
  }

  get dramWriteBytes(): number {
    return this.dram.writtenBytes;
  }

  /** Lines that a request's sectors (ascending) lie in. */
  lines(memory: Int32Array, at: number, count: number): number {
    let lines = 0;
    let last = -1;
    for (let i = 0; i < count; i++) {
      const line = Math.floor(memory[at + i]! / (SECTOR_SHIFT * SECTORS_PER_LINE));
      if (line !== last) lines++;
      last = line;
    }
    return lines;
  }

  /** Whether a request's lines all lie in the same place of their 4 KiB, so that few of L2's slices serve it. */
  private camps(memory: Int32Array, at: number, count: number): boolean {
    if (count < 2) return false;
    const first = Math.floor(memory[at]! / SECTOR_SHIFT);
    const second = Math.floor(memory[at + 1]! / SECTOR_SHIFT);
    return (second - first) % SECTORS_PER_4_KIB === 0;
  }

  /** Cycles that a request keeps L1's tags. */
  tagCycles(memory: Int32Array, at: number, count: number): number {
    return Math.max(1, this.lines(memory, at, count) * this.lineInterval);
  }

  /** A sector (or line) asked of L2 at `arrival`; when it is back in the SM. `l2Cost`, `dramCost`: against the least. */
  private fromL2(
    key: number,
    encoded: number,
    sectors: number,
    l2Cost: number,
    dramCost: number,
    arrival: number,
  ): number {
    const start = Math.max(arrival, this.portFree);
    this.portFree = start + sectors * this.portCyclesPerSector;
    const served = Math.max(start, this.l2Free - L2_BURST_CYCLES);
    this.l2Free = Math.max(start, this.l2Free) + sectors * l2Cost * this.l2CyclesPerSector;
    this.l2Sectors += sectors;
    const unit = Math.floor(key / this.fetchSectors);
    const latency = this.l2Latency * l2Spread(Math.floor(key / SECTORS_PER_LINE));
    const held = this.l2.find(unit);
    if (held !== NOT_HELD) {
      this.l2Hits += sectors;
      return Math.max(served + latency, this.l2.readyAt(held));
    }
    const bytes = Math.max(this.fetchSectors, sectors) * SECTOR_BYTES;
    let ready: number;
    if (
      (encoded & FROM_L2) !== 0 ||
      hashShare(Math.floor(key / SECTORS_PER_LINE) + 0.125) < this.conditions.warmShare
    ) {
      this.l2Hits += sectors;
      ready = served + latency;
    } else {
      ready = this.dram.read(key, bytes, bytes * dramCost, served);
      this.evict(bytes, served);
    }
    this.l2.fill(unit, bytes, ready);
    for (let more = this.fetchSectors; more < sectors; more += this.fetchSectors) {
      this.l2.fill(unit + more / this.fetchSectors, 0, ready);
    }
    return ready;
  }

  /** What comes into a dirty L2 drives out dirty bytes. */
  private evict(bytes: number, time: number): void {
    const dirty = bytes * this.conditions.dirtyShare;
    if (dirty > 0) this.dram.evict(dirty, time);
  }

  private keyOf(encoded: number, instance: number): number {
    const sector = Math.floor(encoded / SECTOR_SHIFT);
    return (encoded & COMMON) !== 0 ? sector : sector + instance * INSTANCE_STRIDE;
  }

  /** Whether the sector at `at + i` of a request is the only one that it takes of its 64 bytes. */
  private isLone(memory: Int32Array, at: number, count: number, i: number): boolean {
    const piece = Math.floor(memory[at + i]! / (SECTOR_SHIFT * 2));
    if (i > 0 && Math.floor(memory[at + i - 1]! / (SECTOR_SHIFT * 2)) === piece) return false;
    return i + 1 >= count || Math.floor(memory[at + i + 1]! / (SECTOR_SHIFT * 2)) !== piece;
  }

  /**
   * A load that enters L1 at `start`; when its last sector is there. `sparse`: hundredths of what DRAM asks for whole rows.
   */
  load(
    memory: Int32Array,
    at: number,
    count: number,
    sparse: number,
    instance: number,
    start: number,
    bypassL1: boolean,
  ): number {
    let done = start + this.l1Latency;
    this.l1Sectors += count;
    const lone = this.camps(memory, at, count) ? LONE_SECTOR_OF_4_KIB : LONE_SECTOR;
    const grain = this.missSectors;
    let lastLine = -1;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      const key = this.keyOf(encoded, instance);
      const line = grain === 1 ? key : Math.floor(key / grain);
      if (line === lastLine) {
        this.l1Hits++;
        continue;
      }
      lastLine = line;
      let ready: number;
      const held = this.caches && !bypassL1 ? this.l1.find(line) : NOT_HELD;
      if (held !== NOT_HELD) {
        this.l1Hits++;
        ready = Math.max(start + this.l1Latency, this.l1.readyAt(held));
      } else {
        const l2Cost = grain === 1 && count > 1 && this.isLone(memory, at, count, i) ? lone : 1;
        const begin = this.missStart(start);
        ready = this.fromL2(grain === 1 ? key : line * grain, encoded, grain, l2Cost, sparse / 100, begin);
        this.noteMiss(ready);
        if (this.caches) this.l1.fill(line, grain * SECTOR_BYTES, ready);
      }
      if (ready > done) done = ready;
    }
    return done;
  }

  /** A miss waits until one of those under way comes back, if there are as many as there can be. */
  private missStart(start: number): number {
    return this.misses.length === 0 ? start : Math.max(start, this.misses[this.missHead]!);
  }

  private noteMiss(ready: number): void {
    if (this.misses.length === 0) return;
    this.misses[this.missHead] = ready;
    this.missHead = (this.missHead + 1) % this.misses.length;
  }

  /** Takes a request of stores or atomics through port and L2; when the SM is rid of it. `wholeSectors`: all bytes written. */
  private sendWrite(lines: number, sectors: number, wholeSectors: boolean, start: number): number {
    const units = Math.max(sectors, lines * LINE_WRITE_SECTORS);
    const taken =
      this.conditions.writeBackFraction > 0 || this.conditions.partialFillFraction > 0
        ? this.dram.writable(start)
        : start;
    const sent = Math.max(taken, this.portFree, this.l2Free - L2_BURST_CYCLES);
    this.portWork = units * this.portWriteCyclesPerSector;
    this.portFree = sent + this.portWork;
    this.l2Free =
      Math.max(start, this.l2Free) + units * this.l2WriteCyclesPerSector * (wholeSectors ? 1 : PARTIAL_WRITE);
    return sent;
  }

  /**
   * A store of `bytes` bytes that leaves the memory unit at `start` or at `takenAt`, the SM at `sentAt`. `irregular`: to
   * lines in no order.
   */
  store(
    memory: Int32Array,
    at: number,
    count: number,
    irregular: boolean,
    bytes: number,
    instance: number,
    start: number,
  ): void {
    const touched = this.lines(memory, at, count);
    const lines = touched * (this.camps(memory, at, count) ? CAMPING : 1);
    const sent = this.sendWrite(lines, count, bytes >= count * SECTOR_BYTES, start);
    const partialCost = irregular
      ? PARTIAL_AT_RANDOM
      : PARTIAL_OF_LINE[Math.min(SECTORS_PER_LINE, Math.round(count / touched))]!;
    this.sentAt = sent;
    // Stores that DRAM is slow to take stand in the queue no longer than others.
    this.takenAt = Math.max(this.queue.enter(this.portWork, sent), sent - PORT_QUEUE_CYCLES);
    let parts = 0;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      const key = this.keyOf(encoded, instance);
      if (this.storesEvict) this.l1.drop(Math.floor(key / this.missSectors));
      if ((encoded & PARTIAL) === 0) {
        this.write(key, sent);
        continue;
      }
      parts++;
      // What DRAM fetches at a time is looked at once.
      if (i + 1 < count && (key + 1) % this.fetchSectors !== 0 && memory[at + i + 1] === encoded + SECTOR_SHIFT)
        continue;
      this.writePart(key, encoded, parts, partialCost, sent);
      parts = 0;
    }
  }

  /** A sector of L2 is written at `time`; the first write of one that will not stay costs DRAM its write-back. */
  private write(key: number, time: number): void {
    const unit = Math.floor(key / this.fetchSectors);
    let slot = this.l2.find(unit);
    if (slot === NOT_HELD) {
      slot = this.l2.fill(unit, this.fetchSectors * SECTOR_BYTES, time + this.l2Latency);
      this.evict(this.fetchSectors * SECTOR_BYTES, time);
    }
    if (this.l2.mark(slot) === 1) return;
    const bytes = this.fetchSectors * SECTOR_BYTES * this.conditions.writeBackFraction;
    if (bytes > 0) this.dram.write(bytes, bytes, time);
  }

  /** Parts of `sectors` sectors are written that are never whole: L2 fetches the rest, sooner or later, and writes them back. */
  private writePart(key: number, encoded: number, sectors: number, cost: number, time: number): void {
    const unit = Math.floor(key / this.fetchSectors);
    const { partialFillFraction, partialWriteBackFraction, warmShare } = this.conditions;
    let slot = this.l2.find(unit);
    if (slot === NOT_HELD) {
      slot = this.l2.fill(unit, this.fetchSectors * SECTOR_BYTES, time + this.l2Latency);
      if ((encoded & FROM_L2) === 0) this.evict(this.fetchSectors * SECTOR_BYTES, time);
    }
    if (this.l2.mark(slot) === 1 || (encoded & FROM_L2) !== 0) return;
    const read = sectors * SECTOR_BYTES * partialFillFraction * (1 - warmShare);
    if (read > 0) this.dram.fill(read, read * cost, time);
    const written = sectors * SECTOR_BYTES * partialWriteBackFraction;
    if (written > 0) this.dram.write(written, written * cost, time);
  }

  /**
   * An atomic that leaves the memory unit at `start` or at `takenAt`, the SM at `sentAt`; when its result is back. Its sectors
   * are named as often as lanes meet at one address of them. `kind`: FLOAT_ATOMIC, WIDE_ATOMIC.
   */
  atomic(memory: Int32Array, at: number, count: number, kind: number, instance: number, start: number): number {
    let sectors = 0;
    for (let i = 0; i < count; i++) if (i === 0 || memory[at + i] !== memory[at + i - 1]) sectors++;
    const sent = this.sendWrite(this.lines(memory, at, count), sectors, true, start);
    this.sentAt = sent;
    let done = start;
    const slow = (kind & FLOAT_ATOMIC) === 0 ? 1 : FLOAT_ATOMIC_SECTOR;
    const unitCost =
      this.atomicSectorCycles * NEIGHBOURING_ATOMICS * (kind === FLOAT_ATOMIC + WIDE_ATOMIC ? DOUBLE_ATOMIC_UNIT : 1);
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      // All SMs send to a sector that blocks everywhere use: this SM's requests meet everybody's.
      const crowded = (encoded & (COMMON | CROWDED)) !== 0;
      const key = this.keyOf(encoded, crowded ? 0 : instance);
      const unit = Math.floor(key / SECTORS_PER_ATOMIC_UNIT);
      const others = crowded ? this.conditions.activeSms : 1;
      const repeated = i > 0 && encoded === memory[at + i - 1];
      const sectorCost = (repeated ? this.atomicLaneCycles : this.atomicSectorCycles) * slow;
      // A further lane at the same address keeps the unit no longer than its sector.
      const unitCycles = (repeated ? Math.min(unitCost, sectorCost) : unitCost) * others;
      const unitBegin = Math.max(sent, this.unitFree.get(unit) ?? 0);
      const sectorBegin = Math.max(sent, this.sectorFree.get(key) ?? 0);
      const begin = Math.max(unitBegin, sectorBegin);
      this.unitFree.set(unit, unitBegin + unitCycles);
      this.sectorFree.set(key, sectorBegin + sectorCost * others);
      const free = Math.max(unitBegin + unitCycles, sectorBegin + sectorCost * others);
      if (free > this.busyUntil) this.busyUntil = free;
      if (!repeated) this.write(key, begin);
      if (crowded) this.crowdedFree.set(unit, free);
      else this.sentAt = Math.max(this.sentAt, begin - ATOMIC_QUEUE_CYCLES);
      done = Math.max(done, begin + (repeated ? sectorCost : 0) + this.atomicLatency);
    }
    // The other SMs are out of step: what waits at one of the units that all use is what waits at them in the mean.
    this.sentAt = Math.max(this.sentAt, sent + this.crowd(sent) - ATOMIC_QUEUE_CYCLES);
    // What comes behind it waits until L2 has room for it.
    this.portFree = Math.max(this.portFree, this.sentAt + this.portWork);
    this.takenAt = this.queue.enter(this.portWork, this.sentAt);
    return done;
  }

  /** Cycles that what waits at `time` at a unit that all SMs use will take, in the mean. */
  private crowd(time: number): number {
    let waiting = 0;
    for (const free of this.crowdedFree.values()) if (free > time) waiting += free - time;
    return this.crowdedFree.size === 0 ? 0 : waiting / this.crowdedFree.size;
  }

  private portWork = 0;
  takenAt = 0;
  sentAt = 0;
  /** When L2 has done all atomics that were sent: the launch ends no sooner. */
  busyUntil = 0;
}
