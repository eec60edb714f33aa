import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { h200Corpus } from "../../src/tools/accuracy/h200-corpus.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The files whose numbers the simulator must not know. */
const TABLES = [
  "test/reference/h200/measured/labs.json",
  ...h200Corpus().map(({ measured }) => `test/reference/${measured}`),
  "test/reference/published/reductions.json",
  "test/reference/published/rtx3080-nvbench.json",
  "test/reference/published/v100-doubles.json",
  "labs/published/lab-28.json",
  "labs/published/example-03.json",
];

/**
 * Not secret: ratios of two or three digits, a launch's configuration, and the time of an empty kernel. No row is compared
 * with that time, and the microbenchmarks have it too, in the same steps of 32 ns.
 */
const COMMON = /^(emptyKernelMs$|launch__|smsp__average_warps|stalls$|n$|grid|block)|per_cycle_active|other_runs/;

function numbersIn(value: unknown, into: number[]): number[] {
  if (typeof value === "number") into.push(value);
  else if (value !== null && typeof value === "object") {
    for (const [key, each] of Object.entries(value)) if (!COMMON.test(key)) numbersIn(each, into);
  }
  return into;
}

/** Four digits or more as they are written, with the place of the point: milliseconds, microseconds, nanoseconds alike. */
function written(value: number): string {
  const [mantissa = "", exponent = "0"] = Math.abs(value).toExponential().split("e");
  const places = mantissa.replace(".", "");
  return `${places} ${((Number(exponent) % 3) + 3) % 3}`;
}

/** Sizes of launches, counts of a few, and shares such as 64 %. */
function isRound(value: number): boolean {
  return Number.isInteger(value) && (value % 128 === 0 || value < 10_000);
}

/**
 * Numbers that hardly occur by accident: those of four digits or more, in any unit, and times below 1 ms that are
 * published with three.
 */
function distinctive(file: string): {
  readonly anyUnit: ReadonlySet<string>;
  readonly asWritten: ReadonlySet<number>;
} {
  const all = numbersIn(JSON.parse(readFileSync(join(root, file), "utf8")), []).filter((value) => !isRound(value));
  return {
    anyUnit: new Set(all.map(written).filter((text) => text.length >= 6)),
    asWritten: new Set(all.filter((value) => value < 1 && written(value).length === 5)),
  };
}

/** Where sRGB's curve turns (IEC 61966-2-1): `core/show/figures/palette.ts` has it, and a kernel of the shelf finds 40.45 % of its sectors in L1. */
const SRGB_TURN = 0.04045;

function isKnown(value: number, { anyUnit, asWritten }: ReturnType<typeof distinctive>): boolean {
  return !isRound(value) && value !== SRGB_TURN && (anyUnit.has(written(value)) || asWritten.has(value));
}

/** Each number literal of a text with its line, comments included. */
function literals(text: string): readonly { readonly value: number; readonly line: number }[] {
  return text.split("\n").flatMap((content, index) =>
    [...content.matchAll(/(?<![\w.#])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])/gi)].map(([found]) => ({
      value: Number(found.replaceAll("_", "")),
      line: index + 1,
    })),
  );
}

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(ts|mjs|cjs|js|md)$/.test(path) && !path.startsWith("dist") && !path.includes("node_modules"))
  .map((path) => ({ path, literals: literals(readFileSync(join(root, "src", path), "utf8")) }));

describe("the simulator's code", () => {
  for (const file of TABLES) {
    it(`holds no number of ${file}, in any unit`, () => {
      const known = distinctive(file);
      const found = sources.flatMap(({ path, literals: all }) =>
        all.filter(({ value }) => isKnown(value, known)).map(({ value, line }) => `src/${path}:${line}: ${value}`),
      );
      expect(found).toEqual([]);
    });
  }

  it("would be caught with a measured time in it", () => {
    const known = distinctive("test/reference/h200/measured/labs.json");
    const [row] = (
      JSON.parse(readFileSync(join(root, "test/reference/h200/measured/labs.json"), "utf8")) as {
        rows: readonly { time_ms_cold_L2: { median: number } }[];
      }
    ).rows;
    const microseconds = (row?.time_ms_cold_L2.median ?? 0) * 1000;
    expect(isKnown(literals(`const time = ${microseconds};`)[0]?.value ?? 0, known)).toBe(true);
  });
});
