import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type ValidationReport, validate } from "../../src/course/validate.js";
import { ValidationArrays } from "../../src/course/validate-arrays.js";
import { LaunchSimulator } from "../../src/course/validate-launch.js";
import { reportJson } from "../../src/course/validate-page.js";
import { validationTables } from "../../src/course/validate-tables.js";
import { deviceById } from "../../src/device/index.js";
import { measuredKernels } from "./probe-kernels.js";

interface Stated {
  readonly table: string;
  readonly timeMean: number;
  readonly timeWorst: number;
  readonly order: number;
  readonly instructionsMean: number | null;
  readonly occupancyMean: number | null;
  readonly sameStall: number | null;
}

/** The lines of test/DEVIATIONS.md that begin with a table's id: what the model's errors are stated to stay within. */
function statedErrors(): readonly Stated[] {
  const text = readFileSync(new URL("../DEVIATIONS.md", import.meta.url), "utf8");
  return [...text.matchAll(/^\| `([\w-]+)` \|(.*)\|$/gm)].map(([, table = "", cells = ""]) => {
    const numbers = cells.split("|").map((cell) => Number.parseFloat(cell));
    const at = (index: number): number | null => {
      const value = numbers[index];
      return value === undefined || Number.isNaN(value) ? null : value;
    };
    return {
      table,
      timeMean: at(1) ?? Number.NaN,
      timeWorst: at(2) ?? Number.NaN,
      order: at(3) ?? Number.NaN,
      instructionsMean: at(4),
      occupancyMean: at(5),
      sameStall: at(6),
    };
  });
}

const stated = statedErrors();
const ids = validationTables(measuredKernels).map(({ id }) => id);

describe("the stated errors", () => {
  it("are those of every table", () => {
    expect(stated.map(({ table }) => table).sort()).toEqual([...ids].sort());
  });

  it("leave no table without a bound", () => {
    for (const each of stated)
      expect([each.table, each.timeMean + each.timeWorst + each.order]).not.toContain(Number.NaN);
  });
});

/** All tables by `npm run validate`: its compiled modules take half the time of those that the tests import. */
async function validateAll(): Promise<ValidationReport> {
  const command = fileURLToPath(new URL("../../src/course/validate.mjs", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "warplab-validation-"));
  const options = [command, "--json", "--out", folder];
  const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 2 ** 27 });
  await rm(folder, { recursive: true });
  return JSON.parse(stdout) as ValidationReport;
}

describe("the model", () => {
  let report: ValidationReport;
  beforeAll(async () => {
    report = await validateAll();
  }, 900_000);

  for (const each of stated) {
    const summary = (): ValidationReport["overall"] => {
      const found = report.tables.find(({ id }) => id === each.table);
      if (found === undefined) throw new Error(`no table ${each.table}`);
      return found.summary;
    };

    it(`predicts the times of ${each.table} within ${each.timeMean} % in the mean`, () => {
      expect(summary().errors.timeMs?.meanAbsolute).toBeLessThanOrEqual(each.timeMean);
    });

    it(`predicts no time of ${each.table} worse than by ${each.timeWorst} %`, () => {
      expect(Math.abs(summary().errors.timeMs?.worst ?? Number.NaN)).toBeLessThanOrEqual(each.timeWorst);
    });

    it(`puts the launches of ${each.table} in their order with a rank correlation of ${each.order}`, () => {
      expect(summary().kendallTau).toBeGreaterThanOrEqual(each.order);
    });

    if (each.instructionsMean !== null) {
      it(`counts the instructions of ${each.table} within ${each.instructionsMean} % in the mean`, () => {
        expect(summary().errors.instructionsPerWarp?.meanAbsolute).toBeLessThanOrEqual(each.instructionsMean ?? 0);
      });
    }
    if (each.occupancyMean !== null) {
      it(`predicts the achieved occupancy of ${each.table} within ${each.occupancyMean} points in the mean`, () => {
        expect(summary().errors.achievedOccupancyPercent?.meanAbsolute).toBeLessThanOrEqual(each.occupancyMean ?? 0);
      });
    }
    if (each.sameStall !== null) {
      it(`names the dominant stall of ${each.sameStall} launches of ${each.table}`, () => {
        expect(summary().sameDominantStall.rows).toBeGreaterThanOrEqual(each.sameStall ?? 0);
      });
    }
  }

  it("moves the sectors that were counted for the labs, and their data from memory", () => {
    const labs = report.tables.find(({ id }) => id === "h200-labs");
    for (const row of labs?.rows ?? []) {
      expect([row.id, row.errors.globalLoadSectors]).toEqual([row.id, 0]);
      expect([row.id, row.errors.globalStoreSectors]).toEqual([row.id, 0]);
      expect(Math.abs(row.errors.dramBytesRead ?? 100)).toBeLessThan(1);
    }
  });

  it.each([
    ["l1HitRatePercent", 1.2],
    ["l2HitRatePercent", 2.8],
  ] as const)("has the %s that Nsight Compute counted on the H200, within %d points in the mean", (rate, points) => {
    const cold = report.tables.filter(({ id }) => id.startsWith("h200-") && !id.endsWith("-warm"));
    const errors = cold.flatMap(({ rows }) => rows.flatMap((row) => row.errors[rate] ?? []));
    expect(errors.length).toBeGreaterThan(1000);
    expect(errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length).toBeLessThan(points);
  });

  it("has the load and store efficiencies that profilers gave on three GPUs", () => {
    const rows = report.tables.filter(({ id }) => id.endsWith("in-place")).flatMap((table) => table.rows);
    const compared = rows.filter(({ errors }) => errors.globalLoadEfficiencyPercent !== undefined);
    expect(compared.length).toBeGreaterThan(15);
    for (const { id, errors } of compared) {
      expect([id, Math.abs(errors.globalLoadEfficiencyPercent ?? 100) < 1]).toEqual([id, true]);
      expect([id, Math.abs(errors.globalStoreEfficiencyPercent ?? 100) < 1]).toEqual([id, true]);
    }
  });

  it("predicts the same when asked again", () => {
    const again = validate({ probes: measuredKernels, tables: ["m2070-in-place"] });
    const [table] = (JSON.parse(reportJson(again)) as ValidationReport).tables;
    expect(table).toEqual(report.tables.find(({ id }) => id === "m2070-in-place"));
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
