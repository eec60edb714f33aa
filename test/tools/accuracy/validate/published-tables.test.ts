import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Notes {
  readonly countersSlowdown: {
    readonly ratio: number;
    readonly rows: readonly { readonly gldGBps: number; readonly hostMs: number }[];
  };
  readonly host: { readonly beyondKernelMicroseconds: number };
}

interface InPlace {
  readonly id: string;
  readonly countersSlowdown?: number;
  readonly beyondKernelMicroseconds?: number;
  readonly rows: readonly {
    readonly time_ms: number;
    readonly metrics: { readonly duration_us_derived?: number };
  }[];
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../reference/${path}`, import.meta.url), "utf8"));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

const notes = read("published/v100-notes.json") as Notes;
const inPlace = (read("published/reductions.json") as readonly InPlace[]).find(({ id }) => id === "v100-in-place");
const { ratio, rows } = notes.countersSlowdown;

describe("the notes from a V100", () => {
  it("have a profiler under which kernels are as much slower as the stated ratio says", () => {
    const megabytesRead = (2 * 4 * 2 ** 28) / 1e6;
    const ratios = rows.map(
      ({ gldGBps, hostMs }) => megabytesRead / gldGBps / (hostMs - notes.host.beyondKernelMicroseconds / 1000),
    );
    expect(Math.abs(median(ratios) - ratio)).toBeLessThan(0.002);
    expect(inPlace?.countersSlowdown).toBe(ratio);
  });

  it("have a host's clock that shows as much beyond the sums in place as stated, but for the first of its process", () => {
    const beyond = (inPlace?.rows ?? [])
      .slice(1)
      .flatMap(({ time_ms, metrics: { duration_us_derived: derived } }) =>
        derived === undefined ? [] : [1000 * time_ms - derived / ratio],
      );
    expect(beyond).toHaveLength(5);
    expect(Math.abs(median(beyond) - (inPlace?.beyondKernelMicroseconds ?? 0))).toBeLessThan(1);
  });
});
