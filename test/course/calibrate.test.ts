import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { allBenchmarks, type Calibration, calibrate } from "../../src/course/calibrate.js";
import { runCalibration } from "../../src/course/calibrate-cli.js";

/** The lines of test/DEVIATIONS.md that begin with a group in quotes: mean and worst error in percent. */
const stated = [
  ...readFileSync(new URL("../DEVIATIONS.md", import.meta.url), "utf8").matchAll(
    /^\| "([^"]+)" \| *\d+ \| *([\d.]+) % \| *([\d.]+) % \|$/gm,
  ),
].map(([, group = "", mean = "", worst = ""]) => ({ group, mean: Number(mean), worst: Number(worst) }));

const groups = [...new Set(allBenchmarks().map(({ group }) => group))];

describe("the microbenchmarks", () => {
  let result: Calibration;
  beforeAll(() => {
    result = calibrate();
  }, 600_000);

  it("are stated by group in test/DEVIATIONS.md", () => {
    expect(stated.map(({ group }) => group).sort()).toEqual([...groups].sort());
  });

  for (const { group, mean, worst } of stated) {
    it(`of the ${group} are met within ${mean} % in the mean and ${worst} % each`, () => {
      const found = result.groups.find((each) => each.group === group);
      expect(found?.meanAbsolutePercent).toBeLessThanOrEqual(mean);
      expect(Math.abs(found?.worstPercent ?? Number.NaN)).toBeLessThanOrEqual(worst);
    });
  }

  it("come with the greatest error first", () => {
    const errors = result.rows.map(({ errorPercent }) => Math.abs(errorPercent));
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
  });

  it("give the same when asked again", () => {
    const again = calibrate({ groups: ["barriers"] });
    expect(again.rows).toEqual(result.rows.filter(({ group }) => group === "barriers"));
  });

  it("are named when another group is asked for", () => {
    expect(() => calibrate({ groups: ["tensor"] })).toThrow(/"tensor"[\s\S]*barriers/);
  });

  it("are printed as JSON with simulated, measured and signed error", () => {
    let text = "";
    const code = runCalibration(["--json", "--group", "barriers"], {
      out: (part) => {
        text += part;
      },
      error: () => {},
    });
    expect(code).toBe(0);
    for (const { simulated, measured, errorPercent } of (JSON.parse(text) as Calibration).rows) {
      expect(errorPercent).toBeCloseTo((100 * (simulated - measured)) / measured, 9);
    }
  });
});
