import { describe, expect, it } from "vitest";
import { deviceById } from "../../../../src/core/device/index.js";
import { readChecked } from "../../../../src/tools/accuracy/checked-record.js";
import { ValidationArrays } from "../../../../src/tools/accuracy/measured-arrays.js";
import {
  exceeded,
  figuresOf,
  statedErrors,
  type ValidationFigures,
} from "../../../../src/tools/accuracy/validate/error-figures.js";
import { reportJson } from "../../../../src/tools/accuracy/validate/report-page.js";
import { LaunchSimulator } from "../../../../src/tools/accuracy/validate/simulated-launch.js";
import { validationTables } from "../../../../src/tools/accuracy/validate/tables.js";
import { validateOnThreads } from "../../../../src/tools/accuracy/validate/threads.js";
import { validate } from "../../../../src/tools/accuracy/validate/validate.js";
import { measuredKernels } from "../probe-kernels.js";

const stated = statedErrors();
const checked = readChecked<ValidationFigures>("validation");

describe("the stated errors", () => {
  it("are those of every table", () => {
    const ids = validationTables(measuredKernels).map(({ id }) => id);
    expect(stated.map(({ table }) => table).sort()).toEqual(ids.sort());
  });

  it("leave no table without a bound", () => {
    for (const each of stated) {
      const bounds = each.rows + each.timeMeanPercent + each.timeWorstPercent + each.kendallTau;
      expect([each.table, bounds]).not.toContain(Number.NaN);
    }
  });

  it("are kept to by the figures of the last check of all launches", () => {
    if (checked === null) throw new Error("No check has passed yet: npm run validate -- --check");
    expect(exceeded(checked.figures, stated)).toEqual([]);
  });

  const figures: ValidationFigures = {
    tables: {
      a: {
        rows: 3,
        timeMeanPercent: 2,
        timeWorstPercent: 5,
        worstRow: "slow",
        kendallTau: 0.9,
        instructionsMeanPercent: 1,
        occupancyMeanPoints: 2,
        sameStall: 2,
      },
    },
    hitRates: { l1HitRatePercent: { rows: 2000, meanPoints: 1 }, l2HitRatePercent: { rows: 2000, meanPoints: 2 } },
    labs: { sectorsWorstPercent: 0, dramReadWorstPercent: 0.5 },
    efficiencies: { rows: 20, worstPoints: 0.5 },
  };
  const bounds = (line: string): ReturnType<typeof statedErrors> => statedErrors(`| \`a\` | ${line} |\n`);

  it("are kept to by figures that are within each", () => {
    expect(exceeded(figures, bounds("3 | 2.0 % | 5 % | 0.90 | 1.0 % | 2.0 | 2 of 3"))).toEqual([]);
  });

  it.each([
    ["4 | 2.0 % | 5 % | 0.90 | 1.0 % | 2.0 | 2 of 3", "a: 3 launches, stated 4"],
    ["3 | 1.9 % | 5 % | 0.90 | 1.0 % | 2.0 | 2 of 3", "a: error of the time in the mean, %: 2.000, stated 1.9"],
    ["3 | 2.0 % | 4 % | 0.90 | 1.0 % | 2.0 | 2 of 3", "a: error of the time of slow, %: 5.000, stated 4"],
    ["3 | 2.0 % | 5 % | 0.91 | 1.0 % | 2.0 | 2 of 3", "a: rank correlation of the times: 0.9000, stated at least 0.91"],
    ["3 | 2.0 % | 5 % | 0.90 | 0.9 % | 2.0 | 2 of 3", "a: error of the instructions, %: 1.000, stated 0.9"],
    ["3 | 2.0 % | 5 % | 0.90 | 1.0 % | 1.9 | 2 of 3", "a: error of the occupancy, points: 2.000, stated 1.9"],
    ["3 | 2.0 % | 5 % | 0.90 | 1.0 % | 2.0 | 3 of 3", "a: launches with the same stall: 2.000, stated at least 3"],
  ])("are exceeded, and it is said how, where %s is stated", (line, what) => {
    expect(exceeded(figures, bounds(line))).toEqual([what]);
  });

  it("are exceeded by hit rates, sectors, bytes and efficiencies too, and by their lack", () => {
    const hits = { rows: 10, meanPoints: 1.4 };
    const worse: ValidationFigures = {
      ...figures,
      hitRates: { l1HitRatePercent: hits, l2HitRatePercent: { rows: 2000, meanPoints: null } },
      labs: { sectorsWorstPercent: 0.1, dramReadWorstPercent: 1.1 },
      efficiencies: { rows: 15, worstPoints: 1.5 },
    };
    expect(exceeded(worse, bounds("3 | 2.0 % | 5 % | 0.90 | 1.0 % | 2.0 | 2 of 3"))).toHaveLength(7);
  });

  it("are missed where a table has none, or where none has the table", () => {
    expect(exceeded(figures, [])).toEqual(["a: test/DEVIATIONS.md states nothing of it"]);
    expect(exceeded({ ...figures, tables: {} }, bounds("3 | 2.0 % | 5 % | 0.90 | – | – | –"))).toHaveLength(4);
  });
});

