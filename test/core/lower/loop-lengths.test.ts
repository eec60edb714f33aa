/**
 * Small loops, addresses and masks against nvcc's code (test/reference/instruction-counts/3/patterns.cu). The number
 * of loads shows the unroll factor; the length is about equal.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { mnemonics } from "./kernel-code.js";
import { expectAsStated } from "./stated-code.js";

interface Row {
  readonly kernel: string;
  readonly loads: number;
  readonly length: number;
}

const reference = (name: string): string =>
  readFileSync(new URL(`../../reference/instruction-counts/3/${name}`, import.meta.url), "utf8");
const { rows } = JSON.parse(reference("code-lengths.json")) as { readonly rows: readonly Row[] };
const kernels = readCuda(reference("patterns.cu"));

const codes = new Map<string, readonly string[]>();

function codeOf(kernel: string): readonly string[] {
  const ir = kernels.get(kernel);
  if (ir === undefined) throw new Error(`no kernel ${kernel}`);
  const code =
    codes.get(kernel) ?? mnemonics(lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true }));
  codes.set(kernel, code);
  return code;
}

/** nvcc loads the one place that a choice names; here each side of the choice loads (test/DEVIATIONS.md, N4). */
const LOADED_BY_SIDES = /^chosenPlace/;

describe("the code of", () => {
  it.each(rows.filter(({ kernel }) => !LOADED_BY_SIDES.test(kernel)).map((row) => [row.kernel, row] as const))(
    "%s has nvcc's loads",
    (kernel, row) => {
      expect(codeOf(kernel).filter((mnemonic) => /^(@!?P\.)?(LDG|LDS)/.test(mnemonic)).length).toBe(row.loads);
    },
  );

  it("all of them is about as long as nvcc's", () => {
    const lengths = rows.map(({ kernel, length }) => [kernel, codeOf(kernel).length, length] as const);
    expectAsStated("instructions in `instruction-counts/3/patterns.cu`", lengths);
  });
});

describe("flags, the highest bit, and an if of any lane in an if", () => {
  const exact = rows.filter(({ kernel }) => /^(flag|highestBit|bitsNeeded|ifLaneInAny)/.test(kernel));
  it.each(exact.map(({ kernel, length }) => [kernel, length] as const))(
    "are in %s %d instructions",
    (kernel, length) => {
      expect(codeOf(kernel).length).toBe(length);
    },
  );
});

describe("a variable without a value", () => {
  it("is not set where nothing is assigned, one with a value is", () => {
    const length = (kernel: string): number => codeOf(kernel).length;
    expect(length("zeroInRound") - length("unsetInRound")).toBe(1);
  });
});

describe("an address that two branches compute", () => {
  it.each(["branchesProduct", "branchesProductXor", "valuesProduct", "valuesProductXor", "branchesShiftSum"])(
    "is hoisted in %s exactly where nvcc hoists it",
    (kernel) => {
      expect(codeOf(kernel).length).toBe(rows.find((row) => row.kernel === kernel)!.length);
    },
  );
});
