/**
 * Global memory as one SM sees it: L1 (sectors, LRU by bytes), the port to L2, this SM's fair share of L2's and DRAM's
 * bandwidth, L2's contents as far as this SM's own traffic tells, and L2's atomic units. Each request's completion is
 * known when it enters, since all resources serve in order of arrival.
 */
import type { DeviceSpec } from "../device/spec.js";
import { COMMON, FROM_L2, SECTOR_SHIFT } from "./footprint.js";
import { NOT_HELD, SectorTable } from "./sector-table.js";

const SECTOR_BYTES = 32;
/** Instances of a traced block have their own copies of its sectors: key = sector + instance * this. */
const INSTANCE_STRIDE = 2 ** 28;

export interface MemoryConditions {
  readonly activeSms: number;
  readonly l1Bytes: number;
  /** All first touches are in L2 already (warm cache, and the footprint fits). */
  readonly warm: boolean;
  /** Share of DRAM's peak that this mixture of reads and writes reaches. */
  readonly dramFraction: number;
  /** Share of the bytes written first that are written back to DRAM within the launch. */
  readonly writeBackFraction: number;
}

export class MemoryPath {
  private readonly l1: SectorTable;
  private readonly l2: SectorTable;
  private readonly caches: boolean;
  private readonly missSectors: number;
  private readonly fetchSectors: number;
  private readonly l1Latency: number;
  private readonly l2Latency: number;
  private readonly dramLatency: number;
  private readonly portCyclesPerSector: number;
  private readonly l2CyclesPerSector: number;
  private readonly dramCyclesPerByte: number;
  private readonly atomicLineCycles: number;
  private readonly atomicPortCycles: number;
  private readonly atomicLatency: number;
  private readonly atomicLaneCycles: number;
  private readonly lineFree = new Map<number, number>();
  private portFree = 0;
  private l2Free = 0;
  private dramFree = 0;
  private atomicFree = 0;
  l1Sectors = 0;
  l1Hits = 0;
  l2Sectors = 0;
  l2Hits = 0;
  dramReadBytes = 0;
  dramWriteBytes = 0;
  /** Cycles that requests waited for DRAM's bandwidth, summed. */
  dramWaitCycles = 0;

  constructor(
    device: DeviceSpec,
    private readonly conditions: MemoryConditions,
  ) {
    const { l1, l2, dram, atomics } = device;
    const clockGHz = device.smClockMHz / 1000;
    this.l1 = new SectorTable(conditions.l1Bytes);
    this.l2 = new SectorTable(l2.sizeBytes / conditions.activeSms);
    this.caches = l1.cachesGlobalLoads && conditions.l1Bytes > 0;
    this.missSectors = Math.max(1, l1.missBytes / SECTOR_BYTES);
    this.fetchSectors = Math.max(1, l2.fetchBytes / SECTOR_BYTES);
    this.l1Latency = l1.hitLatencyCycles;
    this.l2Latency = l2.hitLatencyCycles;
    this.dramLatency = dram.latencyCycles;
    this.portCyclesPerSector = SECTOR_BYTES / l2.portBytesPerCyclePerSm;
    this.l2CyclesPerSector = SECTOR_BYTES / (l2.bandwidthGBps / clockGHz / conditions.activeSms);
    this.dramCyclesPerByte = (clockGHz * conditions.activeSms) / (dram.peakBandwidthGBps * conditions.dramFraction);
    this.atomicLineCycles = atomics.sameAddressIntervalCycles;
    this.atomicLaneCycles = atomics.sameAddressLaneCycles;
    this.atomicPortCycles = atomics.requestIntervalCyclesPerSm;
    this.atomicLatency = atomics.returnLatencyCycles;
  }

  /** Takes a place in the SM's share of DRAM; returns the wait for it. */
  private dramWait(arrival: number, bytes: number): number {
    const begin = Math.max(arrival, this.dramFree);
    this.dramFree = begin + bytes * this.dramCyclesPerByte;
    this.dramWaitCycles += begin - arrival;
    return begin - arrival;
  }

