/**
 * Writes results so that a reader finds the old or the new, each whole: beside the old at first, then in its place.
 * A full disk or a killed process leaves the old.
 */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { atEnd } from "./children.mjs";
import { isAlive, processMark } from "./lock.mjs";

const PART = /^\.part-(\d+)-/;
let parts = 0;

/** The file that a link leads to, which is written in the link's stead; the path itself where nothing is there. */
function target(path: string): { readonly path: string; readonly mode: number | undefined } {
  try {
    const real = realpathSync(path);
    return { path: real, mode: statSync(real).mode & 0o777 };
  } catch {
    return { path, mode: undefined };
  }
}

/**
 * Replaces a file, or makes it.
 * @throws {Error} the system's, about `path`; the old file is unharmed then
 */
export function replaceFile(path: string, data: string | Uint8Array): void {
  const { path: file, mode } = target(path);
  const part = join(dirname(file), `.part-${process.pid}-${++parts}`);
  try {
    writeFileSync(part, data, mode === undefined ? {} : { mode });
    renameSync(part, file);
  } catch (error) {
    try {
      rmSync(part, { force: true });
    } catch {
      // The fault that kept it from being written keeps it from being removed.
    }
    throw Object.assign(error as Error, { path, dest: path });
  }
}

/** Makes a file that is whole from its first moment. Where another process has made it before, that one stays. */
export function createFile(path: string, data: string): void {
  const part = join(dirname(path), `.part-${process.pid}-${++parts}`);
  writeFileSync(part, data);
  try {
    linkSync(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(part);
  }
}

/** Removes what processes left in a folder that were killed while they wrote. */
export function removeParts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(PART.exec(name)?.[1]);
    if (!(pid > 0) || pid === process.pid || isAlive(processMark(pid)) === true) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/**
 * Replaces several files of a folder at once, when all are written.
 * @param write writes them into the folder that it is given, with the paths that they shall have in `folder`
 * @returns the paths that were replaced, from `folder`
 */
export async function replaceFiles(
  folder: string,
  write: (beside: string) => void | Promise<void>,
): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const beside = mkdtempSync(join(folder, `.part-${process.pid}-`));
  const remove = (): void => rmSync(beside, { recursive: true, force: true });
  const takeBack = atEnd(remove);
  try {
    await write(beside);
    const files = filesIn(beside);
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      renameSync(join(beside, file), target(join(folder, file)).path);
    }
    return files;
  } finally {
    takeBack();
    remove();
  }
}
