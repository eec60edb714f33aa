/**
 * How an SM goes on to its last block's end, after a simulation that broke off. Schedulers that take the oldest block first have it end
 * first; towards the end ever fewer blocks are left, which may not keep the SM busy: the tail. Each block goes on at the rate of its
 * age's place, as far as that many blocks' rate goes; test/timing/sm/tail.test.ts compares that with simulations that go on.
 */

/** Blocks simulated to be alone on the SM: so many issue slots of all of them together tell how fast they are. */
export const SLOTS_OF_FEW = 16_000;

export interface Tail {
  readonly cycles: number;
  /** Sum over these cycles of the blocks resident. */
  readonly blockCycles: number;
}

export interface Remainder {
  /** Issue slots that each block still has which has come, the oldest first. */
  readonly left: readonly number[];
  /** Blocks still to come, and the slots of each. */
  readonly pending: number;
  readonly slotsPerBlock: number;
  /** Blocks that are resident together. */
  readonly resident: number;
}

/** Slots a cycle. */
export interface Rates {
  /** Of the oldest block, the second oldest, ... */
  readonly byAge: readonly number[];
  /** Of so many blocks together, in increasing order of these, the last the full SM. */
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

/** Slots a cycle of each of `blocks` blocks, the oldest first: none is faster than alone. */
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

/** Rounds of blocks to come whose ends are looked at one by one; those before them go by the full SM's rate. */
const ROUNDS_AT_THE_END = 3;
/** Slots: less is an end. */
const NOTHING = 1e-6;

/** The time in which the rest is done. */
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
