/** `npm run validate`: simulates the measured and published tables; progress goes to stderr, the errors to stdout. */
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "../base/errors.js";
import type { KernelIr } from "../ir/ir.js";
import { toText } from "../show/plain-text.js";
import { courseRoot } from "./course-root.js";
import type { TextOutput } from "./tables-cli.js";
import { validate } from "./validate.js";
import { reportJson, writeValidation } from "./validate-page.js";
import { rowsTable, summaryTable } from "./validate-show.js";

const USAGE = `npm run validate -- [options]      (npm run -s validate -- --json > validation.json)
  --table ID     only this table; may be repeated
  --device ID    only the tables of this GPU; may be repeated
  --only TEXT    only launches whose name contains this; nothing is written
  --exact        run every block of all launches, not only where blocks differ: slower, data-dependent counts exact
  --out FOLDER   where the page is written; default out/validation
  --json         print the report as JSON`;

interface ValidateOptions {
  readonly tables: readonly string[];
  readonly devices: readonly string[];
  readonly only: string;
  readonly exact: boolean;
  readonly json: boolean;
  readonly out: string;
}

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
        help: { type: "boolean" },
      },
    });
    if (values.help === true) return USAGE;
    return {
      tables: values.table ?? [],
      devices: values.device ?? [],
      only: values.only ?? "",
      exact: values.exact === true,
      json: values.json === true,
      out: values.out ?? join(courseRoot, "out/validation"),
    };
  } catch (error) {
    return `${(error as Error).message.split(". To specify")[0]}\n${USAGE}`;
  }
}

/**
 * @param probes the kernels of the CUDA texts in test/reference (`validationTables`); null leaves their tables out
 * @returns the exit code: 0, or 2 for options that are not allowed
 */
export function runValidation(
  args: readonly string[],
  probes: ReadonlyMap<string, KernelIr> | null,
  { out, error }: TextOutput,
): number {
  const options = readOptions(args);
  if (typeof options === "string") {
    (options === USAGE ? out : error)(`${options}\n`);
    return options === USAGE ? 0 : 2;
  }
  const { tables, devices, only, exact } = options;
  try {
    const report = validate({ probes, tables, devices, only, exact, say: (line) => error(`${line}\n`) });
    if (only === "") error(`Wrote ${relative(process.cwd(), writeValidation(options.out, report))}\n`);
    if (options.json) out(reportJson(report));
    else {
      const tables = [...report.tables.map((each) => rowsTable(each, "brief")), summaryTable(report)];
      out(tables.map((shown) => toText(shown, { width: 172 })).join("\n"));
    }
    return 0;
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    error(`${problem.message}\n`);
    return 2;
  }
}
