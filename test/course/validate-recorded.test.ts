/**
 * One in sixteen of all measured launches, as the model predicted them when `npm run validate -- --record` was run: to the
 * last digit, in one thread, where the record was made by all.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { validate } from "../../src/course/validate.js";
import {
  changedLaunches,
  type RecordedLaunches,
  readRecordedLaunches,
  recordedLaunches,
} from "../../src/course/validate-recorded.js";
import { validationTables } from "../../src/course/validate-tables.js";
import { measuredKernels } from "./probe-kernels.js";

const recorded = readRecordedLaunches();

describe("the model", () => {
  let now: RecordedLaunches;
  beforeAll(() => {
    now = recordedLaunches(validate({ probes: measuredKernels, sample: true }));
  });

  it.each(validationTables(measuredKernels).map(({ id }) => id))("predicts of %s what was recorded", (id) => {
    expect(changedLaunches({ [id]: now[id] ?? {} }, { [id]: recorded[id] ?? {} })).toEqual([]);
  });

  it("is recorded for no other table", () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(now));
  });
});
