import { expect, test } from "vitest";
import type { Table } from "../../../src/core/show/table.js";
import { blockDim, Gpu, i32, kernel, ptr, sanitize, syncthreads, threadIdx, volatile } from "../../../src/index.js";

const gpu = new Gpu("v100");

const lastSteps = kernel("lastSteps", { data: ptr(i32) }, ({ data }) => {
  const cells = volatile(data);
  if (threadIdx.x < 2) {
    cells[threadIdx.x] += cells[threadIdx.x + 2];
    cells[threadIdx.x] += cells[threadIdx.x + 1];
  }
});

const inBranch = kernel("inBranch", { data: ptr(i32) }, ({ data }) => {
  if (threadIdx.x < blockDim.x >> 1) {
    data[threadIdx.x] += 1;
    syncthreads();
  }
});

const beyond = kernel("beyond", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x + 1] = 0;
});

function examine(sum: typeof lastSteps) {
  const data = gpu.upload(new Int32Array(64).fill(1));
  const report = sanitize(() => gpu.launch(sum, { grid: 1, block: 64 }, { data }));
  const [findings, text] = report.views as readonly Table[];
  if (findings === undefined || text === undefined) throw new Error("no views");
  return { report, findings, text };
}

test("marks in the kernel's text have the numbers of the findings' table", () => {
  const { findings, text } = examine(lastSteps);
  expect(findings.rows.map(({ number }) => number)).toEqual([1, 2]);
  expect(text.rows.flatMap(({ mark }) => (mark === "" ? [] : [mark]))).toEqual(["writes 1", "reads 1, 2; writes 2"]);
});

test("the findings' table has a second line where a finding has one", () => {
  const keysOf = ({ columns }: Table): readonly string[] => columns.map(({ key }) => key);
  expect(keysOf(examine(lastSteps).findings)).toContain("other");
  expect(keysOf(examine(inBranch).findings)).not.toContain("other");
});

test("the kernel's text keeps its indentation, and has each of its lines once", () => {
  const { text } = examine(lastSteps);
  const lines = text.rows.map(({ line }) => line);
  expect(new Set(lines).size).toBe(lines.length);
  const [declared, branch, inside] = text.rows.slice(1).map((row) => String(row.text));
  expect(declared).toMatch(/^\u00a0+const cells/);
  expect((inside ?? "").search(/\S/u)).toBeGreaterThan((branch ?? "").search(/\S/u));
});

test("long lines of a report are broken, with the bar before each part", () => {
  for (const sum of [lastSteps, inBranch, beyond]) {
    const lines = examine(sum).report.text.split("\n");
    expect(lines.every((line) => line.startsWith("========="))).toBe(true);
    const longest = lines.filter((line) => !/\bat \w+ in /.test(line)).map((line) => line.length);
    expect(Math.max(...longest)).toBeLessThanOrEqual(90);
  }
});

test("a cure begins as a sentence does", () => {
  expect(examine(beyond).report.findings[0]?.cure).toMatch(/^Guard the access/);
});
