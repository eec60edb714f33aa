/** A word of CUDA's library stands in reports at the learner's line that calls it, and not in the library's own text. */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  coalesced_threads,
  device,
  Gpu,
  greater,
  i32,
  inclusive_scan,
  type Kernel,
  kernel,
  lineProfile,
  plus,
  ptr,
  reduce,
  sanitize,
  this_thread_block,
  threadIdx,
  tiled_partition,
} from "../../../src/index.js";

const params = { input: ptr(i32), out: ptr(i32) };

const tiles = kernel("tiles", params, ({ input, out }) => {
  const tile = tiled_partition(this_thread_block(), 16);
  const t = threadIdx.x;
  let value = input[t];
  if (t < 10) value = reduce(tile, input[t], plus);
  out[t] = value;
});
const scans = kernel("scans", params, ({ input, out }) => {
  const tile = tiled_partition(this_thread_block(), 32);
  const t = threadIdx.x;
  let value = input[t];
  if (t % 3 === 0) value = inclusive_scan(tile, input[t], plus);
  out[t] = value;
});
const largest = device("largest", { value: i32 }, ({ value }) => {
  const group = coalesced_threads();
  return reduce(group, value, greater);
});
const inFunction = kernel("inFunction", params, ({ input, out }) => {
  const t = threadIdx.x;
  out[t] = largest(input[t] % 7);
});

const gpu = new Gpu("h200", { memoryBytes: 1 << 20 });
const config = { grid: 1, block: 32 };
const args = { input: gpu.upload(new Int32Array(32).fill(1)), out: gpu.upload(new Int32Array(32)) };

describe("a word of the library", () => {
  const faults: readonly (readonly [string, Kernel, string])[] = [
    ["reduce", tiles, "value = reduce(tile, input[t]"],
    ["inclusive_scan", scans, "value = inclusive_scan(tile, input[t]"],
  ];
  it.each(faults)("%s in a branch is found at the learner's line", (_, one, line) => {
    const { findings } = sanitize(() => gpu.launch(one, config, args));
    const texts = findings.flatMap(({ places }) => places.map(({ text }) => text));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => !text.includes(line))).toEqual([]);
  });

  it("has its counts at the learner's line, in a kernel and in a device function", () => {
    for (const [one, line] of [
      [tiles, "reduce(tile"],
      [inFunction, "reduce(group"],
    ] as const) {
      const launch = gpu.launch(one, config, args);
      const known = launch.program.sources.map(({ name }) => name);
      const used = new Set(launch.program.instructions.map(({ source }) => known[source]));
      expect([...used].filter((name) => name?.startsWith("cg_") === true)).toEqual([]);
      expect(inspect(lineProfile(launch))).toContain(line);
    }
  });
});
