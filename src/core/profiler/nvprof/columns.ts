/** nvprof's columns: right-aligned, two blanks apart, the name last. And its CSV. */

export interface TextColumn {
  readonly title: string;
  readonly width: number;
}

export function row(columns: readonly TextColumn[], cells: readonly string[], last: string): string {
  const aligned = columns.map(({ width }, index) => (cells[index] ?? "").padStart(width));
  return [...aligned, last].join("  ").trimEnd();
}

export function headOf(columns: readonly TextColumn[], last: string): string {
  return row(
    columns,
    columns.map(({ title }) => title),
    last,
  );
}

/** nvprof quotes texts and leaves numbers bare; null is an empty field. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells
    .map((cell) => {
      if (cell === null) return "";
      return typeof cell === "number" ? String(cell) : `"${cell.replaceAll('"', '""')}"`;
    })
    .join(",");
}
