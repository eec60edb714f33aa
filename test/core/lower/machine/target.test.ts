import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { KernelIr } from "../../../../src/core/ir/ir.js";
import { lower } from "../../../../src/core/lower/lower.js";
import { targetOf } from "../../../../src/core/lower/machine/target.js";
import { CAPABILITIES, nameOf, oneOfEachTarget } from "../../../random/capabilities.js";
import { generateKernel } from "../../../random/generate.js";
import { checkedIr } from "../../../random/run-case.js";

const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);

const all = [...CAPABILITIES, { major: 10, minor: 0 }];

/** Capabilities of one target, as pairs of the first and each other. */
const pairs = all.flatMap((other) => {
  const [first = other] = all.filter((each) => isDeepStrictEqual(targetOf(each), targetOf(other)));
  return first === other ? [] : [{ first, other, of: `${nameOf(other)} as ${nameOf(first)}` }];
});

/** Without the capability, which the program has for its timing. */
function codeFor(ir: KernelIr, computeCapability: (typeof CAPABILITIES)[number]): object {
  const { computeCapability: _, ...code } = lower(ir, { computeCapability, contractFma: true });
  return code;
}

describe("capabilities of one target", () => {
  it("are 8.0, 8.6 and 8.9, and 9.0 and 10.0", () => {
    expect(pairs.map(({ of }) => of)).toEqual(["8.6 as 8.0", "8.9 as 8.0", "10.0 as 9.0"]);
    expect(oneOfEachTarget(all).map(nameOf)).toEqual(["2.0", "3.5", "6.0", "7.0", "7.5", "8.0", "9.0"]);
  });

  it.each(pairs)("have one code: $of", ({ first, other }) => {
    for (const seed of SEEDS) {
      const ir = checkedIr(generateKernel(seed, { defined: false }));
      expect(codeFor(ir, other)).toEqual(codeFor(ir, first));
    }
  });

  it("differ in their code from another target", () => {
    const ir = checkedIr(generateKernel(1, { defined: false }));
    expect(codeFor(ir, { major: 9, minor: 0 })).not.toEqual(codeFor(ir, { major: 8, minor: 0 }));
  });
});
