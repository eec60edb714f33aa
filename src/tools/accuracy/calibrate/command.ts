/**
 * `npm run calibrate`: the microbenchmarks simulated beside measured; progress goes to stderr. With --check all of them,
 * held to what test/DEVIATIONS.md states; with --record what the tests compare with.
 */
import "../../../node/platform.js";
import { parseArgs } from "node:util";
import { InputError } from "../../../core/base/errors.js";
import { toText } from "../../../core/show/output/plain-text.js";
import { type Check, type CommandOutput, runCheck } from "../checked-record.js";
import { calibrationSources } from "../checked-sources.js";
import type { Calibration } from "./calibrate.js";
import { type CalibrationFigures, calibrationFigures, exceededGroups, statedGroups } from "./error-figures.js";
import { recordedBenchmarks, sampledRows, writeRecordedBenchmarks } from "./recorded.js";
import { calibrationTables } from "./report.js";
import { calibrateOnThreads } from "./threads.js";

const USAGE = `npm run calibrate -- [options]      (npm run -s calibrate -- --json > calibration.json)
  --group TEXT   only the groups whose name contains this; may be repeated
  --json         print one object with rows and groups
  --check        all within what test/DEVIATIONS.md states? If so, writes test/reference/checked/calibration.json
  --if-changed   with --check: only where sources or data differ from those of that file
  --record       write test/reference/recorded/calibration.json, which the tests compare with; also with --check`;

interface CalibrateOptions {
  readonly groups: readonly string[];
  readonly json: boolean;
  readonly check: boolean;
  readonly ifChanged: boolean;
  readonly record: boolean;
}

function readOptions(args: readonly string[]): CalibrateOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        group: { type: "string", multiple: true },
        json: { type: "boolean" },
        check: { type: "boolean" },
        "if-changed": { type: "boolean" },
        record: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    if (values.help === true) return USAGE;
    const [check, record] = [values.check === true, values.record === true];
    const choosing = (["group", "json"] as const).find((name) => values[name] !== undefined);
    if ((check || record) && choosing !== undefined) {
      return `--${choosing} does not go with --${check ? "check" : "record"}, which is of all groups.\n${USAGE}`;
    }
    if (values["if-changed"] === true && !check) return `--if-changed goes with --check.\n${USAGE}`;
    const groups = values.group ?? [];
    return { groups, json: values.json === true, check, ifChanged: values["if-changed"] === true, record };
  } catch (error) {
    return `${(error as Error).message.split(". To specify")[0]}\n${USAGE}`;
  }
}

function text(result: Calibration, of: readonly ("rows" | "groups")[]): string {
  const [rows, groups] = calibrationTables(result);
  return of.map((each) => toText(each === "rows" ? rows : groups, { width: 160 })).join("\n");
}

const check = (): Check<Calibration, CalibrationFigures> => ({
  name: "calibration",
  of: "microbenchmarks",
  sources: calibrationSources(),
  simulate: (onRow) => calibrateOnThreads({}, ({ group }, done, of) => onRow(group, done, of)),
  figures: calibrationFigures,
  exceeded: (figures) => exceededGroups(figures, statedGroups()),
  summary: (result) => text(result, ["groups"]),
});

function record(result: Pick<Calibration, "rows">, { out }: CommandOutput): void {
  out(`Wrote ${writeRecordedBenchmarks(recordedBenchmarks(result))}\n`);
}

/** @returns the exit code: 0, 1 where a check fails, or 2 for options that are not allowed. */
export async function runCalibration(args: readonly string[], output: CommandOutput): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") {
    (options === USAGE ? output.out : output.error)(`${options}\n`);
    return options === USAGE ? 0 : 2;
  }
  try {
    if (options.check) {
      const { code, result } = await runCheck(check(), options.ifChanged, output);
      if (options.record && result !== null && code === 0) record(sampledRows(result), output);
      return code;
    }
    const { groups, json } = options;
    let at = "";
    const simulate = (): Promise<Calibration> =>
      calibrateOnThreads({ groups, ...(options.record && { sample: "recorded" as const }) }, ({ group }, done, of) => {
        at = `, ${done} of ${of} microbenchmarks: ${group}`;
      });
    const result = await output.progress.during("calibration", simulate, () => at);
    if (options.record) record(result, output);
    else output.out(json ? `${JSON.stringify(result, null, 1)}\n` : text(result, ["rows", "groups"]));
    return 0;
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    output.error(`${problem.message}\n`);
    return 2;
  }
}
