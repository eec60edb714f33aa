/** Random kernels built like nvcc -G: sound programs that leave the memory of a direct interpretation in both engines. */
import { expect, test } from "vitest";
import { enginesDiffer, meaning, RICHER } from "./agreement.js";
import { isLockstep, nameOf } from "./capabilities.js";
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
        const ir = checkedIr(tree);
        const wanted = meaning(tree, ir);
        if (typeof wanted === "string") return wanted;
        return enginesDiffer(tree, checkedProgram(ir, options), isLockstep(capability), wanted);
      },
    });
    expect(failure).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
