/** Where the course lies on this machine. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function above(folder: string): string {
  const parent = dirname(folder);
  if (parent === folder) throw new Error("The course's own folder cannot be found above its compiled code.");
  return existsSync(join(parent, "package-lock.json")) ? parent : above(parent);
}

/** The folder with package.json, notebooks/ and src/, found from this file, compiled or not. */
export const courseRoot: string = above(dirname(fileURLToPath(import.meta.url)));

/** A compiled file of this folder, for a program that is started as a process of its own. */
export function compiledProgram(name: string): string {
  return join(courseRoot, "src/dist/course", name);
}
