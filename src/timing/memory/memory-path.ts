/**
 * Global memory as one SM sees it: L1 (`l1-cache.ts`), the port to L2 (`l2-port.ts`), and
 * behind it what L2 holds (`l2-contents.ts`) and its atomic units. Each request's completion is known when it enters, since
 * all resources serve in order of arrival.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { camps, isLone, keyOf, lineOf, linesOf, sectorsOfLine } from "../trace/request-sectors.js";
import {
  FROM_L2,
  IRREGULAR_STORE,
  LAP_STORE,
  LOAD_COST_MASK,
  LOAD_WAVEFRONTS_SHIFT,
  PARTIAL,
  SECTOR_SHIFT,
  STORE_COST_MASK,
} from "../trace/sector-marks.js";
import { RECORD_HEADER, RETURNED_SHIFT } from "../trace/trace.js";
import { AtomicUnits } from "./atomic-units.js";
import { partialOfLine } from "./dram.js";
import { L1Cache } from "./l1-cache.js";
import { L1Misses } from "./l1-misses.js";
import { L2Contents, type MemoryConditions } from "./l2-contents.js";
import type { L2Lookups } from "./l2-lookups.js";
import { BURST_CYCLES, L2Port } from "./l2-port.js";
import { LoneSectors } from "./lone-sectors.js";
import { PortQueue } from "./port-queue.js";
import { StoreMerging } from "./store-merging.js";
import { StoreRuns } from "./store-runs.js";
import { StrongLoads } from "./strong-loads.js";
import { TagBanks } from "./tag-banks.js";

/**
 * Stores and atomics wait in the SM, this many cycles' worth of its port, before they hold up its memory unit
 * (h200/micro/progress.json: 304 atomics of a sector issue before they wait, 112 of a line, of which about 250 and 92 stand in
 * the SM).
 */
const PORT_QUEUE_CYCLES = 500;
/**
 * Sectors read at random to complete those stored to in part cost as much as this many others, and hold up L2 besides
 * (h200/micro/pattern, randomStore: 16 MiB 79 us, 60 where nothing is read; h200/micro/memory, random_store of 256 MiB).
 */
const READ_AT_RANDOM = 5;
/**
 * A store to a sector that another one wrote in part waits for L2 to complete it, as long as this many sectors' stores take
 * (h200/micro/pattern, structStore2 to 4: 1.4 to 2.4 cycles an SM more than their stores, of which DRAM's share of what is read
 * and written hides some).
 */
const FILL_WAIT = 0.6;
/** What tells the records of two instances of a block apart. */
const RECORD_STRIDE = 2 ** 31;

/** Sectors of one line come back one after the other (h200/micro/prologue.json, chase: 128 bytes 7 cycles later than 4). */
const SECTOR_BEHIND_CYCLES = 1.8;

export class MemoryPath {
  /** Of the store or atomic sent last: when it leaves the memory unit, and the SM. */
  takenAt: number = Number.NaN;
  sentAt: number = Number.NaN;
  /** Of the load sent last: cycles that it keeps L1's tags, and of the data stage, if all its data are there and if not. */
  loadTagCycles: number = Number.NaN;
  wavefronts = 0;
  returnedWavefronts = 0;
  l1Sectors = 0;
  l1Hits = 0;
  /** When all that loads have asked for is there. */
  loadedBy = 0;
  private readonly l1: L1Cache;
  private readonly l2: L2Contents;
  private readonly atomics: AtomicUnits;
  private readonly caches: boolean;
  private readonly storesEvict: boolean;
  private readonly missSectors: number;
  private readonly misses: L1Misses;
  private readonly distance: number;
  private readonly l1Latency: number;
  private readonly lineInterval: number;
  private readonly tags: TagBanks;
  private readonly port: L2Port;
  private readonly campingFactor: number;
  private readonly randomWriteCost: number;
  private readonly queue = new PortQueue(PORT_QUEUE_CYCLES);
  private readonly merging = new StoreMerging();
  private readonly runs = new StoreRuns();
  private readonly lone = new LoneSectors();
  private readonly strong: StrongLoads | null;

  constructor(device: DeviceSpec, conditions: MemoryConditions) {
    const { l1, l2 } = device;
    this.l1 = new L1Cache(conditions.l1Bytes);
    this.l2 = new L2Contents(device, conditions);
    this.port = new L2Port(device, conditions.activeSms, this.l2);
    this.atomics = new AtomicUnits(device, conditions.activeSms, this.l2);
    this.caches = l1.cachesGlobalLoads && conditions.l1Bytes > 0;
    this.storesEvict = l1.storesEvict;
    this.misses = new L1Misses(l1.maxOutstandingMisses ?? 0, l1.lineIntervalCycles, l1.hitLineIntervalCycles);
    this.missSectors = Math.max(1, l1.missBytes / SECTOR_BYTES);
    this.distance = conditions.distanceCycles;
    this.l1Latency = l1.hitLatencyCycles;
    this.lineInterval = l1.lineIntervalCycles;
    this.tags = new TagBanks(l1.hitLineIntervalCycles, l1.lineIntervalCycles);
    const strongly = conditions.loadsStrongly && l2.strongLineCycles > 0;
    this.strong = strongly ? new StrongLoads(l2.strongLineCycles * conditions.activeSms, BURST_CYCLES) : null;
    this.campingFactor = l2.campingFactor;
    this.randomWriteCost = partialOfLine(conditions.random.sectorsOfLine);
  }

