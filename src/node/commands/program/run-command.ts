/** `npx warplab run FILE.cu`: compiles a whole CUDA program and runs it here, as nvcc and a GPU would. */
import { existsSync, statSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { deviceById } from "../../../core/device/index.js";
import type { ProgramOptions } from "../../program/run-program.js";
import { parsed, refused, UsageError } from "../run-program.js";

const USAGE = `npx warplab run [--device v100] [--sanitize] [--profile nvprof|ncu] [--time-limit SECONDS]
                [--root DIR] [-I DIR] [--write DIR] FILE.cu [FILE.cu ...] [--] [arguments of the program]
  --device      the GPU; default h200
  --sanitize    compute-sanitizer's report behind the program's output
  --profile     the report of nvprof or of Nsight Compute behind the program's output
  --time-limit  the program is stopped after so many seconds; default 600
  --root        the folder whose files may be included; default that of the first FILE
  -I            a further folder for includes, below the root
  --write       the one folder that the program may write to; default none
Files that end in .cu, .cpp, .cc or .c behind the first belong to the program; -- begins its arguments.
The program reads the files of its own folder. The exit code is the program's. Times of the GPU are predicted.`;

const DEFAULT_SECONDS = 600;
const STOPPED = 124;

interface Options {
  readonly program: ProgramOptions;
  readonly seconds: number;
}

const FLAGS = {
  device: { type: "string" },
  sanitize: { type: "boolean" },
  profile: { type: "string" },
  "time-limit": { type: "string" },
  root: { type: "string" },
  include: { type: "string", short: "I", multiple: true },
  write: { type: "string" },
  help: { type: "boolean" },
} as const;

const SOURCE = /\.(cu|cpp|cc|cxx|c)$/;

/** The command's own options end with the first file; what follows the last one is the program's. */
function split(args: readonly string[]): readonly [readonly string[], readonly string[]] {
  const valued = Object.entries(FLAGS).filter(([, { type }]) => type === "string");
  const takesNext = (arg: string): boolean => arg === "-I" || valued.some(([name]) => arg === `--${name}`);
  let at = 0;
  while (at < args.length && args[at]!.startsWith("-")) at += takesNext(args[at]!) ? 2 : 1;
  const more = args.slice(at + 1);
  const other = more.findIndex((arg) => !(SOURCE.test(arg) && existsSync(arg)));
  const end = at + 1 + (other < 0 ? more.length : other);
  return [args.slice(0, end), args.slice(args[end] === "--" ? end + 1 : end)];
}

function readOptions(args: readonly string[]): Options | null {
  const [own, rest] = split(args);
  const { values, positionals } = parsed(() => parseArgs({ args: [...own], allowPositionals: true, options: FLAGS }));
  if (values.help === true) return null;
  const [first, ...others] = positionals;
  if (first === undefined) throw new UsageError("Give a file to run.");
  for (const file of positionals) {
    if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
    if (!statSync(file).isFile()) throw new UsageError(`${file} is no file.`);
  }
  const { profile = null } = values;
  if (profile !== null && profile !== "nvprof" && profile !== "ncu") {
    throw new UsageError(`--profile ${profile}: give nvprof or ncu.`);
  }
  const seconds = Number(values["time-limit"] ?? DEFAULT_SECONDS);
  if (!(seconds > 0)) throw new UsageError(`--time-limit ${values["time-limit"]}: give a number of seconds above 0.`);
  for (const folder of [values.root, ...(values.include ?? [])]) {
    if (folder !== undefined && !existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  }
  const device = values.device === undefined ? null : deviceById(values.device).id;
  const { sanitize = false, root = null, include = [], write = null } = values;
  return {
    program: { files: [first, ...others], args: rest, device, sanitize, profile, root, include, write },
    seconds,
  };
}

/** @returns the program's exit code; 1 where it cannot be compiled, 2 for wrong options, 124 where its time has passed. */
export async function runCudaProgram(args: readonly string[]): Promise<number> {
  let options: Options | null;
  try {
    options = readOptions(args);
  } catch (problem) {
    return refused(problem, USAGE);
  }
  if (options === null) {
    writeSync(1, `${USAGE}\n`);
    return 0;
  }
  return runInThread(options);
}

function runInThread({ program, seconds }: Options): Promise<number> {
  const worker = new Worker(new URL("../../program/program-child.js", import.meta.url), { workerData: program });
  return new Promise((done, failed) => {
    const stop = (): void => {
      void worker.terminate();
      const cure = `Look for a loop without an end, or give it more: --time-limit ${2 * seconds}.`;
      writeSync(2, `warplab: The program was stopped: it has not ended after ${seconds} seconds.\n${cure}\n`);
      done(STOPPED);
    };
    worker.on("error", failed);
    worker.on("message", ({ code }: { readonly code?: number }) => {
      if (code === undefined) setTimeout(stop, seconds * 1000).unref();
      else done(code);
    });
  });
}
