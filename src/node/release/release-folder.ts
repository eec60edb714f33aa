/**
 * A folder that a command writes again and again, and that its user may change in between. A record in it tells what was
 * written. A file that is no more as it was written is the user's, and stays.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceFile } from "../setup/replace.js";

const RECORD = ".warplab-release.json";

/** The fate of a file: "kept" is one that the user has changed, or that was there before. */
export type Written = "written" | "as it was" | "kept";

const sumOf = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

function recordIn(folder: string): Record<string, string> {
  try {
    const record = JSON.parse(readFileSync(join(folder, RECORD), "utf8")) as unknown;
    return typeof record === "object" && record !== null ? { ...(record as Record<string, string>) } : {};
  } catch {
    // Without a record all files are the user's.
    return {};
  }
}

/**
 * Writes the files that may be written.
 * @param files texts by path, from `folder`
 */
export function writeRelease(folder: string, files: ReadonlyMap<string, string>): ReadonlyMap<string, Written> {
  const record = recordIn(folder);
  const written = new Map<string, Written>();
  for (const [name, text] of files) {
    const path = join(folder, name);
    const present = existsSync(path) ? sumOf(readFileSync(path)) : null;
    const sum = sumOf(text);
    if (present === sum) written.set(name, "as it was");
    else if (present !== null && present !== record[name]) {
      written.set(name, "kept");
      continue;
    } else {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, text);
      written.set(name, "written");
    }
    record[name] = sum;
    // After each file: a run that is ended halfway takes its own files for the user's otherwise.
    if (written.get(name) === "written") replaceFile(join(folder, RECORD), `${JSON.stringify(record, null, 1)}\n`);
  }
  return written;
}
