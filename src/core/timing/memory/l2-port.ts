/**
 * The SM's port to L2, and its share of L2's two paths. The outgoing path answers loads. Stores and data from DRAM
 * share the incoming path.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { SECTOR_BYTES } from "../base/sector-sizes.js";
import type { L2Contents } from "./l2-contents.js";

/**
 * While other SMs are quiet, L2 takes a burst of one SM at the port's speed, up to this many cycles of its fair share.
 */
export const BURST_CYCLES = 200;
/**
 * Cost of a partly written sector for L2, relative to a whole one (h200/micro/set-3.json, span write: 2.13 against 1.80
 * cycles an SM).
 */
const PARTIAL_WRITE = 1.18;
/**
 * Cost of a line with one written sector, in sectors of a fully written line (h200/micro/set-3.json: 2.04 against
 * 1.29).
 */
const LINE_WRITE_SECTORS = 1.58;
/**
 * A partly written line occupies the port for one more cycle, which transfers the byte mask. In all 27 measured
 * patterns the cycles are sectors plus masked lines (h200/micro/mix-2.json, stores).
 */
const MASK_CYCLES = 1;
/**
 * Data from DRAM enters L2 by the path of stores, and a sector takes as long as a whole stored one. Measured: 13.6 ps
 * for a sector read and written, 6.9 written alone, 7.4 read alone (h200/micro/cache.json). The SMs share this path out
 * of step. One SM may deviate from its share by these numbers of DRAM latencies, as in `dram.ts`.
 */
const IN_BURST_LATENCIES = 1;
const IN_CREDIT_LATENCIES = 4;

export class L2Port {
  /** Time at which the port is free. */
  free: number = Number.NEGATIVE_INFINITY;
  /** Cycles of this SM's share of the path into L2 taken by all incoming data. */
  comeInCycles: number = FRACTION;
  /** Cycles of this SM's share of L2 that loads have taken so far. */
  loadWork = 0;
  /** Cycles of the port, and of this SM's share of L2, for the last store or atomic. */
  work: number = Number.NaN;
  writeWork: number = Number.NaN;
  readonly l2WriteCyclesPerSector: number;
  /** Time until which this SM's share of L2 is used. */
  private l2Free = Number.NEGATIVE_INFINITY;
  /** Time until which this SM's share of L2's incoming path, from SMs and DRAM, is used. */
  private l2InFree = Number.NEGATIVE_INFINITY;
  private readonly cyclesPerSector: number;
  private readonly writeCyclesPerSector: number;
  private readonly l2CyclesPerSector: number;
  private readonly inBurstCycles: number;
  private readonly inCreditCycles: number;
  /** Time at which each block requested its first sector from L2. */
  private readonly begun: number[] = [];

  constructor(
    { l2: spec, dram, smClockMHz }: DeviceSpec,
    activeSms: number,
    private readonly l2: L2Contents,
  ) {
    const bytesPerCycle = (gigabytes: number): number => gigabytes / (smClockMHz / 1000) / activeSms;
    this.cyclesPerSector = SECTOR_BYTES / spec.portBytesPerCyclePerSm;
    this.writeCyclesPerSector = SECTOR_BYTES / spec.portWriteBytesPerCyclePerSm;
    this.l2CyclesPerSector = SECTOR_BYTES / bytesPerCycle(spec.bandwidthGBps);
    this.l2WriteCyclesPerSector = SECTOR_BYTES / bytesPerCycle(spec.writeBandwidthGBps);
    this.inBurstCycles = IN_BURST_LATENCIES * dram.latencyCycles;
    this.inCreditCycles = IN_CREDIT_LATENCIES * dram.latencyCycles;
  }

  /**
   * Requests a sector or line from L2 at `arrival`; returns the time at which the SM has it. `l2Cost` and `dramCost`
   * are relative to the cheapest read.
   */
  read(
    key: number,
    encoded: number,
    sectors: number,
    l2Cost: number,
    dramCost: number,
    arrival: number,
    instance: number,
  ): number {
    const start = Math.max(arrival, this.free);
    this.free = start + sectors * this.cyclesPerSector;
    const served = Math.max(start, this.l2Free - BURST_CYCLES);
    const work = sectors * l2Cost * this.l2CyclesPerSector;
    this.l2Free = Math.max(start, this.l2Free) + work;
    this.loadWork += work;
    // Local memory has a fraction of an instance, and nothing of it is pending.
    const block = Math.floor(instance);
    this.begun[block] ??= served;
    const { dram } = this.l2;
    const before = dram.readBytes + dram.evictedBytes;
    const ready = this.l2.read(key, encoded, sectors, dramCost, served, this.begun[block]);
    const fetched = (dram.readBytes + dram.evictedBytes - before) / SECTOR_BYTES;
    if (fetched > 0) this.comeIn(fetched * this.l2WriteCyclesPerSector, served);
    return ready;
  }

  /**
   * Takes a request of stores or atomics through the port and L2; returns the time at which it leaves the SM.
   * `wholeSectors`: all bytes of its sectors are written. `held`: L2 holds them.
   */
  write(lines: number, sectors: number, wholeSectors: boolean, held: boolean, start: number): number {
    const units = Math.max(sectors, lines * LINE_WRITE_SECTORS);
    const taken = this.l2.writesBack ? this.l2.dram.writable(start) : start;
    const sent = Math.max(taken, this.free, this.l2Free - BURST_CYCLES, this.l2InFree - this.inBurstCycles);
    this.work = sectors * this.writeCyclesPerSector + (wholeSectors ? 0 : lines * MASK_CYCLES);
    this.free = sent + this.work;
    this.writeWork = units * this.l2WriteCyclesPerSector * (wholeSectors ? 1 : PARTIAL_WRITE);
    this.l2Free = Math.max(start, this.l2Free) + this.writeWork;
    // Several sectors of a line cost the path as much as whole ones.
    const alone = units > sectors && !wholeSectors;
    this.comeIn((alone ? units * (held ? 1 : PARTIAL_WRITE) : sectors) * this.l2WriteCyclesPerSector, start);
    return sent;
  }

  /** The last request occupies L2 for `cycles` more of this SM's share. */
  holdUp(cycles: number): void {
    this.l2Free += cycles;
  }

  /** Incoming data occupies the path into L2 for `cycles` of this SM's share. */
  private comeIn(cycles: number, time: number): void {
    // All SMs begin together, so no credit builds up before the first data.
    if (this.l2InFree === Number.NEGATIVE_INFINITY) this.l2InFree = time;
    this.l2InFree = Math.max(time - this.inCreditCycles, this.l2InFree) + cycles;
    this.comeInCycles += cycles;
  }
}
