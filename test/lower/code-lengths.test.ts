/**
 * Small patterns of control flow, several of each kind, against the length and the branches of what nvcc makes of them
 * (test/reference/instruction-counts-2/patterns.cu). Equal, or what stands in `BEYOND` with its cause.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lower } from "../../src/lower/lower.js";
import { readCuda } from "./cuda-text.js";
import { mnemonics } from "./kernel-code.js";

interface Row {
  readonly kernel: string;
  readonly length: number;
  readonly branches: number;
}

const reference = (name: string): string =>
  readFileSync(new URL(`../reference/instruction-counts-2/${name}`, import.meta.url), "utf8");
const { rows } = JSON.parse(reference("code-lengths.json")) as { readonly rows: readonly Row[] };
const kernels = readCuda(reference("patterns.cu"));

/** Machine instructions, and branches, that ours may have more or fewer. */
const BEYOND: Readonly<Record<string, readonly [instructions: number, branches: number]>> = {
  // Moves between the loops of sixteen, four and single rounds, and pointers kept in uniform registers.
  allButOne: [12, 1],
  flaggedSum: [2, 3],
  guardedWindow: [10, 2],
  greatestDouble: [4, 1],
  sumAbove: [3, 1],
  copyRows: [2, 0],
  runningSums: [1, 0],
  toIndices: [4, 0],
  countIndices: [8, 0],
  // The counter of the rounds left is moved in front of the loop.
  flippedBelowBit: [1, 0],
  // NVVM's constants of tests are one less or more, so that lower bounds need no sum: k >= 0 is i >= 3.
  guardedWindowWhole: [1, 0],
  // The loop's bound is loaded once more, for its own test.
  eitherTest: [1, 0],
  ownTestFirst: [1, 0],
  ownTestLast: [1, 0],
  // A second compare for the second of two counts, which is kept by a guarded move.
  countOfEach: [2, 0],
  // The arms of a switch are laid out so that the last jumps at none, and stores at its end branch.
  switchOfConstants: [2, 2],
  // The default arm stands in each of three leaves here, with a jump behind the arm before it.
  switchOfEight: [5, 3],
  switchOfThree: [2, 2],
  switchThatStores: [2, 2],
  // The loop's tests stand once more in front of it (rotated), and a move less.
  walkBack: [1, 2],
  walkWhile: [1, 0],
  chainOfLoads: [1, 0],
  chainUnder: [2, 0],
  // A move in front of the first of its steps.
  scanOfMaxima: [1, 0],
  // The loop's bound is loaded once more for its tests, and its counter moved in front of it.
  binsInRange: [2, 0],
  // One instruction more or less for an address.
  binsUnder: [1, 0],
  firstLanesAdd: [1, 0],
  guardedToShared: [1, 0],
  sharedBeforeTest: [1, 0],
  sharedUnderBoth: [1, 0],
  sharedUnderLoaded: [1, 0],
  storeUnder: [1, 0],
  thirdsOnly: [1, 0],
  // How the rounds are counted, and a pointer that goes on in both loops (stretches, windowSum).
  stretchInPlace: [3, 0],
  stretchSum: [1, 0],
  windowSum: [2, 0],
  // Leaving goes through BSYNC here, by EXIT or behind a move there.
  fourUnlessPast: [0, 4],
  eightUnlessPast: [4, 2],
  // A move of the counter in front of the loop.
  rowsByFour: [1, 0],
  rowsByEight: [1, 0],
  // And two moves of the pointer in each round.
  wordsByTwo: [3, 1],
};

const BRANCH = new Set(["BRA", "BSSY"]);

describe("the code of", () => {
  it.each(rows.map((row) => [row.kernel, row] as const))("%s is as long as nvcc's", (kernel, row) => {
    const ir = kernels.get(kernel);
    if (ir === undefined) throw new Error(`no kernel ${kernel}`);
    const code = mnemonics(lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true }));
    const [instructions, branches] = BEYOND[kernel] ?? [0, 0];
    expect(Math.abs(code.length - row.length)).toBeLessThanOrEqual(instructions);
    const own = code.filter((mnemonic) => BRANCH.has(mnemonic)).length;
    expect(Math.abs(own - row.branches)).toBeLessThanOrEqual(branches);
  });
});
