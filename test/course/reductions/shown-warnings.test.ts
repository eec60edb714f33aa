/** What a learner sees of a kernel that is wrong, without asking for it. */
import { describe, expect, test } from "vitest";
import { viewsOf } from "../../../src/core/show/display-data.js";
import { toText } from "../../../src/core/show/output/plain-text.js";
import * as warplab from "../../../src/index.js";
import {
  blockDim,
  blockIdx,
  compare,
  externShared,
  Gpu,
  i32,
  kernel,
  ptr,
  runReduction,
  syncthreads,
  threadIdx,
} from "../../../src/index.js";

const parameters = { input: ptr(i32), output: ptr(i32) };

/** The barrier stands in a branch; the sum is right all the same. */
const branched = kernel("branched", parameters, ({ input, output }) => {
  const s = externShared(i32);
  const tid = threadIdx.x;
  s[tid] = input[blockIdx.x * blockDim.x + tid];
  syncthreads();
  for (let d = blockDim.x >> 1; d > 0; d >>= 1) {
    if (tid < d) {
      s[tid] += s[tid + d];
      syncthreads();
    }
  }
  if (tid === 0) output[blockIdx.x] = s[0];
});

/** No barrier at all. */
const racing = kernel("racing", parameters, ({ input, output }) => {
  const s = externShared(i32);
  const tid = threadIdx.x;
  s[tid] = input[blockIdx.x * blockDim.x + tid];
  for (let d = blockDim.x >> 1; d > 0; d >>= 1) {
    if (tid < d) s[tid] += s[tid + d];
  }
  if (tid === 0) output[blockIdx.x] = s[0];
});

const gpu = new Gpu("v100");
const inOneLine = (text: string): string => text.replace(/\s+/g, " ");
const shown = (...items: Parameters<typeof viewsOf>[0]): string =>
  viewsOf(items)
    .flatMap((view) => (view.kind === "table" ? [inOneLine(toText(view))] : []))
    .join("\n");

describe("display", () => {
  const right = runReduction(gpu, branched, 2 ** 12);
  const wrong = runReduction(gpu, racing, 2 ** 12);

  test("of a run with a right sum shows what CUDA leaves undefined in it", () => {
    expect(right.right).toBe(true);
    expect(shown(right)).toContain("Warning: branched, line ");
    expect(shown(right)).not.toContain("A sum is wrong");
  });

  test("of a launch shows both clocks and the warnings", () => {
    const text = shown(right.launch);
    expect(text).toContain("Event time, predicted (ms)");
    expect(text).toContain("Kernel duration, predicted");
    expect(text).toContain("Warning: branched, line ");
  });

  test("of a run without either shows neither", () => {
    const clean = runReduction(gpu, warplab.reductionById("lab-26-sequential").kernel, 2 ** 12);
    expect(shown(clean)).not.toMatch(/Warning|wrong/);
  });

  test.each([
    ["a run", (): string => shown(wrong)],
    ["a comparison", (): string => shown(compare([right, wrong]))],
  ])("of %s with a wrong sum offers a check, which names the race", (_, text) => {
    const [call] = /sanitize\(\(\) => runReduction\(.*?\)\)/.exec(text()) ?? [];
    expect(call).toBeDefined();
    const check = new Function("sanitize", "runReduction", "gpu", "racing", `return ${call};`);
    const report = check(warplab.sanitize, runReduction, gpu, racing) as { readonly text: string };
    expect(report.text).toMatch(/[Rr]ace/);
  });
});
