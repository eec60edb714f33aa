/** Counts, over many random kernels, in how many each cell of the tables is hit. */
import { leastOf, optionsOf } from "../fuzz/options.js";
import { generateKernel } from "../generate.js";
import { FLOW_TABLE, OPERATION_TABLE, STATEMENT_TABLE, type Table } from "./cells.js";
import { dataFlow } from "./data-flow.js";
import { operations } from "./operations.js";
import { statements } from "./statements.js";

export interface Counted {
  readonly table: Table;
  /** In how many kernels; of a cell that is possible. */
  hits(row: string, column: string): number;
}

export function countCells(firstSeed: number, kernels: number): readonly Counted[] {
  const counts = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()] as const;
  for (let seed = firstSeed; seed < firstSeed + kernels; seed++) {
    const tree = generateKernel(seed, optionsOf(seed, leastOf(seed)));
    const seen = counts.map(() => new Set<string>());
    dataFlow(tree, (row, column) => seen[0]?.add(`${row}|${column}`));
    operations(tree, (row, column) => seen[1]?.add(`${row}|${column}`));
    statements(tree, (row) => seen[2]?.add(`${row}|any`));
    seen.forEach((cells, index) => {
      for (const cell of cells) counts[index]?.set(cell, (counts[index].get(cell) ?? 0) + 1);
    });
  }
  return [FLOW_TABLE, OPERATION_TABLE, STATEMENT_TABLE].map((table, index) => ({
    table,
    hits: (row, column) => counts[index]?.get(`${row}|${column}`) ?? 0,
  }));
}

/** The possible cells that fewer than `least` kernels hit, and impossible ones that were hit. */
export function faults({ table, hits }: Counted, least: number): readonly string[] {
  return table.rows.flatMap((row) =>
    table.columns.flatMap((column) => {
      const count = hits(row, column);
      const impossible = table.impossible(row, column);
      if (impossible !== null) return count === 0 ? [] : [`${row} × ${column}: ${count}, though ${impossible}`];
      return count >= least ? [] : [`${row} × ${column}: ${count} of at least ${least}`];
    }),
  );
}
