import { describe, expect, test } from "vitest";
import { fastEngine } from "../../src/core/engine/fast/index.js";
import { capabilitiesFrom, disagreement, enginesDiffer, RICHER } from "./agreement.js";
import { CAPABILITIES, nameOf, oneOfEachTarget } from "./capabilities.js";
import { firstFailure, kernelsTried, PROPERTY_TIMEOUT_MS } from "./property.js";
import { checkedIr, checkedProgram, prepared } from "./run-case.js";

describe("a random kernel", () => {
  test(
    "compiles to valid IR and to a sound program for each GPU that has what it uses",
    () => {
      const failure = firstFailure({
        name: "compiles and lowers",
        options: { defined: false },
        usual: 40,
        check(tree) {
          const ir = checkedIr(tree);
          for (const computeCapability of oneOfEachTarget([
            ...CAPABILITIES.filter(({ major }) => major >= 8),
            { major: 10, minor: 0 },
          ])) {
            checkedProgram(ir, { computeCapability, contractFma: tree.seed % 2 === 0 });
          }
          return null;
        },
      });
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );

  test.each(RICHER.map((least) => ({ from: nameOf(least), least })))(
    "leaves in both engines the memory that a direct interpretation of its text leaves, from $from on",
    ({ from, least }) => {
      const failure = firstFailure({
        name: `both engines as the oracle, from ${from} on`,
        options: { defined: true, capability: least, small: true },
        usual: 20,
        check: (tree) => disagreement(tree, capabilitiesFrom(least), true),
      });
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );

  test.each([
    { contractFma: true, lockstep: false },
    { contractFma: false, lockstep: true },
  ])(
    "leaves the same memory and counters in both engines, %o",
    ({ contractFma, lockstep }) => {
      let left = 0;
      const failure = firstFailure({
        name: `fast engine as the reference engine, contractFma ${contractFma}, lockstep ${lockstep}`,
        options: { defined: false },
        usual: 60,
        check(tree) {
          const program = checkedProgram(checkedIr(tree), { contractFma });
          if (!fastEngine.supports(prepared(tree, program, lockstep))) {
            left++;
            return null;
          }
          return enginesDiffer(tree, program, lockstep, null);
        },
      });
      const tried = kernelsTried(60);
      console.log(`${left} of ${tried} are the reference engine's alone: ${((100 * left) / tried).toFixed(1)} %`);
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );
});
