/** `npx warplab nvprof`: programs and notebooks under the profiler. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const command = join(root, "src/node/commands/warplab.mjs");
const folder = mkdtempSync(join(root, "out-nvprof-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = `import { Gpu, i32, kernel, ptr } from "warplab";
const fill = kernel("fill", { data: ptr(i32) }, ({ data }, { threadIdx }) => {
  data[threadIdx.x] = 7;
});
const gpu = new Gpu();
const data = gpu.alloc(i32, 64);
gpu.launch(fill, { grid: 1, block: 64 }, { data });
console.log("sum", data.read().reduce((a, b) => a + b, 0));
`;

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const notebook = JSON.stringify({
  cells: [{ cell_type: "code", id: "a", execution_count: null, metadata: {}, outputs: [], source: PROGRAM }],
  metadata: { kernelspec: { name: "tslab", display_name: "TypeScript", language: "typescript" } },
  nbformat: 4,
  nbformat_minor: 5,
});

it.each([
  ["program.mjs", PROGRAM],
  ["program.ts", PROGRAM.replace("(a, b)", "(a: number, b: number)")],
  ["notebook.ipynb", notebook],
])("%s runs, prints, and is reported on for the GPU that is named", (name, text) => {
  const path = file(name, text);
  const args = ["nvprof", "--metrics", "gst_efficiency", "--events", "warps_launched", "--device", "v100", path];
  const out = execFileSync(process.execPath, [command, ...args], { cwd: root, encoding: "utf8" });
  expect(out).toContain("sum 448\n");
  expect(out).toContain('Device "Tesla V100-SXM2-16GB (0)"');
  expect(out).toMatch(/ {10}1 +gst_efficiency +Global Memory Store Efficiency +100.00% +100.00% +100.00%/);
  expect(out).toMatch(/ {10}1 +warps_launched +2 +2 +2 +2/);
});

it("takes a GPU's file, by its path from where the command stands", () => {
  const path = file("own.mjs", PROGRAM);
  const numbers = {
    computeCapability: "8.6",
    smCount: 46,
    smClockMHz: 1725,
    "limits.totalGlobalMemBytes": 8589934592,
    "l2.sizeBytes": 4194304,
    "dram.peakBandwidthGBps": 448,
  };
  const own = { format: "warplab device 1", id: "my-gpu", name: "My GPU", source: "a data sheet", numbers };
  file("my-gpu.json", JSON.stringify(own));
  const args = ["nvprof", "--metrics", "gst_efficiency", "--device", "my-gpu.json", path];
  const out = execFileSync(process.execPath, [command, ...args], { cwd: folder, encoding: "utf8" });
  expect(out).toContain("sum 448\n");
  expect(out).toContain('Device "My GPU (0)"');
});

it("refuses unknown metrics, GPUs and options before it runs anything", () => {
  const path = file("other.mjs", PROGRAM);
  const refused = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, "nvprof", ...args, path], {
      cwd: root,
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([2, ""]);
    return stderr;
  };
  expect(refused("--metrics", "gld_eficiency")).toContain("Did you mean gld_efficiency");
  expect(refused("--device", "v1000")).toContain('There is no GPU "v1000"');
  expect(refused("--metric", "ipc")).toContain("npx warplab nvprof");
});
