/** `npx warplab sanitize`: programs under the sanitizer's tools. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const command = join(root, "src/node/commands/warplab.mjs");
const folder = mkdtempSync(join(root, "out-sanitize-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Warp 0 reads what warp 1 writes; `between` stands between the two. */
const program = (between: string): string => `import { Gpu, i32, kernel, ptr } from "warplab";
const swap = kernel("swap", { data: ptr(i32) }, ({ data }, { threadIdx, shared, syncthreads }) => {
  const part = shared(i32, 64);
  part[threadIdx.x] = data[threadIdx.x];
  ${between}
  data[threadIdx.x] = part[63 - threadIdx.x];
});
const gpu = new Gpu();
const data = gpu.upload(new Int32Array(64).fill(3));
gpu.launch(swap, { grid: 1, block: 64 }, { data });
console.log(gpu.device.id, data.read()[0]);
`;

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function run(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [command, "sanitize", ...args], { cwd: root, encoding: "utf8" });
}

it("prints a race of a program with both lines, the summary last, and ends with the code that is asked for", () => {
  const path = file("racing.mjs", program(""));
  const { status, stdout } = run("--tool", "racecheck", "--device", "v100", "--error-exitcode", "7", path);
  expect(status).toBe(7);
  expect(stdout).toMatch(/^v100 \d+\n========= COMPUTE-SANITIZER --tool racecheck\n/);
  expect(stdout).toContain("part[threadIdx.x] = data[threadIdx.x];");
  expect(stdout).toContain("part[63 - threadIdx.x];");
  expect(stdout.trimEnd()).toMatch(/RACECHECK SUMMARY: \d+ hazards? displayed \(\d+ errors?, 0 warnings\)$/);
  expect(JSON.parse(run("--json", path).stdout.replace(/^.*\n/, "")).errors).toBeGreaterThan(0);
});

it("finds nothing in the same program with its barrier, and ends with 0", () => {
  const { status, stdout } = run(file("right.mjs", program("syncthreads();")));
  expect(stdout).toMatch(/^h200 3\n/);
  expect(stdout.match(/SUMMARY: 0/g)).toHaveLength(4);
  expect(status).toBe(0);
});

it("refuses unknown tools, GPUs, files and options before it runs anything", () => {
  const path = file("other.mjs", program(""));
  const refused = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    return stderr;
  };
  expect(refused("--tool", "racechek", path)).toContain("Did you mean racecheck");
  expect(refused("--device", "v1000", path)).toContain('There is no GPU "v1000"');
  expect(refused(join(folder, "none.mjs"))).toContain("There is no file");
  expect(refused("--leak-check", "some", path)).toContain("give full or no");
  expect(refused("--error-exitcode", "x", path)).toContain("give a number from 0 to 255");
  expect(refused(path, path)).toContain("Give one file to run.");
});
