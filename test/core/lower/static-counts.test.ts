/** The length of the code against nvcc's and ptxas's for the same kernels, for each GPU generation. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";

interface Row {
  readonly kernel: string;
  readonly [architecture: string]: number | string;
}

const reference = (name: string): string => readFileSync(new URL(`../../reference/${name}`, import.meta.url), "utf8");
const { rows } = JSON.parse(reference("instruction-counts/static-counts.json")) as { readonly rows: readonly Row[] };
const kernels = readCuda(reference("h200/kernels/probes.cu"));

/** Kernels without a called slow path, a switch or an array in local memory, whose code the listings lack. */
const PLAIN = [
  "atomicFloatSum",
  "ballotCount",
  "collatz",
  "copy4",
  "divergeHeavy",
  "divergeParity",
  "ifBody12",
  "ifBody4",
  "ifChain",
  "loopConst64",
  "loopRuntime",
  "neighbored_pairs_improved",
  "nestedIf",
  "offsetRead",
  "reduceInterleaved",
  "reduceNeighbored",
  "reduceNeighboredLess",
  "reduceUnrolling2",
  "reduceUnrolling4",
  "stridedRead",
  "sum4",
  "transposeNaive",
  "vecAdd",
  "warpBranchHeavy",
  "warpShflDown",
  "warpShflXor",
];

const CAPABILITIES = [
  ["sm_70", 7, 0],
  ["sm_75", 7, 5],
  ["sm_80", 8, 0],
  ["sm_86", 8, 6],
  ["sm_89", 8, 9],
  ["sm_90", 9, 0],
] as const;

for (const [architecture, major, minor] of CAPABILITIES) {
  describe(architecture, () => {
    for (const kernel of PLAIN) {
      const row = rows.find((each) => each.kernel === kernel);
      const counted = row?.[architecture];
      it(`${kernel} has as many machine instructions as the compiler's code: ${counted}`, () => {
        const ir = kernels.get(kernel);
        if (ir === undefined) throw new Error(`no kernel ${kernel}`);
        const program = lower(ir, { computeCapability: { major, minor }, contractFma: true });
        expect(program.instructions.reduce((sum, { issue }) => sum + issue.length, 0)).toBe(counted);
      });
    }
  });
}
