/**
 * What tslab made of cells, kept in the clone's .cache/cells. A notebook that is run again needs no TypeScript compiler
 * for the cells that are as before, nor the two seconds in which it starts. Each compilation of the package has a folder
 * of its own. A compilation changes with the sources and the installed packages.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ConvertResult } from "tslab/dist/converter.js";
import { compiledProgram } from "../course-root.js";
import { replaceFile } from "../setup/replace.js";

/** A module that cannot change without a new compilation: the package, Node's own, and what package-lock.json holds. */
const FIXED_MODULE = /^(warplab(\/\w+)?|node:[\w/]+|tslab)$/;
const MODULE = /\b(?:from|import|require)\s*\(?\s*(["'`])(.*?)\1/g;

/** Whether the cell's conversion depends on its text and the declarations of earlier cells alone. */
function isClosed(text: string): boolean {
  const modules = [...text.matchAll(MODULE)];
  return (
    modules.every(([, , module = ""]) => FIXED_MODULE.test(module)) &&
    // An import that names its module by an expression.
    (text.match(/\b(?:import|require)\s*\(/g)?.length ?? 0) <= modules.length &&
    !/^\s*\/\/\/\s*</m.test(text)
  );
}

export class ConvertedCells {
  /** `folder`: null keeps nothing, which an installed package does. */
  constructor(private readonly folder: string | null = folderOfBuild()) {}

  /** What `convert` makes of the cell behind the declarations of earlier cells, which stand in the working folder. */
  converted(declarations: string, source: string, convert: () => ConvertResult): ConvertResult {
    if (this.folder === null || !isClosed(declarations) || !isClosed(source)) return convert();
    const key = createHash("sha256").update(JSON.stringify([process.cwd(), declarations, source]));
    const file = join(this.folder, `${key.digest("hex")}.json`);
    const kept = read(file);
    if (kept !== null) return kept;
    const result = convert();
    if (result.diagnostics.length === 0 && result.sideOutputs === undefined) write(this.folder, file, result);
    return result;
  }
}

/**
 * Named after the compilation's folder in .cache/builds; null where this code is none of a clone's. It lies outside of the
 * compilation, whose folders TypeScript watches for changes.
 */
function folderOfBuild(): string | null {
  if (!existsSync(compiledProgram(".sources.json"))) return null;
  const build = compiledProgram(".");
  return join(build, "../../cells", basename(build));
}

/** Cells of compilations that are there no longer. */
function dropOld(folder: string): void {
  const cells = dirname(folder);
  const builds = new Set([basename(folder), ...readdirSync(join(cells, "../builds"))]);
  for (const name of readdirSync(cells)) if (!builds.has(name)) rmSync(join(cells, name), { recursive: true });
}

function read(file: string): ConvertResult | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ConvertResult;
  } catch {
    return null;
  }
}

/** Where nothing can be written, nothing is kept. */
function write(folder: string, file: string, result: ConvertResult): void {
  try {
    if (mkdirSync(folder, { recursive: true }) !== undefined) dropOld(folder);
    replaceFile(file, JSON.stringify(result));
  } catch {}
}
