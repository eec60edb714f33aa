/**
 * The dependences of each instruction of a basic block: on the registers it reads and overwrites, and on memory
 * order.
 */
import type { Instruction, Reg } from "../program.js";

/**
 * The registers that an instruction reads. A predicated one also reads its destination, which it may leave
 * unchanged.
 */
export function readsOf({ src, guard, dst }: Instruction): readonly Reg[] {
  const reads = src.flatMap((source) => (source.kind === "reg" ? [source.reg] : []));
  return guard === null ? reads : [...reads, guard.reg, ...dst];
}

/** Operations of all lanes of a warp together, which keep their order. */
function isWarpWide(op: string): boolean {
  return /^(shfl|ballot|any|all|activemask|match|redux)/.test(op);
}

function listAt<K>(lists: Map<K, number[]>, key: K): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/**
 * For each instruction of `block`, the indices of those that must precede it. `keepsVolatile`: a volatile load stays after
 * earlier loads.
 */
export function dependences(block: readonly Instruction[], keepsVolatile: boolean): readonly ReadonlySet<number>[] {
  const lastWrite = new Map<Reg, number>();
  const readers = new Map<Reg, number[]>();
  let lastStore = -1;
  let loads: number[] = [];
  let lastWarpWide = -1;
  return block.map((instruction, index) => {
    const before = new Set<number>();
    const reads = readsOf(instruction);
    for (const reg of reads) before.add(lastWrite.get(reg) ?? -1);
    for (const reg of instruction.dst) {
      before.add(lastWrite.get(reg) ?? -1);
      for (const reader of readers.get(reg) ?? []) before.add(reader);
    }
    const store = instruction.op === "st";
    if (store || instruction.op === "ld") {
      before.add(lastStore);
      const behindLoads = store || (keepsVolatile && instruction.volatile === true);
      if (behindLoads) for (const load of loads) before.add(load);
      if (store) {
        lastStore = index;
        loads = [];
      } else loads.push(index);
    } else if (isWarpWide(instruction.op)) {
      before.add(lastWarpWide);
      lastWarpWide = index;
    }
    for (const reg of reads) listAt(readers, reg).push(index);
    for (const reg of instruction.dst) {
      lastWrite.set(reg, index);
      readers.delete(reg);
    }
    before.delete(-1);
    before.delete(index);
    return before;
  });
}
