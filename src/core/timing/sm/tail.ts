/**
 * The tail of an SM: the time until its last block ends, after a simulation that broke off. Schedulers that prefer the
 * oldest block let it end first. Towards the end fewer blocks are left, and they may not keep the SM busy. Each block
 * runs at the rate of its age, limited by the rate of that number of blocks together. test/core/timing/sm/tail.test.ts
 * compares this with complete simulations.
 */

/** Issue slots to simulate for a few blocks alone on the SM, to measure their rate. */
export const SLOTS_OF_FEW = 16_000;

export interface Tail {
  readonly cycles: number;
  /** Sum over these cycles of the resident blocks. */
  readonly blockCycles: number;
}

export interface Remainder {
  /** Issue slots that each started block has still to issue, the oldest first. */
  readonly left: readonly number[];
  /** Blocks that have not started, and the issue slots of each. */
  readonly pending: number;
  readonly slotsPerBlock: number;
  /** The largest number of resident blocks. */
  readonly resident: number;
}

/** Rates in issue slots a cycle. */
export interface Rates {
  /** The rate of the oldest block, the second oldest, and so on. */
  readonly byAge: readonly number[];
  /** The rates of numbers of blocks together, in increasing order; the last is the full SM. */
  readonly together: readonly (readonly [blocks: number, rate: number])[];
}

/** Slots a cycle of `blocks` blocks together. */
export function rateOf(blocks: number, { together }: Rates): number {
  const [most, full] = together.at(-1)!;
  if (blocks >= most) return full;
  const next = together.findIndex(([known]) => known >= blocks);
  const [after, high] = together[next]!;
  const [before, low] = together[next - 1] ?? [0, 0];
  return Math.min(full, low + ((high - low) * (blocks - before)) / (after - before));
}

/** Slots a cycle of each of `blocks` blocks, the oldest first. No block is faster than a block alone. */
function ratesOf(blocks: number, rates: Rates): readonly number[] {
  const { byAge } = rates;
  const alone = rateOf(1, rates);
  const shares = Array.from({ length: blocks }, (_, age) => byAge[age] ?? byAge.at(-1)!);
  let share = shares.reduce((sum, each) => sum + each, 0);
  let rate = rateOf(blocks, rates);
  return shares.map((each, age) => {
    const own = Math.min(alone, share > 0 ? (rate * each) / share : rate / (blocks - age));
    rate -= own;
    share -= each;
    return own;
  });
}

/** The last waves of blocks, which are followed block by block; earlier blocks run at the full SM's rate. */
const ROUNDS_AT_THE_END = 3;
/** A block with fewer slots left has ended. */
const NOTHING = 1e-6;

/** The time until all blocks have ended. */
export function tailOf({ left, pending, slotsPerBlock, resident }: Remainder, rates: Rates): Tail {
  const skipped = Math.max(0, pending - ROUNDS_AT_THE_END * resident);
  let cycles = (skipped * slotsPerBlock) / rateOf(resident, rates);
  let blockCycles = cycles * resident;
  let blocks = [...left, ...new Array<number>(pending - skipped).fill(slotsPerBlock)].filter(
    (slots) => slots > NOTHING,
  );
  while (blocks.length > 0) {
    const running = ratesOf(Math.min(resident, blocks.length), rates);
    const span = running.reduce(
      (least, rate, age) => (rate > 0 ? Math.min(least, blocks[age]! / rate) : least),
      Infinity,
    );
    cycles += span;
    blockCycles += span * running.length;
    blocks = blocks.map((slots, age) => slots - span * (running[age] ?? 0)).filter((slots) => slots > NOTHING);
  }
  return { cycles, blockCycles };
}