describe("the figures of a report", () => {
  it("are its tables' errors, and what is stated of no table", () => {
    const report = validate({ tables: ["m2070-in-place", "h200-labs"], only: "lab-25" });
    const [table] = report.tables;
    expect(figuresOf(report).tables[table?.id ?? ""]?.timeMeanPercent).toBe(table?.summary.errors.timeMs?.meanAbsolute);
    expect(figuresOf(report).labs.sectorsWorstPercent).toBe(0);
    expect(figuresOf(report).hitRates.l1HitRatePercent.rows).toBe(table?.rows.length);
  });
});

describe("the report", () => {
  it("is the same on all threads as in one", async () => {
    const options = { tables: ["rtx3080-in-place", "lab-28"] };
    expect(reportJson(await validateOnThreads(options))).toBe(reportJson(validate(options)));
  });
});

describe("the conditions of a published table", () => {
  const table = (id: string): ReturnType<typeof validationTables>[number] => {
    const found = validationTables(null).find((each) => each.id === id);
    if (found === undefined) throw new Error(`no table ${id}`);
    return found;
  };

  it("are the clock that the source used: a host's shows more than events behind a copy, these more than queued ones", () => {
    const extra = (id: string): number => table(id).conditions.timerMicroseconds;
    expect(extra("m2070-in-place")).toBeGreaterThan(extra("rtx3080-in-place"));
    expect(extra("rtx3080-in-place")).toBeGreaterThan(0);
    expect(extra("h200-labs")).toBe(0);
  });

  it("are a machine's own where the source tells them: beyond the kernel, so less beyond the model's events", () => {
    const { queuedKernelEventMicroseconds, emptyKernelDurationMicroseconds } = deviceById("v100").launch;
    const events = queuedKernelEventMicroseconds - emptyKernelDurationMicroseconds;
    expect(table("v100-in-place").conditions.timerMicroseconds).toBeCloseTo(31 - events, 9);
  });

  it("slow the SMs down, and DRAM not", () => {
    const launches = table("v100-in-place").launches.filter(({ id }) => id === "reduceNeighbored");
    const simulator = new LaunchSimulator(new ValidationArrays(), false);
    const [launch] = launches;
    if (launch === undefined) throw new Error("no launch");
    const at = (clockMHz: number | null): { readonly timeMs: number | null } =>
      simulator.simulate(launch, "v100", { clockMHz, timerMicroseconds: 0 }).numbers;
    const ratio = (at(765).timeMs ?? 0) / (at(null).timeMs ?? 1);
    // Half the clock of a kernel that instructions bound: twice the time, but for what a sample scatters.
    expect(ratio).toBeGreaterThan(1.7);
    expect(ratio).toBeLessThan(2.1);
  });

  it("stand in the table's note", () => {
    expect(table("v100-in-place").note).toMatch(/host's clock.*1312 MHz/);
  });
});

describe("the validation", () => {
  it("names the tables that it has when asked for another", () => {
    expect(() => validate({ probes: measuredKernels, tables: ["h100"] })).toThrow(/no table "h100".*h200-labs/s);
  });

  it("says that no launch has the name asked for, and how names are written", () => {
    const options = { tables: ["rtx3080-in-place"], only: "reduceUnroling8" };
    expect(() => validate(options)).toThrow(/rtx3080-in-place has "reduceUnroling8".*as in "reduce/s);
  });

  it("names the GPUs that it has tables of when asked for another", () => {
    expect(() => validate({ probes: measuredKernels, devices: ["k40"] })).toThrow(/no device "k40".*v100/s);
  });

  it("keeps a doubtful table out of the means", () => {
    const report = validate({ tables: ["example-03-doubtful"] });
    expect(report.tables[0]?.counted).toBe(false);
    expect(report.overall.rows).toBe(0);
  });
});
