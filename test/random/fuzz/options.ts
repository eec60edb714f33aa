/** What the kernel of a seed is made of when all is tried. */
import { RICHER, type Trial } from "../agreement.js";
import { type Capability, capabilityOf } from "../capabilities.js";
import type { Options } from "../generate-expression.js";

/** Each is the least as often; kernels for it use only what it has, and are tried on all after it, too. */
export function leastOf(seed: number): Capability {
  return RICHER[seed % RICHER.length] ?? capabilityOf("9.0");
}

/** One in four is built like nvcc -G, another one also runs in another order. */
export function trialOf(seed: number): Trial {
  const way = (seed >> 1) % 4;
  return { debug: way === 0, seeded: way === 1 };
}

/** One in eight is wild, one in eight large. */
export function optionsOf(seed: number, capability: Capability): Options {
  const kind = (seed >> 3) % 8;
  return { defined: kind !== 0, capability, small: kind !== 1 };
}
