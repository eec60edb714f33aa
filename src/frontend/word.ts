/** A word of the kernel language as a value of the host, where it has no meaning but for its type and its name. */
import { InputError } from "../base/errors.js";
import type { Cuda } from "./cuda.js";

function usedOnHost(name: string): never {
  throw new InputError({
    what: `${name} is a word for kernels, and was used on the host.`,
    cure: `Write it inside of the function that kernel("name", { ... }, ({ ... }) => { ... }) is given.`,
  });
}

/** Asked for by printers and by await, which must not fail. */
const HARMLESS: ReadonlySet<string | symbol> = new Set([
  "then",
  "toJSON",
  "constructor",
  "name",
  "length",
  "prototype",
]);

/** The imported name of a word. Calling it, or reading anything of it, throws. */
export function word<Name extends keyof Cuda>(name: Name): Cuda[Name] {
  const target = Object.defineProperty(() => {}, "name", { value: name });
  const stand = new Proxy(target, {
    apply: () => usedOnHost(name),
    get: (of, key): unknown => {
      if (key === Symbol.toPrimitive) return usedOnHost(name);
      return typeof key === "symbol" || HARMLESS.has(key) ? Reflect.get(of, key) : usedOnHost(name);
    },
    set: () => usedOnHost(name),
  });
  return stand as unknown as Cuda[Name];
}
