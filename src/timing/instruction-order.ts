/**
 * The order in which ptxas issues the instructions of a basic block. The lowered program has them in the order of the
 * source; ptxas schedules: what later instructions wait longest for comes first, so loads stand together at the front
 * and their uses behind (src/lower/NVCC-RULES.md; nvcc's listing of any unrolled loop). Here: list scheduling by the longest path
 * to the block's end, loads counted with the latency that they have at the least.
 */
import type { DeviceSpec } from "../device/spec.js";
import { dependences, type MemoryOrder } from "../lower/dependences.js";
import { branchesInside, FIXED_PLACE } from "../lower/fixed-place.js";
import type { Instruction, Program } from "../lower/program.js";
import type { Microcode } from "./microcode.js";
import { INDEPENDENT } from "./slot-info.js";

/** Basic block of straight-line instructions `first` to `first + order.length - 1`, and the order of their issue. */
export interface ScheduledBlock {
  readonly first: number;
  readonly order: Int32Array;
}

/** More is left as it is: ptxas' window is finite as well. */
const LARGEST_BLOCK = 8192;
/** ptxas counts a global load as one that hits L1 or little more, not as a trip to DRAM. */
const GLOBAL_LOAD_L1_LATENCIES = 3;

/** Blocks of two instructions or more whose order changes. */
export function scheduleBlocks(program: Program, mc: Microcode, device: DeviceSpec): readonly ScheduledBlock[] {
  const { instructions } = program;
  const starts = new Set<number>();
  for (const { target } of instructions) if (target !== undefined) starts.add(target);
  const blocks: ScheduledBlock[] = [];
  let first = 0;
  const close = (end: number): void => {
    if (end - first >= 2 && end - first <= LARGEST_BLOCK) {
      const order = scheduleBlock(instructions.slice(first, end), first, mc, device);
      if (order.some((pc, index) => pc !== first + index)) blocks.push({ first, order });
    }
    first = end;
  };
  for (const [pc, instruction] of instructions.entries()) {
    if (starts.has(pc)) close(pc);
    if (!FIXED_PLACE.has(instruction.op) && !branchesInside(instruction.issue)) continue;
    close(pc);
    first = pc + 1;
  }
  close(instructions.length);
  return blocks;
}

function latencyOf(instruction: Instruction, mc: Microcode, device: DeviceSpec): number {
  if (instruction.op === "ld") {
    return instruction.space === "shared" || instruction.root?.kind === "shared"
      ? device.sharedMemory.loadLatencyCycles
      : GLOBAL_LOAD_L1_LATENCIES * device.l1.hitLatencyCycles;
  }
  let total = 0;
  for (let slot = mc.slotStart[instruction.pc]!; slot < mc.slotStart[instruction.pc + 1]!; slot++) {
    total += (mc.info[slot]! & INDEPENDENT) !== 0 ? 1 : mc.latency[slot]!;
  }
  return total;
}

/** Pointers may overlap, memory spaces cannot. */
const MEMORY_ORDER: MemoryOrder = {
  spaceOf: ({ space, root }) => space ?? root?.kind ?? "global",
  volatileLoads: true,
};

function scheduleBlock(block: readonly Instruction[], first: number, mc: Microcode, device: DeviceSpec): Int32Array {
  const count = block.length;
  const before = dependences(block, MEMORY_ORDER);
  const latency = block.map((instruction) => latencyOf(instruction, mc, device));
  /** What `later` waits for `earlier`: a predicate longer where it guards. */
  const wait = (earlier: number, later: number): number => {
    const { guard } = block[later]!;
    const guards = guard !== null && block[earlier]!.dst.includes(guard.reg);
    return latency[earlier]! + (guards ? mc.guardDelay[first + later]! : 0);
  };
  const priority = Float64Array.from(latency);
  for (let i = count - 1; i >= 0; i--) {
    for (const earlier of before[i]!) priority[earlier] = Math.max(priority[earlier]!, wait(earlier, i) + priority[i]!);
  }
  const ready = new Float64Array(count);
  const waiting = Int32Array.from(before, ({ size }) => size);
  const after: number[][] = block.map(() => []);
  for (const [i, list] of before.entries()) for (const earlier of list) after[earlier]!.push(i);
  const open = new Set<number>();
  for (let i = 0; i < count; i++) if (waiting[i] === 0) open.add(i);
  const order = new Int32Array(count);
  let time = 0;
  for (let placed = 0; placed < count; placed++) {
    let best = -1;
    let soonest = Number.POSITIVE_INFINITY;
    for (const i of open) if (ready[i]! < soonest) soonest = ready[i]!;
    time = Math.max(time, soonest);
    for (const i of open) {
      if (ready[i]! > time) continue;
      if (best < 0 || priority[i]! > priority[best]! || (priority[i] === priority[best] && i < best)) best = i;
    }
    open.delete(best);
    order[placed] = first + best;
    const issued = mc.slotCount[first + best]!;
    for (const i of after[best]!) {
      ready[i] = Math.max(ready[i]!, time + wait(best, i));
      if (--waiting[i]! === 0) open.add(i);
    }
    time += issued;
  }
  return order;
}
