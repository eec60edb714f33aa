import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sizeText } from "../../../src/core/show/number-format.js";
import { publishedTable, publishedTables } from "../../../src/course/reductions/published.js";
import { type Ladder, simulateLadder } from "../../../src/course/tables/ladder.js";
import { publishedComparison, speedupsTable } from "../../../src/course/tables/ladder-tables.js";
import { formatLadder, runTables } from "../../../src/node/commands/tables-command.js";
import { isPlotlyFigure } from "../../../src/node/site/page-frame.js";
import { writeTables } from "../../../src/node/tables/tables.js";
import { readTablesOptions } from "../../../src/node/tables/tables-options.js";
import { example03, lab28, lab28PeakGBps } from "../../core/show/lab28.js";

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

function tables(...args: string[]): Printed {
  let out = "";
  let error = "";
  const code = runTables(args, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
  });
  return { code, out, error };
}

const small = ["--n", "2^12", "--block", "128"];

describe("npm run tables", () => {
  test("prints tables that fit 60 columns, and progress apart from them", () => {
    const { code, out, error } = tables(...small);
    expect(code, error).toBe(0);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(out).toMatch(/^Warp-Level .*\nOptimization \(Lab 28\)$/m);
    const usage = tables("--help").out;
    expect(Math.max(...usage.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(error).toContain("Sequential Addressing (Lab 26) on NVIDIA GeForce RTX 4080 Laptop GPU");
  });

  test("prints one JSON object with device, n, block and the five rows", () => {
    const { device, n, block, rows } = JSON.parse(tables("--json", "--device", "V100", ...small).out);
    expect({ device, n, block }).toEqual({ device: "v100", n: 4096, block: 128 });
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      expect(row.result).toBe(4096);
      expect(row.expected).toBe(4096);
      expect(row.bandwidthGBps).toBeCloseTo((4096 * 4) / (row.timeMs * 1e6), 12);
      expect(row.speedup).toBeCloseTo(rows[0].timeMs / row.timeMs, 12);
      expect(row.published).toBeNull();
    }
  });

  test("prints CSV with a line a version and the same numbers as JSON", () => {
    const lines = tables("--csv", ...small)
      .out.trim()
      .split("\r\n")
      .map((line) => line.split(","));
    const [head = [], ...body] = lines;
    const rows = JSON.parse(tables("--json", ...small).out).rows;
    expect(body).toHaveLength(5);
    expect(body.map((fields) => Number(fields[head.indexOf("timeMs")]))).toEqual(
      rows.map((row: { timeMs: number }) => row.timeMs),
    );
  });

  test("sums random numbers that overflow when told so", () => {
    const { rows } = JSON.parse(tables("--json", "--input", "random", ...small).out);
    for (const row of rows) expect(row.result).toBe(row.expected);
    expect(rows[0].expected).not.toBe(4096);
  });

  test("has Example 03's V1 to V5", () => {
    const { rows, device } = JSON.parse(tables("--table", "example-03", "--json", ...small).out);
    expect(device).toBe("rtx3080");
    expect(rows.map((row: { version: string }) => row.version.slice(0, 2))).toEqual(["V1", "V2", "V3", "V4", "V5"]);
  });

  test("has the notes' nine reductions and the Warp Reduction Examples' two, by name", () => {
    const [notes, warps] = JSON.parse(tables("notes", "warp-reduce", "--json", ...small).out);
    expect([notes.table, notes.device, notes.rows.length]).toEqual(["notes", "m2070", 9]);
    expect([warps.table, warps.rows.length]).toEqual(["warp-reduce", 2]);
    for (const row of [...notes.rows, ...warps.rows]) expect(row.correct, row.version).toBe(true);
  });

  test("puts several GPUs side by side, before each one's own tables", () => {
    const { out } = tables("--device", "v100,h200", ...small);
    const begin = out.slice(0, out.indexOf("event time and bandwidth")).replace(/\s+/g, " ");
    expect(begin).toContain("Labs 25 to 28 on several GPUs");
    for (const word of ["v100", "h200", "Lab 26 sequential"]) expect(begin).toContain(word);
    const csv = tables("--device", "v100,h200", "--csv", ...small)
      .out.trim()
      .split("\r\n");
    expect(csv).toHaveLength(1 + 2 * 5);
  });

  test("writes a page of its own with a picture and its text for each plot", () => {
    const { out } = tables("--html", ...small);
    expect(out).toMatch(/^<!doctype html>/);
    expect(out.match(/<figure role="img" aria-label="[^"]*Bar chart[^"]*"><svg/g)).toHaveLength(3);
    expect(out).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });

  test("gives the same numbers to the last digit from run to run", () => {
    expect(tables("all", "--json", ...small).out).toBe(tables("all", "--json", ...small).out);
  });

  test("ends with code 2 and lists what is allowed when an option is wrong", () => {
    for (const [args, allowed] of [
      [["--device", "gtx1080"], /--device gtx1080: allowed are m2070, v100, a100, rtx3080, rtx4080-laptop, h200/],
      [["--n", "0"], /--n 0: allowed are whole numbers from 1 to 2\^28/],
      [["--n", "2^40"], /2\^28/],
      [["--n", "1e-6"], /whole numbers/],
      [["--block", "96"], /64, 128, 256, 512, 1024/],
      [["--table", "lab-29"], /lab-28, example-03/],
      [["--input", "zeros"], /ones, random/],
      [["--json", "--csv"], /choose one/],
      [["--sise", "3"], /--device IDS/],
      [["v100"], /There is no table v100: there are lab-28, example-03, notes, warp-reduce, all/],
      [["--device", "v100,gtx1080"], /--device gtx1080/],
    ] as const) {
      const { code, out, error } = tables(...args);
      expect(code, args.join(" ")).toBe(2);
      expect(error).toMatch(allowed);
      expect(out).toBe("");
    }
  });

  test("explains itself with --help", () => {
    expect(tables("--help").out).toContain("--device IDS");
  });

  test("reads sizes as numbers, with underscores, and as powers of two", () => {
    for (const size of ["16777216", "16_777_216", "2^24", "2**24"]) {
      expect(readTablesOptions(["--n", size])).toMatchObject({ n: 2 ** 24 });
    }
    expect(readTablesOptions(["--n", "1e6"])).toMatchObject({ n: 1_000_000 });
  });
});

describe("published numbers", () => {
  test("are those of Lab 28's tables", () => {
    const table = publishedTable("lab-28");
    expect(table.rows.map(({ version: _, ...numbers }) => numbers)).toEqual(
      lab28.map(({ version: _, ...numbers }) => numbers),
    );
    expect(table.peakGBps).toBe(lab28PeakGBps);
  });

  test("are those of Example 03, and called doubtful", () => {
    const table = publishedTable("example-03");
    expect(table.rows.map(({ timeMs }) => timeMs)).toEqual(example03.map(({ timeMs }) => timeMs));
    expect(table.quality).toContain("doubtful");
  });

  test("are those of the GPU asked for where there are several, and measured ones of an H200", () => {
    for (const [ladder, device, expected] of [
      ["notes", "m2070", "notes-m2070"],
      ["notes", "v100", "notes-v100"],
      ["notes", "rtx3080", "notes-rtx3080"],
    ] as const) {
      expect(simulateLadder({ ladder, device, n: 4096, block: 64 }).published.id).toBe(expected);
    }
    const measured = publishedTables("lab-28").filter(({ quality }) => quality === "measured");
    expect(measured.map(({ device, block, cache }) => `${device} ${block} ${cache}`)).toEqual([
      "h200 1024 cold",
      "h200 1024 warm",
      "h200 256 cold",
      "h200 256 warm",
    ]);
  });

  test("of the notes are those of the reference data", () => {
    const reference = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../reference/published/reductions.json"), "utf8"),
    ) as readonly { readonly device: string; readonly kind: string; readonly rows: readonly { time_ms: number }[] }[];
    for (const table of publishedTables("notes")) {
      const source = reference.find(({ device, kind }) => device === table.device && kind === "reduction");
      const times = source?.rows.map(({ time_ms }) => time_ms) ?? [];
      expect(table.rows.map(({ timeMs }) => timeMs)).toEqual(times.slice(-9));
    }
  });

  test("stand beside no other size, block or GPU, and the text says why", () => {
    const ladder = simulateLadder({ n: 4096, block: 64, device: "a100" });
    expect(ladder.rows.every((row) => row.published === null)).toBe(true);
    expect(ladder.unpublished).toMatch(/another GPU.*size.*block/);
    expect(publishedComparison(ladder)).toBeNull();
  });

  test("have their signed deviation in percent beside them", () => {
    const ladder = simulateLadder({ n: 4096, block: 64 });
    const beside: Ladder = {
      ...ladder,
      unpublished: "",
      rows: ladder.rows.map((row) => ({
        ...row,
        timeMs: 0.5,
        published: { timeMs: 0.4, bandwidthGBps: 100, speedup: 1, bandwidthSpeedup: 1 },
        deviationPercent: { timeMs: 25, bandwidthGBps: -20, speedup: 0 },
      })),
    };
    const text = formatLadder(beside, "text");
    expect(text).toContain("+25.0 %");
    const inOneLine = text.replace(/\s+/g, " ");
    expect(inOneLine).toContain("Mean absolute deviation of the times: 25.0 %");
    expect(inOneLine).toContain("its GPU: not named");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

test("npm run tables takes a size in any usual form, and says in a sentence that one is too large", () => {
  const size = (text: string): unknown => {
    const options = readTablesOptions([`--n=${text}`]);
    return typeof options === "string" ? options : options.n;
  };
  expect(["1e6", "1E6", "1e+6", "1.5e6", "1_000_000", "2^20"].map(size)).toEqual([1e6, 1e6, 1e6, 1.5e6, 1e6, 1048576]);
  for (const text of ["1e12", "2^40", "268435457"]) {
    expect(() => size(text)).toThrow(`--n ${text} is too large: at most 2^28 (268435456) elements are simulated.`);
  }
  for (const text of ["1.5", "0", "-1", "1e6x"]) expect(() => size(text)).toThrow("allowed are whole numbers");
});

describe("the tables of a run of the course", async () => {
  const out = mkdtempSync(join(tmpdir(), "warplab-tables-"));
  afterAll(() => rmSync(out, { recursive: true }));
  const said: string[] = [];
  await writeTables(out, (line) => said.push(line), { n: 4096, block: 128 });

  test("are written in four formats each", () => {
    const names = new Set(readdirSync(join(out, "tables")).flatMap((file) => /^\w[\w-]*/.exec(file) ?? []));
    expect([...names].sort()).toEqual([
      "day-43-notes-1-times",
      "day-43-notes-2-speedups",
      "day-45-warp-reduce-1-times",
      "day-45-warp-reduce-2-speedups",
      "lab-28-1-times",
      "lab-28-2-speedups",
      "lab-30-example-03-1-times",
      "lab-30-example-03-2-speedups",
    ]);
    for (const name of names) {
      for (const ending of ["md", "csv", "json", "html"])
        expect(existsSync(join(out, "tables", `${name}.${ending}`))).toBe(true);
    }
  });

  test("come with figures that plotly draws, a picture and a text of each", () => {
    const figures = readdirSync(join(out, "plots")).filter((file) => file.endsWith(".json"));
    expect(figures).toHaveLength(12);
    for (const file of figures) {
      const figure = JSON.parse(readFileSync(join(out, "plots", file), "utf8"));
      expect(isPlotlyFigure(figure)).toBe(true);
      expect(figure.alt).toContain("Bar chart");
      const png = readFileSync(join(out, "plots", file.replace(".json", ".png")));
      expect(png.subarray(1, 4).toString()).toBe("PNG");
    }
  });

  test("are announced, one line a kernel", () => {
    expect(said.filter((line) => line.includes(" on NVIDIA "))).toHaveLength(5 + 5 + 9 + 2);
  });
});

describe("a ladder's tables", () => {
  test("write powers of two as such", () => {
    expect([2 ** 24, 4096, 512, 1000].map(sizeText)).toEqual(["2^24", "2^12", "512", "1,000"]);
  });

  test("tell each version's speed-up over the one before it", () => {
    const ladder = simulateLadder({ n: 4096, block: 64 });
    const rows = speedupsTable(ladder).rows;
    expect(rows[0]?.step).toBeNull();
    expect(rows[2]?.step).toBeCloseTo((ladder.rows[1]?.timeMs ?? 0) / (ladder.rows[2]?.timeMs ?? 1), 12);
  });
});
