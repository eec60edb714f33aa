/**
 * The instructions that blocks of compiled code may issue. A block starts with a portion of warp instructions and asks for more
 * when its loops have used it up. Between blocks, what they have issued is taken off a larger portion of the launch.
 * So the code itself only compares, and the host reads the clock and the limits once a portion.
 */
import type { PreparedLaunch } from "../engine.js";
import { budgetPassed, stepLimitPassed } from "../faults.js";
import { BETWEEN_BLOCKS, WHOLE_BLOCK } from "./emit/library/fault-library.js";
import { LanesElsewhere } from "./lanes-elsewhere.js";

const BLOCK_PORTION = 2 ** 18;
export const LAUNCH_PORTION: number = 2 ** 20;

/** Warp instructions that a block starts with. */
export function blockPortion({ stepLimit, budget }: PreparedLaunch): number {
  const least = Math.min(stepLimit / 4, budget?.stepLimit ?? stepLimit);
  return Math.max(1, Math.min(BLOCK_PORTION, Math.floor(least)));
}

/** Warp instructions that the blocks of a call start with. */
export function launchPortion({ budget }: PreparedLaunch): number {
  return Math.max(0, Math.min(LAUNCH_PORTION, budget?.left ?? LAUNCH_PORTION));
}

export interface MeteredKernel {
  readonly warps: number;
  readonly maySpin: boolean;
}

/** Who asks; `warp` may be `WHOLE_BLOCK` or `BETWEEN_BLOCKS`. */
export interface Asking {
  readonly pc: number;
  readonly block: number;
  readonly warp: number;
  readonly lanes: number;
}

export class StepMeter {
  readonly #portion: number;
  #given: number;
  #block = -1;
  #warp = -1;
  #inBlock = 0;
  #inWarp = 0;

  /** `stepsLeft`: the word in memory that the code counts down between blocks. */
  constructor(
    private readonly launch: PreparedLaunch,
    private readonly kernel: MeteredKernel,
    private readonly stepsLeft: BigInt64Array,
  ) {
    this.#portion = blockPortion(launch);
    this.#given = launchPortion(launch);
  }

  /** Warp instructions of the blocks that have ended. */
  get issued(): number {
    return this.#given - Number(this.stepsLeft[0] ?? 0n);
  }

  /** Gives more, after `missing` too many. Throws KernelFault, or LanesElsewhere where the lanes may wait for others. */
  more({ pc, block, warp, lanes }: Asking, missing: number): number {
    const { budget } = this.launch;
    const instruction = this.launch.program.instructions[pc]!;
    const site = { launch: this.launch, instruction, block, warp: Math.max(0, warp), lanes };
    if (budget?.isLate === true) throw budgetPassed(site, "time");
    if (warp === BETWEEN_BLOCKS) {
      if (budget !== undefined && this.issued > budget.left) throw budgetPassed(site, "steps");
      const left = budget === undefined ? LAUNCH_PORTION : Math.min(LAUNCH_PORTION, budget.left - this.issued);
      this.#given = this.issued + left;
      return left;
    }
    const portions = this.#portion * Math.ceil(missing / this.#portion);
    this.#count(block, warp, portions);
    const elsewhere = this.kernel.maySpin ? new LanesElsewhere(block) : null;
    if (budget !== undefined && this.issued + this.#inBlock > budget.left) {
      throw elsewhere ?? budgetPassed(site, "steps");
    }
    // Lanes that may wait for others are left to the reference engine rather too early than too late.
    const margin = this.kernel.maySpin ? this.#portion : 0;
    const { stepLimit } = this.launch;
    if (this.#inWarp + margin > stepLimit || this.#inBlock + margin > stepLimit * this.kernel.warps) {
      throw elsewhere ?? stepLimitPassed(site);
    }
    return portions - missing;
  }

  #count(block: number, warp: number, portions: number): void {
    if (block !== this.#block) this.#inBlock = 0;
    if (block !== this.#block || warp !== this.#warp) this.#inWarp = 0;
    this.#block = block;
    this.#warp = warp;
    this.#inBlock += portions;
    if (warp !== WHOLE_BLOCK) this.#inWarp += portions;
  }
}
