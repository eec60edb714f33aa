/**
 * How the latencies of single accesses scatter around their mean. They were measured on an H200
 * (test/reference/h200/micro/set-3.json, load_latency); for other GPUs they are scaled by the mean. The latency of an
 * access depends on its address: its channel, bank and refresh. The model uses a hash of the address, so the same
 * launch always has the same cycles.
 *
 * DRAM latency with a clean L2 has a mean of 677 cycles, a median of 690 and a 99th percentile of 1210. Neighbouring
 * lines are correlated: the slowest of 8 is 41 cycles above the mean, where independent ones would be 190 above. So
 * most of the scatter belongs to regions of 2 KiB, and the rest to each fetch.
 */
import { FRACTION } from "./fraction.js";

const QUANTILES = [0, 0.1, 0.5, 0.9, 0.99, 1] as const;
/**
 * Deviations from the mean in cycles, at a latency of `MEASURED_MEAN`. The first is of a region at one moment, at each
 * of `QUANTILES`. The second is uniform and stays with the region.
 */
const PIECE_DEVIATION = [-90, -75, -20, 40, 430, 690] as const;
const OWN_DEVIATION = 125;
const MEASURED_MEAN = 658;
const FETCH_DEVIATION = 50;
const SECTORS_PER_HASHED_BLOCK = 64;
/**
 * The time after which the deviation of a region changes, except for its constant share, a quarter of the scatter. This
 * stands for the correlation of two loads of a region: 0.73 after 200 cycles, 0.28 after 1500 (h200/micro/walk.json).
 */
const MOMENT_CYCLES = 550;
const MOMENT_STRIDE = 2 ** 36;

/** A uniform hash from 0 to 1 of the key. */
export function hashShare(key: number): number {
  let hash = Math.imul((key | 0) ^ Math.imul((key / 4294967296) | 0, 0x27d4eb2f), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 4294967296;
}

function quantile(share: number): number {
  let i = 1;
  while (share > QUANTILES[i]!) i++;
  const within = (share - QUANTILES[i - 1]!) / (QUANTILES[i]! - QUANTILES[i - 1]!);
  return PIECE_DEVIATION[i - 1]! + within * (PIECE_DEVIATION[i]! - PIECE_DEVIATION[i - 1]!);
}

/** Factor of L2's latency for a line. This stands for a mean of 280 cycles, with 10 % below 255 and 90 % below 303. */
export function l2Spread(line: number): number {
  return 1 + (hashShare(line) - 0.5) * 0.21;
}

/**
 * Factors of DRAM latency and of the wait in DRAM queues, by fetch; their mean is 1. The wait is exponential, and a
 * region shares half of it. With a dirty L2, a request of two fetches waits 116 cycles more in the mean, the slowest of
 * 32 neighbours 266 (h200/micro/set-4.json).
 */
export class FetchSpread {
  // Neighbours usually follow each other, so the values of the last region are kept.
  private piece = Number.NaN;
  private moment = Number.NaN;
  private momentEnds = Number.NaN;
  private pieceDeviation: number = FRACTION;
  private pieceWait: number = FRACTION;
  private fetch = Number.NaN;
  private fetchShare: number = FRACTION;

  constructor(private readonly fetchSectors: number) {}

  latencyOf(sector: number, time: number): number {
    this.goTo(sector, time);
    return 1 + (this.pieceDeviation + (2 * this.fetchShare - 1) * FETCH_DEVIATION) / MEASURED_MEAN;
  }

  waitOf(sector: number, time: number): number {
    this.goTo(sector, time);
    return -0.5 * (this.pieceWait + Math.log(1 - this.fetchShare));
  }

  private goTo(sector: number, time: number): void {
    const fetch = Math.floor(sector / this.fetchSectors);
    if (fetch === this.fetch && time < this.momentEnds && time >= this.momentEnds - MOMENT_CYCLES) return;
    this.fetch = fetch;
    this.fetchShare = hashShare(fetch);
    const piece = Math.floor(sector / SECTORS_PER_HASHED_BLOCK);
    const own = hashShare(piece);
    const moment = Math.floor(time / MOMENT_CYCLES + own);
    if (piece === this.piece && moment === this.moment) return;
    this.piece = piece;
    this.moment = moment;
    this.momentEnds = (moment + 1 - own) * MOMENT_CYCLES;
    const share = hashShare(piece + moment * MOMENT_STRIDE);
    this.pieceDeviation = quantile(share) + (2 * own - 1) * OWN_DEVIATION;
    this.pieceWait = Math.log(1 - share);
  }
}
