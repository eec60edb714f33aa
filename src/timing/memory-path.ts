/**
 * Global memory as one SM sees it: L1 (sectors, LRU by bytes), the port to L2, this SM's fair share of L2's and DRAM's
 * bandwidth, L2's contents as far as this SM's own traffic tells, and L2's atomic units. Each request's completion is
 * known when it enters, since all resources serve in order of arrival.
 */
import type { DeviceSpec } from "../device/spec.js";
import { Dram } from "./dram.js";
import { COMMON, CROWDED, FROM_L2, SECTOR_SHIFT } from "./footprint.js";
import { l2Spread } from "./latency-spread.js";
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
/** Atomics wait in L2 for a crowded line, this many cycles' worth, before they hold up the SM. */
const ATOMIC_QUEUE_CYCLES = 4000;
/** A partial sector costs L2 this much more than a whole one (h200-micro-3: 2.13 cycles an SM, span write 1.80). */
const PARTIAL_WRITE = 1.18;
/** A line of which one sector is written costs the port and L2 as much as this many sectors of one line (ibid.: 2.04, 1.29). */
const LINE_WRITE_SECTORS = 1.58;

const SECTORS_PER_4_KIB = 128;
/** Stores to lines 4 KiB apart against others (h200-micro-3, scattered store of all SMs: 4.1 and 3.3 cycles a line). */
const CAMPING = 1.24;
/** DRAM gives 64-byte halves of lines more slowly than whole ones (h200-micro-2, strided_read of every 16th, 32nd word). */
const HALF_LINE = 1.16;

export interface MemoryConditions {
  readonly activeSms: number;
  readonly l1Bytes: number;
  /** All first touches are in L2 already (warm cache, and the footprint fits). */
  readonly warm: boolean;
  /** Share of DRAM's peak that this mixture of reads and writes reaches. */
  readonly dramFraction: number;
  /** Share of the bytes written first that are written back to DRAM within the launch. */
  readonly writeBackFraction: number;
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
  private readonly atomicLineCycles: number;
  private readonly atomicLatency: number;
  private readonly atomicLaneCycles: number;
  private readonly unitFree = new Map<number, number>();
  private halves = false;
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
    this.atomicLineCycles = atomics.sameAddressIntervalCycles;
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

  /** Whether a request takes sectors of one half of each of its lines only, all lines more than one line apart. */
  private isHalved(memory: Int32Array, at: number, count: number): boolean {
    for (let i = 1; i < count; i++) {
      if (memory[at + i]! - memory[at + i - 1]! < SECTOR_SHIFT * SECTORS_PER_LINE) return false;
    }
    return true;
  }

  /** Cycles that a request keeps L1's tags. */
  tagCycles(memory: Int32Array, at: number, count: number): number {
    return Math.max(1, this.lines(memory, at, count) * this.lineInterval);
  }

  /** A sector (or line) asked of L2 at `arrival`; when it is back in the SM. */
  private fromL2(key: number, encoded: number, sectors: number, arrival: number): number {
    const start = Math.max(arrival, this.portFree);
    this.portFree = start + sectors * this.portCyclesPerSector;
    const served = Math.max(start, this.l2Free - L2_BURST_CYCLES);
    this.l2Free = Math.max(start, this.l2Free) + sectors * this.l2CyclesPerSector;
    this.l2Sectors += sectors;
    const unit = Math.floor(key / this.fetchSectors);
    const latency = this.l2Latency * l2Spread(Math.floor(key / SECTORS_PER_LINE));
    const held = this.l2.find(unit);
    if (held !== NOT_HELD) {
      this.l2Hits += sectors;
      return Math.max(served + latency, this.l2.readyAt(held));
    }
    const bytes = Math.max(this.fetchSectors, sectors) * SECTOR_BYTES;
    const fetched = this.halves ? bytes * HALF_LINE : bytes;
    let ready: number;
    if (this.conditions.warm || (encoded & FROM_L2) !== 0) {
      this.l2Hits += sectors;
      ready = served + latency;
    } else {
      ready = this.dram.read(key, bytes, fetched, served);
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
    if (dirty > 0) this.dram.write(dirty, time);
  }

  private keyOf(encoded: number, instance: number): number {
    const sector = Math.floor(encoded / SECTOR_SHIFT);
    return (encoded & COMMON) !== 0 ? sector : sector + instance * INSTANCE_STRIDE;
  }

  /** A load that enters L1 at `start`; when its last sector is there. */
  load(memory: Int32Array, at: number, count: number, instance: number, start: number, bypassL1: boolean): number {
    let done = start + this.l1Latency;
    this.l1Sectors += count;
    this.halves = count > 1 && 2 * this.fetchSectors === SECTORS_PER_LINE && this.isHalved(memory, at, count);
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
        ready = this.fromL2(grain === 1 ? key : line * grain, encoded, grain, this.missStart(start));
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
    const taken = this.conditions.writeBackFraction > 0 ? this.dram.writable(start) : start;
    const sent = Math.max(taken, this.portFree, this.l2Free - L2_BURST_CYCLES);
    this.portFree = sent + units * this.portWriteCyclesPerSector;
    this.l2Free =
      Math.max(start, this.l2Free) + units * this.l2WriteCyclesPerSector * (wholeSectors ? 1 : PARTIAL_WRITE);
    return sent;
  }

  /** A store of `bytes` bytes that leaves the SM's queue at `start`; when L2 has taken it. */
  store(memory: Int32Array, at: number, count: number, bytes: number, instance: number, start: number): number {
    const lines = this.lines(memory, at, count) * (this.camps(memory, at, count) ? CAMPING : 1);
    const sent = this.sendWrite(lines, count, bytes >= count * SECTOR_BYTES, start);
    for (let i = 0; i < count; i++) {
      const key = this.keyOf(memory[at + i]!, instance);
      if (this.storesEvict) this.l1.drop(Math.floor(key / this.missSectors));
      this.write(key, sent);
    }
    return sent;
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
    if (bytes > 0) this.dram.write(bytes, time);
  }

  /**
   * An atomic of which at the most `crowd` lanes meet at one address, leaving the SM's queue at `start`; when its result
   * is back. `sentAt` then has when the SM was rid of it.
   */
  atomic(memory: Int32Array, at: number, count: number, crowd: number, instance: number, start: number): number {
    const sent = this.sendWrite(this.lines(memory, at, count), count, true, start);
    this.sentAt = sent;
    let done = start;
    // Lanes with the same address are served one after the other.
    const extra = Math.max(0, crowd - 1) * this.atomicLaneCycles;
    const each = this.atomicLineCycles * (count > 1 ? NEIGHBOURING_ATOMICS : 1);
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      // All SMs send to a sector that blocks everywhere use: this SM's requests meet everybody's.
      const crowded = (encoded & (COMMON | CROWDED)) !== 0;
      const key = this.keyOf(encoded, crowded ? 0 : instance);
      const unit = Math.floor(key / SECTORS_PER_ATOMIC_UNIT);
      const others = crowded ? this.conditions.activeSms : 1;
      const begin = Math.max(sent, this.unitFree.get(unit) ?? 0);
      const free = begin + (each + extra / count) * others;
      this.unitFree.set(unit, free);
      if (free > this.busyUntil) this.busyUntil = free;
      this.write(key, begin);
      this.sentAt = Math.max(this.sentAt, begin - ATOMIC_QUEUE_CYCLES);
      done = Math.max(done, begin + extra + this.atomicLatency);
    }
    return done;
  }

  sentAt = 0;
  /** When L2 has done all atomics that were sent: the launch ends no sooner. */
  busyUntil = 0;
}
