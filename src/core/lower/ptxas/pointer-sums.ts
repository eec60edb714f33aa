/**
 * A pointer that is a parameter plus an index (`row = in + blockIdx.x * n`) and is only indexed again (`row[i]`).
 * NVVM adds the two indices in 64 bits. Each access then shifts the sum onto the parameter instead of one IMAD.WIDE,
 * even in a loop. A pointer that is itself dereferenced (`row[0]`) or carried by a loop is computed once. In shared
 * memory the accesses take the sum of the indices and a LEA (`mine = bins + warp * count; mine[x]`), unlike rows of
 * a two-dimensional array.
 */

import { ADD, ADD_HIGH, LEA, LEA_HIGH, SHIFT, SHIFT_HIGH, SIGN } from "../machine/address-slots.js";
import type { IssueSlot } from "../program.js";
import { countUses, type Inst, resolve, type SsaFunction } from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";
import { unsignedLimit } from "../ssa/value-tracking.js";

const MULTIPLY: IssueSlot = Object.freeze({ mnemonic: "IMAD", pipe: "imad", independent: false });
const NONE: readonly IssueSlot[] = Object.freeze([]);
const SIGNED_HIGH: IssueSlot = Object.freeze({ mnemonic: "LEA.HI.X.SX32", pipe: "alu", independent: false });
const SUM: readonly IssueSlot[] = Object.freeze([ADD, SIGNED_HIGH]);
const LAST_STEP: readonly IssueSlot[] = Object.freeze([LEA, LEA_HIGH]);
/** The index is converted to bytes once if several parameters share it. */
const BYTES: readonly IssueSlot[] = Object.freeze([SHIFT, SHIFT_HIGH]);
const ON_TO_PARAMETER: readonly IssueSlot[] = Object.freeze([ADD, ADD_HIGH]);

const MOST_SIGNED = 0x7fffffff;

/** An address in global memory with a variable index. */
function isAddress(inst: Inst): boolean {
  return (
    inst.op === "addr" &&
    inst.mods.space === "global" &&
    inst.slots === null &&
    resolve(inst.operands[1]!).constant === null
  );
}

function isStep(inst: Inst): boolean {
  return isAddress(inst) && (inst.mods.sourceType === "i32" || inst.mods.sourceType === "u32");
}

function isPointer(inst: Inst): boolean {
  return isAddress(inst) && resolve(inst.operands[0]!).def?.op === "base";
}

/** The addresses derived from each pointer that has no other use. */
function indexedPointers(fn: SsaFunction): ReadonlyMap<Inst, readonly Inst[]> {
  const uses = countUses(fn);
  const steps = new Map<Inst, Inst[]>();
  walkInstructions(fn.body, (node) => {
    if (!isStep(node)) return;
    const pointer = resolve(node.operands[0]!).def;
    if (pointer === null || !isPointer(pointer) || pointer.mods.scale !== node.mods.scale) return;
    const list = steps.get(pointer) ?? [];
    steps.set(pointer, list);
    list.push(node);
  });
  return new Map([...steps].filter(([{ results }, list]) => uses[results[0]!.id] === list.length));
}

function extension(pointer: Inst): readonly IssueSlot[] {
  const signed = pointer.mods.sourceType === "i32" && unsignedLimit(pointer.operands[1]!) > MOST_SIGNED;
  return signed ? [SIGN] : NONE;
}

/** Pointers into shared arrays with an index whose only uses are further indices. */
function addSharedIndices(fn: SsaFunction): void {
  const uses = countUses(fn);
  const steps = new Map<Inst, Inst[]>();
  walkInstructions(fn.body, (node) => {
    if (node.op !== "addr" || node.mods.space !== "shared") return;
    const pointer = resolve(node.operands[0]!).def;
    if (
      pointer?.op !== "addr" ||
      pointer.mods.row ||
      resolve(pointer.operands[0]!).def?.op !== "base" ||
      node.slots !== null
    )
      return;
    if ((pointer.mods.unit ?? pointer.mods.scale) !== (node.mods.unit ?? node.mods.scale)) return;
    steps.set(pointer, [...(steps.get(pointer) ?? []), node]);
  });
  for (const [pointer, list] of steps) {
    if (uses[pointer.results[0]!.id] !== list.length) continue;
    const { def } = resolve(pointer.operands[1]!);
    const { unit, scale = 1 } = pointer.mods;
    const product = def?.op === "mul" && uses[def.results[0]!.id] === 1 ? def : null;
    if (product !== null) product.slots = NONE;
    // A scale by a power of two is one shift.
    const shifted = unit !== undefined && Number.isInteger(Math.log2(scale / unit));
    pointer.slots = shifted ? [SHIFT] : NONE;
    const multiplies = product !== null || (unit !== undefined && !shifted);
    for (const step of list) step.slots = [multiplies ? MULTIPLY : ADD, LEA];
  }
}

export function addPointerIndices(fn: SsaFunction): void {
  addSharedIndices(fn);
  const pointers = indexedPointers(fn);
  const pairOf = (pointer: Inst, step: Inst): string =>
    `${resolve(pointer.operands[1]!).id} ${resolve(step.operands[1]!).id} ${step.mods.scale}`;
  const parameters = new Map<string, number>();
  for (const [pointer, steps] of pointers) {
    for (const pair of new Set(steps.map((step) => pairOf(pointer, step)))) {
      parameters.set(pair, (parameters.get(pair) ?? 0) + 1);
    }
  }
  const made = new Set<string>();
  for (const [pointer, steps] of pointers) {
    pointer.slots = NONE;
    for (const step of steps) {
      const pair = pairOf(pointer, step);
      const several = (parameters.get(pair) ?? 0) > 1;
      const sum = made.has(pair) ? [] : [...extension(pointer), ...SUM, ...(several ? BYTES : [])];
      step.slots = [...sum, ...(several ? ON_TO_PARAMETER : LAST_STEP)];
      made.add(pair);
    }
  }
}
