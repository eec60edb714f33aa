/** Runs beside the times that others published for the same versions, under the same conditions. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument, listOf, string } from "../../core/base/shape.js";
import { deviationPercent } from "../../core/show/comparison.js";
import { milliseconds, signedPercent, sizeText, times } from "../../core/show/number-format.js";
import { type Table, table } from "../../core/show/table.js";
import { type PublishedRow, type PublishedTable, publishedNote, publishedTable } from "./published.js";
import { conditionsOf, type Reduction, runShape } from "./reduction.js";

function publishedRow({ id, rows }: PublishedTable, version: string): PublishedRow {
  const row = rows.find((each) => each.version === version);
  if (row !== undefined) return row;
  throw new InputError({
    what: `The published table "${id}" has no version "${version}".`,
    cure: `It has ${rows.map((each) => each.version).join(", ")}.`,
  });
}

function checkConditions(run: Reduction, published: PublishedTable): void {
  const { n, block, device, cache = run.cache } = published;
  const same = run.n === n && run.block === block && run.launch.device.id === device && run.cache === cache;
  if (same) return;
  throw new InputError({
    what: `${run.kernel} (${conditionsOf(run)}) was not run as the published table "${published.id}" was.`,
    cure: `Run it on new Gpu("${device}") over ${sizeText(n)} elements with { block: ${block}, cache: "${cache}" }.`,
  });
}

/**
 * Predicted times beside published ones; both speed-ups are over the first run. `versions` names the published row of each run.
 * @throws InputError for a run under other conditions, or a version that was not published.
 * @example
 * display(besidePublished([before, after], "lab-28", ["lab-26-sequential", "lab-27-first-add"]));
 */
export function besidePublished(runs: readonly Reduction[], id: string, versions: readonly string[]): Table {
  checkArgument("besidePublished", "runs", runs, listOf(runShape));
  checkArgument("besidePublished", "id", id, string);
  checkArgument("besidePublished", "versions", versions, listOf(string));
  const published = publishedTable(id);
  const [first] = runs;
  if (first === undefined || runs.length !== versions.length) {
    throw new InputError({
      what: `besidePublished was given ${runs.length} runs and ${versions.length} published versions.`,
      cure: "Name one published version for each run.",
    });
  }
  const listed = versions.map((version) => publishedRow(published, version));
  const firstMs = listed[0]?.timeMs ?? Number.NaN;
  const rows = runs.map((run, at) => {
    checkConditions(run, published);
    const publishedMs = listed[at]?.timeMs ?? Number.NaN;
    return {
      version: run.kernel,
      timeMs: run.timeMs,
      publishedMs,
      deviation: deviationPercent(run.timeMs, publishedMs),
      speedup: first.timeMs / run.timeMs,
      publishedSpeedup: firstMs / publishedMs,
    };
  });
  return table({
    title: `Predicted beside published: ${conditionsOf(first)}`,
    columns: [
      { key: "version", title: "Version" },
      { key: "timeMs", title: "Predicted", unit: "ms", format: milliseconds },
      { key: "publishedMs", title: "Published", unit: "ms", format: milliseconds },
      { key: "deviation", title: "Deviation", align: "right", format: signedPercent },
      { key: "speedup", title: "Speed-up, predicted", format: times },
      { key: "publishedSpeedup", title: "Speed-up, published", format: times },
    ],
    rows,
    note: publishedNote(published),
  });
}
