/**
 * A sample of all microbenchmarks, as the model predicted them when
 * `npm run calibrate -- --record` was run: to the last digit, in one thread, where the record was made by all.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { allBenchmarks, calibrate } from "../../../../src/tools/accuracy/calibrate/calibrate.js";
import {
  changedBenchmarks,
  type RecordedBenchmarks,
  readRecordedBenchmarks,
  recordedBenchmarks,
} from "../../../../src/tools/accuracy/calibrate/recorded.js";
import { calibrationSources } from "../../../../src/tools/accuracy/checked-sources.js";
import { sampleOf } from "../../../../src/tools/accuracy/sample.js";
import { sampleOfRun } from "../sample-of-run.js";

const recorded = readRecordedBenchmarks();
const groups = [...new Set(allBenchmarks().map(({ group }) => group))];

const sample = sampleOfRun("calibration", calibrationSources());

/** What the record has of the microbenchmarks that are simulated here. */
function recordedOf(group: string): RecordedBenchmarks {
  const members = sampleOf(
    allBenchmarks().filter((each) => each.group === group),
    sample,
  );
  const known = members.flatMap(({ id }) => {
    const value = recorded[group]?.[id];
    return value === undefined ? [] : [[id, value] as const];
  });
  return { [group]: Object.fromEntries(known) };
}

describe("the model", () => {
  let now: RecordedBenchmarks;
  beforeAll(() => {
    now = recordedBenchmarks(calibrate({ sample }));
  });

  it.each(groups)("predicts of the %s what was recorded", (group) => {
    expect(changedBenchmarks({ [group]: now[group] ?? {} }, recordedOf(group))).toEqual([]);
  });

  it("is recorded for no other group", () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(now));
  });
});
