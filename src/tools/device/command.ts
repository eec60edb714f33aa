/**
 * `npx warplab measure` writes the program that measures a GPU; `npx warplab device` makes a device file of its output;
 * `npx warplab predict` simulates the course's kernels on one.
 */
import "../../node/files-on-disk.js";
import "../../node/platform.js";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { InputError, WarplabError } from "../../core/base/errors.js";
import { type DeviceJson, deviceById, deviceFrom, deviceSchema } from "../../core/device/index.js";
import { toText } from "../../core/show/output/plain-text.js";
import type { TextOutput } from "../../node/commands/tables-command.js";
import { courseRoot } from "../../node/course-root.js";
import { type ComparedReading, compareReadings } from "./compare.js";
import { deriveDevice } from "./derive.js";
import { comparedTable, devicePage, numbersTable } from "./device-page.js";
import { PREDICTED_SETS, type Predictions, predictions } from "./predictions.js";
import { readOutputs } from "./readings.js";

const MEASURE_USAGE = `npx warplab measure [FILE]
  FILE     where the program is written; default measure.cu
Then, on the machine with the GPU, which needs CUDA's compiler and nothing else:
  nvcc -O3 -arch=native measure.cu -o measure && ./measure > my-gpu.out
  npx warplab device my-gpu.out`;

const DEVICE_USAGE = `npx warplab device my-gpu.out [...] [options]
  my-gpu.out    what the program of \`npx warplab measure\` printed
  --id ID       the device's id; default the first file's name
  --name NAME   default what the card says
  --facts FILE  JSON of published numbers, {"smCount": {"value": 132, "source": "..."}}: where the
                output says nothing of them
  --like ID     the built-in GPU whose numbers stand for what was not measured; default its generation's
  --out FOLDER  where ID.json and ID.html are written; default here
  --no-compare  without the microbenchmarks simulated beside measured
  --schema      print the JSON Schema of a device file, and no more`;

const PREDICT_USAGE = `npx warplab predict --device my-gpu.json [options] > predictions.json
  --device  a GPU's id or file
  --sets    ladders: the course's tables, 2^20 to 2^24, blocks of 128 to 1024 (the default)
            exercises: the solutions of its exercises at these sizes and blocks, in a clone
            corpus: all kernels of test/reference/h200, in a clone; sample: an eighth of them; others: the rest
            several with a comma
The file holds times alone. Commit it before anybody compares.`;

/** Options that are not allowed: the usage is printed with it. */
class UsageError extends Error {}

function options<T>(read: () => T): T {
  try {
    return read();
  } catch (problem) {
    throw new UsageError((problem as Error).message.split(". To specify")[0]);
  }
}

/** @returns the exit code: 0, or 2 for what is not allowed. */
function reported(usage: string, { error }: TextOutput, run: () => void): number {
  try {
    run();
    return 0;
  } catch (problem) {
    if (!(problem instanceof UsageError || problem instanceof WarplabError)) throw problem;
    error(`${problem.message}\n${problem instanceof UsageError ? `${usage}\n` : ""}`);
    return 2;
  }
}

/** The program's text: in a clone beside its sources, in the package below the same folder. */
export function measureProgram(): string {
  const places = ["src/tools/device/measure.cu", "tools/device/measure.cu"].map((place) => join(courseRoot(), place));
  return places.find((place) => existsSync(place))!;
}

export function runMeasure(args: readonly string[], output: TextOutput): number {
  return reported(MEASURE_USAGE, output, () => {
    const { values, positionals } = options(() =>
      parseArgs({ args: [...args], allowPositionals: true, options: { help: { type: "boolean" } } }),
    );
    if (values.help === true) return output.out(`${MEASURE_USAGE}\n`);
    const [file = "measure.cu", ...others] = positionals;
    if (others.length > 0) throw new UsageError("Give one file to write.");
    copyFileSync(measureProgram(), file);
    output.out(`Wrote ${file}. On the machine with the GPU:
  nvcc -O3 -arch=native ${basename(file)} -o measure && ./measure > my-gpu.out
Then: npx warplab device my-gpu.out\n`);
  });
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (problem) {
    throw new InputError({ what: `${path}: ${(problem as Error).message}.`, cure: "Give a file of JSON." });
  }
}

