/** One process at a time, among all of this checkout. Plain JavaScript: it runs before anything is compiled. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { atEnd } from "./children.mjs";

const MILLISECONDS_BETWEEN_LOOKS = 100;
/** A lock of another machine, or without a text, is given up after this. */
const LONGEST_WORK_MILLISECONDS = 10 * 60_000;

/** Tells a process from a later one of the same number, where the system says when each began. */
function begunAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in brackets, which may hold spaces; the 22nd is the start.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** Names this process for `isAlive`. */
export function processMark(pid = process.pid) {
  return { pid, begun: begunAt(pid), host: hostname() };
}

/** Whether the process that `processMark` named still runs; undefined where it is one of another machine. */
export function isAlive({ pid, begun, host }) {
  if (host !== hostname()) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return begunAt(pid) === begun;
}

function isStale(path) {
  let age = 0;
  try {
    age = Date.now() - statSync(path).mtimeMs;
    const alive = isAlive(JSON.parse(readFileSync(path, "utf8")));
    if (alive !== undefined) return !alive;
  } catch (error) {
    if (error.code === "ENOENT") return false;
  }
  return age > LONGEST_WORK_MILLISECONDS;
}

function removeStale(path) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    // Another process may have taken the place of the stale one just before: that one's is put back.
    if (isStale(aside)) rmSync(aside, { force: true });
    else renameSync(aside, path);
  } catch {
    // Another process was faster.
  }
}

function isOurs(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).pid === process.pid;
  } catch {
    return false;
  }
}

/** For file systems without hard links. */
function takeWithoutLinks(path) {
  try {
    writeFileSync(path, JSON.stringify(processMark()), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Makes the lock whole or not at all: a process that is killed meanwhile leaves none without a text. */
function take(path) {
  const aside = `${path}.new-${process.pid}`;
  writeFileSync(aside, JSON.stringify(processMark()));
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    return error.code === "EEXIST" ? false : takeWithoutLinks(path);
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Takes the lock, or gives null at once where another process holds it. The lock of a process that has ended is taken over.
 * A holder that works for long touches the file, as other machines see its age alone.
 * @returns gives it back
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  if (!take(path)) {
    if (!isStale(path)) return null;
    removeStale(path);
    if (!take(path)) return null;
  }
  const release = () => {
    if (isOurs(path)) rmSync(path, { force: true });
  };
  const takeBack = atEnd(release);
  return () => {
    takeBack();
    release();
  };
}

/**
 * Runs `work` while no other process holds the lock. The lock of a process that has ended is taken over.
 * @param path the lock's file
 * @param onWait called once where another process holds it
 */
export async function withLock(path, work, onWait = () => {}) {
  let release = tryLock(path);
  if (release === null) onWait();
  while (release === null) {
    await new Promise((done) => setTimeout(done, MILLISECONDS_BETWEEN_LOOKS));
    release = tryLock(path);
  }
  try {
    return await work();
  } finally {
    release();
  }
}
