/** How a cell's printed text is laid out on a page. */
import type { StreamOutput } from "./notebook.js";

const LEAST_ROWS = 3;
const LEAST_GAPS = 2;
const LONG = 110;

/** A text with columns, such as a profiler's report, scrolls: its lines cannot be broken. Long lines are set smaller. */
export function streamClass({ name, text }: StreamOutput): string {
  const lines = text.split("\n");
  const rows = lines.filter((line) => (line.match(/\S(?= {3,}\S)/g) ?? []).length >= LEAST_GAPS);
  if (rows.length < LEAST_ROWS) return `stream ${name}`;
  return `stream ${name} columns${rows.some(({ length }) => length > LONG) ? " long" : ""}`;
}
