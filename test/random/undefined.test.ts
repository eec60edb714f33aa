/**
 * What a run warns of, on random kernels in lockstep (lanes go the same way in every schedule): one of which no value is told
 * to be undefined leaves the same memory whatever garbage it finds, and one whose text is defined tells of none.
 */
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/core/engine/engine.js";
import { createReferenceEngine, referenceEngine } from "../../src/core/engine/reference/index.js";
import { RunWarnings } from "../../src/core/engine/run-warning.js";
import { firstFailure, PROPERTY_TIMEOUT_MS } from "./property.js";
import { checkedIr, checkedProgram, memoryDifference, runProgram } from "./run-case.js";

const LOCKSTEP = true;

const watched = (watch: RunWarnings): Engine => ({
  name: "watched",
  run: (launch, blocks, counters) => referenceEngine.run({ ...launch, watch }, blocks, counters),
});

describe("a random kernel", () => {
  test(
    "that is told to read nothing undefined does not depend on garbage",
    () => {
      let told = 0;
      const failure = firstFailure({
        name: "no warning, no garbage in the results",
        options: { defined: false },
        usual: 240,
        check(tree) {
          const program = checkedProgram(checkedIr(tree));
          const warnings = new RunWarnings();
          const usual = runProgram(tree, program, watched(warnings), LOCKSTEP);
          if (warnings.list.some(({ kind }) => kind.startsWith("un"))) {
            told++;
            return null;
          }
          const engine = createReferenceEngine({ schedule: { kind: "adversarial", seed: tree.seed } });
          return memoryDifference(tree, usual.memory, runProgram(tree, program, engine, LOCKSTEP).memory, false);
        },
      });
      expect(failure).toBeNull();
      expect(told).toBeGreaterThan(0);
    },
    PROPERTY_TIMEOUT_MS,
  );

  test(
    "whose text is defined is told to read nothing undefined, and watching changes nothing",
    () => {
      const failure = firstFailure({
        name: "no false alarm",
        options: { defined: true },
        usual: 40,
        check(tree) {
          const program = checkedProgram(checkedIr(tree));
          const warnings = new RunWarnings();
          const { memory } = runProgram(tree, program, watched(warnings), LOCKSTEP);
          const values = warnings.list.filter(({ kind }) => kind.startsWith("un"));
          if (values.length > 0) return values.map(({ message }) => message).join("\n");
          return memoryDifference(tree, runProgram(tree, program, referenceEngine, LOCKSTEP).memory, memory, true);
        },
      });
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );
});