  /** A sector (or line) asked of L2 at `arrival`; when it is back in the SM. */
  private fromL2(key: number, encoded: number, sectors: number, arrival: number): number {
    const start = Math.max(arrival, this.portFree);
    this.portFree = start + sectors * this.portCyclesPerSector;
    const served = Math.max(start, this.l2Free);
    this.l2Free = served + sectors * this.l2CyclesPerSector;
    this.l2Sectors += sectors;
    const unit = Math.floor(key / this.fetchSectors);
    const held = this.l2.find(unit);
    if (held !== NOT_HELD) {
      this.l2Hits += sectors;
      return Math.max(served + this.l2Latency, this.l2.readyAt(held));
    }
    const bytes = Math.max(this.fetchSectors, sectors) * SECTOR_BYTES;
    if (this.conditions.warm || (encoded & FROM_L2) !== 0) {
      this.l2Hits += sectors;
      const ready = served + this.l2Latency;
      this.l2.fill(unit, bytes, ready);
      return ready;
    }
    const ready = served + this.dramLatency + this.dramWait(served, bytes);
    this.dramReadBytes += bytes;
    this.l2.fill(unit, bytes, ready);
    for (let more = this.fetchSectors; more < sectors; more += this.fetchSectors) {
      this.l2.fill(unit + more / this.fetchSectors, 0, ready);
    }
    return ready;
  }

  private keyOf(encoded: number, instance: number): number {
    const sector = Math.floor(encoded / SECTOR_SHIFT);
    return (encoded & COMMON) !== 0 ? sector : sector + instance * INSTANCE_STRIDE;
  }

  /** A load that enters L1 at `start`; when its last sector is there. */
  load(memory: Int32Array, at: number, count: number, instance: number, start: number, bypassL1: boolean): number {
    let done = start + this.l1Latency;
    this.l1Sectors += count;
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
        ready = this.fromL2(grain === 1 ? key : line * grain, encoded, grain, start);
        if (this.caches) this.l1.fill(line, grain * SECTOR_BYTES, ready);
      }
      if (ready > done) done = ready;
    }
    return done;
  }

  /** A store that leaves the SM at `start`; when L2 has taken its last sector. */
  store(memory: Int32Array, at: number, count: number, instance: number, start: number): number {
    let done = start;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      const key = this.keyOf(encoded, instance);
      const sent = Math.max(start, this.portFree);
      this.portFree = sent + this.portCyclesPerSector;
      const served = Math.max(sent, this.l2Free);
      this.l2Free = served + this.l2CyclesPerSector;
      this.write(key, served);
      done = sent;
    }
    return done;
  }

  /** A sector of L2 is written at `time`; the first write of one that will not stay costs DRAM its write-back. */
  private write(key: number, time: number): void {
    const unit = Math.floor(key / this.fetchSectors);
    let slot = this.l2.find(unit);
    if (slot === NOT_HELD) slot = this.l2.fill(unit, this.fetchSectors * SECTOR_BYTES, time + this.l2Latency);
    if (this.l2.mark(slot) === 1) return;
    const bytes = this.fetchSectors * SECTOR_BYTES * this.conditions.writeBackFraction;
    if (bytes === 0) return;
    this.dramWait(time, bytes);
    this.dramWriteBytes += bytes;
  }

  /** An atomic of `lanes` lanes that leaves the SM at `start`; when its result is back. */
  atomic(memory: Int32Array, at: number, count: number, lanes: number, instance: number, start: number): number {
    // More lanes than a sector has words: some share an address, and are served one after the other.
    const crowd = Math.max(1, lanes / (count * 8));
    const extra = crowd > 1 ? (lanes / count - 1) * this.atomicLaneCycles : 0;
    let done = start;
    const sent = Math.max(start, this.atomicFree);
    this.atomicFree = sent + this.atomicPortCycles;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      const key = this.keyOf(encoded, instance);
      const line = Math.floor(key / 4);
      // All SMs send to a sector that all blocks use: this SM's requests meet everybody's.
      const others = (encoded & COMMON) !== 0 ? this.conditions.activeSms : 1;
      const begin = Math.max(sent, this.lineFree.get(line) ?? 0);
      this.lineFree.set(line, begin + (this.atomicLineCycles + extra) * others);
      this.write(key, begin);
      done = Math.max(done, begin + extra + this.atomicLatency);
    }
    return done;
  }
}
