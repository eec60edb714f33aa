/**
 * The SM's port to L2 and its share of L2's two ways: out, by which loads are answered, and in, which stores share with what comes
 * from DRAM.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { SECTOR_BYTES } from "../base/sector-sizes.js";
import type { L2Contents } from "./l2-contents.js";

/** Bursts of one SM that L2 takes at the port's speed, other SMs being quiet: cycles of its fair share. */
export const BURST_CYCLES = 200;
/** A partial sector costs L2 this much more than a whole one (h200/micro/set-3: 2.13 cycles an SM, span write 1.80). */
const PARTIAL_WRITE = 1.18;
/** A line of which one sector is written costs L2 as much as this many sectors of one line (ibid.: 2.04, 1.29). */
const LINE_WRITE_SECTORS = 1.58;
/**
 * A line of which sectors are written in part takes the port a cycle more, for which bytes (h200/micro/mix-2.json, stores,
 * requestCycles: of 27 patterns each as many cycles as sectors, and of all that leave bytes out as lines besides).
 */
const MASK_CYCLES = 1;
/**
 * What comes from DRAM enters L2 by the way that stores take, each sector as long as a store of a whole one (h200/micro/cache.json,
 * repeated: from 16 to 40 MiB of copies a sector read and written takes 13.6 ps, one written alone 6.9, one read alone 7.4, as DRAM
 * gives it). That way is shared by all SMs, which are out of step: one may be ahead of its share and behind it by as many of
 * DRAM's latencies as with DRAM itself (dram.ts).
 */
const IN_BURST_LATENCIES = 1;
const IN_CREDIT_LATENCIES = 4;

export class L2Port {
  /** When the port is free. */
  free: number = Number.NEGATIVE_INFINITY;
  /** Cycles of this SM's share of the way into L2 that all that came in has taken. */
  comeInCycles: number = FRACTION;
  /** Cycles of this SM's share of L2 that loads have taken so far. */
  loadWork = 0;
  /** Of the store or atomic sent last: cycles of the port, and of this SM's share of L2. */
  work: number = Number.NaN;
  writeWork: number = Number.NaN;
  readonly l2WriteCyclesPerSector: number;
  /** Until when this SM's share of L2 is used. */
  private l2Free = Number.NEGATIVE_INFINITY;
  /** Until when this SM's share of what L2 can take in, from SMs and from DRAM, is used. */
  private l2InFree = Number.NEGATIVE_INFINITY;
  private readonly cyclesPerSector: number;
  private readonly writeCyclesPerSector: number;
  private readonly l2CyclesPerSector: number;
  private readonly inBurstCycles: number;
  private readonly inCreditCycles: number;
  /** When each block asked L2 for its first sector. */
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

  /** A sector (or line) asked of L2 at `arrival`; when it is back in the SM. `l2Cost`, `dramCost`: against the least. */
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
    this.begun[instance] ??= served;
    const { dram } = this.l2;
    const before = dram.readBytes + dram.evictedBytes;
    const ready = this.l2.read(key, encoded, sectors, dramCost, served, this.begun[instance]);
    const fetched = (dram.readBytes + dram.evictedBytes - before) / SECTOR_BYTES;
    if (fetched > 0) this.comeIn(fetched * this.l2WriteCyclesPerSector, served);
    return ready;
  }

  /**
   * Takes a request of stores or atomics through port and L2; when the SM is rid of it. `wholeSectors`: all bytes written; `held`: L2 holds
   * them.
   */
  write(lines: number, sectors: number, wholeSectors: boolean, held: boolean, start: number): number {
    const units = Math.max(sectors, lines * LINE_WRITE_SECTORS);
    const taken = this.l2.writesBack ? this.l2.dram.writable(start) : start;
    const sent = Math.max(taken, this.free, this.l2Free - BURST_CYCLES, this.l2InFree - this.inBurstCycles);
    this.work = sectors * this.writeCyclesPerSector + (wholeSectors ? 0 : lines * MASK_CYCLES);
    this.free = sent + this.work;
    this.writeWork = units * this.l2WriteCyclesPerSector * (wholeSectors ? 1 : PARTIAL_WRITE);
    this.l2Free = Math.max(start, this.l2Free) + this.writeWork;
    // Several sectors of a line come in as whole ones do.
    const alone = units > sectors && !wholeSectors;
    this.comeIn((alone ? units * (held ? 1 : PARTIAL_WRITE) : sectors) * this.l2WriteCyclesPerSector, start);
    return sent;
  }

  /** L2 is kept `cycles` of this SM's share longer by what was sent. */
  holdUp(cycles: number): void {
    this.l2Free += cycles;
  }

  /** What L2 takes in keeps its way for `cycles` of this SM's share. */
  private comeIn(cycles: number, time: number): void {
    // All SMs begin together: before that there is nothing to make up for.
    if (this.l2InFree === Number.NEGATIVE_INFINITY) this.l2InFree = time;
    this.l2InFree = Math.max(time - this.inCreditCycles, this.l2InFree) + cycles;
    this.comeInCycles += cycles;
  }
}
