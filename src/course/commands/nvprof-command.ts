/**
 * `npx warplab nvprof FILE`: runs a program or a notebook in this process and prints nvprof's report on its launches.
 * TypeScript and notebooks run in tslab's session, as the course's notebooks do.
 */
import { existsSync, readFileSync, writeSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { WarplabError } from "../../base/errors.js";
import { deviceById } from "../../device/index.js";
import { type Activity, listen } from "../../host/activity.js";
import { checkNvprof, type NvprofOptions, nvprofText } from "../../profiler/nvprof/nvprof.js";
import { CellSession, type CellSink } from "../notebook/cell-session.js";
import { expectsError, readNotebook } from "../notebook/notebook.js";

const USAGE = `npx warplab nvprof [--metrics a,b] [--events a,b] [--print-gpu-trace] [--print-api-trace]
                  [--csv] [--device v100] FILE
  FILE       a program (.ts, .js, .mjs) or a notebook (.ipynb)
  --metrics  of nvprof or Nsight Compute by name, or all
  --events   by name, or all
  --device   the GPU of new Gpu() without an argument; default h200
The program's output comes first, then the report. Kernel times are predicted.`;

interface Options {
  readonly file: string;
  readonly device: string | undefined;
  readonly report: NvprofOptions;
}

class UsageError extends Error {}

function readOptions(args: readonly string[]): Options | null {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? problem.message : String(problem));
  }
  const { values, positionals } = parsed;
  if (values.help === true) return null;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError("Give one file to profile.");
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

/** The session takes process.stdout over; the descriptors stay. */
const SINK: CellSink = {
  stream: (name, text) => {
    writeSync(name === "stdout" ? 1 : 2, text);
  },
  display: ({ data }) => {
    const text = data["text/plain"];
    if (typeof text === "string") writeSync(1, `${text.trimEnd()}\n`);
  },
  result: () => undefined,
};

/** @returns false where a cell fails that is not said to. */
async function runCells(cells: readonly { readonly source: string; readonly mayFail: boolean }[]): Promise<boolean> {
  const session = new CellSession();
  let count = 0;
  for (const { source, mayFail } of cells) {
    count += 1;
    const failure = await session.execute(source, count, SINK);
    if (failure === undefined || mayFail) continue;
    writeSync(2, `${failure.traceback.join("\n")}\n`);
    return false;
  }
  return true;
}

async function runFile(path: string): Promise<boolean> {
  const kind = extname(path);
  process.chdir(dirname(path));
  if (kind === ".ipynb") {
    const cells = readNotebook(path).cells.filter(
      ({ cell_type, source }) => cell_type === "code" && source.trim() !== "",
    );
    return runCells(cells.map((cell) => ({ source: cell.source, mayFail: expectsError(cell) })));
  }
  if (kind === ".ts") return runCells([{ source: readFileSync(path, "utf8"), mayFail: false }]);
  try {
    await import(pathToFileURL(path).href);
    return true;
  } catch (problem) {
    writeSync(2, `${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`);
    return false;
  }
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
    if (options.device !== undefined) process.env.WARPLAB_DEVICE = deviceById(options.device).id;
    if (!existsSync(options.file)) throw new UsageError(`There is no file ${options.file}.`);
  } catch (problem) {
    if (!(problem instanceof UsageError || problem instanceof WarplabError)) throw problem;
    writeSync(2, `${problem.message}\n${problem instanceof UsageError ? `${USAGE}\n` : ""}`);
    return 2;
  }
  const recording = listen();
  let succeeded = false;
  let activities: readonly Activity[] = [];
  try {
    succeeded = await runFile(resolve(options.file));
  } finally {
    activities = recording.stop();
  }
  writeSync(1, nvprofText(activities, options.report));
  return succeeded ? 0 : 1;
}
