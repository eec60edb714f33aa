/**
 * `npm run validate`: simulates the measured and published tables; progress goes to stderr, the errors to stdout.
 * With --check all of them, held to what test/DEVIATIONS.md states; with --record what the tests compare with.
 */
import "../../../node/files-on-disk.js";
import "../../../node/platform.js";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../../../core/base/errors.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import { toText } from "../../../core/show/output/plain-text.js";
import { courseRoot } from "../../../node/course-root.js";
import { type Check, type CommandOutput, runCheck } from "../checked-record.js";
import { validationSources } from "../checked-sources.js";
import { exceeded, figuresOf, statedErrors, type ValidationFigures } from "./error-figures.js";
import { recordedLaunches, sampledRows, writeRecordedLaunches } from "./recorded.js";
import { overallSentence, rowsTable, summaryTable, timesTable } from "./report.js";
import { reportJson, writeValidation } from "./report-page.js";
import { validateOnThreads } from "./threads.js";
import { rowLine, type ValidationReport } from "./validate.js";

const USAGE = `npm run validate -- [options]      (npm run -s validate -- --json > validation.json)
                 prints a line a table, and the summary
  --table ID     only this table, with each launch; may be repeated
  --device ID    only the tables of this GPU; may be repeated
  --only TEXT    only launches whose name contains this; nothing is written
  --exact        run every block of all launches, not only where blocks differ: slower, data-dependent counts exact
  --out FOLDER   where the page is written; default out/validation
  --json         print the report as JSON
  --check        all launches within what test/DEVIATIONS.md states? If so, writes test/reference/checked/validation.json
  --if-changed   with --check: only where sources or data differ from those of that file
  --record       write test/reference/recorded/validation.json, which the tests compare with; also with --check`;

interface ValidateOptions {
  readonly tables: readonly string[];
  readonly devices: readonly string[];
  readonly only: string;
  readonly exact: boolean;
  readonly json: boolean;
  readonly out: string;
  readonly check: boolean;
  readonly ifChanged: boolean;
  readonly record: boolean;
}

/** Options that choose launches; a check and a record of all take none of them. */
const CHOOSING = ["table", "device", "only", "exact", "out", "json"] as const;

/** @returns the options, or a text: what is wrong with them, or the usage. */
function readOptions(args: readonly string[]): ValidateOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        table: { type: "string", multiple: true },
        device: { type: "string", multiple: true },
        only: { type: "string" },
        exact: { type: "boolean" },
        out: { type: "string" },
        json: { type: "boolean" },
        check: { type: "boolean" },
        "if-changed": { type: "boolean" },
        record: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    if (values.help === true) return USAGE;
    const [check, record] = [values.check === true, values.record === true];
    const choosing = CHOOSING.find((name) => values[name] !== undefined);
    if ((check || record) && choosing !== undefined) {
      return `--${choosing} does not go with --${check ? "check" : "record"}, which is of all tables.\n${USAGE}`;
    }
    if (values["if-changed"] === true && !check) return `--if-changed goes with --check.\n${USAGE}`;
    return {
      tables: values.table ?? [],
      devices: values.device ?? [],
      only: values.only ?? "",
      exact: values.exact === true,
      json: values.json === true,
      out: values.out ?? join(courseRoot(), "out/validation"),
      check,
      ifChanged: values["if-changed"] === true,
      record,
    };
  } catch (error) {
    return `${(error as Error).message.split(". To specify")[0]}\n${USAGE}`;
  }
}

type Probes = ReadonlyMap<string, KernelIr> | null;

function checkOf(probes: Probes): Check<ValidationReport, ValidationFigures> {
  return {
    name: "validation",
    of: "launches",
    sources: validationSources(),
    simulate: (onRow) => validateOnThreads({ probes }, (table, _, done, of) => onRow(table, done, of)),
    figures: figuresOf,
    exceeded: (figures) => exceeded(figures, statedErrors()),
    summary: (report) => toText(summaryTable(report), { width: 172 }),
  };
}

async function runUsual(
  options: ValidateOptions,
  probes: Probes,
  { out, error, progress }: CommandOutput,
): Promise<void> {
  const { tables, devices, only, exact } = options;
  const chosen = tables.length + devices.length > 0 || only !== "";
  let at = "";
  const simulate = (): Promise<ValidationReport> =>
    validateOnThreads({ probes, tables, devices, only, exact }, (table, row, done, of) => {
      at = `, ${done} of ${of} launches: ${table}`;
      if (chosen) progress.say(`  ${done}/${of} ${table}, ${rowLine(row)}`);
    });
  const report = await progress.during("validation", simulate, () => at);
  if (only === "") error(`Wrote ${relative(process.cwd(), writeValidation(options.out, report))}\n`);
  if (options.json) out(reportJson(report));
  else {
    const rows = chosen ? report.tables.map((each) => toText(rowsTable(each, "brief"), { width: 172 })) : [];
    out([...rows, toText(timesTable(report), { width: 60 }), `${overallSentence(report)}\n`].join("\n"));
  }
}

function record(report: Pick<ValidationReport, "tables">, { out }: CommandOutput): void {
  out(`Wrote ${writeRecordedLaunches(recordedLaunches(report))}\n`);
}

/**
 * @param probes the kernels of the CUDA texts in test/reference (`validationTables`); null leaves their tables out
 * @returns the exit code: 0, 1 where a check fails, or 2 for options that are not allowed
 */
export async function runValidation(args: readonly string[], probes: Probes, output: CommandOutput): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") {
    (options === USAGE ? output.out : output.error)(`${options}\n`);
    return options === USAGE ? 0 : 2;
  }
  try {
    if (options.check) {
      const { code, result } = await runCheck(checkOf(probes), options.ifChanged, output);
      if (options.record && result !== null && code === 0) record(sampledRows(result), output);
      return code;
    }
    if (options.record) {
      let at = "";
      const simulate = (): Promise<ValidationReport> =>
        validateOnThreads({ probes, sample: "recorded" }, (table, _, done, of) => {
          at = `, ${done} of ${of} launches: ${table}`;
        });
      record(await output.progress.during("validation", simulate, () => at), output);
      return 0;
    }
    await runUsual(options, probes, output);
    return 0;
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    output.error(`${problem.message}\n`);
    return 2;
  }
}
