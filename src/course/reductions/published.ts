/**
 * Numbers that others published, to be shown beside simulated ones. They live in labs/published/, outside of the
 * simulator's code, which must not know them.
 */

import { InputError } from "../../core/base/errors.js";
import { checkArgument, string } from "../../core/base/shape.js";
import { courseFiles } from "../course-files.js";

export interface PublishedRow {
  /** A reduction's id. */
  readonly version: string;
  readonly timeMs: number;
  readonly bandwidthGBps: number;
  readonly timeSpeedup: number;
  /** null where the source does not give it. */
  readonly bandwidthSpeedup: number | null;
}

export interface PublishedTable {
  readonly id: string;
  /** Short name of the source. */
  readonly title: string;
  readonly source: string;
  /** "published", or "published, doubtful" with the reason in `doubt`. */
  readonly quality: string;
  readonly doubt?: string;
  /** How the times were taken. */
  readonly method?: string;
  /** The state of the caches that was measured; absent where the source does not say. */
  readonly cache?: "cold" | "warm";
  /** The GPU, as the source names it. */
  readonly gpu: string;
  /** The id of the GPU that stands for it here. */
  readonly device: string;
  readonly n: number;
  readonly block: number;
  /** Peak bandwidth that the source names; null if none. */
  readonly peakGBps: number | null;
  readonly rows: readonly PublishedRow[];
}

/** The published and measured tables of a ladder, the one that it is named after first: labs/published/<ladder>*.json. */
export function publishedTables(ladder: string): readonly PublishedTable[] {
  return courseFiles()
    .publishedIds.filter((id) => id === ladder || id.startsWith(`${ladder}-`))
    .map(publishedTable);
}

/**
 * Reads labs/published/<id>.json.
 * @throws InputError when there is no such table.
 */
export function publishedTable(id: string): PublishedTable {
  checkArgument("publishedTable", "id", id, string);
  const table = courseFiles().published(id);
  if (table === null) {
    throw new InputError({
      what: `There is no published table "${id}".`,
      cure: "The tables are the files of labs/published/.",
    });
  }
  return table as PublishedTable;
}

/** Where the published numbers come from, and what to think of them. */
export function publishedNote(published: PublishedTable): string {
  const { quality, source, gpu, method, doubt } = published;
  const taken = method === undefined ? "" : ` Times by ${method}.`;
  const first = quality.charAt(0).toUpperCase() + quality.slice(1);
  return `${first}: ${source}; its GPU: ${gpu}.${taken}${doubt === undefined ? "" : ` ${doubt}`}`;
}
