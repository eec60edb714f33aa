/**
 * Lookups and hits of L2, as Nsight Compute counts them (lts__t_sectors). Stores always hit. A load hits if an earlier
 * request asked for the sector, even if it is still on its way. A sector of another partition is looked up there as
 * well: by stores and atomics always, by loads after a miss in their own (h200/micro/hits.json).
 */
import { FRACTION } from "../base/fraction.js";

export class L2Lookups {
  sectors: number = FRACTION;
  hits: number = FRACTION;
  /** Share of sectors whose home is another partition than the SM's. */
  private readonly far: number;

  constructor(partitions: number) {
    this.far = (partitions - 1) / partitions;
  }

  /** Loads hit `sectors` that this SM, or every SM, has fetched. */
  found(sectors: number): void {
    this.sectors += sectors;
    this.hits += sectors;
  }

  /**
   * Loads hit a share of `sectors` that another SM has fetched, in either partition. A sector of the far partition may
   * be absent from this SM's.
   */
  foundOfAnother(sectors: number, share: number): void {
    this.sectors += sectors * (1 + this.far * this.far);
    this.hits += sectors * share;
  }

  /** `sectors` miss without a further fetch: they come with a miss of the same request, or complete a partial store. */
  notFound(sectors: number): void {
    this.sectors += sectors;
  }

  /** Loads miss `sectors`, and DRAM is asked for `fetched`. */
  missed(sectors: number, fetched: number): void {
    this.sectors += sectors + fetched * this.far;
  }

  /** A store or an atomic writes `sectors`. */
  written(sectors: number, held: boolean): void {
    this.sectors += sectors * (1 + this.far);
    if (held) this.hits += sectors * (1 + this.far);
  }
}
