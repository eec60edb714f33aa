/**
 * L2's atomic units: each does the sectors of its half of a KiB one after the other, and what meets at one sector one after
 * the other, of all SMs where all send there.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { KeyNumbers, withRoom } from "../base/key-numbers.js";
import { SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { keyOf } from "../trace/request-sectors.js";
import { ATOMIC_SHARERS_SHIFT, COMMON, CROWDED, FLOAT_ATOMIC, WIDE_ATOMIC } from "../trace/sector-marks.js";
import type { L2Contents } from "./l2-contents.js";

/**
 * A KiB has two units, for its 256 bytes in turn: 1, 2, 3, 4, 8 and 16 lines in a row take
 * 5.0, 4.6, 3.1, 2.3, 2.3 and 1.2 cycles a line, so the busiest unit has 1, 2, 2, 2, 4 and 4 of them; lines 256 bytes apart
 * 2.3, 512 bytes 4.6, a KiB 2.4 (h200/micro/atomics.json, lines).
 */
const SECTORS_PER_UNIT_STRIPE = 8;
const SECTORS_PER_KIB = 32;
function unitOf(sector: number): number {
  return 2 * Math.floor(sector / SECTORS_PER_KIB) + (Math.floor(sector / SECTORS_PER_UNIT_STRIPE) % 2);
}

/**
 * A sector that comes alone, or whose words a warp's lanes hit as it happens, takes one sector's time (h200/micro/memory.json,
 * atomics, place 4 and 6: 1.4 to 1.6 cycles, of 32, 256 and 1024 words 1.42 to 1.47 for each time that lanes meet); the
 * further ones of a line that a warp adds to as a whole take less: lines in turn 4.64 cycles, one line again and again 5.05
 * (h200/micro/atomics.json, lines).
 */
const FURTHER_SECTOR = 0.74;
const FURTHER_SECTOR_OF_SAME_LINE = 0.83;
/** Words of a sector that a warp can fill. */
const WORDS_PER_SECTOR = 8;
const LANES = 32;

/**
 * Atomics wait in L2 for a crowded line, this many cycles' worth, before they hold up the SM's way to L2. From
 * h200/micro/progress.json: a load from L2 behind 64 atomics of all SMs waits 9000, 15000 and 7300 cycles less than they take
 * (one word, one line, 4 KiB of counters).
 */
const ATOMIC_QUEUE_CYCLES = 9000;
/**
 * Floating-point atomics on one sector follow each other more slowly than integer ones (h200/micro/memory, atomics, one lane,
 * one address: 3.49 cycles for 1.45), of eight bytes the unit does half as many where
 * all of a sector are hit (h200/micro/atomics.json, lines: 2.32 cycles a sector; at random as many: place 4).
 */
const FLOAT_ATOMIC_SECTOR = 2.41;
const DOUBLE_ATOMIC_UNIT = 1.6;

/**
 * So many units, evenly busy, get as much done as the launch's atomics find, by the binary logarithm of how many they go to from
 * eight on: L2's slices have several of a row's units each, and the busiest decides (h200/micro/spread.json: random words of
 * 1024 to 2^20, in the mean of two places; whole lines at random as many).
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
  /** When L2 has done all atomics that were sent. */
  busyUntil: number = FRACTION;
  /** Of the request taken last: when L2 had room for all of it. */
  acceptedAt: number = FRACTION;
  private readonly sectorCycles: number;
  private readonly laneCycles: number;
  private readonly latency: number;
  private readonly units = new KeyNumbers();
  private readonly sectors = new KeyNumbers();
  /** Of each unit: when it is free, and the line that it did last; -1: none. */
  private unitFree: Float64Array = new Float64Array(64);
  private unitLine: Float64Array = new Float64Array(64).fill(-1);
  private sectorFree: Float64Array = new Float64Array(64);
  /** The cycles that loads had taken when an atomic came last to a sector that all SMs use. */
  private loadWorkAt: Float64Array = new Float64Array(64);
  /** Of units that all SMs use: when they, or their most crowded sector, are free, and the last time at which one is. */
  private readonly crowdedUnits = new KeyNumbers();
  private crowdedFree: Float64Array = new Float64Array(64);
  private crowdedUntil: number = FRACTION;
  /** What all SMs have sent since all units were idle, if they send as this one: from when, cycles of one unit, until when. */
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
   * A request of atomics that leaves the SM at `sent`; when its result is back. `kind`: FLOAT_ATOMIC, WIDE_ATOMIC, sharers. Its
   * sectors are named as often as lanes meet at one address of them. `loadWork`: cycles that all SMs' loads have taken
   * each slice of L2 so far, which does no atomics on one sector meanwhile (h200/micro/revisit.json, treeEnd: 65536 blocks
   * that end with an atomic on one word, 48 us, and read 32, 64 and 128 MiB take 54, 64 and 76 us; without it 44 to 45; with one of
   * floats, which wait for each other and leave the slice free meanwhile, 119 to 120: h200/micro/together.json, treeEndFloat).
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
      // All SMs send to a sector that blocks everywhere use: this SM's requests meet everybody's.
      const crowded = (encoded & (COMMON | CROWDED)) !== 0;
      const key = keyOf(encoded, crowded ? 0 : instance);
      const unit = this.units.of(unitOf(key));
      this.unitFree = withRoom(this.unitFree, unit, 0);
      this.unitLine = withRoom(this.unitLine, unit, -1);
      const sector = this.sectors.of(key);
      this.sectorFree = withRoom(this.sectorFree, sector, 0);
      this.loadWorkAt = withRoom(this.loadWorkAt, sector, 0);
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
      // A further lane at the same address keeps the unit no longer than its sector.
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
    const crowdedUnits = this.crowdedUnits.count;
    const units = crowdedUnits + (this.activeSms / sharers) * (this.units.count - crowdedUnits);
    if (sent > this.allFree) {
      this.allFrom = sent;
      this.allWork = 0;
    }
    done = Math.max(done, this.allFree + this.latency);
    this.allWork += allCycles * this.activeSms;
    this.allFree = this.allFrom + this.allWork / unitsAtWork(units);
    if (this.allFree > this.busyUntil) this.busyUntil = this.allFree;
    this.acceptedAt = Math.max(this.acceptedAt, this.allFree - ATOMIC_QUEUE_CYCLES);
    // The other SMs are out of step: what waits at one of the units that all use is what waits at them in the mean. Where even the
    // last of them is free soon enough, the mean need not be known.
    if (this.crowdedUntil - ATOMIC_QUEUE_CYCLES > this.acceptedAt - 1)
      this.acceptedAt = Math.max(this.acceptedAt, sent + this.waiting(sent) - ATOMIC_QUEUE_CYCLES);
    return done;
  }

  /** A unit that all SMs use is free at `free`. */
  private crowd(unit: number, free: number): void {
    const place = this.crowdedUnits.of(unit);
    this.crowdedFree = withRoom(this.crowdedFree, place, 0);
    this.crowdedFree[place] = free;
    if (free > this.crowdedUntil) this.crowdedUntil = free;
  }

  /** Cycles that what waits at `time` at a unit that all SMs use will take, in the mean. */
  private waiting(time: number): number {
    const { crowdedFree } = this;
    const { count } = this.crowdedUnits;
    let waiting = 0;
    for (let i = 0; i < count; i++) if (crowdedFree[i]! > time) waiting += crowdedFree[i]! - time;
    return count === 0 ? 0 : waiting / count;
  }
}
