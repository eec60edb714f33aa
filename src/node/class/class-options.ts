/** The options of `npm run grade -- --class`. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../../core/base/errors.js";
import { exercise, isExercisePath } from "../../course/exercises/exercise.js";
import { wholeNumber } from "../grade/whole-number.js";
import { CLASS_LIMITS, type ClassLimits } from "./class-run.js";
import { TABLES } from "./results-file.js";
import { type Shard, shardOf } from "./shards.js";

export const CLASS_USAGE = `npm run grade -- --class FOLDER [EXERCISE...]
  FOLDER        STUDENT.ts, or a folder for each student;
                also from Canvas, Moodle, or Brightspace
  EXERCISE      such as lab-28; else all that is handed in
  --out FOLDER  of results; default: FOLDER-grades beside it
  --json        all results as JSON on stdout
  --jobs 2      checks at once; default: one a core
  --time 60     seconds for a check; four times as many for
                those that run again, alone, at the end
  --memory 416  MiB for a check; twice as many there
  --retry       checks again what such a limit has ended
  --salt TEXT   draws sizes and data for the whole class;
                default: drawn once, and kept in salt.txt
  --level 1     how many folders' names make a student's
Tables; default: the file of this name beside the results
  --roster roster.csv        who is in the class
  --deadlines deadlines.csv  until when, and what is lost
  --submitted submitted.csv  when files were handed in
  --file-times  else the files' own times say when
  --free-days 0 days late of a student without a loss
  --overrides overrides.csv  points of yours, with reasons
On several machines, into one folder of results
  --shard 3/16  checks one part of sixteen
  --merge       makes the results of all parts
Start it again after an interruption: it goes on.
Exit code: 0 all have a score, 1 a signal has ended some
checks, 2 the command is wrong.`;

export interface ClassOptions {
  readonly folder: string;
  readonly out: string;
  readonly asked: readonly string[];
  readonly limits: ClassLimits;
  readonly json: boolean;
  readonly retry: boolean;
  readonly salt: string | null;
  readonly level: number;
  /** Paths of tables that there are. */
  readonly tables: Readonly<Partial<Record<(typeof TABLES)[number], string>>>;
  readonly fileTimes: boolean;
  readonly freeDays: number;
  /** null for the whole class. */
  readonly shard: Shard | null;
  readonly merge: boolean;
}

function refuse(what: string): never {
  throw new InputError({ what, cure: CLASS_USAGE });
}

/** The path as the system knows it, also of a folder that is yet to be made. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

function submissionsFolder(path: string): string {
  if (!existsSync(path) || !statSync(path).isDirectory()) refuse(`There is no folder ${path}.`);
  return realpathSync(path);
}

function outFolder(folder: string, given: string | undefined): string {
  const out = realPath(given ?? `${folder}-grades`);
  if (out === folder || `${out}${sep}`.startsWith(`${folder}${sep}`)) {
    refuse(`--out ${out} lies among the submissions.`);
  }
  if (existsSync(out) && !statSync(out).isDirectory()) refuse(`--out ${out} is no folder.`);
  return out;
}

/** null where the usage is asked for. */
export function readOptions(args: readonly string[], file: (path: string) => string): ClassOptions | null {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      class: text,
      out: text,
      json: flag,
      retry: flag,
      salt: text,
      jobs: text,
      time: text,
      memory: text,
      level: text,
      roster: text,
      deadlines: text,
      submitted: text,
      overrides: text,
      "free-days": text,
      "file-times": flag,
      shard: text,
      merge: flag,
      help: flag,
    },
  });
  if (values.help === true) return null;
  const folder = submissionsFolder(resolve(file(values.class ?? "")));
  const asked = positionals.map((id) => (isExercisePath(id) ? resolve(file(id)) : id));
  for (const id of asked) exercise(id);
  const given = (
    name: "jobs" | "time" | "memory" | "level" | "free-days",
    otherwise: number,
    least: number,
    most: number,
  ): number => wholeNumber(name, values[name], otherwise, { least, most });
  if (values.merge === true && values.shard !== undefined) refuse("--shard and --merge are two commands.");
  const out = outFolder(folder, values.out === undefined ? undefined : resolve(file(values.out)));
  const tables = TABLES.flatMap((name) => {
    const path = values[name] === undefined ? join(out, `${name}.csv`) : resolve(file(values[name]));
    return values[name] !== undefined || existsSync(path) ? [[name, path] as const] : [];
  });
  return {
    folder,
    out,
    asked: [...new Set(asked)].sort(),
    limits: {
      jobs: given("jobs", availableParallelism(), 1, 256),
      timeMs: given("time", CLASS_LIMITS.timeMs / 1000, 1, 500_000) * 1000,
      memoryBytes: given("memory", CLASS_LIMITS.memoryBytes / 2 ** 20, 256, 2 ** 20) * 2 ** 20,
    },
    json: values.json === true,
    retry: values.retry === true,
    salt: values.salt ?? null,
    level: given("level", 1, 1, 8),
    tables: Object.fromEntries(tables),
    fileTimes: values["file-times"] === true,
    freeDays: given("free-days", 0, 0, 366),
    shard: values.shard === undefined ? null : shardOf(values.shard),
    merge: values.merge === true,
  };
}
