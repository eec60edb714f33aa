/** Metrics of launches beside each other, as the profiler would show them. */

import { InputError } from "../base/errors.js";
import {
  checkArgument,
  checkOptions,
  either,
  listOf,
  objectWith,
  optional,
  type Shape,
  string,
} from "../base/shape.js";
import type { LaunchResult } from "../host/launch-result.js";
import { launchShape } from "../profile/launch-shape.js";
import { metric } from "../profile/metric.js";
import type { NamedLaunch } from "../show/figures/stall-figure.js";
import { type Table, table } from "../show/table.js";

/** A launch under its kernel's name, or under another one. */
export type ComparedLaunch = LaunchResult | (NamedLaunch & { readonly launch: LaunchResult });

interface Named {
  readonly name: string;
  readonly launch: LaunchResult;
}

function namedLaunches(launches: readonly ComparedLaunch[]): readonly Named[] {
  const named = launches.map((each) => ("launch" in each ? each : { name: each.kernel, launch: each }));
  const names = named.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (named.length > 0 && repeated === undefined) return named;
  throw new InputError({
    what: repeated === undefined ? "compareMetrics was given no launch." : `Two launches are named "${repeated}".`,
    cure: 'Give each launch with its own name: compareMetrics([{ name: "cold", launch }, ...], ["gld_efficiency"]).',
  });
}

function namesOf(given: string | readonly string[]): readonly string[] {
  const names = (typeof given === "string" ? given.split(",") : given).map((name) => name.trim());
  if (names.some((name) => name !== "")) return names.filter((name) => name !== "");
  throw new InputError({
    what: "compareMetrics was given no metric.",
    cure: 'Name one or more: compareMetrics([a, b], "gld_efficiency, ipc"); metricNames lists all of them.',
  });
}

const namedLaunch: Shape = objectWith({ name: string, launch: launchShape }, "{ name, launch }");

/**
 * A row a metric, a column a launch. Values are written as nvprof writes them; a missing one has its reason below.
 * @throws InputError for no launch, two of one name, no metric, or an unknown one.
 * @example
 * display(compareMetrics([strided, coalesced], "gld_efficiency, gld_throughput"));
 */
export function compareMetrics(
  launches: readonly ComparedLaunch[],
  metrics: string | readonly string[],
  texts: { readonly title?: string; readonly note?: string } = {},
): Table {
  checkArgument("compareMetrics", "launches", launches, listOf(either(launchShape, namedLaunch)));
  checkArgument("compareMetrics", "metrics", metrics, either(string, listOf(string)));
  checkOptions<typeof texts>("compareMetrics", texts, { title: optional(string), note: optional(string) });
  const named = namedLaunches(launches);
  const values = namesOf(metrics).map((name) => named.map(({ launch }) => metric(launch, name)));
  const reasons = values.flatMap((row) =>
    row.flatMap(({ name, reason }, at) => (reason === null ? [] : [`${name} of ${named[at]?.name}: ${reason}.`])),
  );
  const note = [...(texts.note === undefined ? [] : [texts.note]), ...new Set(reasons)].join(" ");
  const gpus = [...new Set(named.map(({ launch }) => launch.device.name))].join(", ");
  return table({
    title: texts.title ?? `Metrics on ${gpus}`,
    columns: [
      { key: "metric", title: "Metric" },
      ...named.map(({ name }, at) => ({ key: `launch${at}`, title: name, align: "right" as const })),
      { key: "kind", title: "Kind" },
    ],
    rows: values.map(
      (row): Record<string, string> => ({
        metric: row[0]?.name ?? "",
        ...Object.fromEntries(row.map(({ text }, at) => [`launch${at}`, text])),
        kind: row[0]?.kind ?? "",
      }),
    ),
    ...(note === "" ? {} : { note }),
  });
}
