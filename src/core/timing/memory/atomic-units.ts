/**
 * The atomic units of L2. Each unit serves the sectors of its half of a KiB one after the other. Atomics on one sector
 * are served one after the other, including those of other SMs that use the same sector.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { KeyNumbers, withRoom } from "../base/key-numbers.js";
import { SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { keyOf } from "../trace/request-sectors.js";
import { ATOMIC_SHARERS_SHIFT, COMMON, CROWDED, FLOAT_ATOMIC, WIDE_ATOMIC } from "../trace/sector-marks.js";
import type { L2Contents } from "./l2-contents.js";

/**
 * A KiB has two units, which alternate every 256 bytes; the busier unit decides. Measured per line: 5.0 cycles for one
 * line, 3.1 for 3 adjacent lines and 1.2 for 16 (h200/micro/atomics.json, lines).
 */
const SECTORS_PER_UNIT_STRIPE = 8;
const SECTORS_PER_KIB = 32;
function unitOf(sector: number): number {
  return 2 * Math.floor(sector / SECTORS_PER_KIB) + (Math.floor(sector / SECTORS_PER_UNIT_STRIPE) % 2);
}

/**
 * Cost of a further sector of a line, relative to its first, if a warp adds to the whole line. Measured: 4.64 cycles a
 * line over adjacent lines, 5.05 on one line (h200/micro/atomics.json, lines). A lone sector, or one with random
 * addresses, costs a full sector's time.
 */
const FURTHER_SECTOR = 0.74;
const FURTHER_SECTOR_OF_SAME_LINE = 0.83;
/** Words of a sector that a warp can fill. */
const WORDS_PER_SECTOR = 8;
const LANES = 32;

/**
 * Atomics on a busy line queue in L2 for this many cycles before the SM's port to L2 blocks. Measured: a load after 64
 * atomics of all SMs waits 7300 to 15000 cycles less than the atomics take (h200/micro/progress.json).
 */
const ATOMIC_QUEUE_CYCLES = 9000;
/**
 * Relative costs of floating-point atomics. One sector takes 3.49 cycles for floats and 1.45 for integers
 * (h200/micro/memory.json, atomics). Doubles that fill a sector occupy the unit 1.6 times as long.
 */
const FLOAT_ATOMIC_SECTOR = 2.41;
const DOUBLE_ATOMIC_UNIT = 1.6;

/**
 * Effective number of units that work in parallel, by the binary logarithm of the number of units addressed, from eight
 * on. A slice of L2 has several units, and the busiest slice decides (h200/micro/spread.json, random words of 1024 to
 * 2^20).
 */
const FIRST_SPREAD = 3;
const SPREAD_UNITS = [7.8, 14.5, 25.1, 26.8, 42.9, 47.6, 66, 68.5, 76] as const;
function unitsAtWork(units: number): number {
  const at = Math.log2(units) - FIRST_SPREAD;
  if (at <= 0) return units;
  const below = Math.min(Math.floor(at), SPREAD_UNITS.length - 1);
  const low = SPREAD_UNITS[below]!;
  const high = SPREAD_UNITS[Math.min(below + 1, SPREAD_UNITS.length - 1)]!;
  return low + (high - low) * (at - below);
}

export class AtomicUnits {
  /** Time at which L2 has done all atomics sent so far. */
  busyUntil: number = FRACTION;
  /** Time at which L2 had room for all of the last request. */
  acceptedAt: number = FRACTION;
  private readonly sectorCycles: number;
  private readonly laneCycles: number;
  private readonly latency: number;
  private readonly units = new KeyNumbers();
  private readonly sectors = new KeyNumbers();
  /** For each unit, the time at which it is free, and the line it served last (-1: none). */
  private unitFree: Float64Array = new Float64Array(64);
  private unitLine: Float64Array = new Float64Array(64).fill(-1);
  private sectorFree: Float64Array = new Float64Array(64);
  /** The cycles of loads at the last atomic on a sector that all SMs use. */
  private loadWorkAt: Float64Array = new Float64Array(64);
  /** For each unit that all SMs use, the time at which it, or its busiest sector, is free; and the latest such time. */
  private readonly crowdedUnits = new KeyNumbers();
  private crowdedFree: Float64Array = new Float64Array(64);
  private crowdedUntil: number = FRACTION;
  /**
   * Work of all SMs since the units were last idle, if all SMs send as this one: start time, cycles of one unit, end
   * time.
   */
  private allFrom: number = FRACTION;
  private allWork: number = FRACTION;
  private allFree = Number.NEGATIVE_INFINITY;

  constructor(
    { atomics }: DeviceSpec,
    private readonly activeSms: number,
    private readonly l2: L2Contents,
  ) {
    this.sectorCycles = atomics.sameAddressIntervalCycles;
    this.laneCycles = atomics.sameAddressLaneCycles;
    this.latency = atomics.returnLatencyCycles;
  }

