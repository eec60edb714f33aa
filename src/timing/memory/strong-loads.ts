/**
 * Volatile loads (LDG.STRONG.SYS) of lines that the SM has stored to: the first one behind a store keeps its slice of L2 from others such,
 * on all slices together .18 cycles if it asks for one sector of the line, .285 for four (h200/micro/strong.json: pieces of 512 bytes,
 * one after the other, by 4224 warps: pieceEight, pieceBoth; loads of other lines do not: pieceNext). With few warps it costs
 * nothing, as they ask different slices: only what all SMs have asked for has to be served in the end.
 */
import { FRACTION } from "../base/fraction.js";
import { SECTORS_PER_LINE } from "../base/sector-sizes.js";

/** Of a line's cost what one sector alone asks, and each further one. */
const ONE_SECTOR = 0.63;
const FURTHER_SECTOR = (1 - ONE_SECTOR) / (SECTORS_PER_LINE - 1);

export class StrongLoads {
  /** Lines stored to and not loaded since. */
  private readonly stored = new Set<number>();
  private free: number = FRACTION;

  /** `lineCycles`: of this SM's share of L2, a line; `burstCycles`: so long others may have taken turns before. */
  constructor(
    private readonly lineCycles: number,
    private readonly burstCycles: number,
  ) {}

  store(key: number): void {
    this.stored.add(Math.floor(key / SECTORS_PER_LINE));
  }

  /** How long a load of `sectors` sectors of the line waits that reaches L2 at `time`. */
  wait(key: number, sectors: number, time: number): number {
    if (!this.stored.delete(Math.floor(key / SECTORS_PER_LINE))) return 0;
    const served = Math.max(time, this.free - this.burstCycles);
    this.free = Math.max(time, this.free) + (ONE_SECTOR + FURTHER_SECTOR * (sectors - 1)) * this.lineCycles;
    return served - time;
  }
}
