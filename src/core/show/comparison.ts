/** Simulated beside published or measured numbers, with the signed deviation in percent. */
import {
  checkArgument,
  checkOptions,
  fieldsOf,
  finite,
  listOf,
  objectWith,
  optional,
  orNull,
  type Shape,
  string,
  whole,
} from "../base/shape.js";
import { signedPercent } from "./number-format.js";
import { type Table, table } from "./table.js";

export interface ComparedVersion {
  readonly version: string;
  readonly simulated: number;
  /** null where nothing was published. */
  readonly published: number | null;
}

export interface VersionDeviation extends ComparedVersion {
  /** 100 * (simulated - published) / published; positive when the simulation is higher. null without a published number. */
  readonly deviationPercent: number | null;
}

/** A quantity that is compared: "Kernel time" in "ms". */
export interface Quantity {
  readonly name: string;
  readonly unit: string;
  /** Digits after the point. */
  readonly decimals: number;
}

export const comparedRows: Shape = listOf(
  objectWith({ version: string, simulated: finite, published: orNull(finite) }),
);
export const quantityShape: Shape = fieldsOf<Quantity>({ name: string, unit: string, decimals: whole(0, 100) });

/** Signed deviation of `simulated` from `published` in percent; null where that has no meaning. */
export function deviationPercent(simulated: number, published: number | null): number | null {
  checkArgument("deviationPercent", "simulated", simulated, finite);
  checkArgument("deviationPercent", "published", published, orNull(finite));
  return published === null || published === 0 ? null : (100 * (simulated - published)) / published;
}

export function deviations(rows: readonly ComparedVersion[]): readonly VersionDeviation[] {
  checkArgument("deviations", "rows", rows, comparedRows);
  return rows.map((row) => ({ ...row, deviationPercent: deviationPercent(row.simulated, row.published) }));
}

/** Mean of the absolute deviations in percent over the rows that have one; null when none has. */
export function meanAbsoluteDeviationPercent(rows: readonly VersionDeviation[]): number | null {
  const known = rows.flatMap((row) => (row.deviationPercent === null ? [] : [Math.abs(row.deviationPercent)]));
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** Version, simulated, published, deviation. */
export function comparisonTable(
  rows: readonly ComparedVersion[],
  quantity: Quantity,
  texts: { readonly title?: string; readonly note?: string; readonly publishedTitle?: string } = {},
): Table {
  checkArgument("comparisonTable", "rows", rows, comparedRows);
  checkArgument("comparisonTable", "quantity", quantity, quantityShape);
  const shapes = { title: optional(string), note: optional(string), publishedTitle: optional(string) };
  checkOptions<typeof texts>("comparisonTable", texts, shapes);
  const { name, unit, decimals } = quantity;
  const { publishedTitle = "published", ...rest } = texts;
  return table({
    ...rest,
    columns: [
      { key: "version", title: "Version" },
      { key: "simulated", title: `${name}, simulated`, unit, format: { decimals } },
      { key: "published", title: `${name}, ${publishedTitle}`, unit, align: "right", format: { decimals } },
      { key: "deviationPercent", title: "Deviation", align: "right", format: signedPercent },
    ],
    rows: deviations(rows),
  });
}
