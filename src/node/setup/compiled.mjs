/**
 * The compiled package. Each compilation has a folder of its own in .cache/builds, and src/dist is a link to one of
 * them. It is moved only when a folder is complete. A command that runs goes on in the folder in which it began.
 * Plain JavaScript: it runs before anything is compiled.
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isAlive, processMark, withLock } from "./lock.mjs";

/** It names the sources of a folder, and is written last. */
const RECORD = ".sources.json";
/** A file for each process that runs a folder's code. */
const USERS = ".users";
/** Complete folders that are kept beside the present one: kernels that an editor started say nothing of themselves. */
const KEPT_BEFORE = 2;
/** Sources may change while the compiler reads them. */
const MOST_COMPILATIONS = 5;

const buildsOf = (root) => join(root, ".cache/builds");
const linkOf = (root) => join(root, "src/dist");

/** All that the compiler reads: the sources, its settings, and which packages are installed. */
function sourceFiles(root) {
  const files = [];
  const visit = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== "dist" && entry.name !== "node_modules") visit(path);
      } else if (/\.(m?ts|mjs|json)$/.test(entry.name)) files.push(path);
    }
  };
  visit("src");
  return ["package-lock.json", "tsconfig.json", ...files.sort()];
}

/** Hash of what the files hold. */
export function sourcesHash(root) {
  const hash = createHash("sha256");
  for (const file of sourceFiles(root)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** Hash of the files' sizes and times: where it is as before, so are the files, and none need be read. */
function sourcesStamp(root) {
  const hash = createHash("sha256");
  for (const file of sourceFiles(root)) {
    const { size, mtimeMs, ctimeMs, ino } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs} ${ctimeMs} ${ino}\n`);
  }
  return hash.digest("hex");
}

function recordOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, RECORD), "utf8"));
  } catch {
    return null;
  }
}

/** Whole or not at all; the next command finds anew what could not be kept. */
function keepRecord(folder, record) {
  const part = join(folder, `${RECORD}.${process.pid}`);
  try {
    writeFileSync(part, JSON.stringify(record));
    renameSync(part, join(folder, RECORD));
  } catch {
    // A checkout that cannot be written serves as well.
  }
}

/** Whether src/dist is what the sources give. */
export function isCompiled(root) {
  const record = recordOf(linkOf(root));
  if (record === null || typeof record.stamp !== "string") return false;
  const stamp = sourcesStamp(root);
  if (record.stamp === stamp) return true;
  if (record.sources !== sourcesHash(root)) return false;
  keepRecord(realpathSync(linkOf(root)), { ...record, stamp });
  return true;
}

/** Says that this process runs the code of src/dist, until it ends. */
export function useCompiled(root) {
  try {
    const users = join(realpathSync(linkOf(root)), USERS);
    const file = join(users, String(process.pid));
    mkdirSync(users, { recursive: true });
    writeFileSync(file, JSON.stringify(processMark()));
    process.on("exit", () => rmSync(file, { force: true }));
  } catch {
    // A checkout that cannot be written has no other compilation to come.
  }
}

function isUsed(folder) {
  const users = join(folder, USERS);
  if (!existsSync(users)) return false;
  return readdirSync(users).some((file) => {
    try {
      return isAlive(JSON.parse(readFileSync(join(users, file), "utf8"))) !== false;
    } catch {
      return false;
    }
  });
}

/** Whether a compilation that is not complete goes on: its folder is named by hash and process. */
function isBegun(folder) {
  const pid = Number(/-(\d+)-\d+$/.exec(basename(folder))?.[1]);
  return pid > 0 && pid !== process.pid && isAlive(processMark(pid)) === true;
}

/** Removes folders that nobody runs, but for the last few. */
function removeOld(root) {
  const present = basename(realpathSync(linkOf(root)));
  const others = readdirSync(buildsOf(root))
    .filter((name) => name !== present)
    .map((name) => join(buildsOf(root), name))
    .map((folder) => ({ folder, complete: recordOf(folder) !== null, time: statSync(folder).mtimeMs }));
  const complete = others.filter((each) => each.complete).sort((a, b) => b.time - a.time);
  const removed = [
    ...complete.slice(KEPT_BEFORE).filter(({ folder }) => !isUsed(folder)),
    ...others.filter((each) => !each.complete && !isBegun(each.folder)),
  ];
  for (const { folder } of removed) rmSync(folder, { recursive: true, force: true });
}

/** Makes src/dist lead to a complete folder, in one step. */
function moveLink(root, folder) {
  const link = linkOf(root);
  const beside = `${folder}.link`;
  rmSync(beside, { force: true });
  symlinkSync(process.platform === "win32" ? folder : relative(dirname(link), folder), beside, "junction");
  // It was a folder once.
  const before = lstatSync(link, { throwIfNoEntry: false });
  if (before?.isDirectory() === true) renameSync(link, `${folder}.before`);
  try {
    renameSync(beside, link);
  } catch (error) {
    if (process.platform !== "win32") throw error;
    // Windows moves no link over another.
    rmSync(link, { force: true });
    renameSync(beside, link);
  }
}

/** The modules that are JavaScript already, and that compiled ones import. */
function copyPlain(root, folder) {
  const setup = "node/setup";
  if (!existsSync(join(root, "src", setup))) return;
  mkdirSync(join(folder, setup), { recursive: true });
  for (const file of readdirSync(join(root, "src", setup)).filter((name) => name.endsWith(".mjs"))) {
    copyFileSync(join(root, "src", setup, file), join(folder, setup, file));
  }
}

let compilations = 0;

/**
 * Compiles the sources where src/dist is not what they give.
 * @param compile writes the compiled modules into a folder
 * @param onWait called where another process compiles
 */
export async function compileSources(root, compile, onWait) {
  if (isCompiled(root)) return;
  await withLock(
    join(root, ".cache/compile.lock"),
    async () => {
      for (let round = 0; round < MOST_COMPILATIONS && !isCompiled(root); round++) {
        const stamp = sourcesStamp(root);
        const sources = sourcesHash(root);
        const folder = join(buildsOf(root), `${sources.slice(0, 12)}-${process.pid}-${++compilations}`);
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
        try {
          await compile(folder);
          copyPlain(root, folder);
          writeFileSync(join(folder, RECORD), JSON.stringify({ sources, stamp }));
          moveLink(root, folder);
        } catch (error) {
          rmSync(folder, { recursive: true, force: true });
          throw error;
        }
      }
      removeOld(root);
    },
    onWait,
  );
}
