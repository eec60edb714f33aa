/** A launch's blocks on the SMs: how much of the work each SM gets, and from when to when it runs which block. */
import { InputError } from "../base/errors.js";
import { checkArgument } from "../base/shape.js";
import { launchShape } from "../profile/launch-shape.js";
import { type SmShare, smShares } from "../timing/index.js";
import type { LaunchResult } from "./launch-result.js";

function refuse(what: string, cure: string): never {
  throw new InputError({ what, cure });
}

function listed({ kernel, blockInstructions }: LaunchResult): Uint32Array {
  if (blockInstructions !== null) return blockInstructions;
  return refuse(
    `${kernel}: the instructions of its single blocks are not known.`,
    "Launch it without a schedule's seed, and with fewer blocks.",
  );
}

/**
 * Blocks and warp instructions of each SM, idle ones included. The instructions are exact. A block goes to the SM that has
 * room first, which is found by the blocks' instructions.
 * @throws InputError for a launch with a seed, whose blocks are not counted one by one.
 * @example console.log(workOfSms(gpu.launch(sum, { grid: 100, block: 256 }, { data })));
 */
export function workOfSms(launch: LaunchResult): readonly SmShare[] {
  checkArgument("workOfSms", "launch", launch, launchShape);
  return smShares(listed(launch), launch.device.smCount, launch.occupancy.activeBlocksPerSm);
}

/** Share of the SMs' time that they idle while the SM with the most work is busy, from 0 to 1, by exact instructions. */
export function idleShareOfSms(launch: LaunchResult): number {
  checkArgument("idleShareOfSms", "launch", launch, launchShape);
  const work = workOfSms(launch).map(({ warpInstructions }) => warpInstructions);
  const sum = work.reduce((all, each) => all + each, 0);
  return 1 - sum / Math.max(1, work.length * Math.max(...work));
}

/** A block while it has its place on an SM. */
export interface BlockStay {
  /** Linear index in the grid. */
  readonly block: number;
  /** Its place on the SM, from 0 to before the blocks that an SM holds. */
  readonly place: number;
  /** How many blocks its place had before it. */
  readonly wave: number;
  /** Cycles from the launch's start. */
  readonly from: number;
  readonly to: number;
}

/** The blocks of a launch on all SMs. Their times are predicted. */
export interface BlocksOnSms {
  readonly kernel: string;
  /** The GPU's name. */
  readonly device: string;
  /** Blocks of the grid, and of them on one SM at a time. */
  readonly blocks: number;
  readonly places: number;
  /** When the last block ends. */
  readonly cycles: number;
  /** The stays of each SM, in the order of their start; none for an SM without a block. */
  readonly sms: readonly (readonly BlockStay[])[];
}

/** Blocks that differ by more do not show how other SMs fare. */
const MOST_UNLIKE = 1.05;
const MOST_CYCLES = 1_000_000;

type Stay = Omit<BlockStay, "block">;

/** The stays of one SM with so many blocks. */
function staysOf(launch: LaunchResult, blocks: number, places: number): readonly Stay[] {
  if (blocks === 0) return [];
  const { warps, complete } = launch.recordWarps(MOST_CYCLES, blocks);
  const times = new Map<number, { from: number; to: number }>();
  for (const { block, stretches } of warps) {
    const [from, to] = [stretches[0]!.from, stretches.at(-1)!.to];
    const known = times.get(block) ?? { from, to };
    times.set(block, { from: Math.min(known.from, from), to: Math.max(known.to, to) });
  }
  if (!complete || times.size < blocks) {
    refuse(
      `${launch.kernel}: of an SM's ${blocks} blocks only ${times.size} are simulated.`,
      "Show a launch with fewer blocks, or shorter ones.",
    );
  }
  const free = new Array<number>(places).fill(0);
  const waves = new Array<number>(places).fill(0);
  const inOrder = [...times].sort(([a], [b]) => a - b).map(([, time]) => time);
  return inOrder.map(({ from, to }) => {
    const place = free.findIndex((since) => since <= from);
    free[place] = to;
    return { place, wave: waves[place]!++, from, to };
  });
}

/**
 * When each block of a launch runs on which SM. One SM is simulated for each number of blocks that an SM gets. The blocks
 * have to be alike.
 * @throws InputError for blocks that do different amounts of work, a launch with a seed, or one too long to be simulated whole.
 * @example display(wavesFigure(gpu.launch(sum, { grid: 100, block: 256 }, { data })));
 */
export function blocksOnSms(launch: LaunchResult): BlocksOnSms {
  checkArgument("blocksOnSms", "launch", launch, launchShape);
  const { kernel, device, occupancy } = launch;
  const work = listed(launch);
  const [least, most] = [work.reduce((a, b) => Math.min(a, b)), work.reduce((a, b) => Math.max(a, b))];
  if (most > MOST_UNLIKE * least) {
    refuse(
      `${kernel}: its blocks do different amounts of work, ${least} to ${most} warp instructions.`,
      "Show a launch whose blocks are alike; workOfSms says how the work of others is shared out.",
    );
  }
  const places = occupancy.activeBlocksPerSm;
  const counts = workOfSms(launch).map(({ blocks }) => blocks);
  const stays = new Map([...new Set(counts)].map((count) => [count, staysOf(launch, count, places)]));
  const sms = counts.map((count, sm) =>
    stays.get(count)!.map((stay, index): BlockStay => ({ block: sm + index * device.smCount, ...stay })),
  );
  const cycles = Math.max(...sms.flat().map(({ to }) => to));
  return { kernel, device: device.name, blocks: work.length, places, cycles, sms };
}
