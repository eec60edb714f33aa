/** The records of the checks that passed last: on which sources and data, and with which figures. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TextOutput } from "../../node/commands/tables-command.js";
import { courseRoot } from "../../node/course-root.js";
import type { Progress } from "../../node/progress.mjs";
import { changedSources, type Hashes } from "./checked-sources.js";
import { REFERENCE, readReference, writeReference } from "./measured-table.js";

/** Where a command says what: results to `out`, all else to `error`; `progress` while it works. */
export interface CommandOutput extends TextOutput {
  readonly progress: Progress;
}

export interface CheckedRecord<Figures> {
  readonly sources: Hashes;
  readonly figures: Figures;
}

export type CheckName = "validation" | "calibration";

const fileOf = (name: CheckName): string => `checked/${name}.json`;

/** null where no check has passed yet. */
export function readChecked<Figures>(name: CheckName): CheckedRecord<Figures> | null {
  if (!existsSync(join(courseRoot(), REFERENCE, fileOf(name)))) return null;
  return readReference(fileOf(name)) as CheckedRecord<Figures>;
}

/** The parts of a check of everything. */
export interface Check<Result, Figures> {
  readonly name: CheckName;
  /** As "launches", after their number. */
  readonly of: string;
  readonly sources: Hashes;
  /** @param onRow told how many are done, of how many */
  readonly simulate: (onRow: (name: string, done: number, of: number) => void) => Promise<Result>;
  readonly figures: (result: Result) => Figures;
  /** The figures beyond the stated ones. */
  readonly exceeded: (figures: Figures) => readonly string[];
  /** The result's summary as text. */
  readonly summary: (result: Result) => string;
}

export interface Checked<Result> {
  readonly code: 0 | 1;
  /** null where the check was left out. */
  readonly result: Result | null;
}

/**
 * Simulates everything, says what exceeds what test/DEVIATIONS.md states, and records a check that passes.
 * @param ifChanged leaves the check out where the record's sources and data are those of now
 */
export async function runCheck<Result, Figures>(
  check: Check<Result, Figures>,
  ifChanged: boolean,
  { out, progress }: CommandOutput,
): Promise<Checked<Result>> {
  const { name, sources } = check;
  const changed = changedSources(sources, readChecked<Figures>(name)?.sources ?? {});
  if (ifChanged && changed.length === 0) {
    out(`${name}: nothing that it depends on has changed since it passed (${REFERENCE}/${fileOf(name)})\n`);
    return { code: 0, result: null };
  }
  progress.say(`${name}: ${changed.length === 0 ? "as recorded" : `changed since it passed: ${changed.join(", ")}`}`);
  let at = "";
  const begun = Date.now();
  const result = await progress.during(
    name,
    () =>
      check.simulate((row, done, of) => {
        at = `, ${done} of ${of} ${check.of}: ${row}`;
      }),
    () => at,
  );
  const figures = check.figures(result);
  const wrong = check.exceeded(figures);
  out(`${check.summary(result)}\n`);
  const took = `${Math.round((Date.now() - begun) / 1000)} s`;
  if (wrong.length > 0) {
    out(`${name}, in ${took}: beyond what test/DEVIATIONS.md states\n${wrong.map((line) => `  ${line}\n`).join("")}`);
    return { code: 1, result };
  }
  const file = writeReference(fileOf(name), `${JSON.stringify({ sources, figures }, null, 1)}\n`);
  out(`${name}, in ${took}: all within what test/DEVIATIONS.md states; wrote ${file}\n`);
  return { code: 0, result };
}
