/**
 * DRAM as one SM sees it. It has a latency with variation, a queue in the memory controllers that grows with the load,
 * and a share of the bandwidth. Accesses cannot exceed that share for long.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { FetchSpread } from "../base/latency-spread.js";
import { type Points, valueAt } from "../base/piecewise.js";
import { SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";

/**
 * The mean wait of a fetch at utilisation u is this share of the latency times u / (1 - u). Measured: 110 to 140 cycles
 * more at half of the bandwidth, 340 to 370 more at 75 % (h200/micro/extra.json, inflight).
 */
const QUEUE_SHARE = 0.08;
/**
 * Reads wait longer for writes than for other reads, because the bus turns around. The wait is this many latencies
 * times the writes' share of the bandwidth (h200/micro/memory.json, in_turn).
 */
const WRITE_SHARE = 0.9;
/**
 * The same factor for the write-back of dirty data of other launches. It is spread over all of DRAM and delays reads
 * more (h200/micro/streams.json, dirty L2 against clean L2).
 */
const EVICTED_SHARE = 1.1;
/**
 * Bandwidth that such a write-back costs, relative to its bytes. Measured: 28.5 MB written back delay reads by 9 us
 * (h200/micro/streams.json). Launches that write as well are delayed less.
 */
const EVICTED_COST = 1.4;
/**
 * Utilisation above which the queue's wait grows no further, because the backlog then is the wait. The limit is higher
 * for mixed traffic, where a third of the bytes are writes (h200/micro/memory.json, in_turn).
 */
const MOST_UTILISATION = 0.83;
const MOST_MIXED_UTILISATION = 0.9;
const LITTLE_WRITTEN = 1 / 5;
const MUCH_WRITTEN = 1 / 3;
/**
 * The queues hold accesses of the whole GPU. After the first iteration the SMs are out of step, so bursts of single SMs
 * add up to an even load. The load is therefore this SM's mean since the launch began. All SMs begin together, so the
 * mean spans at least this many latencies.
 */
const FIRST_SPAN_LATENCIES = 3;
/**
 * For the same reason a burst of one SM uses bandwidth that other SMs leave. An SM may fall this many latencies short
 * of its share and make up for it later, or be one latency ahead. Any credit from 4 on gives the same times.
 */
const CREDIT_LATENCIES = 4;
const BURST_LATENCIES = 1;
/**
 * Round-robin schedulers keep the blocks of an SM in step, and so the SMs, which all begin together. Their bursts
 * coincide, so each SM gets exactly its share (test/DEVIATIONS.md, K12).
 */
const IN_STEP_LATENCIES = 0;

/**
 * Cost of a 64-byte burst if only every 2nd, 3rd, ... burst is read, relative to reading all: DRAM opens more rows for
 * the same bytes (h200/micro/memory.json, stride_dram of every 16th to 512th word).
 */
const SPARSE_COST: Points = [
  [1, 1],
  [2, 1.12],
  [3, 1.25],
  [4, 1.46],
  [8, 1.6],
  [16, 1.73],
  [32, 1.79],
];

/**
 * The same for partly written sectors, if only every 4th, 8th or 16th burst has one, relative to every 2nd
 * (h200/micro/pattern.json, strideStore).
 */
const SPARSE_STORE_COST: Points = [
  [2, 1],
  [4, 1.36],
  [8, 1.48],
  [16, 1.58],
];

/**
 * Cost of writing back whole sectors if a line has only one or two of them, relative to four. Measured for every 32nd,
 * 16th and 8th word: 140, 61 and 33 us (h200/micro/reread.json, updateStride).
 */
const LONE_WRITE_COST: Points = [
  [1, 1],
  [2, 2],
  [4, 4.5],
];

/**
 * Cost of a partly written sector in whole sectors, by the number of such sectors in its line (h200/micro/memory.json,
 * part_write of 256 MiB).
 */
const PARTIAL_OF_LINE = [2.5, 2.5, 1.3, 1, 1] as const;

/** Fraction of the peak bandwidth reached by a mix of `read` and `written` bytes. */
export function achievableFraction(
  { achievableReadFraction, achievableWriteFraction, achievableCopyFraction }: DeviceSpec["dram"],
  read: number,
  written: number,
): number {
  const share = read + written === 0 ? 1 : read / (read + written);
  // Turning between reads and writes costs most where each is half of the traffic.
  return share >= 0.5
    ? achievableCopyFraction + (achievableReadFraction - achievableCopyFraction) * (share - 0.5) * 2
    : achievableWriteFraction + (achievableCopyFraction - achievableWriteFraction) * share * 2;
}

/** Cost of a burst if a share `density` (0 to 1) of all bursts is read. */
export function sparseCost(density: number): number {
  return valueAt(SPARSE_COST, 1 / density);
}

/** Cost of a partly written sector if a share `density` of all bursts has one. */
export function sparseStoreCost(density: number): number {
  return valueAt(SPARSE_STORE_COST, 1 / density);
}

/** Cost of writing back a sector of a line with `sectors` written, if a share `density` of all bursts has one. */
export function loneWriteCost(sectors: number, density: number): number {
  return valueAt(LONE_WRITE_COST, 1 / (sectors / SECTORS_PER_LINE)) * (sectors < 1.5 ? sparseStoreCost(density) : 1);
}

