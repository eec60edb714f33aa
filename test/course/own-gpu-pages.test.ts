import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Notebook } from "../../src/course/notebook/notebook.js";

const root = join(import.meta.dirname, "../..");
const reference = join(root, "test/reference/own-gpu");

interface Launches {
  readonly median: number;
}

interface Measured {
  readonly sum: Readonly<Record<string, number | string | readonly number[]>>;
  readonly scan: Readonly<Record<string, Launches | string>>;
}

const measured = JSON.parse(readFileSync(join(reference, "measured.json"), "utf8")) as Measured;

function codeOf(page: string): string {
  const { cells } = JSON.parse(readFileSync(join(root, `notebooks/${page}.ipynb`), "utf8")) as Notebook;
  return cells.flatMap((cell) => (cell.cell_type === "code" ? [cell.source].flat() : [])).join("");
}

/** The numbers of an object that a page's code writes out, by name. */
function written(code: string, name: string): Readonly<Record<string, number>> {
  const body = new RegExp(`const ${name} = \\{([^}]*)\\}`).exec(code)?.[1] ?? "";
  const rows = [...body.matchAll(/"?([\w.]+)"?: ([\d.]+)/g)];
  return Object.fromEntries(rows.map(([, key = "", value]) => [key, Number(value)]));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

describe("what the pages say of an H200", () => {
  test("is what the scans of Day 47 took there", () => {
    const { method: _, ...scans } = measured.scan;
    const medians = Object.entries(scans).map(([way, launches]) => [way, (launches as Launches).median]);
    expect(written(codeOf("day-47-beyond-the-sum"), "measured")).toEqual(Object.fromEntries(medians));
  });

  test("is what Nsight Compute read of Day 48's sum", () => {
    const found = written(codeOf("day-48-your-own-gpu"), "onH200");
    expect(Object.keys(found)).toHaveLength(6);
    for (const [metric, value] of Object.entries(found)) {
      const known = measured.sum[metric];
      expect(value, metric).toBeCloseTo(Array.isArray(known) ? median(known as number[]) : Number(known), 6);
    }
  });

  test("is of the kernel that Day 48 shows", () => {
    const { cells } = JSON.parse(readFileSync(join(root, "notebooks/day-48-your-own-gpu.ipynb"), "utf8")) as Notebook;
    const shown = cells.find(({ source }) => [source].flat().join("").startsWith("console.log(sum.toCuda("));
    const text = JSON.stringify(shown?.cell_type === "code" ? shown.outputs : []);
    const program = readFileSync(join(reference, "sum.cu"), "utf8");
    const kernel = program.slice(program.indexOf('extern "C"'), program.indexOf("int main")).trim();
    for (const line of kernel.split("\n")) expect(text).toContain(JSON.stringify(line).slice(1, -1));
  });
});
