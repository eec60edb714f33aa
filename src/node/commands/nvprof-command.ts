/** `npx warplab nvprof FILE`: runs a program or a notebook in this process and prints nvprof's report on its launches. */
import "../files-on-disk.js";
import "../platform.js";
import { writeSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Activity, listen } from "../../core/host/activity.js";
import { checkNvprof, type NvprofOptions, nvprofText } from "../../core/profiler/nvprof/nvprof.js";
import { parsed, programFile, readyProgram, refused, runProgram } from "./run-program.js";

const USAGE = `npx warplab nvprof [--metrics a,b] [--events a,b] [--print-gpu-trace] [--print-api-trace]
                  [--csv] [--device v100] FILE
  FILE       a program (.ts, .js, .mjs) or a notebook (.ipynb)
  --metrics  of nvprof or Nsight Compute by name, or all
  --events   by name, or all
  --device   the GPU of new Gpu() without an argument, or a file (my-gpu.json); default h200
The program's output comes first, then the report. Times of kernels and copies are predicted.`;

interface Options {
  readonly file: string;
  readonly device: string | undefined;
  readonly report: NvprofOptions;
}

function readOptions(args: readonly string[]): Options | null {
  const { values, positionals } = parsed(() => parse(args));
  if (values.help === true) return null;
  const file = programFile(positionals, "profile");
  const mode =
    values["print-gpu-trace"] === true ? "gpu-trace" : values["print-api-trace"] === true ? "api-trace" : "summary";
  return {
    file,
    device: values.device,
    report: {
      mode,
      application: file,
      csv: values.csv === true,
      ...(values.metrics === undefined ? {} : { metrics: values.metrics }),
      ...(values.events === undefined ? {} : { events: values.events }),
    },
  };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      metrics: { type: "string" },
      events: { type: "string" },
      "print-gpu-trace": { type: "boolean" },
      "print-api-trace": { type: "boolean" },
      csv: { type: "boolean" },
      device: { type: "string" },
      help: { type: "boolean" },
    },
  });
}

/** @returns the exit code: 0, 1 where the program fails, 2 for options that are not allowed. */
export async function runNvprof(args: readonly string[]): Promise<number> {
  let options: Options | null;
  try {
    options = readOptions(args);
    if (options === null) {
      writeSync(1, `${USAGE}\n`);
      return 0;
    }
    checkNvprof(options.report);
    readyProgram(options.file, options.device);
  } catch (problem) {
    return refused(problem, USAGE);
  }
  const recording = listen();
  let succeeded = false;
  let activities: readonly Activity[] = [];
  try {
    succeeded = await runProgram(resolve(options.file));
  } finally {
    activities = recording.stop();
  }
  writeSync(1, nvprofText(activities, options.report));
  return succeeded ? 0 : 1;
}
