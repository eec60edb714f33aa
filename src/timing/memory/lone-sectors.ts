/**
 * L2 gives a single sector of a line more slowly than one of two: a request of each line takes it as long as two sectors
 * (h200/micro/lines.json: 133 to 153 lines a ns, whether of one sector or of two, wherever in the line these lie; of three and four
 * 280 and 287 sectors;
 * h200/micro/memory, random_load: 1.63 cycles a sector and SM; h200/micro/set-3, scattered load from L2: every 32nd word 1.65, every 8th
 * word 1.1; h200/micro/pattern, columnsRead of 256x1: 1.6 to 1.8 at every distance), unless a load close behind asks for another one: requests to
 * a line that follow each other leave the SM as one (h200/micro/revisit.json, rowLanes by ncu: of eight lanes a row, four loads in
 * a row, 3.0 sectors a request; of four lanes, whose other sector is two loads of twice the lines behind, 1.2).
 */
import { SECTORS_PER_LINE } from "../base/sector-sizes.js";

/** What L2 is asked for, against one of two sectors: by a single one, and by a second one of its line close behind. */
const SINGLE = 1.85;
const SECOND = 2 - SINGLE;
/** As long as a line is open to stores (store-merging.ts). */
const OPEN_CYCLES = 16;
/** Places by line: a power of two. */
const PLACES = 256;

export class LoneSectors {
  private readonly lines = new Float64Array(PLACES).fill(-1);
  private readonly times = new Float64Array(PLACES);
  /** Sectors of the line that have been asked for close behind each other. */
  private readonly sectors = new Uint8Array(PLACES);

  /** What a single sector costs L2 that is asked for at `time`. */
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
