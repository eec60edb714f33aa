/**
 * The adversarial schedule: any order that the programming model allows, chosen by a seed. Blocks and warps
 * run in bursts of a few instructions in random turns. So do the lanes of a warp from compute capability 7.0 on: groups
 * diverge at any instruction and reconverge only by chance. Barriers and warp primitives hold as always. A kernel that is
 * right by luck alone under the default schedule is wrong for some seed.
 */

import { populationCount } from "../../population-count.js";
import type { BlockContext } from "../block-context.js";
import type { Executor } from "../executor.js";
import type { Warp } from "../warp.js";
import type { SeededRandom } from "./seeded-random.js";
import { openBarrier, prepare, resumeLongLoops } from "./warp-order.js";

/** Instructions of one burst at most. */
const LONGEST_BURST = 6;
/** Now and then a burst is long enough to prove that a group spins, so that a hang is found. */
const PATIENT_EVERY = 4096;
const PATIENT_BURST = 4096;
/** So is one of a warp that has looped so often, if two turns of its loop fit in. */
const MANY_LOOPS = 64;
const PROBING_BURST = 32;

/** Places of the warps that can go on: index of the block among those held, times 32, and of the warp. */
const places: number[] = [];

/** Runs burst number `burst`, of some warp of one of the blocks; false if none of them can go on. */
export function runBurst(
  executor: Executor,
  contexts: readonly BlockContext[],
  random: SeededRandom,
  burst: number,
): boolean {
  // The same array each time: millions of bursts follow one another.
  let count = 0;
  for (const [index, context] of contexts.entries()) {
    for (const warp of context.warps) if (able(executor, warp)) places[count++] = (index << 5) | warp.index;
  }
  if (count === 0) {
    let opened = false;
    for (const context of contexts) opened = openBarrier(executor, context) || resumeLongLoops(context) || opened;
    return opened;
  }
  const choice = places[random.below(count)]!;
  const context = contexts[choice >> 5]!;
  const warp = context.warps[choice & 31]!;
  choosePart(executor, warp, random);
  const patient = burst % PATIENT_EVERY === PATIENT_EVERY - 1;
  const probes = warp.loops >= MANY_LOOPS || warp.suspected;
  if (probes) {
    warp.suspected = true;
    warp.loops = 0;
  }
  const length = patient ? PATIENT_BURST : 1 + random.below(LONGEST_BURST);
  executor.run(context, warp, probes ? Math.max(length, PROBING_BURST) : length);
  warp.loops += warp.backEdges;
  warp.suspend();
  return true;
}

/** A block that waited can go on. */
export function canGoOn(executor: Executor, context: BlockContext, patient: boolean): boolean {
  if (!context.mayGoOn(executor.machine, patient)) return false;
  if (context.warps.some((warp) => able(executor, warp))) return true;
  return openBarrier(executor, context) || resumeLongLoops(context);
}

/** True if the warp has lanes that can go on; they are all among its ready groups then. */
function able(executor: Executor, warp: Warp): boolean {
  warp.suspend();
  if (!prepare(executor, warp)) return false;
  warp.suspend();
  return true;
}

function choosePart(executor: Executor, warp: Warp, random: SeededRandom): void {
  if (executor.machine.launch.lockstep) {
    warp.runReady(warp.readyCount - 1);
    return;
  }
  warp.runReady(random.below(warp.readyCount));
  if (populationCount(warp.mask) === 1 || random.below(4) === 0) return;
  // Half of them at random, or a random half of the warp: neighbours often stay together in real schedules.
  const chosen = random.below(2) === 0 ? random.next() : 0xffff << (16 * random.below(2));
  const part = warp.mask & chosen;
  if (part === 0 || part === warp.mask) return;
  warp.makeReady(warp.pc, warp.mask & ~part);
  warp.mask = part;
}
