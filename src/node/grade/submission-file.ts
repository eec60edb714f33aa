/** Reads a submission's file, whatever it is: no link is followed, and no more is read than a submission has. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { basename, extname } from "node:path";
import { MissingFile, Refused } from "./refused.js";

const KIBIBYTE = 1024;
/** The longest kernels of the course have 4 KiB. */
export const MOST_TEXT_BYTES: number = 256 * KIBIBYTE;
/** The course's largest notebook has 1 MiB, with its figures; a learner's own outputs are not to cost points. */
export const MOST_NOTEBOOK_BYTES: number = 64 * KIBIBYTE * KIBIBYTE;

export interface Submission {
  /** "cuda": a .cu file, in CUDA C++. */
  readonly kind: "file" | "notebook" | "cuda";
  /** The file's name without its folder. */
  readonly name: string;
  readonly text: string;
}

function size(bytes: number): string {
  const kibibytes = bytes / KIBIBYTE;
  return kibibytes < KIBIBYTE ? `${Math.ceil(kibibytes)} KiB` : `${(kibibytes / KIBIBYTE).toFixed(1)} MiB`;
}

function kindOf(path: string): Submission["kind"] {
  const kind = extname(path).toLowerCase();
  if (kind === ".ts") return "file";
  if (kind === ".ipynb") return "notebook";
  if (kind === ".cu") return "cuda";
  throw new Refused({
    what: `${basename(path)} is neither a TypeScript file nor a notebook nor CUDA C++.`,
    cure: "Hand in a .ts file, a .cu file or an .ipynb file.",
  });
}

/** The system's refusals, about a file that is there. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: "the permission to read it is missing",
  EPERM: "the permission to read it is missing",
  ELOOP: "it has become a link",
  ENAMETOOLONG: "its path is too long",
};

/** @throws Refused where the system does not let the file be read, as for all that a submission's file can cause */
function opened<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (problem) {
    const code = problem instanceof Error && "code" in problem ? String(problem.code) : "";
    if (problem instanceof Refused || code === "") throw problem;
    if (code === "ENOENT") throw missing(path);
    const what = `${basename(path)} cannot be read: ${REFUSALS[code] ?? code}.`;
    throw new Refused({ what, cure: "Hand in a file that can be read." });
  }
}

function missing(path: string): MissingFile {
  return new MissingFile({ what: `There is no file ${path}.`, cure: "Name one that is there." });
}

/** An answer's ending, however it is written. */
export function isSubmissionName(name: string): boolean {
  return [".ts", ".cu", ".ipynb"].includes(extname(name).toLowerCase()) && !/\.d\.ts$/i.test(name);
}

function checkedBytes(path: string, kind: Submission["kind"]): Buffer {
  const name = basename(path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw missing(path);
  if (found.isSymbolicLink()) {
    throw new Refused({ what: `${name} is a link to another file.`, cure: "Hand in the file itself." });
  }
  if (!found.isFile()) throw new Refused({ what: `${name} is no file.`, cure: "Name a .ts, a .cu or an .ipynb file." });
  const most = kind === "notebook" ? MOST_NOTEBOOK_BYTES : MOST_TEXT_BYTES;
  // A file that has become a link or a pipe meanwhile is not waited for.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const { size: bytes } = fstatSync(file);
    if (bytes > most) {
      const cure =
        kind === "notebook"
          ? "Clear the notebook's outputs, save it, and hand it in again."
          : "Hand in the kernel's file alone.";
      throw new Refused({ what: `${name} has ${size(bytes)}; ${size(most)} are read.`, cure });
    }
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}

/** A file as it is handed in, before anything is made of its bytes. */
export interface SubmissionBytes {
  readonly kind: Submission["kind"];
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** @throws Refused for links, folders, and files that are missing, too large or not to be read */
export function readSubmissionBytes(path: string): SubmissionBytes {
  const kind = kindOf(path);
  return { kind, name: basename(path), bytes: opened(path, () => checkedBytes(path, kind)) };
}

export function sha256Of({ bytes }: SubmissionBytes): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** @throws Refused for bytes that are no text */
export function submissionText({ kind, name, bytes }: SubmissionBytes): Submission {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return { kind, name, text };
  } catch {
    // It is said below.
  }
  throw new Refused({ what: `${name} is no text in UTF-8.`, cure: "Save it as UTF-8." });
}

/**
 * The text of a .ts file or a notebook.
 * @throws Refused for links, folders, files that are missing or too large, and bytes that are no text
 */
export function readSubmission(path: string): Submission {
  return submissionText(readSubmissionBytes(path));
}
