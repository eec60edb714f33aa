/** Random kernels with few registers a thread: sound programs that leave the memory of a direct interpretation in both engines. */
import { expect, test } from "vitest";
import { enginesDiffer, RICHER } from "./agreement.js";
import { isLockstep, nameOf } from "./capabilities.js";
import { interpret } from "./oracle.js";
import { firstFailure, PROPERTY_TIMEOUT_MS } from "./property.js";
import { checkedIr, checkedProgram } from "./run-case.js";

const CASES = RICHER.flatMap((capability) =>
  [false, true].map((debug) => ({
    on: nameOf(capability),
    capability,
    build: debug ? "a debug build" : "an optimised build",
    debug,
  })),
);

test.each(CASES)(
  "a random kernel whose values do not fit into registers leaves the memory that its text says, on $on in $build",
  ({ on, capability, debug }) => {
    let spilling = 0;
    const failure = firstFailure({
      name: `few registers, on ${on}, debug ${debug}`,
      options: { defined: true, capability, small: true },
      usual: 20,
      check(tree) {
        const options = { computeCapability: capability, contractFma: false, debug, mostRegisters: 6 };
        const program = checkedProgram(checkedIr(tree), options);
        if (program.local.some(({ spills }) => spills === true)) spilling++;
        return enginesDiffer(tree, program, isLockstep(capability), interpret(tree));
      },
    });
    expect(failure).toBeNull();
    expect(spilling).toBeGreaterThan(0);
  },
  PROPERTY_TIMEOUT_MS,
);
