/**
 * Hashes of everything that a check of all launches depends on: the files that the simulation reaches by its imports, and
 * the data. `.ci/run` leaves a check out whose record has the same hashes. By content, so without git.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { courseRoot } from "../../node/course-root.js";
import { hashOfFiles, reached } from "../../node/source-hashes.js";
import { REFERENCE } from "./measured-table.js";

/** By folder. */
export type Hashes = Readonly<Record<string, string>>;

/** Files that the checks themselves write. */
const WRITTEN = /^(recorded|checked)\//;

/** Measured numbers and the CUDA texts that were measured. */
function data(folder: string): readonly string[] {
  const files = readdirSync(join(courseRoot(), folder), { recursive: true, encoding: "utf8" });
  return files
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.(json|cu)$/.test(file) && !WRITTEN.test(file))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** The storey and the room in it: "src/core/lower". */
const ROOM_DEPTH = 3;

/** By src's rooms and the folders of the data. @param entries the simulation's own files, from the course's folder */
export function hashesOf(entries: readonly string[], dataFolders: readonly string[]): Hashes {
  const folders = new Map<string, string[]>();
  for (const file of reached(entries)) {
    const folder = file.split("/").slice(0, ROOM_DEPTH).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  for (const folder of dataFolders) folders.set(folder, [...data(folder)]);
  return Object.fromEntries(
    [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, files]) => [name, hashOfFiles(files)]),
  );
}

const PUBLISHED = "labs/published";

export function validationSources(): Hashes {
  return hashesOf(
    ["src/tools/accuracy/validate/validate.ts", "src/tools/accuracy/measured-kernels.ts"],
    [REFERENCE, PUBLISHED],
  );
}

export function calibrationSources(): Hashes {
  return hashesOf(["src/tools/accuracy/calibrate/calibrate.ts"], [REFERENCE]);
}

/** The folders that are not as the record has them. */
export function changedSources(now: Hashes, recorded: Hashes): readonly string[] {
  const folders = [...new Set([...Object.keys(now), ...Object.keys(recorded)])].sort();
  return folders.filter((folder) => now[folder] !== recorded[folder]);
}
