/**
 * Parameters that blocks read in no order, each its own places of what all read. An instance of a traced block reads the places of
 * the trace turned by some lines within the parameter, so that L1 has what it asks for as often as chance will have it
 * (h200/micro/together.json, gatherWords: of words at random in 32, 64, 128, 256 and 512 KiB L1 has 77, 75, 69, 37 to 44 and 13 % of
 * the launch's sectors).
 */
import { hashShare } from "../base/latency-spread.js";
import { SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { SECTOR_BITS } from "../trace/sector-marks.js";

/** Lines from the first to the last that the grid reads. */
export interface SharedSpan {
  readonly firstLine: number;
  readonly lines: number;
}

export class SharedSpans {
  private readonly turns: number[] = [];

  constructor(private readonly spans: readonly SharedSpan[]) {}

  /** What tells the sector from all others for block `instance`: where it lies, in memory as the blocks share it. */
  keyOf(encoded: number, instance: number): number {
    const sector = encoded >> SECTOR_BITS;
    const line = Math.floor(sector / SECTORS_PER_LINE);
    for (const { firstLine, lines } of this.spans) {
      const place = line - firstLine;
      if (place < 0 || place >= lines) continue;
      this.turns[instance] ??= hashShare(instance + 0.375);
      const turned = (place + Math.floor(this.turns[instance] * lines)) % lines;
      return sector + (turned - place) * SECTORS_PER_LINE;
    }
    return sector;
  }
}
