/**
 * L2 serves a lone sector of a line almost as slowly as two sectors. Measured: 133 to 153 lines a ns for one or two
 * sectors a line, but 280 sectors a ns for three (h200/micro/lines.json). A load that follows closely and asks for
 * another sector of the line is merged with the first request.
 */
import { SECTORS_PER_LINE } from "../base/sector-sizes.js";

/**
 * Cost for L2, relative to one of two sectors: of a lone sector, and of a second sector of its line that follows
 * closely.
 */
const SINGLE = 1.85;
const SECOND = 2 - SINGLE;
/** Equals the time for which a line is open to stores (store-merging.ts). */
const OPEN_CYCLES = 16;
/** Slots by line: a power of two. */
const PLACES = 256;

export class LoneSectors {
  private readonly lines = new Float64Array(PLACES).fill(-1);
  private readonly times = new Float64Array(PLACES);
  /** Sectors of the line that were requested shortly after each other. */
  private readonly sectors = new Uint8Array(PLACES);

  /** Cost for L2 of a lone sector requested at `time`. */
  cost(key: number, time: number): number {
    const line = Math.floor(key / SECTORS_PER_LINE);
    const place = line % PLACES;
    const isOpen = this.lines[place] === line && time <= this.times[place]! + OPEN_CYCLES;
    const sectors = isOpen && this.sectors[place]! < SECTORS_PER_LINE ? this.sectors[place]! + 1 : 1;
    this.sectors[place] = sectors;
    if (sectors > 1) return sectors === 2 ? SECOND : 1;
    this.lines[place] = line;
    this.times[place] = time;
    return SINGLE;
  }
}
