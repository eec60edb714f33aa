/** Draws the cases, data and schedules of a check from one seed; the same seed gives the same ones. */
import { platform } from "../../../core/base/platform.js";
import { mulberry32 } from "../../../core/base/random-values.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import { blockElements, choosesBlocks, type DrawRange, type ExerciseSpec } from "../spec.js";
import type { Case } from "./case.js";
import { landmarks } from "./landmarks.js";

export interface Plan {
  readonly seed: number;
  /** Every pair of the named sizes and blocks. */
  readonly named: readonly Case[];
  /** Pairs of a size and a block. */
  readonly drawn: readonly Case[];
  /** See landmarks.ts. */
  readonly landmarks: readonly Case[];
  /** Small launches under a seeded schedule. */
  readonly scheduled: readonly (Case & { readonly schedule: number })[];
  readonly measured: Case;
  /** Cases of the further draws, which a kernel that fits one draw may miss. A launch is measured where its block is another. */
  readonly further: { readonly drawn: readonly Case[]; readonly measured: readonly Case[] };
}

/** Set to a whole number, all checks that are given no seed take this one: two runs of a notebook then put out the same. */
export const CHECK_SEED_VARIABLE = "WARPLAB_CHECK_SEED";

/** A seed of its own for a check that is given none. */
export function freshSeed(): number {
  const set = platform().environment(CHECK_SEED_VARIABLE);
  return set === undefined || set === "" ? Math.floor(Math.random() * 2 ** 31) : Number(set);
}

/** More than any plan takes. */
const MOST_DRAWS = 4096;

class Draw {
  readonly #values: Int32Array;
  #next = 0;

  constructor(seed: number) {
    this.#values = mulberry32(MOST_DRAWS, seed);
  }

  bits(): number {
    const value = this.#values[this.#next++];
    if (value === undefined) throw new Error("a draw has no values left");
    return value >>> 0;
  }

  unit(): number {
    return this.bits() / 2 ** 32;
  }

  from({ least, most, powersOfTwo = false }: DrawRange): number {
    if (!powersOfTwo) return least + Math.floor(this.unit() * (most - least + 1));
    const low = Math.ceil(Math.log2(least));
    return 2 ** (low + Math.floor(this.unit() * (Math.floor(Math.log2(most)) - low + 1)));
  }
}

/** The reference engine mixes lanes and warps slowly: one schedule has a block of any size, the others smaller ones. */
const SMALL_BLOCK = 256;
const FEW_BLOCKS = 3;
/** The most blocks of such a launch where the learner chooses their number, and the widths of the grid that it sums. */
export const SCHEDULED_GRID = 5;
const STEPS_OF_CHOSEN = 4;

/** Seeds of the draws behind the first, which is the seed itself. */
const nextSeed = (seed: number, draw: number): number => ((seed + draw * 0x9e3779b1) >>> 0) >>> 1;

export function drawPlan(spec: ExerciseSpec, kernel: KernelIr, seed: number, draws: number = 1): Plan {
  const { scheduled, salt, ...first } = oneDraw(spec, seed);
  const others = Array.from({ length: draws - 1 }, (_, index) => oneDraw(spec, nextSeed(seed, index + 1)));
  const blocks = new Map(others.map(({ measured }) => [measured.block, measured]));
  blocks.delete(first.measured.block);
  const further = {
    drawn: others.flatMap(({ drawn }) => drawn),
    measured: measuredAgain(spec) ? [...blocks.values()] : [],
  };
  return {
    ...first,
    seed,
    further,
    // One schedule of each further draw: an order of lanes and warps is drawn as much as a size is.
    scheduled: [...scheduled, ...others.flatMap((other) => other.scheduled.slice(1, 2))],
    landmarks: landmarks(spec, kernel, salt),
  };
}

/** Where the learner chooses the block, or all SMs are looked at, the launch of another draw is the same but for its data. */
function measuredAgain({ threadsConstant, gridConstant }: ExerciseSpec): boolean {
  return threadsConstant === null && gridConstant === null;
}

type OneDraw = Pick<Plan, "named" | "drawn" | "scheduled" | "measured"> & { readonly salt: number };

function oneDraw(spec: ExerciseSpec, seed: number): OneDraw {
  const draw = new Draw(seed);
  const completed = (n: number, block: number): Case => ({
    n,
    block,
    dataSeed: draw.bits() >>> 1,
    traced: draw.unit(),
  });
  const named = spec.sizes.named.flatMap((n) => spec.blocks.named.map((block) => completed(n, block)));
  const drawn = Array.from({ length: spec.drawn }, () => {
    const block = draw.from(spec.blocks.drawn);
    return completed(draw.from(spec.sizes.drawn), block);
  });
  const { least, most, powersOfTwo = false } = spec.blocks.drawn;
  const small: DrawRange = { least, most: Math.max(least, Math.min(most, SMALL_BLOCK)), powersOfTwo };
  const scheduled = Array.from({ length: spec.schedules }, (_, index) => {
    const block = draw.from(index === 0 ? spec.blocks.drawn : small);
    const whole = blockElements(spec, block);
    const blocks = choosesBlocks(spec) ? STEPS_OF_CHOSEN * SCHEDULED_GRID : FEW_BLOCKS;
    const n = draw.from({ least: 1, most: block > SMALL_BLOCK ? whole : blocks * whole });
    return { ...completed(n, block), schedule: draw.bits() >>> 1 };
  });
  const block = draw.from(spec.measured.block);
  const measured = completed(draw.from(spec.measured.n), block);
  return { named, drawn, scheduled, measured, salt: draw.bits() >>> 1 };
}
