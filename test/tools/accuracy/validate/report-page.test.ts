import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toText } from "../../../../src/core/show/output/plain-text.js";
import { createProgress } from "../../../../src/node/progress.mjs";
import { runValidation } from "../../../../src/tools/accuracy/validate/command.js";
import { overallSentence, timesTable } from "../../../../src/tools/accuracy/validate/report.js";
import { writeValidation } from "../../../../src/tools/accuracy/validate/report-page.js";
import { type ValidationReport, validate } from "../../../../src/tools/accuracy/validate/validate.js";

describe("the validation's page", () => {
  const folder = mkdtempSync(join(tmpdir(), "validation-"));
  let report: ValidationReport;
  let html: string;
  beforeAll(() => {
    report = validate({ tables: ["rtx3080-in-place", "example-03-doubtful"] });
    html = readFileSync(writeValidation(folder, report), "utf8");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("asks nothing of the network", () => {
    expect(html).not.toMatch(/(?:src|href)="https?:/);
    for (const [, file = ""] of html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)) {
      expect([file, existsSync(join(folder, file))]).toEqual([file, true]);
    }
  });

  it("shows the launch with the greatest error of each table first", () => {
    for (const table of report.tables) {
      const errors = table.rows.map((row) => Math.abs(row.errors.timeMs ?? 0));
      expect(errors).toEqual([...errors].sort((a, b) => b - a));
      const shown = html.slice(html.indexOf(`<section id="${table.id}">`));
      expect(shown.indexOf(table.rows[0]?.id ?? "?")).toBeLessThan(shown.indexOf(table.rows[1]?.id ?? "?"));
    }
  });

  it("begins with the error over all that count, as the terminal ends with it", () => {
    const errors = report.tables[0]!.rows.map((row) => row.errors.timeMs ?? 0);
    const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
    const sentence = overallSentence(report);
    expect(sentence).toContain(
      `${errors.length} launches of 2 tables: times are off by ${mean.toFixed(1)} % in the mean`,
    );
    expect(html.indexOf(sentence)).toBeGreaterThan(html.indexOf("<h1>"));
    expect(html.indexOf(sentence)).toBeLessThan(html.indexOf("<section"));
    const text = toText(timesTable(report), { width: 60 });
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
    expect(text.split("\n").filter((line) => /^ *\d+ /.test(line)).length).toBe(report.tables.length + 1);
  });

  it("says of a doubtful table that it is one", () => {
    expect(html).toMatch(/published, doubtful/);
    expect(html).toMatch(/Not in the means/);
  });

  it("has a scatter plot over all, one a table, and their pictures", () => {
    const plots = readdirSync(join(folder, "plots"));
    for (const name of [
      "all-time",
      "rtx3080-in-place-time",
      "example-03-doubtful-time",
      "rtx3080-in-place-instructions",
    ]) {
      expect(plots).toContain(`${name}.png`);
      expect(plots).toContain(`${name}.json`);
    }
  });

  it("stands beside the report as JSON, with simulated, measured and signed errors", () => {
    const written = JSON.parse(readFileSync(join(folder, "validation.json"), "utf8")) as ValidationReport;
    expect(written).toEqual(JSON.parse(JSON.stringify(report)));
    const { simulated, measured, errors } = written.tables[0]?.rows[0] ?? {};
    const percent = (100 * ((simulated?.timeMs ?? 0) - (measured?.timeMs ?? 0))) / (measured?.timeMs ?? 1);
    expect(errors?.timeMs).toBeCloseTo(percent, 9);
  });
});

describe("the command", () => {
  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; error: string }> => {
    const texts = { out: "", error: "" };
    const error = (text: string): void => {
      texts.error += text;
    };
    const out = (text: string): void => {
      texts.out += text;
    };
    const code = await runValidation(args, null, { out, error, progress: createProgress(error) });
    return { code, ...texts };
  };

  it("prints its usage for --help", async () => {
    expect(await run("--help")).toMatchObject({ code: 0, error: "", out: expect.stringMatching(/--table ID/) });
  });

  it.each([
    [["--check", "--table", "lab-28"], "--table does not go with --check"],
    [["--record", "--only", "x"], "--only does not go with --record"],
    [["--if-changed"], "--if-changed goes with --check"],
  ])("refuses %j", async (args, why) => {
    expect(await run(...args)).toMatchObject({ code: 2, error: expect.stringContaining(why) });
  });

  it("refuses an option that is none, with its usage", async () => {
    const { code, error } = await run("--tables", "x");
    expect(code).toBe(2);
    expect(error).toMatch(/--tables/);
    expect(error).toMatch(/--table ID/);
  });

  it("says what each launch gives while it runs, on stderr alone", async () => {
    const { code, out, error } = await run("--table", "rtx3080-in-place", "--only", "Unrolling8", "--json");
    expect(code).toBe(0);
    expect(error).toMatch(/1\/1 rtx3080-in-place, reduceUnrolling8: [\d.]+ ms, measured [\d.]+ \([+-][\d.]+ %\)/);
    expect((JSON.parse(out) as ValidationReport).tables[0]?.rows.length).toBe(1);
  });
});
