/**
 * Which blocks of one SM are simulated, with which traces, and what the rest is taken to last.
 *
 * Simulated are as many as reach the steady state; where single blocks are so long that not even one round of them can
 * be simulated, or where only their beginnings were traced, the simulation breaks off, and the rest goes on as its second half
 * did, up to its tail (tail.ts).
 */
import { hashShare } from "./latency-spread.js";
import { areAlike } from "./line-count.js";
import { Sm } from "./sm.js";
import type { SmInput, SmRun } from "./sm-run.js";
import { type Rates, SLOTS_OF_FEW, tailOf } from "./tail.js";
import type { BlockTrace } from "./trace.js";
import { linesAsked } from "./trace-requests.js";

/** Warp instructions that one simulation costs unless told otherwise. */
const DEFAULT_BUDGET = 160_000;
/** Lines that it asks for, where those of a block's requests vary more; what one asked for again costs, against one asked for anew. */
const MOST_LINES = 160_000;
const MOST_VARYING_LINES = 400_000;
const SHARE_AGAIN = 0.5;
/** A single round of blocks may cost as many times as much; a dearer one is broken off. */
const DEAREST_ROUND = 2;
/** Rounds of blocks: one to fill, one to measure, one to drain. */
const WANTED_ROUNDS = 3;

export interface PlanInput {
  readonly gridBlocks: number;
  readonly smCount: number;
  readonly residentBlocks: number;
  /** Issue slots of a traced block, in the mean. */
  readonly slotsPerBlock: number;
  /** Lines that a slot asks for, in the mean. */
  readonly linesPerSlot: number;
  /** Later requests of a block ask for more or fewer than earlier ones. */
  readonly linesVary: boolean;
  /** Those that were traced of it, in the mean. */
  readonly tracedSlotsPerBlock: number;
  readonly instructionBudget: number | undefined;
  readonly simulateAll: boolean;
}

/** Of blocks whose beginning alone was traced: several resident ones do not come to its end at the same time. */
const TRACED_SHARE = 0.65;
const TRACED_SHARE_OF_ONE = 0.95;
/** Traces that have this share of their blocks are simulated as if they were whole, and the time is scaled. */
const NEARLY_WHOLE = 0.8;

export interface Plan {
  readonly blocksPerSm: number;
  readonly simulated: number;
  readonly mostIssues: number;
}

/** What the traced lines of a block cost to simulate, and whether later requests ask for more or fewer than earlier ones. */
export function linesOfTrace(trace: BlockTrace, traced: Uint8Array): { readonly cost: number; readonly vary: boolean } {
  const early = linesAsked(trace, traced, 0, 0.5);
  const late = linesAsked(trace, traced, 0.5, 1);
  return {
    cost: early.cost(SHARE_AGAIN) + late.cost(SHARE_AGAIN),
    vary: !areAlike(early.linesOfRequest, late.linesOfRequest),
  };
}

export function planBlocks(input: PlanInput): Plan {
  const { residentBlocks: resident, slotsPerBlock } = input;
  const blocksPerSm = Math.ceil(input.gridBlocks / input.smCount);
  if (input.simulateAll) return { blocksPerSm, simulated: blocksPerSm, mostIssues: Number.POSITIVE_INFINITY };
  const budget = input.instructionBudget ?? DEFAULT_BUDGET;
  const slots = Math.max(1, slotsPerBlock);
  const blocksOfLines = (input.linesVary ? MOST_VARYING_LINES : MOST_LINES) / (input.linesPerSlot * slots);
  const affordable = Math.min(budget / slots, blocksOfLines);
  const roundsOfLines = DEAREST_ROUND * blocksOfLines < resident ? 0 : Math.ceil(blocksOfLines / resident);
  const fitting = Math.min(Math.floor((DEAREST_ROUND * budget) / slots / resident), roundsOfLines);
  const rounds = Math.max(1, Math.min(WANTED_ROUNDS, fitting));
  const beginnings = input.tracedSlotsPerBlock < NEARLY_WHOLE * slotsPerBlock;
  const together = Math.min(resident, blocksPerSm);
  const traced = (together === 1 ? TRACED_SHARE_OF_ONE : TRACED_SHARE) * together * input.tracedSlotsPerBlock;
  const simulated = Math.max(rounds * resident, Math.min(Math.floor(affordable), 16 * resident + 32));
  return {
    blocksPerSm,
    // What is nearly all is simulated whole.
    simulated: blocksPerSm <= simulated * 1.25 ? blocksPerSm : simulated,
    mostIssues: beginnings
      ? Math.min(affordable * slots, traced)
      : rounds <= fitting
        ? Number.POSITIVE_INFINITY
        : affordable * slots,
  };
}

