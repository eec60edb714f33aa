/** Reads the statements of test/DEVIATIONS.md about the compiler against nvcc's code: one line per table. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";

const text = readFileSync(new URL("../../DEVIATIONS.md", import.meta.url), "utf8");

/** The agreement of a table's kernels with nvcc. */
interface Agreement {
  readonly kernels: number;
  /** Kernels with an equal number, and with one within 5 %. */
  readonly equal: number;
  readonly withinFivePercent: number;
  /** Null where the numbers are small. */
  readonly meanPercent: number | null;
  readonly worstPercent: number | null;
}

/** The line of test/DEVIATIONS.md that begins with these words in italics. */
function statedOf(words: string): Agreement {
  const line = text.split("\n").find((each) => each.startsWith(`| *${words}* |`));
  const cells = line?.split("|").slice(2, -1) ?? [];
  const [kernels, equal, withinFivePercent, meanPercent, worstPercent] = cells.map((cell) =>
    cell.trim() === "–" ? null : Number.parseFloat(cell),
  );
  const stated = { kernels, equal, withinFivePercent, meanPercent, worstPercent };
  const isMissing = Object.values(stated).some((value) => value === undefined || Number.isNaN(value));
  if (isMissing) throw new Error(`test/DEVIATIONS.md lacks "${words}"`);
  return stated as Agreement;
}

/** Compares a table's numbers with the statement, and names the kernels that differ. */
export function expectAsStated(
  words: string,
  numbers: readonly (readonly [kernel: string, own: number, nvcc: number])[],
): void {
  const errors = numbers.map(([kernel, own, nvcc]) => ({ kernel, percent: own === nvcc ? 0 : 100 * (own / nvcc - 1) }));
  const sizes = errors.map(({ percent }) => Math.abs(percent));
  const off = errors.filter(({ percent }) => percent !== 0).sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent));
  const list = off.map(({ kernel, percent }) => `${kernel} ${percent.toFixed(1)} %`).join(", ");
  const found = {
    kernels: errors.length,
    equal: errors.length - off.length,
    withinFivePercent: sizes.filter((size) => size <= 5).length,
    meanPercent: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    worstPercent: Math.max(...sizes),
  };
  console.log(`${words}: ${JSON.stringify(found)}; off: ${list}`);
  const stated = statedOf(words);
  expect(found.kernels).toBe(stated.kernels);
  expect(found.equal, list).toBeGreaterThanOrEqual(stated.equal);
  expect(found.withinFivePercent, list).toBeGreaterThanOrEqual(stated.withinFivePercent);
  if (stated.meanPercent !== null) expect(found.meanPercent, list).toBeLessThanOrEqual(stated.meanPercent);
  if (stated.worstPercent !== null) expect(found.worstPercent, list).toBeLessThanOrEqual(stated.worstPercent);
}
