/** Mathematical functions in the instructions that an H200 executes of them (test/reference/h200-function-counts.cu). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lower } from "../../src/lower/lower.js";
import { readCuda } from "./cuda-text.js";
import { mnemonics } from "./kernel-code.js";

const reference = (name: string): string => readFileSync(new URL(`../reference/${name}`, import.meta.url), "utf8");
const { rows } = JSON.parse(reference("h200-function-counts.json")) as {
  readonly rows: readonly { readonly kernel: string; readonly instructions: number }[];
};
const kernels = readCuda(reference("h200-function-counts.cu"));

describe("a warp's instructions", () => {
  it.each(rows)("$kernel: $instructions on an H200, here within 3", ({ kernel, instructions }) => {
    const program = lower(kernels.get(kernel)!, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
    expect(Math.abs(mnemonics(program).length - instructions)).toBeLessThanOrEqual(3);
  });
});
