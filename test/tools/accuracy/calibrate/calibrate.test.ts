import { describe, expect, it } from "vitest";
import { createProgress } from "../../../../src/node/progress.mjs";
import { allBenchmarks, type Calibration, calibrate } from "../../../../src/tools/accuracy/calibrate/calibrate.js";
import { runCalibration } from "../../../../src/tools/accuracy/calibrate/command.js";
import {
  type CalibrationFigures,
  calibrationFigures,
  exceededGroups,
  statedGroups,
} from "../../../../src/tools/accuracy/calibrate/error-figures.js";
import { readChecked } from "../../../../src/tools/accuracy/checked-record.js";

const stated = statedGroups();
const checked = readChecked<CalibrationFigures>("calibration");

describe("the microbenchmarks", () => {
  it("are stated by group in test/DEVIATIONS.md", () => {
    const groups = [...new Set(allBenchmarks().map(({ group }) => group))];
    expect(stated.map(({ group }) => group).sort()).toEqual(groups.sort());
  });

  it("were met as stated in the last check of all", () => {
    if (checked === null) throw new Error("No check has passed yet: npm run calibrate -- --check");
    expect(exceededGroups(checked.figures, stated)).toEqual([]);
  });

  it("exceed what is stated where their mean, their worst or their number is otherwise, and it is said how", () => {
    const figures = { a: { rows: 3, meanPercent: 2, worstPercent: 5, worstRow: "slow" } };
    const bounds = (line: string): ReturnType<typeof statedGroups> => statedGroups(`| "a" | ${line} |\n`);
    expect(exceededGroups(figures, bounds("3 | 2.0 % | 5 %"))).toEqual([]);
    expect(exceededGroups(figures, bounds("4 | 2.0 % | 5 %"))).toEqual(["a: 3 microbenchmarks, stated 4"]);
    expect(exceededGroups(figures, bounds("3 | 1.9 % | 5 %"))).toEqual(["a: error in the mean 2.000 %, stated 1.9"]);
    expect(exceededGroups(figures, bounds("3 | 2.0 % | 4 %"))).toEqual(["a: error of slow 5.000 %, stated 4"]);
    expect(exceededGroups(figures, [])).toEqual(["a: test/DEVIATIONS.md states nothing of it"]);
    expect(exceededGroups({}, bounds("3 | 2.0 % | 5 %"))).toEqual(["a: there is no such group"]);
  });

  it("come with the greatest error first, and sum up to their group's figures", () => {
    const { rows, groups } = calibrate({ groups: ["barriers"] });
    const errors = rows.map(({ errorPercent }) => Math.abs(errorPercent));
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
    const { barriers } = calibrationFigures({ rows, groups, meanAbsolutePercent: 0 });
    expect(barriers?.worstPercent).toBe(errors[0]);
    expect(barriers?.meanPercent).toBeCloseTo(errors.reduce((sum, error) => sum + error) / errors.length, 9);
  });

  it("are named when another group is asked for", () => {
    expect(() => calibrate({ groups: ["tensor"] })).toThrow(/"tensor"[\s\S]*barriers/);
  });

  it("are printed as JSON with simulated, measured and signed error, the same as in one thread", async () => {
    let text = "";
    const code = await runCalibration(["--json", "--group", "barriers"], {
      out: (part) => {
        text += part;
      },
      error: () => {},
      progress: createProgress(() => {}),
    });
    expect(code).toBe(0);
    const printed = JSON.parse(text) as Calibration;
    for (const { simulated, measured, errorPercent } of printed.rows) {
      expect(errorPercent).toBeCloseTo((100 * (simulated - measured)) / measured, 9);
    }
    expect(printed).toEqual(JSON.parse(JSON.stringify(calibrate({ groups: ["barriers"] }))));
  });
});
