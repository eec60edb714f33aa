/**
 * Lookups of L2 and those that find their sector, as Nsight Compute counts them (lts__t_sectors, h200/micro/hits.json): stores
 * always do, loads if the sector was asked for before, be it still on its way, but not by the same request. Where L2 is in halves, what belongs to the other one is
 * looked up there as well, by stores and atomics always, by loads if their own half has not got it.
 */
import { FRACTION } from "../base/fraction.js";

export class L2Lookups {
  sectors: number = FRACTION;
  hits: number = FRACTION;
  /** Of a sector that any SM may ask for: the share that belongs to another partition than the SM's. */
  private readonly far: number;

  constructor(partitions: number) {
    this.far = (partitions - 1) / partitions;
  }

  /** Loads find `sectors` that this SM has brought, or that all have. */
  found(sectors: number): void {
    this.sectors += sectors;
    this.hits += sectors;
  }

  /**
   * Loads find a share of `sectors` that another SM has brought, in whichever half it asked: of those of the other half it may not
   * be this SM's.
   */
  foundOfAnother(sectors: number, share: number): void {
    this.sectors += sectors * (1 + this.far * this.far);
    this.hits += sectors * share;
  }

  /**
   * `sectors` are not found, and nothing more is asked for: they come with what the same request has missed, or are the rest of
   * what a store has written a part of.
   */
  notFound(sectors: number): void {
    this.sectors += sectors;
  }

  /** Loads do not find `sectors`, and DRAM is asked for `fetched`. */
  missed(sectors: number, fetched: number): void {
    this.sectors += sectors + fetched * this.far;
  }

  /** `sectors` are written, or changed by an atomic. */
  written(sectors: number, held: boolean): void {
    this.sectors += sectors * (1 + this.far);
    if (held) this.hits += sectors * (1 + this.far);
  }
}