  /**
   * Takes a request of atomics that leaves the SM at `sent`, and returns the time at which its result is back. `kind`
   * holds FLOAT_ATOMIC, WIDE_ATOMIC and the sharers. The request names a sector once for each lane that uses the same
   * address of it. `loadWork` is the number of cycles that loads of all SMs have taken in each slice of L2. A slice
   * does no integer atomics on a busy sector while it serves loads (h200/micro/revisit.json, treeEnd: 48 us rise to 76
   * us).
   */
  take(
    memory: Int32Array,
    at: number,
    count: number,
    kind: number,
    instance: number,
    sent: number,
    loadWork: number,
  ): number {
    this.acceptedAt = sent;
    let done = 0;
    const slow = (kind & FLOAT_ATOMIC) === 0 ? 1 : FLOAT_ATOMIC_SECTOR;
    const double = (kind & (FLOAT_ATOMIC | WIDE_ATOMIC)) === FLOAT_ATOMIC + WIDE_ATOMIC;
    const sharers = kind >>> ATOMIC_SHARERS_SHIFT;
    const whole = count <= ((kind & WIDE_ATOMIC) === 0 ? 1 : 2) * (LANES / WORDS_PER_SECTOR);
    let lineBefore = -1;
    let further = FURTHER_SECTOR;
    let allCycles = 0;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      // All SMs send to a sector that blocks everywhere use, so requests of this SM wait for those of all SMs.
      const crowded = (encoded & (COMMON | CROWDED)) !== 0;
      const key = keyOf(encoded, crowded ? 0 : instance);
      const unit = this.unitNumber(key);
      const sector = this.sectorNumber(key);
      const line = Math.floor(key / SECTORS_PER_LINE);
      const first = line !== lineBefore;
      if (first) {
        const before = this.unitLine[unit]!;
        further = before < 0 || before === line ? FURTHER_SECTOR_OF_SAME_LINE : FURTHER_SECTOR;
        this.unitLine[unit] = line;
        lineBefore = line;
      }
      const unitCost = this.sectorCycles * (!whole ? 1 : double ? DOUBLE_ATOMIC_UNIT : first ? 1 : further);
      const others = crowded ? this.activeSms : sharers;
      const repeated = i > 0 && encoded === memory[at + i - 1];
      const integerCost = repeated ? this.laneCycles : this.sectorCycles;
      const sectorCost = integerCost * slow;
      // A further lane at the same address occupies the unit no longer than its sector.
      const ownCycles = repeated ? Math.min(unitCost, sectorCost) : unitCost;
      const unitCycles = ownCycles * others;
      allCycles += ownCycles;
      let sectorFree = this.sectorFree[sector]!;
      if (crowded) {
        const loads = loadWork - this.loadWorkAt[sector]!;
        sectorFree += Math.max(0, loads - (sectorCost - integerCost) * others);
        this.loadWorkAt[sector] = loadWork;
      }
      const unitBegin = Math.max(sent, this.unitFree[unit]!);
      const sectorBegin = Math.max(sent, sectorFree);
      const begin = Math.max(unitBegin, sectorBegin);
      this.unitFree[unit] = unitBegin + unitCycles;
      this.sectorFree[sector] = sectorBegin + sectorCost * others;
      const free = Math.max(unitBegin + unitCycles, sectorBegin + sectorCost * others);
      if (free > this.busyUntil) this.busyUntil = free;
      if (repeated) this.l2.lookups.written(1, true);
      else this.l2.update(key, encoded, begin);
      if (crowded) this.crowd(unit, free);
      else this.acceptedAt = Math.max(this.acceptedAt, begin - ATOMIC_QUEUE_CYCLES);
      done = Math.max(done, begin + (repeated ? sectorCost : 0) + this.latency);
    }
    done = Math.max(done, this.allFree + this.latency);
    this.sendFromAllSms(allCycles, sharers, sent);
    this.waitForCrowded(sent);
    return done;
  }

  private unitNumber(key: number): number {
    const unit = this.units.of(unitOf(key));
    this.unitFree = withRoom(this.unitFree, unit, 0);
    this.unitLine = withRoom(this.unitLine, unit, -1);
    return unit;
  }

  private sectorNumber(key: number): number {
    const sector = this.sectors.of(key);
    this.sectorFree = withRoom(this.sectorFree, sector, 0);
    this.loadWorkAt = withRoom(this.loadWorkAt, sector, 0);
    return sector;
  }

  /** Adds a request of `cycles` unit cycles, sent by every SM, to the work of all units. */
  private sendFromAllSms(cycles: number, sharers: number, sent: number): void {
    const crowdedUnits = this.crowdedUnits.count;
    const units = crowdedUnits + (this.activeSms / sharers) * (this.units.count - crowdedUnits);
    if (sent > this.allFree) {
      this.allFrom = sent;
      this.allWork = 0;
    }
    this.allWork += cycles * this.activeSms;
    this.allFree = this.allFrom + this.allWork / unitsAtWork(units);
    if (this.allFree > this.busyUntil) this.busyUntil = this.allFree;
    this.acceptedAt = Math.max(this.acceptedAt, this.allFree - ATOMIC_QUEUE_CYCLES);
  }

  /**
   * The other SMs are out of step, so this SM sees the mean wait over the shared units. The mean is needed only if the
   * last unit is free too late.
   */
  private waitForCrowded(sent: number): void {
    if (this.crowdedUntil - ATOMIC_QUEUE_CYCLES > this.acceptedAt - 1)
      this.acceptedAt = Math.max(this.acceptedAt, sent + this.waiting(sent) - ATOMIC_QUEUE_CYCLES);
  }

  /** Notes that a unit that all SMs use is free at `free`. */
  private crowd(unit: number, free: number): void {
    const place = this.crowdedUnits.of(unit);
    this.crowdedFree = withRoom(this.crowdedFree, place, 0);
    this.crowdedFree[place] = free;
    if (free > this.crowdedUntil) this.crowdedUntil = free;
  }

  /** Mean number of cycles until the units that all SMs use are free, seen at `time`. */
  private waiting(time: number): number {
    const { crowdedFree } = this;
    const { count } = this.crowdedUnits;
    let waiting = 0;
    for (let i = 0; i < count; i++) if (crowdedFree[i]! > time) waiting += crowdedFree[i]! - time;
    return count === 0 ? 0 : waiting / count;
  }
}
