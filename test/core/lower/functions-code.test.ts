/**
 * The instructions that one warp executes for every scalar function, on common operands and on slow paths, against
 * ncu's counts.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { countEvents } from "../../../src/core/profile/counters.js";
import { type DataArray, execute } from "../engine/launch.js";

interface Row {
  readonly kernel: string;
  readonly operands: "plain" | "small" | "big" | "zero" | "large";
  readonly instructionsPerWarp: number;
}

const reference = (name: string): string => readFileSync(new URL(`../../reference/${name}`, import.meta.url), "utf8");
const kernels = readCuda(
  reference("instruction-counts/functions-code.cu")
    .split("\n")
    .filter((line) => /^(K|#define) /.test(line))
    .join("\n"),
);
const { rows } = JSON.parse(reference("instruction-counts/functions-code.json")) as { readonly rows: readonly Row[] };

/** After a function with long code, nvcc computes the store's address from two halves. */
const OF_THE_ADDRESS = 2;

const FIRST: Readonly<Record<Row["operands"], (lane: number) => number>> = {
  plain: (lane) => 0.1 + lane / 8,
  small: (lane) => 0.02 + 0.03 * lane,
  big: (lane) => 1.1 + lane / 8,
  zero: () => 0,
  large: () => 1e12,
};
const FIRST_LONG: Readonly<Record<"plain" | "large", (lane: number) => bigint>> = {
  plain: (lane) => BigInt(1000 + 17 * lane),
  large: (lane) => BigInt(1e12 + lane),
};

function operandsOf({ kernel, operands }: Row): readonly [DataArray, DataArray, DataArray] {
  const fill = (of: (lane: number) => number): number[] => Array.from({ length: 32 }, (_, lane) => of(lane));
  if (/_[lu]$/.test(kernel)) {
    const first = Array.from({ length: 32 }, (_, lane) => FIRST_LONG[operands as "plain" | "large"](lane));
    const second = Array.from({ length: 32 }, (_, lane) => BigInt(3 + lane));
    return [BigInt64Array.from(first), BigInt64Array.from(second), new BigInt64Array(32)];
  }
  const of = kernel.endsWith("D") ? Float64Array : Float32Array;
  return [of.from(fill(FIRST[operands])), of.from(fill((lane) => 1.3 + lane / 20)), new of(32)];
}

describe("instructions of a warp", () => {
  it.each(rows.map((row) => [row.kernel, row.operands, row] as const))(
    "in %s of %s operands are an H200's",
    (name, _, row) => {
      const ir = kernels.get(name);
      if (ir === undefined) throw new Error(`no kernel ${name}`);
      const program = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
      const [a, b, o] = operandsOf(row);
      const { counters } = execute(program, { grid: 1, block: 32, args: { a, b, o } });
      const { warpInstructions } = countEvents(program, counters);
      expect(Math.abs(warpInstructions - row.instructionsPerWarp)).toBeLessThanOrEqual(OF_THE_ADDRESS);
    },
  );
});
