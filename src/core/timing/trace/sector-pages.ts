/**
 * A number for each sector, 0 at first, in pages of neighbouring sectors. Accesses are usually close together, so few
 * pages are looked up. The neighbours in a line or burst are at hand.
 */
import { KeyNumbers } from "../base/key-numbers.js";

/** Scattered accesses, as to a column of a matrix, take a page for each sector. */
const PAGE_BITS = 4;
const PAGE_SECTORS = 1 << PAGE_BITS;
const IN_PAGE: number = PAGE_SECTORS - 1;
/** The first page, which stands for all sectors without a number. */
const NOTHING = 0;

type Values = Uint8Array | Int32Array | Float64Array;

export class SectorPages<T extends Values> {
  private readonly pages = new KeyNumbers();
  private lastPage = Number.NaN;
  private lastStart = NOTHING;
  /** The numbers, by the index that `find` or `place` returns; `place` may replace the array. */
  values: T;

  constructor(private readonly create: (length: number) => T) {
    this.values = create(4 * PAGE_SECTORS);
  }

  /** The index at which the sector's number can be read. */
  find(sector: number): number {
    const page = sector >> PAGE_BITS;
    if (page !== this.lastPage) {
      this.lastStart = PAGE_SECTORS * (this.pages.known(page) + 1);
      this.lastPage = page;
    }
    return this.lastStart + (sector & IN_PAGE);
  }

  /**
   * The index at which the sector's number can be read and set. Sectors of a line are adjacent, and the first is
   * aligned to the line.
   */
  place(sector: number): number {
    const at = this.find(sector);
    if (this.lastStart !== NOTHING) return at;
    this.addPage(sector >> PAGE_BITS);
    return this.lastStart + (sector & IN_PAGE);
  }

  private addPage(page: number): void {
    this.lastStart = PAGE_SECTORS * (this.pages.of(page) + 1);
    if (this.lastStart < this.values.length) return;
    const longer = this.create(2 * this.values.length);
    longer.set(this.values);
    this.values = longer;
  }
}
