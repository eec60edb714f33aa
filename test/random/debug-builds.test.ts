/** Random kernels built like nvcc -G: sound programs that leave the memory of a direct interpretation in both engines. */
import { expect, test } from "vitest";
import { enginesDiffer, RICHER } from "./agreement.js";
import { isLockstep, nameOf } from "./capabilities.js";
import { interpret } from "./oracle.js";
import { firstFailure, PROPERTY_TIMEOUT_MS } from "./property.js";
import { checkedIr, checkedProgram } from "./run-case.js";

test.each(RICHER.map((capability) => ({ on: nameOf(capability), capability })))(
  "a random kernel without optimisation leaves the memory that its text says, on $on",
  ({ on, capability }) => {
    const failure = firstFailure({
      name: `debug build as the oracle, on ${on}`,
      options: { defined: true, capability, small: true },
      usual: 20,
      check(tree) {
        const options = { computeCapability: capability, contractFma: false, debug: true };
        const program = checkedProgram(checkedIr(tree), options);
        return enginesDiffer(tree, program, isLockstep(capability), interpret(tree));
      },
    });
    expect(failure).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
