/** `npx warplab sanitize FILE`: runs a program or a notebook in this process under the sanitizer's tools, and prints their report. */
import "../files-on-disk.js";
import "../platform.js";
import { writeSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { SanitizerTool } from "../../core/sanitizer/finding.js";
import { type SanitizeOptions, type Sanitizing, startSanitizing } from "../../core/sanitizer/sanitize.js";
import { parsed, programFile, readyProgram, refused, runProgram, UsageError } from "./run-program.js";

const USAGE = `npx warplab sanitize [--tool racecheck] [--leak-check full] [--track-unused-memory]
                    [--error-exitcode 1] [--json] [--device v100] FILE
  FILE     a program (.ts, .js, .mjs) or a notebook (.ipynb)
  --tool   memcheck, racecheck, initcheck, synccheck, or several: --tool memcheck,racecheck;
           default all four
  --device the GPU of new Gpu() without an argument, or a file (my-gpu.json); default h200
  --error-exitcode  the exit code where something is found; default 1
The program's output comes first, then the report.`;

interface Options {
  readonly file: string;
  readonly device: string | undefined;
  readonly json: boolean;
  readonly errorExitCode: number;
  readonly sanitize: SanitizeOptions;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tool: { type: "string" },
      "leak-check": { type: "string" },
      "track-unused-memory": { type: "boolean" },
      "error-exitcode": { type: "string" },
      json: { type: "boolean" },
      device: { type: "string" },
      help: { type: "boolean" },
    },
  });
}

function exitCodeOf(text: string): number {
  const code = Number(text);
  if (text.trim() === "" || !Number.isInteger(code) || code < 0 || code > 255) {
    throw new UsageError(`--error-exitcode ${text}: give a number from 0 to 255.`);
  }
  return code;
}

/** null where the usage is asked for. */
function readOptions(args: readonly string[]): Options | null {
  const { values, positionals } = parsed(() => parse(args));
  if (values.help === true) return null;
  const file = programFile(positionals, "run");
  const leakCheck = values["leak-check"];
  if (leakCheck !== undefined && leakCheck !== "full" && leakCheck !== "no") {
    throw new UsageError(`--leak-check ${leakCheck}: give full or no.`);
  }
  return {
    file,
    device: values.device,
    json: values.json === true,
    errorExitCode: exitCodeOf(values["error-exitcode"] ?? "1"),
    sanitize: {
      // startSanitizing refuses names that are none of the tools.
      ...(values.tool === undefined ? {} : { tool: values.tool.split(",") as readonly SanitizerTool[] }),
      leakCheck: leakCheck === "full",
      trackUnusedMemory: values["track-unused-memory"] === true,
    },
  };
}

/** @returns the exit code: 0, that of --error-exitcode where something is found or the program fails, 2 for wrong options. */
export async function runSanitize(args: readonly string[]): Promise<number> {
  let options: Options | null;
  let sanitizing: Sanitizing;
  try {
    options = readOptions(args);
    if (options === null) {
      writeSync(1, `${USAGE}\n`);
      return 0;
    }
    readyProgram(options.file, options.device);
    sanitizing = startSanitizing(options.sanitize);
  } catch (problem) {
    return refused(problem, USAGE);
  }
  const succeeded = await runProgram(resolve(options.file));
  const { text, findings, errors } = sanitizing.finish();
  const plain = findings.map((finding) => ({
    ...finding,
    places: finding.places.map(({ source: _source, span: _span, ...place }) => place),
  }));
  writeSync(1, options.json ? `${JSON.stringify({ errors, findings: plain }, null, 1)}\n` : `${text}\n`);
  return succeeded && errors === 0 ? 0 : options.errorExitCode;
}
