/**
 * Device functions and kernels by their names. A free name in a kernel's text means the last definition of that name
 * before the kernel was made. A notebook's cell that is run again defines it again.
 */
import type { Callee } from "./definition.js";

const defined = new Map<string, Callee>();

/** The latest of its name from now on. */
export function define(name: string, callee: Callee): void {
  // As the last one of those that are listed.
  defined.delete(name);
  defined.set(name, callee);
}

export function lastDefined(name: string): Callee | undefined {
  return defined.get(name);
}

/** Names in the order of their definition. */
export function definedNames(): readonly string[] {
  return [...defined.keys()];
}

/** For tests whose texts must mean the same whatever another file has defined before. */
export function forgetDefinitions(): void {
  defined.clear();
}
