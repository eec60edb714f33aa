/** Hashes of the sources that a program reaches by its imports. By content, so without git. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { courseRoot } from "./course-root.js";

/** The imports of a file that are there when it runs, as paths from the course's folder. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(courseRoot(), file), "utf8");
  const specifiers = text.matchAll(/^(?:import|export)\s(?!type\s)[^;"]*"(\.[^"]+)\.js"/gm);
  return [...specifiers].map(
    ([, path]) => `${relative(courseRoot(), join(courseRoot(), dirname(file), path ?? ""))}.ts`,
  );
}

/** `entries` and all that they import, directly or not. */
export function reached(entries: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    waiting.push(...importsOf(file));
  }
  return [...found].sort();
}

/** @param files paths from the course's folder */
export function hashOfFiles(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = createHash("sha256")
      .update(readFileSync(join(courseRoot(), file)))
      .digest("hex");
    hash.update(`${file} ${content}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

const versions = new Map<string, string>();

/** Another one where a program's sources or the packages are others. @param entry its file, from the course's folder */
export function programVersion(entry: string): string {
  const version = versions.get(entry) ?? hashOfFiles([...reached([entry]), "package-lock.json"]);
  versions.set(entry, version);
  return version;
}