/** At the most `wanted` traces (four at the least), neighbouring pairs from all over the sample. */
export function spreadOver(blocks: readonly BlockTrace[], wanted: number): readonly BlockTrace[] {
  const pairs = Math.max(2, Math.ceil(wanted / 2));
  if (blocks.length <= 2 * pairs) return blocks;
  const last = Math.floor(blocks.length / 2) - 1;
  return Array.from({ length: pairs }, (_, pair) => 2 * Math.round((pair * last) / (pairs - 1))).flatMap((first) =>
    blocks.slice(first, first + 2),
  );
}

/** Weights that differ by no more are rounded differently. */
const SAME_WEIGHT = 1e-9;

/** Blocks that differ keep their places: the SM's blocks have traces of about where they lie in the grid. */
const NEIGHBOURHOOD = 1 / 12;

/** Traces of long blocks: the first two and the last. */
const FEW = 4;

/** `typical` in turn, each as often as it weighs. */
function inTurn(typical: readonly number[], weights: readonly number[] | null, simulated: number): Int32Array {
  if (weights === null) return Int32Array.from({ length: simulated }, (_, block) => typical[block % typical.length]!);
  const total = typical.reduce((sum, trace) => sum + weights[trace]!, 0);
  const due = typical.map(() => 0);
  return Int32Array.from({ length: simulated }, () => {
    let next = 0;
    for (const [index, trace] of typical.entries()) {
      due[index]! += weights[trace]! / total;
      if (due[index]! > due[next]! + SAME_WEIGHT) next = index;
    }
    due[next]! -= 1;
    return typical[next]!;
  });
}

/**
 * Trace of each simulated block: where blocks are alike the typical ones in turn, as often as they stand for blocks of the
 * grid (`weights`), else one from its part of the grid.
 */
export function traceOrder(
  traces: readonly BlockTrace[],
  typical: readonly number[],
  simulated: number,
  gridBlocks: number,
  differing: boolean,
  weights: readonly number[] | null = null,
): Int32Array {
  if (!differing) {
    // Of a few the last comes first: what all blocks read may be the first ones' own.
    const order = typical.length < FEW ? [...typical.slice(-1), ...typical.slice(0, -1)] : typical;
    return inTurn(order, weights, simulated);
  }
  return Int32Array.from({ length: simulated }, (_, block) => {
    const around = (hashShare(block + 0.5) - 0.5) * NEIGHBOURHOOD;
    const place = Math.max(0, Math.min(1, (block + 0.5) / simulated + around)) * (gridBlocks - 1);
    let nearest = 0;
    for (let i = 1; i < traces.length; i++) {
      if (Math.abs(traces[i]!.block - place) < Math.abs(traces[nearest]!.block - place)) nearest = i;
    }
    return nearest;
  });
}

/** Fewer instructions than this share of all do not tell a rate. */
const LEAST_SHARE = 0.1;

/**
 * Cycles a block in the steady state: from when the first round has ended to when no new block starts.
 *
 * Of few rounds, by the rate of issue while the SM is full: the ends of blocks do not tell, as the last ones run with ever
 * less beside them, and as a scheduler that prefers one block spreads even a first round's ends. Blocks that start
 * together may also end together, so that whole rounds are measured where there are two.
 */
function steadyInterval(run: SmRun, simulated: number, resident: number): number {
  const { blockEnds: ends, issuesAtEnds } = run;
  if (simulated >= 4 * resident) {
    const first = Math.min(ends.length - 2, Math.max(0, Math.ceil(1.5 * resident) - 1));
    const last = Math.max(first + 1, ends.length - 1 - Math.max(1, Math.floor(resident / 2)));
    return (ends[last]! - ends[first]!) / (last - first);
  }
  const from = simulated >= 3 * resident ? resident - 1 : -1;
  const to = Math.max(0, simulated - resident - 1);
  const issues = issuesAtEnds[to]! - (issuesAtEnds[from] ?? 0);
  if (issues < LEAST_SHARE * run.issues) return run.cycles / simulated;
  return ((ends[to]! - (ends[from] ?? 0)) / issues) * (run.issues / simulated);
}

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

export interface SmTime {
  readonly run: SmRun;
  /** Cycles a block in the steady state. */
  readonly interval: number;
  /** Of all the SM's blocks. */
  readonly cycles: number;
  /** Of all that the SM does, the simulated share. */
  readonly share: number;
  /** Warps resident, in the mean over all that time. */
  readonly residentWarps: number;
  /** Cycles after which `PART` of the simulated instructions had issued. */
  readonly partCycles: number;
}

/** So much of a simulation tells how another one of the same blocks compares with it. */
export const PART = 0.4;

/** An SM that is given blocks with the traces of `order`. */
export function machineOf(sm: SmInput, order: Int32Array): Sm {
  let given = 0;
  return new Sm(sm, {
    next: () => (given < order.length ? given++ : -1),
    traceOf: (block) => order[block]!,
  });
}

