import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../src/core/frontend/cuda/read-cuda.js";
import { type LaunchNumbers, NO_NUMBERS } from "../../src/tools/accuracy/compared-numbers.js";
import { ValidationArrays } from "../../src/tools/accuracy/measured-arrays.js";
import { AS_MODELLED, type MeasuredLaunch } from "../../src/tools/accuracy/measured-table.js";
import { LaunchSimulator } from "../../src/tools/accuracy/validate/simulated-launch.js";
import { loadsFound } from "../core/timing/cold-launch.js";

/** test/reference/h200/micro/reread.json: blocks that read their `a` words `b` times; c = 1: and write as many. */
interface Row {
  readonly kernel: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly grid: readonly [number, number];
  readonly block: readonly [number, number];
  readonly dirtyUs: number;
  readonly ncu?: { readonly loadSectors: number; readonly loadHits?: number };
}

const reference = (name: string): string => readFileSync(new URL(`../reference/${name}`, import.meta.url), "utf8");
const { rows } = JSON.parse(reference("h200/micro/reread.json")) as { readonly rows: readonly Row[] };
const text = reference("h200/micro/reread.cu");
const kernels = readCuda(text.slice(0, text.indexOf("#define CK")));
const simulator = new LaunchSimulator(new ValidationArrays(), false);

function simulated({ kernel: name, a, b, c, grid, block }: Row): LaunchNumbers {
  const kernel = kernels.get(name);
  if (kernel === undefined) throw new Error(`no kernel ${name}`);
  const launch: MeasuredLaunch = {
    id: `${name}(${a}, ${b}, ${c})`,
    kernel,
    grid: [grid[0], 1, 1],
    block: [block[0], 1, 1],
    dynamicSharedBytes: 0,
    args: ["B", "Z", a, b, c],
    cache: "cold",
    measured: NO_NUMBERS,
  };
  return simulator.simulate(launch, "h200", AS_MODELLED).numbers;
}

/** The share of what is read again that L1 still holds. */
const keptHere = (row: Row): number => loadsFound(simulated(row)) * (row.b / (row.b - 1));
const kept = ({ b, ncu }: Row): number => ((ncu?.loadHits ?? 0) / (ncu?.loadSectors ?? 1)) * (b / (b - 1));
const named = (test: (row: Row) => boolean): readonly (readonly [string, Row])[] =>
  rows
    .filter((row) => row.kernel === "reread" && test(row))
    .map((row) => [
      `${row.a} words, ${row.b} times, in blocks of ${row.block[0]}${row.c === 1 ? ", and writes" : ""}`,
      row,
    ]);

describe("L1", () => {
  it.each(named(({ a, b, c, block }) => c < 2 && b < 8 && block[0] === 256 && a % 2048 === 0 && a < 8192))(
    "keeps of what blocks read again, others streaming by, what an H200's keeps: %s",
    (_, row) => {
      expect(Math.abs(keptHere(row) - kept(row))).toBeLessThan(0.11);
    },
  );

  it.each(named(({ a, b, grid }) => b === 8 && grid[0] === 132 && [16384, 32768, 49152].includes(a)))(
    "keeps all of what fits and is read eight times: %s",
    (_, row) => {
      expect([kept(row) > 0.99, keptHere(row) > 0.99]).toEqual([true, true]);
    },
  );
});

describe("words updated in place", () => {
  // Where one or two sectors of a line are touched, DRAM writes back only those.
  it.each(
    rows
      .filter(({ kernel, a, grid }) => kernel === "updateStride" && grid[0] === 4096 && a >= 8)
      .map((row) => [row.a, row] as const),
  )("%i apart take as long as on an H200, within a seventh", (_, row) => {
    expect(Math.abs(((simulated(row).timeMs ?? 0) * 1000) / row.dirtyUs - 1)).toBeLessThan(1 / 7);
  });
});

describe("words copied", () => {
  // The reads hide some of what the parts of sectors cost that L2 completes.
  it.each(
    rows
      .filter(({ kernel, a, grid }) => kernel === "copyStride" && grid[0] === 4096 && a >= 32)
      .map((row) => [row.a, row] as const),
  )("%i apart take as long as on an H200, within an eighth", (_, row) => {
    expect(Math.abs(((simulated(row).timeMs ?? 0) * 1000) / row.dirtyUs - 1)).toBeLessThan(1 / 8);
  });
});
