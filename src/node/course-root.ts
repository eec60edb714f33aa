/** Where the course lies on this machine. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function above(folder: string): string {
  const parent = dirname(folder);
  if (parent === folder) {
    throw new Error("The course's folder is not above this code: exercises and tables need a clone of the course.");
  }
  return existsSync(join(parent, "labs/exercise.schema.json")) ? parent : above(parent);
}

/**
 * The folder with labs/, and in a clone notebooks/ and src/, found from this file, compiled or not.
 * Only what reads the course's files asks for it: a bundled program has kernels and GPUs without.
 */
export function courseRoot(): string {
  return above(dirname(fileURLToPath(import.meta.url)));
}

/**
 * A compiled file, named from src on, for a program that is started as a process or thread of its own. It is of the same
 * compilation as this file, also where a later one has taken the place of src/dist.
 */
export function compiledProgram(path: string): string {
  return join(dirname(fileURLToPath(import.meta.url)), "..", path);
}
