/** A command that fails says a sentence, and shows no stack. Plain JavaScript: it runs before anything is compiled. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** Thrown where a command cannot go on; its message says all that is to be said. */
export class PreparationError extends Error {}

const STACK = "WARPLAB_STACK";

/** Needs no rights on the folder that cannot be written. */
const COPY = "Copy the course to a folder that you may write (cp -r FOLDER ~/warplab), and run the command there.";

/** Errors of the system, by Node's codes. */
const SENTENCES = {
  ENOSPC: (at) =>
    `The disk is full: ${at} could not be written. Free some space and try again; what was there is unharmed.`,
  EDQUOT: (at) => `Your disk quota is used up: ${at} could not be written. Free some space and try again.`,
  EROFS: (at) => `${at} cannot be written: its file system is read-only. ${COPY}`,
  EACCES: (at) => `${at} cannot be opened: you lack the permission. ${COPY}`,
  EPERM: (at) => `${at} cannot be changed: you lack the permission. ${COPY}`,
  ENOTDIR: (at) => `${at} cannot be opened: a part of its path is a file, not a folder. Move that file away.`,
  EISDIR: (at) => `${at} is a folder where a file belongs. Move it away.`,
  ENOENT: (at) => `${at} is missing. Get it back (git checkout) or name another one.`,
  EMFILE: (at) => `Too many files are open: ${at} could not be opened. Raise the limit (ulimit -n) and try again.`,
  ENOMEM: () => "The machine has no memory left. End other programs and try again.",
};

/** A folder that cannot be made below one that is there: Node says ENOENT where the file system is read-only. */
function codeOf(error) {
  if (error?.code !== "ENOENT" || error.syscall !== "mkdir" || !error.path) return error?.code;
  return existsSync(dirname(error.path)) ? "EROFS" : "ENOENT";
}

/** A sentence about an error. An unknown one is a fault of this program: how to see its place is said. */
export function failureText(error) {
  const stack = process.env[STACK] && error?.stack ? `\n${error.stack}` : "";
  if (error instanceof PreparationError || error?.cure) return error.message + stack;
  const sentence = SENTENCES[codeOf(error)];
  if (sentence !== undefined) return sentence(error.dest ?? error.path ?? "a file") + stack;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return stack === ""
    ? `${message}\nThis was not foreseen; ${STACK}=1 before the command shows where it arose.`
    : message + stack;
}
