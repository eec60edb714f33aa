/** Programs with optimization passes left out compute the same with more instructions. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { verifyProgram } from "../../../src/core/lower/machine/verify-program.js";
import { PASS_NAMES } from "../../../src/core/lower/pass-names.js";
import { firstFailure, PROPERTY_TIMEOUT_MS } from "../../random/property.js";
import { checkedIr, checkedProgram, memoryDifference, runProgram } from "../../random/run-case.js";

const probes = readCuda(readFileSync(new URL("../../reference/h200/kernels/probes.cu", import.meta.url), "utf8"));
const h200 = { computeCapability: { major: 9, minor: 0 }, contractFma: false };

function length(kernel: string, without: readonly (typeof PASS_NAMES)[number][]): number {
  const ir = probes.get(kernel);
  if (ir === undefined) throw new Error(`no kernel ${kernel}`);
  return lower(ir, { ...h200, without }).instructions.reduce((sum, { issue }) => sum + issue.length, 0);
}

describe("passes left out", () => {
  for (const [name, ir] of probes) {
    it(`leave ${name} sound without any`, () => {
      expect(verifyProgram(lower(ir, { ...h200, without: PASS_NAMES }))).toEqual([]);
    });
  }

  it("leave a loop as it is without unrolling", () => {
    expect(length("loopConst64", ["loop-full-unroll", "loop-runtime-unroll", "unroll-again"])).toBeLessThan(
      length("loopConst64", []),
    );
  });

  it("cost instructions without instruction selection", () => {
    expect(length("ifBody12", ["select-instructions"])).toBeGreaterThan(length("ifBody12", []));
  });

  it(
    "leave the memory that random kernels leave",
    () => {
      const failure = firstFailure({
        name: "passes left out",
        options: { defined: true },
        usual: 60,
        check(tree) {
          const ir = checkedIr(tree);
          const usual = runProgram(tree, checkedProgram(ir), referenceEngine);
          const plain = runProgram(tree, checkedProgram(ir, { without: PASS_NAMES }), referenceEngine);
          return memoryDifference(tree, usual.memory, plain.memory, false);
        },
      });
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );
});
