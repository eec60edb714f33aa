/** What an editor on a page knows of the package, against the declarations as they are written. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as warplab from "../../../src/live/index.js";
import { packageWords } from "../../../src/node/live/package-words.js";

const root = join(import.meta.dirname, "../../..");
/** Compiled by the tests' set-up. */
const dist = join(root, "src/dist");
const words = packageWords(dist, Object.keys(warplab));
const word = (name: string, of?: string) => words.find((each) => each.name === name && each.of === of);

test("knows each name that a cell can import, once", () => {
  expect(existsSync(join(dist, "index.d.ts"))).toBe(true);
  const names = words.filter(({ of }) => of === undefined).map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(warplab).sort());
});

test("has a word's comment and type as its source has them", () => {
  const source = readFileSync(join(root, "src/core/profiler/step-record.ts"), "utf8");
  const { about = "", signature = "" } = word("stepView") ?? {};
  expect(about.split("\n").every((line) => source.includes(line))).toBe(true);
  expect(about).toContain("@example");
  expect(signature).toMatch(/^\(gpu: Gpu, kernel: Kernel, config: LaunchConfig.*\): StepRecord$/);
  expect(word("shfl_xor_sync")?.about).toContain("butterfly");
  expect(word("shfl_xor_sync")?.signature).toBe("<T>(mask: number, value: T, laneMask: number, width?: number) => T");
});

test("explains nearly all of CUDA's words and of the package's", () => {
  const mute = words.filter(({ about, of }) => about === "" && of === undefined);
  expect(mute.length).toBeLessThan(words.length / 20);
});

test("knows the members of what a cell works with", () => {
  expect(word("launch", "Gpu")?.about).not.toBe("");
  expect(word("warpInstructions", "Counters")?.signature).toBe("number");
});

test("knows CUDA C++ as the programming guide declares it, with the comments of the package's words", () => {
  const cuda = (name: string) => words.find((each) => each.name === name && each.kind === "cuda");
  expect(cuda("__shfl_down_sync")?.signature).toMatch(
    /^int __shfl_down_sync\(unsigned mask, int value, unsigned delta, int width = 32\)/,
  );
  expect(cuda("__shfl_down_sync")?.about).toBe(word("__shfl_down_sync")?.about);
  expect(cuda("__ballot_sync")?.signature).toBe("unsigned __ballot_sync(unsigned mask, int condition)");
  expect(cuda("atomicCAS")?.signature).toMatch(/^int atomicCAS\(int\* address, int compare, int value\)/);
  expect(cuda("atomicAdd_system")?.signature).toContain("int atomicAdd_system(int*");
  expect(cuda("__syncwarp")?.signature).toBe("void __syncwarp(unsigned mask = 0xffffffffu)");
  expect(cuda("sqrtf")?.signature).toBe("float sqrtf(float x)");
  expect(cuda("float4")?.signature).toBe("struct float4 { float x, y, z, w; }");
  expect(cuda("__shared__")?.about).toContain("`__shared__ int sdata[256]`");
  const rest = [
    "__global__",
    "__restrict__",
    "__launch_bounds__",
    "threadIdx",
    "dim3",
    "template",
    "unsigned",
    "printf",
  ];
  expect(rest.filter((name) => cuda(name) === undefined)).toEqual([]);
  // Short names are TypeScript's alone, and macros of the header nobody's.
  expect(["shfl_down_sync", "syncthreads", "__SHFL", "__D", "N", "cudaMalloc"].filter(cuda)).toEqual([]);
});
