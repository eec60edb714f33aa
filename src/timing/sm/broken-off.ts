/**
 * A simulation of one SM that breaks off before its blocks have ended: how fast it went in its second half, and how the SM goes on from
 * there, up to its tail (tail.ts).
 */
import { NEARLY_WHOLE } from "../trace/traced-blocks.js";
import { machineOf, type Sm } from "./sm.js";
import type { SmInput, SmRun } from "./sm-run.js";
import { SLOTS_OF_FEW, type Tail, tailOf } from "./tail.js";

/** Points at which the second half of a simulation that breaks off is looked at. */
const RATE_STEPS = 64;

/** The slope of the line through the points: loops that load and compute in turn do not stop at the same place of a turn. */
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

/** Issue slots a cycle of the blocks that are resident while a simulation goes on, the oldest first. */
class RatesByAge {
  private readonly issued: number[] = [];
  private before: ReadonlyMap<number, number> = new Map();

  /** `slotsOf`: of a block by its number. */
  constructor(private readonly slotsOf: (block: number) => number) {}

  /** Between two calls the oldest of the blocks that were left has issued so much, the next one so much, ... */
  look(left: ReadonlyMap<number, number>): void {
    const blocks = [...this.before].sort(([a], [b]) => a - b);
    for (const [age, [block, share]] of blocks.entries()) {
      const issued = (share - (left.get(block) ?? 0)) * this.slotsOf(block);
      this.issued[age] = (this.issued[age] ?? 0) + issued;
    }
    this.before = left;
  }

  /** Their shares of what all of them issue. */
  shares(): readonly number[] {
    const all = this.issued.reduce((sum, each) => sum + each, 0);
    return this.issued.map((each) => each / all);
  }
}

export interface SecondHalf {
  /** At its end. */
  readonly run: SmRun;
  readonly left: ReadonlyMap<number, number>;
  /** Issue slots a cycle. */
  readonly rate: number;
  /** Shares of them of the oldest block, the second oldest, ... */
  readonly byAge: readonly number[];
}

/** Takes the machine from half of `mostIssues` to all of them. `slotsOf`: issue slots of a block by its number. */
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

/** Of what the full SM's simulation may cost, what one of few blocks may. */
const SHARE_OF_FEW = 0.25;

/** Issue slots a cycle of the first `blocks` blocks of `order`, which have an SM for themselves, by `mostSlots` of them. */
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

/** What is still to do. `order`, `slots`: trace of each simulated block, issue slots of each trace. */
export interface Undone {
  readonly blocksPerSm: number;
  readonly residentBlocks: number;
  readonly slotsPerBlock: number;
  readonly mostIssues: number;
  readonly order: Int32Array;
  readonly slots: readonly number[];
}

/** How the SM goes on from there to its last block's end. `another`: an SM as this was. */
export function restOf({ run, left, rate, byAge }: SecondHalf, undone: Undone, another: () => SmInput): Tail {
  const { blocksPerSm, slotsPerBlock, mostIssues, order, slots } = undone;
  const resident = Math.min(undone.residentBlocks, blocksPerSm);
  const mostOfFew = Math.min(SLOTS_OF_FEW, SHARE_OF_FEW * mostIssues);
  const together: [number, number][] = [];
  for (let few = 1; few < resident; few *= 2)
    together.push([few, Math.min(rate, rateOfFew(another(), order, few, slots, mostOfFew))]);
  const remainder = {
    // A trace that ends with its block's beginning has more to come.
    left: run.startOf.map((_, block) => slotsPerBlock - (1 - (left.get(block) ?? 0)) * slots[order[block]!]!),
    pending: blocksPerSm - run.startOf.length,
    slotsPerBlock,
    resident,
  };
  return tailOf(remainder, { byAge, together: [...together, [resident, rate]] });
}