function readText(path: string): { readonly name: string; readonly text: string } {
  if (!existsSync(path))
    throw new InputError({ what: `There is no file ${path}.`, cure: "Give the program's output." });
  return { name: basename(path), text: readFileSync(path, "utf8") };
}

export function runDevice(args: readonly string[], output: TextOutput): number {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  return reported(DEVICE_USAGE, output, () => {
    const { values, positionals } = options(() =>
      parseArgs({
        args: [...args],
        allowPositionals: true,
        options: {
          id: text,
          name: text,
          facts: text,
          like: text,
          out: text,
          "no-compare": flag,
          schema: flag,
          help: flag,
        },
      }),
    );
    const { out, error } = output;
    if (values.help === true) return out(`${DEVICE_USAGE}\n`);
    if (values.schema === true) return out(`${JSON.stringify(deviceSchema(), null, 1)}\n`);
    const [first] = positionals;
    if (first === undefined) throw new UsageError("Give the program's output.");
    const readings = readOutputs(positionals.map(readText));
    const { name, like } = values;
    const id =
      values.id ??
      basename(first)
        .replace(/\.[^.]*$/, "")
        .toLowerCase();
    const facts = values.facts === undefined ? undefined : (readJson(values.facts) as DeviceJson["numbers"]);
    const json = deriveDevice(readings, {
      id,
      ...(name !== undefined && { name }),
      ...(like !== undefined && { like }),
      ...(facts !== undefined && { facts }),
    });
    const device = deviceFrom(json);
    for (const warning of readings.warnings) error(`The program warns: ${warning}\n`);
    let compared: readonly ComparedReading[] = [];
    if (values["no-compare"] !== true) {
      error("Simulating the microbenchmarks ...\n");
      compared = compareReadings(device, readings);
      out(`${toText(comparedTable(compared), { width: 120 })}\n`);
    }
    out(`${toText(numbersTable(json, "measured"), { width: 120 })}\n`);
    const path = join(values.out ?? ".", id);
    writeFileSync(`${path}.json`, `${JSON.stringify(json, null, 1)}\n`);
    writeFileSync(`${path}.html`, devicePage(json, compared, readings.warnings));
    out(`Wrote ${path}.json and ${path}.html. Try: npx warplab nvprof --device ${path}.json FILE\n`);
  });
}

/** JSON with a launch a line. */
function predictionsText({ predictions: launches, ...about }: Predictions): string {
  const lines = launches.map((launch) => `  ${JSON.stringify(launch)}`);
  return `${JSON.stringify(about, null, 1).slice(0, -2)},\n "predictions": [\n${lines.join(",\n")}\n ]\n}\n`;
}

export function runPredict(args: readonly string[], output: TextOutput): number {
  return reported(PREDICT_USAGE, output, () => {
    const { values } = options(() =>
      parseArgs({
        args: [...args],
        options: { device: { type: "string" }, sets: { type: "string" }, help: { type: "boolean" } },
      }),
    );
    if (values.help === true) return output.out(`${PREDICT_USAGE}\n`);
    const { device, sets = "ladders" } = values;
    if (device === undefined) throw new UsageError("Give --device.");
    const chosen = sets.split(",").map((name) => {
      const found = PREDICTED_SETS.find((set) => set === name.trim());
      if (found === undefined) throw new UsageError(`--sets ${name}: give ${PREDICTED_SETS.join(", ")}.`);
      return found;
    });
    const say = (line: string): void => output.error(`${line}\n`);
    output.out(predictionsText(predictions(device, deviceById(device), chosen, say)));
  });
}
