/** `npm run calibrate`: the microbenchmarks simulated beside measured; progress goes to stderr. */
import { parseArgs } from "node:util";
import { InputError } from "../base/errors.js";
import { toText } from "../show/plain-text.js";
import { calibrate, calibrationTables } from "./calibrate.js";
import type { TextOutput } from "./tables-cli.js";

const USAGE = `npm run calibrate -- [options]      (npm run -s calibrate -- --json > calibration.json)
  --group TEXT   only the groups whose name contains this; may be repeated
  --json         print one object with rows and groups`;

interface CalibrateOptions {
  readonly groups: readonly string[];
  readonly json: boolean;
}

function readOptions(args: readonly string[]): CalibrateOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        group: { type: "string", multiple: true },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    return values.help === true ? USAGE : { groups: values.group ?? [], json: values.json === true };
  } catch (error) {
    return `${(error as Error).message.split(". To specify")[0]}\n${USAGE}`;
  }
}

/** @returns the exit code: 0, or 2 for options that are not allowed. */
export function runCalibration(args: readonly string[], { out, error }: TextOutput): number {
  const options = readOptions(args);
  if (typeof options === "string") {
    (options === USAGE ? out : error)(`${options}\n`);
    return options === USAGE ? 0 : 2;
  }
  try {
    const result = calibrate({ groups: options.groups, say: (line) => error(`${line}\n`) });
    if (options.json) out(`${JSON.stringify(result, null, 1)}\n`);
    else
      out(
        `${calibrationTables(result)
          .map((shown) => toText(shown, { width: 160 }))
          .join("\n")}`,
      );
    return 0;
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    error(`${problem.message}\n`);
    return 2;
  }
}
