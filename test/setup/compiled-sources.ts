/**
 * Tests run on the compiled modules of src/dist, as notebooks and commands do: what Vite makes of a module runs at half
 * their speed, as each name that it imports is looked up at each use.
 */
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vitest/config";

const src = join(import.meta.dirname, "../../src");
const dist = join(src, "dist");

/** Files that Node loads as they are. */
export const COMPILED: RegExp = /\/src\/dist\//;

/** The compiled module of a module of src that a test or an exercise imports; null for all others. */
function compiledModule(specifier: string, importer: string | undefined): string | null {
  if (specifier === "warplab") return join(dist, "index.js");
  if (importer === undefined || !specifier.startsWith(".") || !specifier.endsWith(".js")) return null;
  const path = relative(src, resolve(dirname(importer), specifier));
  return path.startsWith("..") || path.startsWith("dist") ? null : join(dist, path);
}

export function compiledSources(): Plugin {
  return { name: "compiled-sources", enforce: "pre", resolveId: compiledModule };
}
