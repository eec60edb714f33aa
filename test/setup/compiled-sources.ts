/**
 * Tests run on the compiled modules, as notebooks and commands do: what Vite makes of a module runs at half
 * their speed, as each name that it imports is looked up at each use.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vitest/config";

/** Another name of the folder, where its own has signs that Vite takes for parts of an address (test.mjs). */
export const LINKED_ROOT: string | undefined = process.env.WARPLAB_TEST_ROOT;

const root = LINKED_ROOT ?? join(import.meta.dirname, "../..");
const src = join(root, "src");
let dist: string | undefined;

/** The compilation of this run, also where a later one takes the place of src/dist. */
function compiled(): string {
  dist ??= join(root, ".cache/builds", basename(realpathSync(join(src, "dist"))));
  return dist;
}

/** Files that Node loads as they are. */
export const COMPILED: RegExp = /\/\.cache\/builds\//;

/** The compiled module of a module of src that a test or an exercise imports; null for all others. */
function compiledModule(specifier: string, importer: string | undefined): string | null {
  if (specifier === "warplab") return join(compiled(), "node/index.js");
  if (importer === undefined || !specifier.startsWith(".") || !specifier.endsWith(".js")) return null;
  const path = relative(src, resolve(dirname(importer), specifier));
  return path.startsWith("..") || path.startsWith("dist") ? null : join(compiled(), path);
}

export function compiledSources(): Plugin {
  return { name: "compiled-sources", enforce: "pre", resolveId: compiledModule };
}