/** Mean cost of a partly written sector if a request writes `sectors` sectors of a line. */
export function partialOfLine(sectors: number): number {
  const below = Math.min(SECTORS_PER_LINE - 1, Math.floor(sectors));
  const [low, high] = [PARTIAL_OF_LINE[below]!, PARTIAL_OF_LINE[below + 1]!];
  return low + (high - low) * (Math.min(SECTORS_PER_LINE, sectors) - below);
}

export class Dram {
  /** At this SM's share of the bandwidth. */
  readonly cyclesPerByte: number;
  private readonly latency: number;
  private readonly spread: FetchSpread;
  private readonly creditCycles: number;
  private readonly burstCycles: number;
  private level: number = FRACTION;
  /** Sum of the delays that writes cause to reads. */
  private writeLevel: number = FRACTION;
  /** Cycles of the share that this launch's writes have taken. */
  private written: number = FRACTION;
  private shareFree = Number.NEGATIVE_INFINITY;
  /** Cycles of this SM's share that all accesses together take. */
  busyCycles: number = FRACTION;
  readBytes = 0;
  writtenBytes = 0;
  /** Bytes of other launches that were written back, weighted by their cost. */
  evictedBytes: number = FRACTION;

  constructor(device: DeviceSpec, activeSms: number, fraction: number) {
    this.cyclesPerByte = ((device.smClockMHz / 1000) * activeSms) / (device.dram.peakBandwidthGBps * fraction);
    this.latency = device.dram.latencyCycles;
    this.spread = new FetchSpread(Math.max(1, device.l2.fetchBytes / SECTOR_BYTES));
    const inStep = device.warpScheduling === "looseRoundRobin";
    this.creditCycles = this.latency * (inStep ? IN_STEP_LATENCIES : CREDIT_LATENCIES);
    this.burstCycles = this.latency * (inStep ? IN_STEP_LATENCIES : BURST_LATENCIES);
  }

  /**
   * Takes `bytes` of the SM's share at `time` and returns the wait. `spread` is this access's share of the mean wait.
   */
  private take(bytes: number, time: number, spread: number): number {
    const busy = bytes * this.cyclesPerByte;
    this.level += busy;
    this.busyCycles += busy;
    const span = Math.max(FIRST_SPAN_LATENCIES * this.latency, time);
    const beyond = (this.written / this.level - LITTLE_WRITTEN) / (MUCH_WRITTEN - LITTLE_WRITTEN);
    const mixed = Math.min(1, Math.max(0, beyond));
    const most = MOST_UTILISATION + mixed * (MOST_MIXED_UTILISATION - MOST_UTILISATION);
    const utilisation = Math.min(most, this.level / span);
    const queue = spread * this.latency * ((QUEUE_SHARE * utilisation) / (1 - utilisation) + this.writeLevel / span);
    return Math.max(queue, this.occupy(busy, time));
  }

  /** Occupies the share for `busy` more cycles; returns how long an access at `time` waits for earlier ones. */
  private occupy(busy: number, time: number): number {
    // No credit builds up while all SMs wait for their first data.
    if (this.shareFree === Number.NEGATIVE_INFINITY) this.shareFree = time;
    const backlog = this.shareFree - time - this.burstCycles;
    this.shareFree = Math.max(time - this.creditCycles, this.shareFree) + busy;
    return backlog;
  }

  /**
   * Reads `bytes` around sector `key` at the bandwidth cost of `asMuchAs` bytes; returns the time at which the SM has
   * them.
   */
  read(key: number, bytes: number, asMuchAs: number, time: number): number {
    this.readBytes += bytes;
    return time + this.latencyOf(key, time) + this.take(asMuchAs, time, this.spread.waitOf(key, time));
  }

  /** Latency of a read of sector `key` on an idle GPU. */
  latencyOf(key: number, time: number): number {
    return this.latency * this.spread.latencyOf(key, time);
  }

  /** Time at which a write issued at `time` may proceed. Writes that DRAM has not taken fill L2 and wait in the SM. */
  writable(time: number): number {
    return Math.max(time, this.shareFree - this.burstCycles);
  }

  /** Writes `bytes` at the bandwidth cost of `asMuchAs` bytes. */
  write(bytes: number, asMuchAs: number, time: number): void {
    this.writtenBytes += bytes;
    this.written += asMuchAs * this.cyclesPerByte;
    this.writeLevel += asMuchAs * this.cyclesPerByte * WRITE_SHARE;
    this.take(asMuchAs, time, 1);
  }

  /** Writes back dirty data that a store evicts. */
  giveWay(bytes: number): void {
    this.writtenBytes += bytes;
    this.writeLevel += bytes * this.cyclesPerByte * EVICTED_SHARE;
  }

  /** Writes back dirty data that a load evicts. */
  evict(bytes: number, time: number): void {
    this.giveWay(bytes);
    const asMuchAs = bytes * EVICTED_COST;
    this.evictedBytes += asMuchAs;
    this.take(asMuchAs, time, 1);
  }

  /** Occupies the path from DRAM into L2 as long as a transfer of `bytes`, without a transfer. */
  holdUp(bytes: number, time: number): void {
    if (bytes > 0) this.occupy(bytes * this.cyclesPerByte, time);
  }

  /** Reads `bytes` into L2; no warp waits for them. */
  fill(bytes: number, asMuchAs: number, time: number): void {
    this.readBytes += bytes;
    this.take(asMuchAs, time, 1);
  }
}
