/** A derived device as tables, as text and as a page of its own: its numbers with sources, and the microbenchmarks beside the model. */
import { type DeviceJson, deviceFrom, sourceRows } from "../../core/device/index.js";
import { signedPercent } from "../../core/show/number-format.js";
import { escapeHtml, toHtml } from "../../core/show/output/html.js";
import { type Table, table } from "../../core/show/table.js";
import type { ComparedReading } from "./compare.js";

const significant = { align: "right", format: { significant: 4 } } as const;

/** All numbers of the device, or those alone that were measured. */
export function numbersTable(json: DeviceJson, which: "all" | "measured"): Table {
  const spreadOf = (field: string): string => {
    const entry = json.numbers[field];
    const spread = typeof entry === "object" && entry !== null && "spread" in entry ? entry.spread : undefined;
    return spread === undefined ? "" : `${spread[0]} to ${spread[1]}`;
  };
  const rows = sourceRows(deviceFrom(json))
    .filter(({ confidence }) => which === "all" || confidence === "measured")
    .map((row) => ({ ...row, value: String(row.value), spread: spreadOf(row.field) }));
  return table({
    title: which === "all" ? "Every number and its source" : "Measured",
    note: "Spread: the least and the greatest reading.",
    columns: [
      { key: "field", title: "Field" },
      { key: "value", title: "Value", align: "right" },
      { key: "spread", title: "Spread" },
      { key: "confidence", title: "Confidence" },
      ...(which === "all" ? [{ key: "source", title: "Source" } as const] : []),
    ],
    rows,
  });
}

export function comparedTable(compared: readonly ComparedReading[]): Table {
  return table({
    title: "Microbenchmarks, simulated beside measured",
    columns: [
      { key: "name", title: "Reading" },
      { key: "simulated", title: "Simulated", ...significant },
      { key: "measured", title: "Measured", ...significant },
      { key: "low", title: "Least", ...significant },
      { key: "high", title: "Greatest", ...significant },
      { key: "unit", title: "Unit" },
      { key: "errorPercent", title: "Error", align: "right", format: signedPercent },
    ],
    rows: compared,
  });
}

const STYLE = `body{font-family:sans-serif;max-width:70em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;margin:1.5em 0;display:block;overflow-x:auto}td,th{padding:.25em .7em}
caption{text-align:left;font-weight:bold}`;

/** A page that needs no other file. */
export function devicePage(
  json: DeviceJson,
  compared: readonly ComparedReading[],
  warnings: readonly string[],
): string {
  const doubts = warnings.map((text) => `<li>${escapeHtml(text)}</li>`).join("");
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(json.name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body>\n<h1>${escapeHtml(json.name)}</h1>
${doubts === "" ? "" : `<h2>Doubts of the program that measured</h2><ul>${doubts}</ul>`}
${compared.length === 0 ? "" : toHtml(comparedTable(compared))}
${toHtml(numbersTable(json, "all"))}\n</body></html>\n`;
}
