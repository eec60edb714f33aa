/**
 * Results of a class as JSON lines, each written and synchronised before the next check. A run that is killed loses none of them: a
 * last line that is not whole is cut off.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/base/errors.js";
import type { Grade } from "../grade/grade.js";
import { tryLock } from "../setup/lock.mjs";

const RESULTS = "results.jsonl";
const LOCK = "run.lock";
/** Sizes and data of a class are drawn from it. */
export const SALT = "salt.txt";
const HEADER = '{"format":"warplab class results","version":1}\n';
const MILLISECONDS_BETWEEN_TOUCHES = 60_000;

/** Another result's key where the file, the exercise or the grader is another one. */
export interface ResultKey {
  /** From the folder of submissions. */
  readonly path: string;
  readonly sha256: string;
  readonly exercise: string;
  readonly version: string;
}

export interface StoredResult extends ResultKey {
  readonly grade: Grade;
  /** null where there is no kernel. */
  readonly fingerprint: readonly string[] | null;
}

interface GivenLine {
  readonly exercise: string;
  readonly version: string;
  readonly given: readonly string[];
}

type Line = ({ readonly kind: "result" } & StoredResult) | ({ readonly kind: "given" } & GivenLine);

/** A line of this file; null for any other one. */
function lineOf(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Line | null;
    return line?.kind === "result" || line?.kind === "given" ? line : null;
  } catch {
    return null;
  }
}

export function keyText({ path, sha256, exercise, version }: ResultKey): string {
  return JSON.stringify([path, sha256, exercise, version]);
}

/** Tables that an instructor may put beside the results. */
export const TABLES = ["roster", "deadlines", "submitted", "overrides"] as const;

/** Names that a run or an instructor may leave before there is a file of results. */
function isOwnName(name: string): boolean {
  if (TABLES.some((each) => name === `${each}.csv`)) return true;
  return name === SALT || name === LOCK || /^(run\.lock\.|\.part-|shard-\d+-of-\d+$)/.test(name);
}

/** The file's whole lines; null where it is none of ours. */
function ownLines(folder: string): string | null {
  const names = readdirSync(folder);
  if (!names.includes(RESULTS)) return names.every(isOwnName) ? "" : null;
  const text = readFileSync(join(folder, RESULTS), "utf8");
  // A run may have been killed in its first line.
  if (HEADER.startsWith(text)) return "";
  return text.startsWith(HEADER) ? text.slice(0, text.lastIndexOf("\n") + 1) : null;
}

/** @throws InputError where the folder holds other files */
export function checkResultsFolder(folder: string): void {
  if (ownLines(folder) !== null) return;
  const what = `${folder} holds files that are no results of a class.`;
  throw new InputError({ what, cure: "Name an empty folder, or a new one, by --out." });
}

/** The results of a folder with their lines, from 1; a later line of a key counts. */
export function storedResults(folder: string): readonly (StoredResult & { readonly line: number })[] {
  const lines = (ownLines(folder) ?? "").split("\n");
  return lines.flatMap((text, index) => {
    const line = lineOf(text);
    return line?.kind === "result" ? [{ ...line, line: index + 1 }] : [];
  });
}

/** Whether a run works in the folder just now. */
export function isBusy(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const release = tryLock(join(folder, LOCK));
  release?.();
  return release === null;
}

/** Shows other machines that the run goes on. */
function touch(lock: string): void {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Somebody has removed it, as the error for a second run says how to.
  }
}

export class ResultsFile {
  private readonly results: Map<string, StoredResult> = new Map();
  private readonly givens: Map<string, GivenLine> = new Map();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly path: string,
    private readonly file: number,
    private readonly release: () => void,
    lock: string,
    lines: string,
  ) {
    for (const text of lines.split("\n")) {
      const line = lineOf(text);
      if (line !== null) this.take(line);
    }
    this.timer = setInterval(() => touch(lock), MILLISECONDS_BETWEEN_TOUCHES).unref();
  }

  /**
   * @throws InputError where the folder holds other files, or another run works in it
   */
  static open(folder: string): ResultsFile {
    mkdirSync(folder, { recursive: true });
    checkResultsFolder(folder);
    const lock = join(folder, LOCK);
    const release = tryLock(lock);
    if (release === null) {
      const what = `Another run grades into ${folder} just now.`;
      throw new InputError({ what, cure: `Wait for its end. Remove ${lock} where there is none.` });
    }
    try {
      const path = join(folder, RESULTS);
      const lines = ownLines(folder) ?? "";
      const file = openSync(path, "a");
      ftruncateSync(file, Buffer.byteLength(lines));
      const results = new ResultsFile(path, file, release, lock, lines);
      if (lines === "") results.write(HEADER);
      return results;
    } catch (problem) {
      release();
      throw problem;
    }
  }

  private take(line: Line): void {
    if (line.kind === "given") this.givens.set(`${line.exercise} ${line.version}`, line);
    else this.results.set(keyText(line), line);
  }

  private write(text: string): void {
    try {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) written += writeSync(this.file, bytes.subarray(written));
      fsyncSync(this.file);
    } catch (error) {
      throw Object.assign(error as Error, { path: this.path });
    }
  }

  private add(...lines: readonly Line[]): void {
    this.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    for (const line of lines) this.take(line);
  }

  result(key: ResultKey): StoredResult | undefined {
    return this.results.get(keyText(key));
  }

  addResult(...results: readonly StoredResult[]): void {
    this.add(...results.map((result) => ({ kind: "result", ...result }) as const));
  }

  /** Adds those that are not there yet, in one write. */
  addMissing(results: readonly StoredResult[]): void {
    this.addResult(...results.filter((result) => !this.results.has(keyText(result))));
  }

  given(exercise: string, version: string): readonly string[] | undefined {
    return this.givens.get(`${exercise} ${version}`)?.given;
  }

  addGiven(line: GivenLine): void {
    this.add({ kind: "given", ...line });
  }

  close(): void {
    clearInterval(this.timer);
    closeSync(this.file);
    this.release();
  }
}
