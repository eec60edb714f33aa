import { inspect } from "node:util";
import { expect, test } from "vitest";
import { summarized } from "../../../src/core/base/summary.js";
import { f32, i32, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { explain } from "../../../src/core/profiler/explain/explain.js";
import { lineProfile } from "../../../src/core/profiler/line-profile.js";
import { sanitize } from "../../../src/core/sanitizer/sanitize.js";
import { table } from "../../../src/core/show/table.js";

const add = kernel(
  "add",
  { params: { data: ptr(i32), n: u32 } },
  ({ data, n }, { threadIdx, blockIdx, blockDim, printf }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
    if (i === 0) printf("first\n");
  },
);
const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
const data = gpu.upload(new Int32Array(1000));
const launch = gpu.launch(add, { grid: [4, 1], block: 256, cache: "warm" }, { data, n: 1000 });

test("a launch is shown as its configuration, its time with the caches' state, and where to look", () => {
  const lines = inspect(launch).split("\n");
  expect(lines[0]).toMatch(/^add<<<4, 256>>> on v100: event time [\d.]+ us \(predicted, caches warm\)$/);
  expect(lines[1]).toBe(`  ${launch.counters.warpInstructions} warp instructions, occupancy 100 %`);
  expect(lines[2]).toBe("  printf lines in .printed: 1");
  expect(lines.at(-1)).toContain(".counters");
});

test("a GPU, a kernel and a buffer are shown in a line", () => {
  expect(inspect(gpu)).toBe("Gpu v100: NVIDIA Tesla V100-SXM2-16GB (Volta, 7.0), 80 SMs at 1530 MHz, 898 GB/s");
  expect(inspect(gpu.device)).toBe("v100: NVIDIA Tesla V100-SXM2-16GB (Volta, 7.0), 80 SMs at 1530 MHz, 898 GB/s");
  expect(inspect(add)).toBe("Kernel: __global__ void add(int* data, unsigned int n); toCuda() has its text");
  expect(inspect(data)).toMatch(/^DeviceBuffer: 1000 int at 0x[0-9a-f]+ on v100; read\(\) has the values$/);
  expect(inspect(gpu.allocPitch(f32, 10, 3))).toMatch(/^PitchedBuffer: 10 x 3 float, 128 from row to row/);
});

test("reports are shown as their texts, tables and figures by title", () => {
  expect(inspect(explain(launch))).toBe(explain(launch).text);
  expect(inspect(lineProfile(launch))).toContain("data[i] += 1");
  const report = sanitize(() => gpu.launch(add, { grid: 4, block: 256 }, { data, n: 1000 }));
  expect(inspect(report)).toBe(report.text);
  expect(inspect(table({ title: "Sums", columns: [{ key: "sum" }], rows: [{ sum: 1 }, { sum: 2 }] }))).toBe(
    'Table "Sums": 2 x 1 cells; display(table) shows it',
  );
});

test("all of it stays: fields, copies, and the whole on request", () => {
  const value = summarized({ a: 1, b: [2] }, ({ a }) => `a is ${a}`);
  expect(Object.keys(value)).toEqual(["a", "b"]);
  expect(value).toEqual({ a: 1, b: [2] });
  expect(JSON.stringify(value)).toBe('{"a":1,"b":[2]}');
  expect(inspect(value)).toBe("a is 1");
  expect(inspect({ value })).toBe("{ value: a is 1 }");
  expect(inspect(value, { customInspect: false })).toContain("b: [ 2 ]");
  expect(inspect({ ...value })).toBe("{ a: 1, b: [ 2 ] }");
});
