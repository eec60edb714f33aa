/**
 * How latencies of single accesses scatter around their mean, measured on an H200 (test/reference/h200/micro/set-3.json,
 * load_latency) and taken as shares of the mean for other GPUs. Which access is late depends on where its address lies:
 * on the GPU channels, banks and refreshes, here a hash of the address, so that the same launch has the same cycles.
 *
 * DRAM, clean L2, requests of 128 bytes: mean 677, 10 % below 525 cycles, half below 690, 90 % below 810, 99 % below
 * 1210. Neighbours share their fate: the slowest of 8 neighbouring lines is 41 cycles later than the mean, not the 190 of
 * independent ones. So most of the scatter belongs to pieces of 2 KiB, the rest to each fetch.
 */
import { FRACTION } from "./fraction.js";

const QUANTILES = [0, 0.1, 0.5, 0.9, 0.99, 1] as const;
/** Cycles around the mean, per `MEASURED_MEAN` cycles of latency: of a piece at one time, and, evenly to both sides, at all times. */
const PIECE_DEVIATION = [-90, -75, -20, 40, 430, 690] as const;
const OWN_DEVIATION = 125;
const MEASURED_MEAN = 658;
const FETCH_DEVIATION = 50;
const SECTORS_PER_HASHED_BLOCK = 64;
/**
 * What it is that makes a piece late lasts so long, but for what is its own, its distance, a quarter of the scatter. From
 * h200/micro/walk.json, fate: the latencies of two loads of a piece correlate by 0.98, 0.73, 0.50, 0.37, 0.33, 0.28 and 0.28 when they are 0, 200,
 * 400, 700, 1000, 1500 and 3000 cycles apart; walk: by 0.2 to 0.25 one and eight loads later.
 */
const MOMENT_CYCLES = 550;
const MOMENT_STRIDE = 2 ** 36;

/** 0 to 1, even, the same for the same key. */
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

/** Factor of L2's latency for a line: 10 % below 255 cycles, 90 % below 303, mean 280 (load_latency, l2). */
export function l2Spread(line: number): number {
  return 1 + (hashShare(line) - 0.5) * 0.21;
}

/**
 * Of the fetches that bring sectors from DRAM: factors of its latency, and of a wait in its queues; mean 1. The wait is
 * exponential, half of it in common for a piece. From h200/micro/set-4.json, dirty L2 against clean: a request of two fetches waits
 * 116 cycles more in the mean, the slowest of 8 and 32 neighbours 205 and 266.
 */
export class FetchSpread {
  // Neighbours follow each other, so what a piece has in common is kept for the next.
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
