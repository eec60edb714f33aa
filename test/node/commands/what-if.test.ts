/** `npx warplab what-if`: a program on a GPU and on variants of it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const command = join(root, "src/node/commands/warplab.mjs");
const folder = mkdtempSync(join(root, "out-what-if-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = `import { blockIdx, Gpu, i32, kernel, ptr, threadIdx } from "warplab";
const fill = kernel("fill", { data: ptr(i32) }, ({ data }) => {
  data[blockIdx.x * 256 + threadIdx.x] = 7;
});
const gpu = new Gpu();
gpu.launch(fill, { grid: 4096, block: 256 }, { data: gpu.alloc(i32, 2 ** 20) });
console.log("done");
`;
const program = join(folder, "program.mjs");
writeFileSync(program, PROGRAM);
const named = join(folder, "named.mjs");
writeFileSync(named, PROGRAM.replace("new Gpu()", 'new Gpu("v100")'));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [command, "what-if", ...args], { cwd: root, encoding: "utf8" });

it("prints rows as JSON alone, and writes a figure", () => {
  const figure = join(folder, "figure.svg");
  const { status, stdout } = run("--device", "v100", "--set", "smCount*2", "--json", "--figure", figure, program);
  expect(status).toBe(0);
  const rows: readonly object[] = JSON.parse(stdout);
  expect(rows).toMatchObject([
    { variant: "as it is", set: "", kernel: "fill", ratio: 1, sameValues: true },
    { variant: "smCount*2", set: "smCount*2", kernel: "fill", sameValues: true },
  ]);
  expect(readFileSync(figure, "utf8")).toContain("<svg");
});

it.each([
  [["--set", "shared.banks=64", program], /Did you mean sharedMemory\.banks\?/],
  [["--set", "warpSize=64", program], /warps of 32 lanes/],
  [["--set", "smCount*2", named], /which it names itself/],
  [["no.mjs"], /There is no file no\.mjs/],
])("%j is refused with the cure", (args, words) => {
  const { status, stderr } = run(...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(words);
});
