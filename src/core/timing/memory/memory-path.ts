/**
 * Global memory as one SM sees it: L1 (`l1-cache.ts`), the port to L2 (`l2-port.ts`), the contents of L2
 * (`l2-contents.ts`) and its atomic units. All resources serve in order of arrival, so a request's completion is known
 * when it enters.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { camps, isLocal, isLone, keyOf, lineOf, linesOf, sectorsOfLine } from "../trace/request-sectors.js";
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
 * Stores and atomics queue in the SM for this many cycles of its port before they block the memory unit. Measured: 304
 * atomics on one sector issue before they wait, 112 on one line (h200/micro/progress.json).
 */
const PORT_QUEUE_CYCLES = 500;
/**
 * Cost of a random read that completes a partly written sector, in other sectors; L2 is blocked meanwhile
 * (h200/micro/pattern.json, randomStore: 16 MiB take 79 us, or 60 where nothing is read).
 */
const READ_AT_RANDOM = 5;
/**
 * A store to a sector that is partly written waits until L2 has completed the sector. The wait is this many stores of a
 * sector (h200/micro/pattern.json, structStore2 to structStore4: 1.4 to 2.4 cycles an SM).
 */
const FILL_WAIT = 0.6;
/**
 * A store to parts of sectors of local memory takes L2 longer by this share, since its warp writes them again and again.
 * Measured: with an index for each lane a store of 64 warps takes 90 to 98 cycles (h200/micro/local.json). It takes 67
 * without this.
 */
const LOCAL_PARTS_AGAIN = 0.45;
/** Distinguishes the records of two instances of a block. */
const RECORD_STRIDE = 2 ** 31;

/**
 * Sectors of one line return one after the other (h200/micro/prologue.json, chase: 128 bytes come 7 cycles after 4
 * bytes).
 */
const SECTOR_BEHIND_CYCLES = 1.8;

export class MemoryPath {
  /** Times at which the last store or atomic leaves the memory unit, and the SM. */
  takenAt: number = Number.NaN;
  sentAt: number = Number.NaN;
  /**
   * Cycles that the last load occupies L1's tags; then its wavefronts in the data stage if all its data hit, and if
   * not.
   */
  loadTagCycles: number = Number.NaN;
  wavefronts = 0;
  returnedWavefronts = 0;
  l1Sectors = 0;
  l1Hits = 0;
  /** Time at which all loaded data is available. */
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

  /** Cycles of this SM's share of the path into L2 taken by all incoming data. */
  get comeInCycles(): number {
    return this.port.comeInCycles;
  }

  /** Sectors that loads request from L2. */
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

  /** Time at which L2 has done all atomics; the launch ends no sooner. */
  get busyUntil(): number {
    return this.atomics.busyUntil;
  }

  /** Cycles that an atomic occupies L1's tags and the data stage. */
  atomicCycles(memory: Int32Array, at: number, count: number): number {
    return Math.max(1, linesOf(memory, at, count) * this.lineInterval);
  }

  /** Cycles that a store occupies L1's tags. */
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
   * A load that enters L1 at `start`; returns the time at which its last sector is available. The upper half of `cost`
   * holds cycles of L1's data stage, the lower half the DRAM cost in hundredths. A line that hits occupies the tags for
   * a shorter time than one that misses.
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

  /** Counts the lines and sectors of a store that are not merged with earlier stores. */
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
   * A store of `bytes` bytes, issued at `start`. It leaves the memory unit at `takenAt` and the SM at `sentAt`.
   * `order`: IRREGULAR_STORE, or the DRAM cost of partial writes in hundredths.
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
    if (!whole && isLocal(memory, at, count)) this.port.holdUp(LOCAL_PARTS_AGAIN * this.port.writeWork);
    this.l2.lookups.written(merging.sectors, true);
    const inLaps = (order & LAP_STORE) !== 0;
    const partialCost = ((order & STORE_COST_MASK) / 100) * partialOfLine(count / touched);
    this.sentAt = sent;
    // A store that DRAM delays stays in the queue no longer than others.
    this.takenAt = Math.max(this.queue.enter(this.port.work, sent), sent - PORT_QUEUE_CYCLES);
    let parts = 0;
    let found = false;
    let lineBefore = -1;
    for (let i = 0; i < count; i++) {
      const encoded = memory[at + i]!;
      const key = keyOf(encoded, instance);
      if (this.strong !== null) this.strong.store(key);
      if (this.storesEvict && encoded >= 0) this.l1.drop(key);
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
      // Sectors of one DRAM fetch are looked up once.
      if (i + 1 < count && (key + 1) % this.l2.fetchSectors !== 0 && memory[at + i + 1] === encoded + SECTOR_SHIFT)
        continue;
      const fills = this.l2.writePart(key, encoded, parts, partialCost, sent);
      this.port.holdUp(FILL_WAIT * fills * this.port.l2WriteCyclesPerSector);
      // In a grid that wraps around, DRAM serves the first pass over a sector and L2 the later ones, one after the
      // other (h200/micro/pattern.json, laterWrite).
      if (inLaps) this.port.holdUp(Math.max(0, this.l2.partCycles - (this.port.writeWork / count) * parts));
      parts = 0;
    }
  }

  /**
   * An atomic, issued at `start`; returns the time at which its result is back. It leaves the memory unit at `takenAt`
   * and the SM at `sentAt`. The request names a sector once for each lane that uses the same address of it. `kind`:
   * FLOAT_ATOMIC, WIDE_ATOMIC.
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
    // Later requests wait until L2 has room for the atomic.
    this.port.free = Math.max(this.port.free, this.sentAt + this.port.work);
    this.takenAt = this.queue.enter(this.port.work, this.sentAt);
    return Math.max(start, done);
  }
}
