import { describe, expect, test } from "vitest";
import { referenceEngine } from "../../src/engine/reference/index.js";
import { interpret } from "./oracle.js";
import { firstFailure } from "./property.js";
import { checkedIr, checkedProgram, memoryDifference, runProgram } from "./run-case.js";

describe("a random kernel", () => {
  test("compiles to valid IR and to a sound program for each GPU that has what it uses", () => {
    const failure = firstFailure({
      name: "compiles and lowers",
      options: { defined: false },
      usual: 250,
      check(tree) {
        const ir = checkedIr(tree);
        for (const major of [8, 9, 10]) {
          for (const contractFma of [false, true]) {
            checkedProgram(ir, { computeCapability: { major, minor: 0 }, contractFma });
          }
        }
        return null;
      },
    });
    expect(failure).toBeNull();
  });

  test("leaves in the reference engine the memory that a direct interpretation of its text leaves", () => {
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
  });
});
