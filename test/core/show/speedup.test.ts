import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import { bandwidthGBps, speedups, speedupTable } from "../../../src/core/show/speedup.js";
import { bytesRead, example03, lab28, lab28PeakGBps } from "./lab28.js";

const measured = lab28.map(({ version, timeMs }) => ({ version, timeMs, bytes: bytesRead }));

describe("Lab 28's table", () => {
  it("has bandwidths that follow from the bytes read and a time that rounds to the printed one", () => {
    for (const row of lab28) {
      expect(row.bandwidthGBps).toBeGreaterThan(bandwidthGBps(bytesRead, row.timeMs + 0.0005) - 0.005);
      expect(row.bandwidthGBps).toBeLessThan(bandwidthGBps(bytesRead, row.timeMs - 0.0005) + 0.005);
    }
  });

  it("has the time speed-ups that we compute, to its two digits", () => {
    expect(speedups(measured).map((row) => row.timeSpeedup.toFixed(2))).toEqual(
      lab28.map((row) => row.timeSpeedup.toFixed(2)),
    );
  });

  it("has the bandwidth speed-ups that its bandwidths give, to its two digits", () => {
    // Bytes chosen so that each version has exactly the printed bandwidth.
    const rows = lab28.map(({ version, timeMs, bandwidthGBps: rate }) => ({
      version,
      timeMs,
      bytes: rate * timeMs * 1e6,
    }));
    expect(speedups(rows).map((row) => row.bandwidthSpeedup.toFixed(2))).toEqual(
      lab28.map((row) => row.bandwidthSpeedup.toFixed(2)),
    );
  });

  it("puts the last version at 88.7 % of the peak, as published", () => {
    const [row] = speedups([{ version: "last", timeMs: 1, bytes: 383.39e6 }], { peakGBps: lab28PeakGBps });
    expect(row?.peakShare).toBeCloseTo(0.887, 3);
  });

  it("cuts Lab 27's share of the peak to 65.9 % where rounding gives 66.0 %", () => {
    const [row] = speedups([{ version: "Lab 27", timeMs: 1, bytes: 284.94e6 }], { peakGBps: lab28PeakGBps });
    const percent = 100 * (row?.peakShare ?? 0);
    expect(percent.toFixed(1)).toBe("66.0");
    expect(Math.floor(percent * 10) / 10).toBe(65.9);
  });
});

describe("Example 03's table", () => {
  it("has bandwidths that count 64 MiB as 64 MB, 4.6 % below bytes over time", () => {
    for (const row of example03) {
      const rate = bandwidthGBps(bytesRead, row.timeMs);
      expect(Math.floor(bandwidthGBps(64e6, row.timeMs))).toBe(row.bandwidthGBps);
      expect(row.bandwidthGBps / rate - 1).toBeGreaterThan(-0.053);
      expect(row.bandwidthGBps / rate - 1).toBeLessThan(-0.045);
    }
  });

  it("has the time speed-ups that we compute, to its one digit", () => {
    const rows = speedups(example03.map(({ version, timeMs }) => ({ version, timeMs, bytes: bytesRead })));
    expect(rows.map((row) => row.timeSpeedup.toFixed(1))).toEqual(example03.map((row) => row.timeSpeedup.toFixed(1)));
  });

  it("has a breakdown of steps whose product is the whole speed-up", () => {
    const steps = example03.slice(1).map((row, index) => (example03[index]?.timeMs ?? 0) / row.timeMs);
    expect(steps.map((step) => step.toFixed(1))).toEqual(["2.0", "1.5", "1.2", "1.5"]);
  });
});

describe("speedups", () => {
  it("gives the first version a speed-up of one", () => {
    expect(speedups(measured)[0]).toMatchObject({ timeSpeedup: 1, bandwidthSpeedup: 1, peakShare: null });
  });

  it("compares with the named baseline", () => {
    const rows = speedups(measured, { baseline: "First Add During Load" });
    // Lab 28: "0.236 ms / 0.175 ms = 1.35x faster".
    expect(rows.at(-1)?.timeSpeedup.toFixed(2)).toBe("1.35");
  });

  it("keeps apart time and bandwidth when the versions read different bytes", () => {
    const rows = speedups([
      { version: "reads all", timeMs: 2, bytes: 4e6 },
      { version: "reads half", timeMs: 1, bytes: 2e6 },
    ]);
    expect(rows[1]).toMatchObject({ timeSpeedup: 2, bandwidthSpeedup: 1, bandwidthGBps: 2 });
  });

  it("refuses a time of zero and names the version", () => {
    expect(() => speedups([{ version: "broken", timeMs: 0, bytes: 1 }])).toThrow(/"broken" has timeMs = 0/);
  });

  it("refuses a version given twice", () => {
    expect(() => speedups([...measured, ...measured])).toThrow(InputError);
  });

  it("refuses an unknown baseline and lists the versions", () => {
    expect(() => speedups(measured, { baseline: "none" })).toThrow(/Divergent Interleaved, Non-Divergent/);
  });

  it("shows the share of the peak only where the peak is known", () => {
    const keys = (peak?: number) =>
      speedupTable(speedups(measured, peak === undefined ? {} : { peakGBps: peak })).columns.map(
        (column) => column.key,
      );
    expect(keys(lab28PeakGBps)).toEqual([...keys(), "peakShare"]);
  });
});
