/** The tables of coverage as plain text of 60 columns, and as data. */

import type { Counted } from "./count.js";
import { LOOP_LEGEND } from "./loop-form.js";

const WIDTH = 60;

/** `-` where the cell is impossible. */
export function tableText({ table, hits }: Counted): string {
  const { title, rows, columns } = table;
  const width = columns.length > 7 ? 5 : 6;
  const name = WIDTH - width * columns.length;
  const line = (first: string, cells: readonly string[]): string =>
    `${first.padEnd(name)}${cells.map((cell) => cell.padStart(width)).join("")}`;
  const body = rows.map((row) =>
    line(
      row,
      columns.map((column) => (table.impossible(row, column) === null ? String(hits(row, column)) : "-")),
    ),
  );
  return [title, line("", columns), ...body].join("\n");
}

export function legendText(): string {
  return Object.entries(LOOP_LEGEND)
    .map(([column, meaning]) => `${column.padEnd(6)}${meaning}`)
    .join("\n");
}

/** Each reason with its rows, so that an impossible cell can be looked up. */
export function reasonsText({ table }: Counted): string {
  const byReason = new Map<string, Set<string>>();
  for (const row of table.rows) {
    for (const column of table.columns) {
      const reason = table.impossible(row, column);
      if (reason !== null) byReason.set(reason, (byReason.get(reason) ?? new Set()).add(row));
    }
  }
  return [...byReason].map(([reason, rows]) => wrapped(`- ${reason}: ${[...rows].join(", ")}`)).join("\n");
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }
  return lines.join("\n");
}

export function tableData({ table, hits }: Counted): object {
  const cells = table.rows.flatMap((row) =>
    table.columns.map((column) => {
      const impossible = table.impossible(row, column);
      return impossible === null ? { row, column, hits: hits(row, column) } : { row, column, impossible };
    }),
  );
  return { title: table.title, cells };
}
