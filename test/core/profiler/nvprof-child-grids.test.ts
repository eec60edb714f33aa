/** nvprof's --metrics and --events have a row for each kernel that grids start: its counts are those of a plain computation. */
import { expect, test } from "vitest";
import { blockIdx, Gpu, i32, kernel, launch, nvprof, ptr, threadIdx, u32 } from "../../../src/index.js";

const add = kernel("add", { data: ptr(i32), stride: u32 }, ({ data, stride }) => {
  data[threadIdx.x * stride] += 1;
});
const parent = kernel("parent", { data: ptr(i32) }, ({ data }) => {
  if (threadIdx.x === 0) launch(add, { grid: 1, block: blockIdx.x === 0 ? 32 : 64 }, { data, stride: blockIdx.x + 1 });
});

const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
const data = gpu.upload(new Int32Array(1024));
const run = (grid: number, options: Parameters<typeof nvprof>[1]): readonly string[] =>
  nvprof(() => gpu.launch(parent, { grid, block: 32 }, { data }), options).split("\n");

/** The cells of the row of a name below its kernel. */
function rowOf(lines: readonly string[], kernelName: string, name: string): readonly string[] {
  const from = lines.findIndex((line, at) => {
    if (!line.includes(`Kernel: ${kernelName}(`)) return false;
    return lines.slice(at + 1, at + 3).some((each) => each.includes(` ${name} `));
  });
  const found = lines.slice(from + 1).find((line) => line.includes(` ${name} `)) ?? "";
  return found.trim().split(/\s+/);
}

test("the child's row stands beside its parent's, with its own counts", () => {
  const lines = run(1, { metrics: "gld_transactions,gst_efficiency" });
  // 32 threads of 4 bytes side by side: 4 sectors of 32 bytes, all of them used.
  expect(rowOf(lines, "add", "gld_transactions").slice(-3)).toEqual(["4", "4", "4"]);
  expect(rowOf(lines, "add", "gst_efficiency").slice(-3)).toEqual(["100.00%", "100.00%", "100.00%"]);
  expect(rowOf(lines, "parent", "gld_transactions").slice(-1)).toEqual(["0"]);
});

test("grids of one launch are counted together: their number, their mean, and why there is no least", () => {
  const lines = run(2, { metrics: "gld_transactions", events: "warps_launched" });
  // 4 sectors of the first grid, and of the second 64 threads with a gap of one word: 16.
  const cells = rowOf(lines, "add", "gld_transactions");
  expect(cells[0]).toBe("2");
  expect(cells.slice(-3)).toEqual(["n/a", "n/a", "10"]);
  expect(rowOf(lines, "add", "warps_launched").slice(-1)).toEqual(["3"]);
  expect(lines.filter((line) => line.startsWith("n/a: Min and Max of add(int*, unsigned int)")).length).toBe(2);
});

test("the trace has a line for the launch and one for its children", () => {
  const lines = run(2, { mode: "gpu-trace", metrics: "gld_transactions" });
  const children = lines.filter((line) =>
    /add\(int\*, unsigned int\) \[\d+\] mean of 2 grids\s+10\.?0*$/.test(line.trimEnd()),
  );
  expect(children.length).toBe(1);
});
