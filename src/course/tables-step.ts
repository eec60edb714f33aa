/**
 * The tables' part of a run, a process of its own so that the run can say what goes on while kernels are simulated.
 * What makes the tables is tables.ts; this file fixes what it has to offer.
 */
import { existsSync } from "node:fs";

export interface TablesSize {
  /** Elements. */
  readonly n: number;
  readonly block: number;
}

export interface TablesModule {
  /**
   * Writes tables as `<outDir>/tables/<name>.md`, `.csv`, `.json` and `.html` (a fragment), and figures as
   * `<outDir>/plots/<name>.json` (plotly's data and layout). The course's first page shows them in the names' order.
   * @param say takes a line about what begins
   * @param other a size or block other than the published one
   */
  writeTables(outDir: string, say: (line: string) => void, other: Partial<TablesSize>): void | Promise<void>;
}

const module: URL = new URL("./tables.js", import.meta.url);

/** Whether this course has tables. */
export function hasTables(): boolean {
  return existsSync(module);
}

export async function loadTables(): Promise<TablesModule> {
  return (await import(module.href)) as TablesModule;
}
