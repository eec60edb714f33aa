/**
 * Which warp of a block goes next, and when a block barrier opens. Default order: warps by index, each until it reaches
 * a barrier, ends, or can only spin.
 */

import { populationCount } from "../../population-count.js";
import type { BlockContext } from "../block-context.js";
import type { Executor } from "../executor.js";
import type { MachineState } from "../machine-state.js";
import { NOT_PROVEN, type Parked, type Warp } from "../warp.js";
import { someChanged } from "../watched-words.js";
import { checkBarrier } from "./synchronization-report.js";

/** True if the warp has lanes that can go on now; one group of them is then its running group, in the default schedule. */
export function prepare(executor: Executor, warp: Warp): boolean {
  if (warp.mask !== 0) return true;
  const { machine } = executor;
  if (machine.launch.lockstep && warp.barrier.length > 0) return false;
  // In lockstep the lanes that spin keep the others of their warp from running.
  if (machine.launch.lockstep && warp.parked.length > 0) return unpark(warp, machine) && prepare(executor, warp);
  if (warp.readyCount === 0 && warp.waits.length > 0) executor.releaseWaits(warp);
  if (warp.readyCount === 0 && !unpark(warp, machine)) return false;
  if (warp.mask === 0) warp.runReady(warp.readyCount - 1);
  return true;
}

/** Makes those parked lanes ready that were proven to spin, and for which memory has changed since. */
function unpark(warp: Warp, machine: MachineState): boolean {
  if (warp.parked.length === 0) return false;
  const found = unparkWhere(
    warp,
    ({ version, watched }) =>
      version !== NOT_PROVEN && version !== machine.version && (watched === null || someChanged(machine, watched)),
  );
  warp.suspected ||= found;
  return found;
}

/** Gives lanes that were parked only for being long in their loops another turn. True if there are any. */
export function resumeLongLoops(context: BlockContext): boolean {
  let resumed = false;
  for (const warp of context.warps) {
    resumed = unparkWhere(warp, (parked) => parked.version === NOT_PROVEN) || resumed;
  }
  return resumed;
}

function unparkWhere(warp: Warp, able: (parked: Parked) => boolean): boolean {
  const chosen = warp.parked.filter(able);
  if (chosen.length === 0) return false;
  warp.parked = warp.parked.filter((parked) => !chosen.includes(parked));
  for (const { pc, lanes } of chosen) warp.makeReady(pc, lanes);
  return true;
}

/**
 * The warp whose turn it is, or null if none of the block can go on (see `BlockContext.done`). Warps that have issued
 * `most` instructions have no turn.
 */
export function nextWarp(
  executor: Executor,
  context: BlockContext,
  most: number = Number.POSITIVE_INFINITY,
): Warp | null {
  const able = (warp: Warp): boolean => warp.issued < most && prepare(executor, warp);
  for (;;) {
    for (; context.cursor < context.warps.length; context.cursor++) {
      const warp = context.warps[context.cursor];
      if (warp !== undefined && able(warp)) return warp;
    }
    context.cursor = 0;
    const again = openBarrier(executor, context) || context.warps.some(able);
    if (!again) return null;
  }
}

/**
 * Opens the block barrier if every thread that has not ended waits at it, and hands out its reduction. Before 7.0 one
 * waiting lane of every warp is enough.
 */
export function openBarrier(executor: Executor, context: BlockContext): boolean {
  const { machine } = executor;
  const { instructions } = machine.launch.program;
  if (!allArrived(machine, context, "bar")) return false;
  checkBarrier(machine, context);
  machine.launch.accesses?.barrier(context.block);
  let holds = 0;
  let threads = 0;
  const { i32 } = machine.registers;
  for (const warp of context.warps) {
    for (const { pc, lanes } of warp.barrier) {
      const instruction = instructions[pc];
      threads += populationCount(lanes);
      if (instruction?.barrierReduce === undefined) continue;
      holds += populationCount(lanes & i32[warp.base + machine.layout.operand(instruction, 0)]!);
    }
  }
  for (const warp of context.warps) {
    for (const { pc, lanes } of warp.barrier) {
      const instruction = instructions[pc];
      const dst = instruction?.dst[0];
      if (instruction?.barrierReduce === undefined || dst === undefined) continue;
      const kind = instruction.barrierReduce;
      const result = kind === "count" ? holds : Number(kind === "and" ? holds === threads : holds > 0);
      writeResult(executor, warp, dst, lanes, result);
    }
    releaseBarrier(warp);
  }
  return true;
}

/**
 * True if the block has live threads and each of them waits at such a barrier. Before compute capability 7.0 a barrier counts
 * warps, and a warp arrives with its first lane (CUDA guide, compute capability 7.x).
 */
export function allArrived({ launch }: MachineState, context: BlockContext, op: "bar" | "gridsync"): boolean {
  const { lockstep, program } = launch;
  let live = 0;
  for (const warp of context.warps) {
    if (warp.live === 0) continue;
    live |= warp.live;
    const lanes = warp.atBarrier;
    if (lockstep ? lanes === 0 : lanes !== warp.live) return false;
    for (const { pc } of warp.barrier) if (program.instructions[pc]?.op !== op) return false;
  }
  return live !== 0;
}

export function releaseBarrier(warp: Warp): void {
  for (const { pc, lanes } of warp.barrier) warp.makeReady(pc + 1, lanes);
  warp.barrier = [];
}

function writeResult(executor: Executor, warp: Warp, dst: number, lanes: number, result: number): void {
  const { registers, layout, launch, journal } = executor.machine;
  const at = warp.base + (layout.rows[dst] ?? 0);
  const { i32 } = registers;
  if (launch.program.registers[dst]?.type === "bool") {
    journal?.record(i32, at, 1);
    i32[at] = result !== 0 ? i32[at]! | lanes : i32[at]! & ~lanes;
    return;
  }
  journal?.record(i32, at, 32);
  for (let m = lanes; m !== 0; m &= m - 1) i32[at + 31 - Math.clz32(m & -m)] = result;
}
