/**
 * Volatile loads (LDG.STRONG.SYS) of lines that the SM has stored to. The first load after a store blocks its slice of
 * L2 for other such loads. Over all slices this costs .18 cycles for one sector of the line and .285 for four
 * (h200/micro/strong.json). Few warps use different slices at a time, so the cost appears only as a limit of
 * throughput.
 */
import { FRACTION } from "../base/fraction.js";
import { SECTORS_PER_LINE } from "../base/sector-sizes.js";

/** Share of a line's cost that one sector alone takes, and that each further sector adds. */
const ONE_SECTOR = 0.63;
const FURTHER_SECTOR = (1 - ONE_SECTOR) / (SECTORS_PER_LINE - 1);

export class StrongLoads {
  /** Lines stored to and not loaded since. */
  private readonly stored = new Set<number>();
  private free: number = FRACTION;

  /**
   * `lineCycles`: cost of a line at this SM's share of L2. `burstCycles`: how far the SM may run ahead of its share.
   */
  constructor(
    private readonly lineCycles: number,
    private readonly burstCycles: number,
  ) {}

  store(key: number): void {
    this.stored.add(Math.floor(key / SECTORS_PER_LINE));
  }

  /** How long a load of `sectors` sectors of the line waits if it reaches L2 at `time`. */
  wait(key: number, sectors: number, time: number): number {
    if (!this.stored.delete(Math.floor(key / SECTORS_PER_LINE))) return 0;
    const served = Math.max(time, this.free - this.burstCycles);
    this.free = Math.max(time, this.free) + (ONE_SECTOR + FURTHER_SECTOR * (sectors - 1)) * this.lineCycles;
    return served - time;
  }
}
