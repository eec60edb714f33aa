/** Tries a property on many seeds; a kernel that breaks it is cut down and shown with its seed. */

import { generateKernel } from "./generate.js";
import type { Options } from "./generate-expression.js";
import { caseText } from "./print.js";
import { shrink } from "./shrink.js";
import type { KernelTree } from "./tree.js";

/** RANDOM_KERNELS: kernels a property; RANDOM_SEED: the first seed. Set them to try more than a usual run does, as .ci/run does. */
const KERNELS: number = Number(process.env.RANDOM_KERNELS ?? 0);
export const FIRST_SEED: number = Number(process.env.RANDOM_SEED ?? 1);

/** Time for a test of a property: a usual run needs seconds, thousands of kernels minutes. */
export const PROPERTY_TIMEOUT_MS: number = KERNELS === 0 ? 120_000 : 60 * 60_000;

export interface Property {
  readonly name: string;
  readonly options: Options;
  /** Kernels in a usual run. */
  readonly usual: number;
  /** What is wrong with the kernel, or null. May throw: that is wrong too. */
  check(tree: KernelTree): string | null;
  /** More about a kernel that is wrong, for the failure's text. */
  explain?(tree: KernelTree): string | null;
}

/** How many kernels this run tries of a property that a usual run tries with `usual`. */
export function kernelsTried(usual: number): number {
  return KERNELS === 0 ? usual : KERNELS;
}

/** What is wrong, with the words that tell one failure from another first. */
function failure(property: Property, tree: KernelTree): string | null {
  try {
    const found = property.check(tree);
    return found === null ? null : `differs: ${found}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
  }
}

function explanation(property: Property, tree: KernelTree): string {
  const text = property.explain?.(tree) ?? null;
  return text === null ? "" : `\n\n${text}`;
}

function kind(text: string): string {
  return text.slice(0, 40).replaceAll(/[0-9]+/g, "#");
}

/** Text about the kernel of a seed that breaks the property, cut down; null where it keeps it. */
export function failureOf(property: Property, seed: number): string | null {
  const tree = generateKernel(seed, property.options);
  const found = failure(property, tree);
  if (found === null) return null;
  const small = shrink(tree, (candidate) => {
    const other = failure(property, candidate);
    return other !== null && kind(other) === kind(found);
  });
  return `${property.name} fails for seed ${seed} (RANDOM_SEED=${seed} RANDOM_KERNELS=1):\n${found}\n\ncut down:\n${caseText(small)}\n${failure(property, small)}${explanation(property, small)}`;
}

/** Text about the first kernel that breaks the property, cut down; null where all keep it. */
export function firstFailure(property: Property): string | null {
  const kernels = kernelsTried(property.usual);
  console.log(`${property.name}: seeds ${FIRST_SEED} to ${FIRST_SEED + kernels - 1}`);
  for (let seed = FIRST_SEED; seed < FIRST_SEED + kernels; seed++) {
    const text = failureOf(property, seed);
    if (text !== null) return text;
  }
  return null;
}