  /** Cycles of this SM's share of the way into L2 that all that came in has taken. */
  get comeInCycles(): number {
    return this.port.comeInCycles;
  }

  /** Sectors that loads ask L2 for. */
  get l2ReadSectors(): number {
    return this.l2.readSectors;
  }

  get l2Lookups(): L2Lookups {
    return this.l2.lookups;
  }

  /** Cycles of this SM's share of DRAM's bandwidth that all its accesses take. */
  get dramBusyCycles(): number {
    return this.l2.dram.busyCycles;
  }

  get dramReadBytes(): number {
    return this.l2.dram.readBytes;
  }

  get dramWriteBytes(): number {
    return this.l2.dram.writtenBytes;
  }

  /** When L2 has done all atomics that were sent: the launch ends no sooner. */
  get busyUntil(): number {
    return this.atomics.busyUntil;
  }

  /** Cycles that an atomic keeps L1's tags and the data stage. */
  atomicCycles(memory: Int32Array, at: number, count: number): number {
    return Math.max(1, linesOf(memory, at, count) * this.lineInterval);
  }

  /** Cycles that a store keeps L1's tags. */
  storeTagCycles(memory: Int32Array, at: number, count: number): number {
    this.tags.clear();
    let before = -1;
    for (let i = 0; i < count; i++) {
      const line = lineOf(memory[at + i]!);
      if (line !== before) this.tags.add(line);
      before = line;
    }
    return Math.max(1, this.tags.cycles);
  }

