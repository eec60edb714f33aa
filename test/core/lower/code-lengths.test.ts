/**
 * Small patterns of control flow: the length and the branches of nvcc's code for them
 * (test/reference/instruction-counts/2/patterns.cu). test/DEVIATIONS.md states how many are equal; this test prints the others.
 */
import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { mnemonics } from "./kernel-code.js";
import { expectAsStated } from "./stated-code.js";

interface Row {
  readonly kernel: string;
  readonly length: number;
  readonly branches: number;
}

const reference = (name: string): string =>
  readFileSync(new URL(`../../reference/instruction-counts/2/${name}`, import.meta.url), "utf8");
const { rows } = JSON.parse(reference("code-lengths.json")) as { readonly rows: readonly Row[] };
const kernels = readCuda(reference("patterns.cu"));

const BRANCH = new Set(["BRA", "BSSY"]);

function codeOf(kernel: string): readonly string[] {
  const ir = kernels.get(kernel);
  if (ir === undefined) throw new Error(`no kernel ${kernel}`);
  return mnemonics(lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true }));
}

describe("the code of patterns of control flow", () => {
  const codes = rows.map((row) => ({ row, code: codeOf(row.kernel) }));

  it("is as long as nvcc's, as far as stated", () => {
    const lengths = codes.map(({ row, code }) => [row.kernel, code.length, row.length] as const);
    expectAsStated("instructions in `instruction-counts/2/patterns.cu`", lengths);
  });

  it("has nvcc's branches, as far as stated", () => {
    const branches = codes.map(({ row, code }) => {
      const own = code.filter((mnemonic) => BRANCH.has(mnemonic)).length;
      return [row.kernel, own, row.branches] as const;
    });
    expectAsStated("branches in `instruction-counts/2/patterns.cu`", branches);
  });
});