/** Takes the machine through `PART` of what `plan` simulates; the cycles. */
function partCyclesOf(machine: Sm, { mostIssues }: Plan, order: Int32Array, slots: readonly number[]): number {
  const total = order.reduce((sum, trace) => sum + slots[trace]!, 0);
  machine.advance(Number.POSITIVE_INFINITY, PART * Math.min(mostIssues, total));
  return machine.result().cycles;
}

/** The cycles of all the SM's blocks, by how long a part of them takes against `like`, which simulated all that is planned. */
export function compareSm(
  sm: SmInput,
  plan: Plan,
  order: Int32Array,
  slots: readonly number[],
  like: Pick<SmTime, "cycles" | "partCycles">,
): Pick<SmTime, "run" | "cycles"> {
  const machine = machineOf(sm, order);
  const partCycles = partCyclesOf(machine, plan, order, slots);
  return { run: machine.result(), cycles: (like.cycles * partCycles) / like.partCycles };
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

/**
 * Simulates what the plan says. `order`: trace of each simulated block; `slots`: issue slots of each trace;
 * `slotsPerBlock`: of a block of the grid, in the mean. `another`: an SM as `sm` was.
 */
export function simulateSm(
  sm: SmInput,
  another: () => SmInput,
  plan: Plan,
  order: Int32Array,
  slots: readonly number[],
  slotsPerBlock: number,
): SmTime {
  const { blocksPerSm, simulated, mostIssues } = plan;
  const machine = machineOf(sm, order);
  const partCycles = partCyclesOf(machine, plan, order, slots);
  const whole = blocksPerSm * slotsPerBlock;
  const points: SmRun[] = [];
  const ages = new RatesByAge((block) => slots[order[block]!]!);
  const steps = mostIssues === Number.POSITIVE_INFINITY ? 0 : RATE_STEPS;
  for (let step = 0; step <= steps; step++) {
    machine.advance(Number.POSITIVE_INFINITY, steps === 0 ? mostIssues : (mostIssues / 2) * (1 + step / steps));
    points.push(machine.result());
    if (steps > 0) ages.look(machine.left());
  }
  const run = points.at(-1)!;
  if (!run.complete) {
    const full = 1 / cyclesAnIssue(points);
    const left = machine.left();
    const resident = Math.min(sm.residentBlocks, blocksPerSm);
    const mostOfFew = Math.min(SLOTS_OF_FEW, SHARE_OF_FEW * mostIssues);
    const together: [number, number][] = [];
    for (let few = 1; few < resident; few *= 2)
      together.push([few, Math.min(full, rateOfFew(another(), order, few, slots, mostOfFew))]);
    const rates: Rates = { byAge: ages.shares(), together: [...together, [resident, full]] };
    const remainder = {
      // A trace that ends with its block's beginning has more to come.
      left: run.startOf.map((_, block) => slotsPerBlock - (1 - (left.get(block) ?? 0)) * slots[order[block]!]!),
      pending: blocksPerSm - run.startOf.length,
      slotsPerBlock,
      resident,
    };
    const tail = tailOf(remainder, rates);
    // At the end warps wait for what is under way, as it now is.
    const underWay = Math.max(0, sm.path.loadedBy - run.cycles);
    const cycles = run.cycles + tail.cycles + underWay;
    const residentWarps = (run.residentWarpCycles + tail.blockCycles * sm.warpsPerBlock) / cycles;
    return { run, interval: slotsPerBlock / full, cycles, share: run.issues / whole, residentWarps, partCycles };
  }
  let total = 0;
  for (const trace of order) total += slots[trace]!;
  // Blocks of the grid are as much longer than the simulated ones as they have more instructions.
  const longer = total === 0 ? 1 : (slotsPerBlock * simulated) / total;
  const measured = steadyInterval(run, simulated, sm.residentBlocks);
  // What queues took up in the simulated part, the rest of the launch has to wait for.
  const interval = longer * Math.max(measured, sm.path.dramBusyCycles / simulated);
  const further = (blocksPerSm - simulated) * interval;
  const cycles = run.cycles * longer + further;
  // The further blocks are resident as long as the simulated ones, if most of those had a full SM around them.
  const full = sm.residentBlocks * sm.warpsPerBlock;
  const resident = (longer * run.residentWarpCycles) / simulated / Math.max(1, interval);
  const warps = simulated < WANTED_ROUNDS * sm.residentBlocks ? full : Math.min(full, resident);
  const residentWarps = (longer * run.residentWarpCycles + further * warps) / cycles;
  return { run, interval, cycles, share: simulated / blocksPerSm, residentWarps, partCycles };
}
