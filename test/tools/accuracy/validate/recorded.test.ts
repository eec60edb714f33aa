/**
 * A sample of all measured launches, as the model predicted them when
 * `npm run validate -- --record` was run: to the last digit, in one thread, where the record was made by all.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { validationSources } from "../../../../src/tools/accuracy/checked-sources.js";
import { sampleOf } from "../../../../src/tools/accuracy/sample.js";
import {
  changedLaunches,
  type RecordedLaunches,
  readRecordedLaunches,
  recordedLaunches,
} from "../../../../src/tools/accuracy/validate/recorded.js";
import { validationTables } from "../../../../src/tools/accuracy/validate/tables.js";
import { validate } from "../../../../src/tools/accuracy/validate/validate.js";
import { measuredKernels } from "../probe-kernels.js";
import { sampleOfRun } from "../sample-of-run.js";

const recorded = readRecordedLaunches();

const sample = sampleOfRun("validation", validationSources());
const tables = validationTables(measuredKernels);

/** What the record has of the launches that are simulated here. */
function recordedOf(id: string): RecordedLaunches {
  const launches = tables.find((table) => table.id === id)?.launches ?? [];
  const known = sampleOf(launches, sample).flatMap(({ id: launch }) => {
    const row = recorded[id]?.[launch];
    return row === undefined ? [] : [[launch, row] as const];
  });
  return { [id]: Object.fromEntries(known) };
}

describe("the model", () => {
  let now: RecordedLaunches;
  beforeAll(() => {
    now = recordedLaunches(validate({ probes: measuredKernels, sample }));
  });

  it.each(tables.map(({ id }) => id))("predicts of %s what was recorded", (id) => {
    expect(changedLaunches({ [id]: now[id] ?? {} }, recordedOf(id))).toEqual([]);
  });

  it("is recorded for no other table", () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(now));
  });
});
