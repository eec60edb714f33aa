/** A section of Nsight Compute's page: rules above and below three columns, numbers right-aligned. */

export type DetailRow = readonly [label: string, unit: string, value: string];

const HEAD: DetailRow = ["Metric Name", "Metric Unit", "Metric Value"];

export function sectionText(title: string, rows: readonly DetailRow[]): string {
  const width = (column: 0 | 1 | 2): number => Math.max(...[HEAD, ...rows].map((row) => row[column].length));
  const [name, unit, value] = [width(0), width(1), width(2)];
  const line = (row: DetailRow): string => `${row[0].padEnd(name)} ${row[1].padStart(unit)} ${row[2].padStart(value)}`;
  const rule = [name, unit, value].map((length) => "-".repeat(length)).join(" ");
  const lines = [rule, line(HEAD), rule, ...rows.map(line), rule].map((text) => `    ${text}`);
  return [`    Section: ${title}`, ...lines, ""].join("\n");
}
