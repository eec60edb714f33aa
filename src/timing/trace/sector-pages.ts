/**
 * A number for each sector, 0 at first, in pages of neighbouring sectors: what accesses go to lies together, so few pages
 * are looked up, and of a line or piece that has begun the neighbours are at hand.
 */
import { KeyNumbers } from "../base/key-numbers.js";

/** What is scattered, a column of a matrix, takes a page for each sector. */
const PAGE_BITS = 4;
const PAGE_SECTORS = 1 << PAGE_BITS;
const IN_PAGE: number = PAGE_SECTORS - 1;
/** The page that all sectors have of which nothing was set stands in front of the others. */
const NOTHING = 0;

type Values = Uint8Array | Int32Array | Float64Array;

export class SectorPages<T extends Values> {
  private readonly pages = new KeyNumbers();
  private lastPage = Number.NaN;
  private lastStart = NOTHING;
  /** By what `find` and `place` give; another array after a `place`. */
  values: T;

  constructor(private readonly create: (length: number) => T) {
    this.values = create(4 * PAGE_SECTORS);
  }

  /** Where the sector's number is to be read. */
  find(sector: number): number {
    const page = sector >> PAGE_BITS;
    if (page !== this.lastPage) {
      this.lastStart = PAGE_SECTORS * (this.pages.known(page) + 1);
      this.lastPage = page;
    }
    return this.lastStart + (sector & IN_PAGE);
  }

  /** Where it is to be read and set. The sectors of a line are neighbours there, the first at a multiple of their number. */
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
