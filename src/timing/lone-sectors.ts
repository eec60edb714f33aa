/**
 * L2 gives a single sector of a 64-byte piece more slowly than one of two (h200-memory-micro, random_load: 1.63 cycles a sector
 * and SM; h200-micro-3, scattered load from L2: every 32nd word 1.65, every 8th word 1.1; h200-pattern-micro, columnsRead of 256x1:
 * 1.6 to 1.8 at every distance), unless a load close behind asks for the other: requests to a line that follow each other leave
 * the SM as one (h200-revisit-micro.json, rowLanes by ncu: of eight lanes a row, four loads in a row, 3.0 sectors a request; of four lanes,
 * whose other sector is two loads of twice the lines behind, 1.2).
 */
import { SECTORS_PER_PIECE } from "./sector-sizes.js";

/** What L2 is asked for, against one of two sectors: by a single one, and by the other one of a piece close behind. */
const SINGLE = 1.85;
const OTHER = SECTORS_PER_PIECE - SINGLE;
/** As long as a line is open to stores (store-merging.ts). */
const OPEN_CYCLES = 16;
/** Places by piece: a power of two. */
const PLACES = 256;

export class LoneSectors {
  private readonly pieces = new Float64Array(PLACES).fill(-1);
  private readonly times = new Float64Array(PLACES);

  /** What a single sector costs L2 that is asked for at `time`. */
  cost(key: number, time: number): number {
    const piece = Math.floor(key / SECTORS_PER_PIECE);
    const place = piece % PLACES;
    if (this.pieces[place] === piece && time <= this.times[place]! + OPEN_CYCLES) {
      this.pieces[place] = -1;
      return OTHER;
    }
    this.pieces[place] = piece;
    this.times[place] = time;
    return SINGLE;
  }
}
