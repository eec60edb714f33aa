/** The declarations that a page's types are checked with: the language's, and those of what a cell imports. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** The folders as live/types/checker.ts takes them. */
const LIBRARY = "/lib/";
const PACKAGE = "/warplab/";

const DECLARED = /(?:from|import\()\s*"(\.[^"]+)\.js"/g;
const REFERENCE = /^\/\/\/ <reference lib="([^"]+)"/gm;

/** Without comments, which nobody sees, except those that lead to another file. */
const short = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\n/gm, "");

/** @param folder of the compiled package */
export function typeFiles(folder: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const add = (path: string): void => {
    const name = PACKAGE + path.slice(folder.length + 1).replaceAll("\\", "/");
    if (name in files || !existsSync(path)) return;
    const text = readFileSync(path, "utf8");
    files[name] = short(text);
    for (const [, specifier = ""] of text.matchAll(DECLARED)) add(resolve(dirname(path), `${specifier}.d.ts`));
  };
  add(join(folder, "live/index.d.ts"));
  const library = dirname(createRequire(import.meta.url).resolve("typescript-for-pages"));
  const addLibrary = (name: string): void => {
    const file = `lib.${name}.d.ts`;
    if (LIBRARY + file in files) return;
    const text = readFileSync(join(library, file), "utf8");
    files[LIBRARY + file] = short(text);
    for (const [, other = ""] of text.matchAll(REFERENCE)) addLibrary(other);
  };
  addLibrary("es2022");
  return files;
}
