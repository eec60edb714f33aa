/**
 * DRAM as one SM sees it: a latency with its scatter, a wait in the memory controllers' queues that grows with the load,
 * and this SM's fair share of the bandwidth, which no run of accesses can exceed for long.
 */
import type { DeviceSpec } from "../../device/spec.js";
import { FRACTION } from "../base/fraction.js";
import { FetchSpread } from "../base/latency-spread.js";
import { type Points, valueAt } from "../base/piecewise.js";
import { SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";

/**
 * Mean wait of a fetch at utilisation u: this share of the latency times u / (1 - u). Set so that the streams of
 * h200/micro/extra.json (inflight: 1 to 8 loads a thread, 1 to 64 warps) come out: a round takes 110 to 140 cycles
 * more at half of the bandwidth than at little, 340 to 370 more at 75 %.
 */
const QUEUE_SHARE = 0.08;
/**
 * Reads wait for writes more than for each other, as the bus turns around: this many latencies times the writes' share
 * of the bandwidth. From h200/micro/memory.json, in_turn: one copied or updated request a warp at a time, 4 to 64 warps.
 */
const WRITE_SHARE = 0.9;
/**
 * What other launches have left dirty comes from all over DRAM and holds reads up more. From h200/micro/streams.json, loops of half and
 * a quarter of all warps and pieces of a word a thread, 4 to 256 MiB behind a dirty L2 against a clean one.
 */
const EVICTED_SHARE = 1.1;
/**
 * And takes DRAM as long as this many times as much. From h200/micro/streams.json: behind a dirty L2, of which 28.5 MB are written back
 * (ncu), reads take 9 us longer, copies 3.9, two reads and a write 5.6: what is read drives it out, what is written does so for nothing.
 */
const EVICTED_COST = 1.4;
/**
 * The wait grows no further: of a load near the limit the backlog is the wait. Where up to a fifth is written: h200/micro/phases.json,
 * phase2 with pauses of 200 and 400 steps, whose blocks load in turn, and phaseWrite. Where a third is: h200/micro/memory.json,
 * in_turn, two reads and one write, 64 warps (1740 cycles a round).
 */
const MOST_UTILISATION = 0.83;
const MOST_MIXED_UTILISATION = 0.9;
const LITTLE_WRITTEN = 1 / 5;
const MUCH_WRITTEN = 1 / 3;
/**
 * The queues hold the whole GPU's accesses, and after the first round the SMs are out of step: what one SM asks in bursts
 * is, over all of them, an even load. So the load is this SM's mean since the launch began, over this many latencies at
 * the least, as all SMs begin together.
 */
const FIRST_SPAN_LATENCIES = 3;
/**
 * For the same reason a burst is served from what other SMs leave: an SM may fall behind its share of the bandwidth by
 * this many latencies and make up for it later, or be ahead by one. Any number from 4 on gives the same times.
 */
const CREDIT_LATENCIES = 4;
const BURST_LATENCIES = 1;
/**
 * Schedulers that take their warps in turn keep an SM's blocks in step, and so the SMs, which all begin together: when this one
 * bursts, so do the others, and it has its share, no more, no less (a V100's sums in place, test/DEVIATIONS.md, K12).
 */
const IN_STEP_LATENCIES = 0;

/**
 * What DRAM asks for pieces of 64 bytes of which only every 2nd, 3rd, ... is read, against all of them: rows are opened
 * for less. From h200/micro/memory.json, stride_dram of every 16th to 512th word; pieces at random (random_load) 1.75.
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
 * What it asks for parts of sectors of which only every 4th, 8th, 16th piece has one, against every 2nd. From
 * h200/micro/pattern.json, strideStore of every 32nd to 256th word, 2^20 and 2^22 stores.
 */
const SPARSE_STORE_COST: Points = [
  [2, 1],
  [4, 1.36],
  [8, 1.48],
  [16, 1.58],
];

/**
 * What it asks for whole sectors written back of which a line has one or two, against four. From h200/micro/reread.json,
 * updateStride of every 32nd, 16th and 8th word, 2^22 of them, less strideLoad (h200/micro/pattern.json): 140, 61 and 33 us.
 */
const LONE_WRITE_COST: Points = [
  [1, 1],
  [2, 2],
  [4, 4.5],
];

/**
 * Sectors written in part cost DRAM as much as this many whole ones, each time, if 1, 2 or more of a line are
 * (h200/micro/memory, part_write of 256 MiB, every 32nd, 16th, 8th word).
 */
const PARTIAL_OF_LINE = [2.5, 2.5, 1.3, 1, 1] as const;

/** Share of the peak that reading `read` bytes and writing `written` reaches. */
export function achievableFraction(
  { achievableReadFraction, achievableWriteFraction, achievableCopyFraction }: DeviceSpec["dram"],
  read: number,
  written: number,
): number {
  const share = read + written === 0 ? 1 : read / (read + written);
  // Turning between reading and writing costs most where both are half of the traffic.
  return share >= 0.5
    ? achievableCopyFraction + (achievableReadFraction - achievableCopyFraction) * (share - 0.5) * 2
    : achievableWriteFraction + (achievableCopyFraction - achievableWriteFraction) * share * 2;
}

/** DRAM's cost of a piece where `density` of all pieces (0 to 1) are read. */
export function sparseCost(density: number): number {
  return valueAt(SPARSE_COST, 1 / density);
}

/** DRAM's cost of a part of a sector where `density` of all pieces have one. */
export function sparseStoreCost(density: number): number {
  return valueAt(SPARSE_STORE_COST, 1 / density);
}

/** DRAM's cost of a sector written back of lines with `sectors` such, where `density` of all pieces have one. */
export function loneWriteCost(sectors: number, density: number): number {
  return valueAt(LONE_WRITE_COST, 1 / (sectors / SECTORS_PER_LINE)) * (sectors < 1.5 ? sparseStoreCost(density) : 1);
}

/** What a part of a sector costs DRAM where a request writes so many sectors a line, in the mean. */
export function partialOfLine(sectors: number): number {
  const below = Math.min(SECTORS_PER_LINE - 1, Math.floor(sectors));
  const [low, high] = [PARTIAL_OF_LINE[below]!, PARTIAL_OF_LINE[below + 1]!];
  return low + (high - low) * (Math.min(SECTORS_PER_LINE, sectors) - below);
}

export class Dram {
  /** Of this SM's share. */
  readonly cyclesPerByte: number;
  private readonly latency: number;
  private readonly spread: FetchSpread;
  private readonly creditCycles: number;
  private readonly burstCycles: number;
  private level: number = FRACTION;
  /** What writes have taken, each by how much it holds up reads. */
  private writeLevel: number = FRACTION;
  /** Cycles of the share that this launch's writes have taken. */
  private written: number = FRACTION;
  private shareFree = Number.NEGATIVE_INFINITY;
  /** Cycles of this SM's share that all accesses together take. */
  busyCycles: number = FRACTION;
  readBytes = 0;
  writtenBytes = 0;
  /** What of other launches' data was written back, as much as it takes DRAM. */
  evictedBytes: number = FRACTION;

  constructor(device: DeviceSpec, activeSms: number, fraction: number) {
    this.cyclesPerByte = ((device.smClockMHz / 1000) * activeSms) / (device.dram.peakBandwidthGBps * fraction);
    this.latency = device.dram.latencyCycles;
    this.spread = new FetchSpread(Math.max(1, device.l2.fetchBytes / SECTOR_BYTES));
    const inStep = device.warpScheduling === "looseRoundRobin";
    this.creditCycles = this.latency * (inStep ? IN_STEP_LATENCIES : CREDIT_LATENCIES);
    this.burstCycles = this.latency * (inStep ? IN_STEP_LATENCIES : BURST_LATENCIES);
  }

  /** Takes `bytes` of the SM's share at `time`; returns the wait, of which `spread` is this access's part of the mean. */
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

  /** The share is taken for `busy` cycles more; the wait of what comes at `time` for those before it. */
  private occupy(busy: number, time: number): number {
    // While all SMs wait for their first data there is nothing to make up for.
    if (this.shareFree === Number.NEGATIVE_INFINITY) this.shareFree = time;
    const backlog = this.shareFree - time - this.burstCycles;
    this.shareFree = Math.max(time - this.creditCycles, this.shareFree) + busy;
    return backlog;
  }

  /** Reads `bytes` around sector `key`, which cost as much bandwidth as `asMuchAs`; when they are in the SM. */
  read(key: number, bytes: number, asMuchAs: number, time: number): number {
    this.readBytes += bytes;
    return time + this.latencyOf(key, time) + this.take(asMuchAs, time, this.spread.waitOf(key, time));
  }

  /** What a read of sector `key` takes on an idle GPU. */
  latencyOf(key: number, time: number): number {
    return this.latency * this.spread.latencyOf(key, time);
  }

  /** When a write that comes at `time` may follow those before it: what DRAM has not taken fills L2 and stays in the SM. */
  writable(time: number): number {
    return Math.max(time, this.shareFree - this.burstCycles);
  }

  /** Writes `bytes`, which cost as much bandwidth as `asMuchAs`. */
  write(bytes: number, asMuchAs: number, time: number): void {
    this.writtenBytes += bytes;
    this.written += asMuchAs * this.cyclesPerByte;
    this.writeLevel += asMuchAs * this.cyclesPerByte * WRITE_SHARE;
    this.take(asMuchAs, time, 1);
  }

  /** Writes back what stood in the place of what is written. */
  giveWay(bytes: number): void {
    this.writtenBytes += bytes;
    this.writeLevel += bytes * this.cyclesPerByte * EVICTED_SHARE;
  }

  /** Writes back what stood in the place of what is read. */
  evict(bytes: number, time: number): void {
    this.giveWay(bytes);
    const asMuchAs = bytes * EVICTED_COST;
    this.evictedBytes += asMuchAs;
    this.take(asMuchAs, time, 1);
  }

  /** The transfer of `bytes` would take as long, but nothing is transferred: the way from DRAM into L2 is taken. */
  holdUp(bytes: number, time: number): void {
    if (bytes > 0) this.occupy(bytes * this.cyclesPerByte, time);
  }

  /** Reads for L2 alone: nobody waits for it. */
  fill(bytes: number, asMuchAs: number, time: number): void {
    this.readBytes += bytes;
    this.take(asMuchAs, time, 1);
  }
}
