/**
 * One in sixteen of all microbenchmarks, as the model predicted them when `npm run calibrate -- --record` was run: to the
 * last digit, in one thread, where the record was made by all.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { allBenchmarks, calibrate } from "../../src/course/calibrate.js";
import {
  changedBenchmarks,
  type RecordedBenchmarks,
  readRecordedBenchmarks,
  recordedBenchmarks,
} from "../../src/course/calibrate-recorded.js";

const recorded = readRecordedBenchmarks();
const groups = [...new Set(allBenchmarks().map(({ group }) => group))];

describe("the model", () => {
  let now: RecordedBenchmarks;
  beforeAll(() => {
    now = recordedBenchmarks(calibrate({ sample: true }));
  });

  it.each(groups)("predicts of the %s what was recorded", (group) => {
    expect(changedBenchmarks({ [group]: now[group] ?? {} }, { [group]: recorded[group] ?? {} })).toEqual([]);
  });

  it("is recorded for no other group", () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(now));
  });
});
