/** Times of one program over several sizes, as somebody measured them: labs/published/<id>.json with sizes for rows. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument, string } from "../../core/base/shape.js";
import { courseFiles } from "../course-files.js";

const WORD_BYTES = 4;

export interface SweepRow {
  /** Elements of 32 bits. */
  readonly n: number;
  readonly cache: "cold" | "warm";
  readonly timeMs: number;
  /** Bytes of the elements over the time. */
  readonly bandwidthGBps: number;
  /** The bandwidth over the peak of the GPU's data sheet, 0 to 1. */
  readonly peakShare: number;
}

export interface PublishedSweep {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly method: string;
  readonly gpu: string;
  /** The peak bandwidth of the data sheet. */
  readonly peakGBps: number;
  readonly rows: readonly SweepRow[];
}

interface SweepFile extends Omit<PublishedSweep, "rows"> {
  readonly rows: readonly Pick<SweepRow, "n" | "cache" | "timeMs">[];
}

/**
 * Reads measured times over sizes, with their bandwidth and share of the peak.
 * @throws InputError where there is no such file.
 * @example
 * const cub = publishedSweep("cub-h100");
 * console.log(cub.gpu, cub.rows.filter(({ cache }) => cache === "cold"));
 */
export function publishedSweep(id: string): PublishedSweep {
  checkArgument("publishedSweep", "id", id, string);
  const file = courseFiles().published(id) as SweepFile | null;
  if (file === null || file.rows.some((row) => row.n === undefined)) {
    throw new InputError({
      what: `There are no published times over sizes "${id}".`,
      cure: 'There are "cub-h100" and "cub-h200"; tables of versions are read by publishedTable.',
    });
  }
  const rows = file.rows.map(({ n, cache, timeMs }): SweepRow => {
    const bandwidthGBps = (n * WORD_BYTES) / (timeMs * 1e6);
    return { n, cache, timeMs, bandwidthGBps, peakShare: bandwidthGBps / file.peakGBps };
  });
  return { ...file, rows };
}