  /**
   * A load that enters L1 at `start`; when its last sector is there. `cost`: cycles of L1's data stage in its upper half, hundredths
   * of what DRAM asks for whole rows in the lower. A line that L1 holds takes less of its tags than one that it has to ask for.
   */
  load(
    memory: Int32Array,
    at: number,
    count: number,
    cost: number,
    instance: number,
    start: number,
    bypassL1: boolean,
  ): number {
    const hit = start + this.l1Latency;
    let done = hit;
    this.l1Sectors += count;
    this.runs.loaded(at + instance * RECORD_STRIDE + count + RECORD_HEADER);
    const grain = this.missSectors;
    const dramCost = (cost & LOAD_COST_MASK) / 100;
    const wavefronts = cost >>> LOAD_WAVEFRONTS_SHIFT;
    this.wavefronts = wavefronts & ((1 << RETURNED_SHIFT) - 1);
    this.returnedWavefronts = wavefronts >>> RETURNED_SHIFT;
    this.tags.clear();
    this.l2.nextRequest();
    let lastLine = -1;
    let missedLine = -1;
    let missedLines = 0;
    let lineBefore = -1;
    let behind = 0;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      const key = keyOf(encoded, instance);
      const line = grain === 1 ? key : Math.floor(key / grain);
      const ofLine = lineOf(encoded);
      if (ofLine !== lineBefore) this.tags.add(key / SECTORS_PER_LINE);
      lineBefore = ofLine;
      if (line === lastLine) {
        this.l1Hits++;
        continue;
      }
      lastLine = line;
      let ready = this.caches && !bypassL1 ? this.l1.read(line * grain) : Number.NaN;
      if (!Number.isNaN(ready)) {
        this.l1Hits++;
        ready = Math.max(hit, ready);
      } else {
        const l2Cost = grain === 1 && count > 1 && isLone(memory, at, count, i) ? this.lone.cost(key, start) : 1;
        if (ofLine === missedLine) behind += SECTOR_BEHIND_CYCLES;
        else {
          behind = this.distance;
          if (bypassL1 && this.strong !== null)
            behind += this.strong.wait(key, sectorsOfLine(memory, at + i, count - i), start);
          missedLine = ofLine;
          missedLines++;
          this.misses.nextLine(start);
        }
        const begin = this.misses.start;
        ready =
          behind + this.port.read(grain === 1 ? key : line * grain, encoded, grain, l2Cost, dramCost, begin, instance);
        this.misses.note(ready);
        if (this.caches) this.l1.fill(line * grain, grain, ready);
      }
      if (ready > done) done = ready;
    }
    if (done > this.loadedBy) this.loadedBy = done;
    const looked = Math.max(1, this.tags.cycles);
    this.loadTagCycles = missedLines === 0 ? looked : this.misses.tagCycles(missedLines, looked, start);
    return done;
  }

  /** What of a store's lines and sectors does not go out with those before it. */
  private merge(
    memory: Int32Array,
    at: number,
    count: number,
    lines: number,
    bytes: number,
    instance: number,
    start: number,
  ): void {
    const { merging } = this;
    const record = at + instance * RECORD_STRIDE;
    const next = record + count + RECORD_HEADER;
    const few = merging.begin(lines, count, bytes, start, Math.max(start, this.port.free));
    if (!few) merging.leave(this.runs.merged(memory, at, count, lines, record, next));
    if (!few) return;
    let line = -1;
    let sectors = 0;
    for (let i = 0; i < count; i++) {
      const key = keyOf(memory[at + i]!, instance);
      const of = Math.floor(key / SECTORS_PER_LINE);
      if (of !== line) {
        if (sectors !== 0) merging.take(line, sectors, lines, record, next);
        line = of;
        sectors = 0;
      }
      sectors |= 1 << (key - of * SECTORS_PER_LINE);
    }
    merging.take(line, sectors, lines, record, next);
  }

  /**
   * A store of `bytes` bytes that leaves the memory unit at `start` or at `takenAt`, the SM at `sentAt`. `order`:
   * IRREGULAR_STORE, or hundredths of what parts of sectors cost DRAM.
   */
  store(
    memory: Int32Array,
    at: number,
    count: number,
    order: number,
    bytes: number,
    instance: number,
    start: number,
  ): void {
    const irregular = order === IRREGULAR_STORE;
    const touched = linesOf(memory, at, count);
    this.merge(memory, at, count, touched, bytes, instance, start);
    const { merging } = this;
    const lines = merging.lines * (!irregular && camps(memory, at, count) ? this.campingFactor : 1);
    const whole = bytes >= count * SECTOR_BYTES;
    this.l1Sectors += count;
    const sent = this.port.write(lines, merging.sectors, whole, (memory[at]! & FROM_L2) !== 0, start);
    this.l2.lookups.written(merging.sectors, true);
    const inLaps = (order & LAP_STORE) !== 0;
    const partialCost = ((order & STORE_COST_MASK) / 100) * partialOfLine(count / touched);
    this.sentAt = sent;
    // Stores that DRAM is slow to take stand in the queue no longer than others.
    this.takenAt = Math.max(this.queue.enter(this.port.work, sent), sent - PORT_QUEUE_CYCLES);
    let parts = 0;
    let found = false;
    let lineBefore = -1;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      const key = keyOf(encoded, instance);
      if (this.strong !== null) this.strong.store(key);
      if (this.storesEvict) this.l1.drop(key);
      else if (this.caches) {
        const line = lineOf(encoded);
        if (line !== lineBefore) found = this.l1.hasLine(key);
        lineBefore = line;
        if (found) this.l1Hits++;
        this.l1.write(key, whole, found);
      }
      if ((encoded & PARTIAL) === 0) {
        this.l2.write(key, encoded, sent);
        continue;
      }
      if (irregular) {
        this.port.holdUp(this.l2.writeAtRandom(key, encoded, READ_AT_RANDOM, this.randomWriteCost, sent));
        continue;
      }
      parts++;
      // What DRAM fetches at a time is looked at once.
      if (i + 1 < count && (key + 1) % this.l2.fetchSectors !== 0 && memory[at + i + 1] === encoded + SECTOR_SHIFT)
        continue;
      const fills = this.l2.writePart(key, encoded, parts, partialCost, sent);
      this.port.holdUp(FILL_WAIT * fills * this.port.l2WriteCyclesPerSector);
      // The lap that comes to a sector first is DRAM's, the further ones are L2's: one after the other (h200/micro/pattern.json, laterWrite).
      if (inLaps) this.port.holdUp(Math.max(0, this.l2.partCycles - (this.port.writeWork / count) * parts));
      parts = 0;
    }
  }

  /**
   * An atomic that leaves the memory unit at `start` or at `takenAt`, the SM at `sentAt`; when its result is back. Its sectors
   * are named as often as lanes meet at one address of them. `kind`: FLOAT_ATOMIC, WIDE_ATOMIC.
   */
  atomic(memory: Int32Array, at: number, count: number, kind: number, instance: number, start: number): number {
    this.l1Sectors += count;
    let sectors = 0;
    for (let i = 0; i < count; i++) {
      if (i > 0 && memory[at + i] === memory[at + i - 1]) continue;
      sectors++;
      this.l1.drop(keyOf(memory[at + i]!, instance));
    }
    const sent = this.port.write(linesOf(memory, at, count), sectors, true, true, start);
    const done = this.atomics.take(
      memory,
      at,
      count,
      kind,
      instance,
      sent,
      Math.max(this.port.loadWork, this.dramBusyCycles),
    );
    this.sentAt = this.atomics.acceptedAt;
    // What comes behind it waits until L2 has room for it.
    this.port.free = Math.max(this.port.free, this.sentAt + this.port.work);
    this.takenAt = this.queue.enter(this.port.work, this.sentAt);
    return Math.max(start, done);
  }
}
