/** CUDA's words on the host: names with a type and a description, and an error for whoever runs them. */
import { InputError } from "../../base/errors.js";
import type { Dimensions, GroupOperatorWord, Launchable } from "./types.js";

function onHost(name: string): never {
  throw new InputError({
    what: `${name} is a word for kernels, and was used on the host.`,
    cure: 'Write it inside of the function that kernel("name", { ... }, ({ ... }) => { ... }) is given.',
  });
}

/** A function of kernels. */
export function word(name: string): () => never {
  return Object.defineProperty(() => onHost(name), "name", { value: name });
}

function withParts<T extends object>(target: T, name: string, parts: readonly string[]): T {
  for (const part of parts) {
    Object.defineProperty(target, part, { enumerable: true, get: () => onHost(name) });
  }
  return Object.freeze(target);
}

/** threadIdx and its like. */
export function dimensions(name: string): Dimensions {
  return withParts({}, name, ["x", "y", "z"]) as Dimensions;
}

/** A value that has no parts: computing with it fails. */
export function unreadable(name: string): object {
  return Object.freeze({ [Symbol.toPrimitive]: () => onHost(name) });
}

export function launchable(name: string): Launchable {
  return withParts({}, name, ["name"]) as Launchable;
}

/** An operator of a group's functions: `plus`, or `plus()` as in CUDA. */
export function operator(name: string): GroupOperatorWord & (() => GroupOperatorWord) {
  return withParts(word(name), name, ["operator"]) as (() => never) & GroupOperatorWord;
}
