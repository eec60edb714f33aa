/**
 * The remaining time of an SM whose simulation stops before its blocks have ended. The second half of the simulation
 * gives the rate; `tail.ts` gives the end.
 */
import { NEARLY_WHOLE } from "../trace/traced-blocks.js";
import { machineOf, type Sm } from "./sm.js";
import type { SmInput, SmRun } from "./sm-run.js";
import { SLOTS_OF_FEW, type Tail, tailOf } from "./tail.js";

/** Points at which the rate is sampled in the second half of the simulation. */
const RATE_STEPS = 64;

/**
 * The slope of the regression line. Two points alone would mislead, because a loop that alternates loads and
 * computation may stop in any phase.
 */
function cyclesAnIssue(points: readonly { readonly cycles: number; readonly issues: number }[]): number {
  const middle = points.reduce((sum, { issues }) => sum + issues, 0) / points.length;
  const late = points.reduce((sum, { cycles }) => sum + cycles, 0) / points.length;
  let together = 0;
  let spread = 0;
  for (const { cycles, issues } of points) {
    together += (issues - middle) * (cycles - late);
    spread += (issues - middle) ** 2;
  }
  return together / spread;
}

/** Issue slots a cycle of the resident blocks, the oldest block first. */
class RatesByAge {
  private readonly issued: number[] = [];
  private before: ReadonlyMap<number, number> = new Map();

  /** `slotsOf` gives the issue slots of a block by its number. */
  constructor(private readonly slotsOf: (block: number) => number) {}

  /**
   * Adds the issue slots of each resident block since the last call; `left` has the share that each block has still to
   * do.
   */
  look(left: ReadonlyMap<number, number>): void {
    const blocks = [...this.before].sort(([a], [b]) => a - b);
    for (const [age, [block, share]] of blocks.entries()) {
      const issued = (share - (left.get(block) ?? 0)) * this.slotsOf(block);
      this.issued[age] = (this.issued[age] ?? 0) + issued;
    }
    this.before = left;
  }

  /** The share of each age in the issue slots of all blocks. */
  shares(): readonly number[] {
    const all = this.issued.reduce((sum, each) => sum + each, 0);
    return this.issued.map((each) => each / all);
  }
}

export interface SecondHalf {
  /** The state at the end of the half. */
  readonly run: SmRun;
  readonly left: ReadonlyMap<number, number>;
  /** Issue slots a cycle. */
  readonly rate: number;
  /** The share of the oldest block in the rate, then of the second oldest, and so on. */
  readonly byAge: readonly number[];
}

/**
 * Advances the machine from half of `mostIssues` to all of them. `slotsOf` gives the issue slots of a block by its
 * number.
 */
export function secondHalf(machine: Sm, mostIssues: number, slotsOf: (block: number) => number): SecondHalf {
  const points: SmRun[] = [];
  const ages = new RatesByAge(slotsOf);
  let left: ReadonlyMap<number, number> = new Map();
  for (let step = 0; step <= RATE_STEPS; step++) {
    machine.advance(Number.POSITIVE_INFINITY, (mostIssues / 2) * (1 + step / RATE_STEPS));
    points.push(machine.result());
    left = machine.left();
    ages.look(left);
  }
  return { run: points.at(-1)!, left, rate: 1 / cyclesAnIssue(points), byAge: ages.shares() };
}

/** The largest cost of a simulation of few blocks, as a share of the full SM's. */
const SHARE_OF_FEW = 0.25;

/** Issue slots a cycle of the first `blocks` blocks of `order` alone on an SM, simulated for `mostSlots` slots. */
function rateOfFew(
  sm: SmInput,
  order: Int32Array,
  blocks: number,
  slots: readonly number[],
  mostSlots: number,
): number {
  const few = order.slice(0, blocks);
  const machine = machineOf(sm, few);
  const all = few.reduce((sum, trace) => sum + slots[trace]!, 0);
  const most = Math.min(NEARLY_WHOLE * all, mostSlots);
  machine.advance(Number.POSITIVE_INFINITY, most / 2);
  const half = machine.result();
  machine.advance(Number.POSITIVE_INFINITY, most);
  const run = machine.result();
  return (run.issues - half.issues) / (run.cycles - half.cycles);
}

/** The work that is left. `order` has the trace of each simulated block, `slots` the issue slots of each trace. */
export interface Undone {
  readonly blocksPerSm: number;
  readonly residentBlocks: number;
  readonly slotsPerBlock: number;
  readonly mostIssues: number;
  readonly order: Int32Array;
  readonly slots: readonly number[];
}

/**
 * Extrapolates from the second half to the end of the SM's last block. `another` makes a fresh SM with the same input.
 */
export function restOf({ run, left, rate, byAge }: SecondHalf, undone: Undone, another: () => SmInput): Tail {
  const { blocksPerSm, slotsPerBlock, mostIssues, order, slots } = undone;
  const resident = Math.min(undone.residentBlocks, blocksPerSm);
  const mostOfFew = Math.min(SLOTS_OF_FEW, SHARE_OF_FEW * mostIssues);
  const together: [number, number][] = [];
  for (let few = 1; few < resident; few *= 2)
    together.push([few, Math.min(rate, rateOfFew(another(), order, few, slots, mostOfFew))]);
  const remainder = {
    // A trace may have only the beginning of its block, so the block has more to issue than its trace.
    left: run.startOf.map((_, block) => slotsPerBlock - (1 - (left.get(block) ?? 0)) * slots[order[block]!]!),
    pending: blocksPerSm - run.startOf.length,
    slotsPerBlock,
    resident,
  };
  return tailOf(remainder, { byAge, together: [...together, [resident, rate]] });
}
