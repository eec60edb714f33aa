import { describe, expect, test } from "vitest";
import { type Engine, RAW_COUNTER_ARRAYS, type RawCounters } from "../../src/engine/engine.js";
import { createFastEngine, fastEngine } from "../../src/engine/fast/index.js";
import { referenceEngine } from "../../src/engine/reference/index.js";
import { interpret } from "./oracle.js";
import { firstFailure, KERNELS, PROPERTY_TIMEOUT_MS } from "./property.js";
import { checkedIr, checkedProgram, memoryDifference, prepared, runProgram } from "./run-case.js";

/** First difference of two launches' counters, as text; null where all are equal. */
function counterDifference(a: RawCounters, b: RawCounters): string | null {
  for (const name of RAW_COUNTER_ARRAYS) {
    const pc = a[name].findIndex((count, at) => count !== b[name][at]);
    if (pc >= 0) return `${name} of pc ${pc}: ${a[name][pc]} against ${b[name][pc]}`;
  }
  if (a.warps !== b.warps) return `warps: ${a.warps} against ${b.warps}`;
  return a.blocks === b.blocks ? null : `blocks: ${a.blocks} against ${b.blocks}`;
}

/** Blocks that are proven to be independent are run by three threads. */
const helped = createFastEngine(referenceEngine, { helpers: 2, leastSharedThreads: 0 });

/** Runs every second block, then the others. */
const halves: Engine = {
  name: "fast, in two halves",
  run(launch, blocks, counters) {
    const { end } = blocks;
    const first = fastEngine.run(launch, { first: 0, end, step: 2 }, counters);
    const second = fastEngine.run(launch, { first: 1, end, step: 2 }, counters);
    return { printed: [...first.printed, ...second.printed] };
  },
};

describe("a random kernel", () => {
  test(
    "compiles to valid IR and to a sound program for each GPU that has what it uses",
    () => {
      const failure = firstFailure({
        name: "compiles and lowers",
        options: { defined: false },
        usual: 200,
        check(tree) {
          const ir = checkedIr(tree);
          for (const [major, contractFma] of [
            [8, true],
            [9, false],
            [9, true],
            [10, true],
          ] as const) {
            checkedProgram(ir, { computeCapability: { major, minor: 0 }, contractFma });
          }
          return null;
        },
      });
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );

  test(
    "leaves in the reference engine the memory that a direct interpretation of its text leaves",
    () => {
      const failure = firstFailure({
        name: "reference engine as the oracle",
        options: { defined: true },
        usual: 150,
        check(tree) {
          const { memory } = runProgram(tree, checkedProgram(checkedIr(tree)), referenceEngine);
          return memoryDifference(tree, interpret(tree), memory, false);
        },
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
        usual: 150,
        check(tree) {
          const program = checkedProgram(checkedIr(tree), { contractFma });
          if (!fastEngine.supports(prepared(tree, program, lockstep))) {
            left++;
            return null;
          }
          const reference = runProgram(tree, program, referenceEngine, lockstep);
          const engine = [fastEngine, halves, helped][tree.seed % 3] ?? fastEngine;
          const fast = runProgram(tree, program, engine, lockstep);
          const memory = memoryDifference(tree, reference.memory, fast.memory, true);
          return memory ?? counterDifference(reference.counters, fast.counters);
        },
      });
      const tried = KERNELS === 0 ? 150 : KERNELS;
      console.log(`${left} of ${tried} are the reference engine's alone: ${((100 * left) / tried).toFixed(1)} %`);
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );
});
