/**
 * Simplifies addresses. Constants fold into the offset of the access. A sum as index starts from an available
 * address of one of its terms. Global addresses have 64 bits, so a 32-bit index is split only where it cannot wrap
 * (signed, as in C). Shared and local addresses wrap with the index.
 */

import type { Maker } from "../ssa/inst-builder.js";
import { type Inst, Inst as Instruction, resolve, type Value } from "../ssa/ssa.js";
import { unsignedLimit } from "../ssa/value-tracking.js";

function splits(space: string | undefined, inst: Inst): boolean {
  if (inst.type === "i64" || inst.type === "u64") return true;
  return space !== "global" ? inst.type === "i32" || inst.type === "u32" : inst.type === "i32";
}

/**
 * An unsigned sum with a constant that stays below 2^32: its operand is bounded, or the constant only fills bits
 * that are 0.
 */
function cannotWrap(inst: Inst, maker: Maker): boolean {
  const right = resolve(inst.operands[1]!);
  if (inst.type !== "u32" || typeof right.constant !== "number") return false;
  if (right.constant >>> 0 < 2 ** maker.facts.evenness(inst.operands[0]!)) return true;
  return unsignedLimit(inst.operands[0]!) + (right.constant >>> 0) <= 0xffffffff;
}

/** `available` returns the value of an equal dominating instruction, or null. */
export function simplifyAddress(inst: Inst, maker: Maker, available: (inst: Inst) => Value | null): Value | null {
  const base = resolve(inst.operands[0]!);
  const index = resolve(inst.operands[1]!);
  const { scale = 1, space } = inst.mods;
  if (index.constant !== null && Number(index.constant) === 0) return base;
  maker.at = inst;
  const { def } = index;
  if (def === null) return foldConstantStep(inst, base, index, maker);
  const from = def.op === "cvt" ? (def.mods.sourceType ?? "i32") : "i32";
  if (def.op === "cvt" && (from === "i32" || from === "u32")) {
    return maker.make("addr", "addr", [base, def.operands[0]!], { ...inst.mods, sourceType: from });
  }
  if (space !== "global" && (def.op === "shl" || def.op === "mul")) {
    const factor = resolve(def.operands[1]!).constant;
    if (typeof factor === "number") {
      const times = def.op === "shl" ? 2 ** factor : factor;
      if (times > 0 && times * scale < 2 ** 24) {
        const { unit = scale } = inst.mods;
        return maker.make("addr", "addr", [base, def.operands[0]!], { ...inst.mods, scale: scale * times, unit });
      }
    }
  }
  if (def.op === "add" && def.mods.complement !== true && (splits(space, def) || cannotWrap(def, maker))) {
    const left = resolve(def.operands[0]!);
    const right = resolve(def.operands[1]!);
    const sourceType =
      space === "global" && (def.type === "i64" || def.type === "u64") ? def.type : (inst.mods.sourceType ?? "i32");
    const mods = { ...inst.mods, sourceType };
    const step = (from: Value, by: Value): Value => maker.make("addr", "addr", [from, by], mods);
    if (right.constant !== null || (widened(left) && widened(right))) return step(step(base, left), right);
    if (space === "global" && (!maker.reassociates || (def.mods.wraps === true && !maker.manyAccesses)))
      return foldConstantStep(inst, base, index, maker);
    for (const [first, second] of [
      [left, right],
      [right, left],
    ] as const) {
      const known = available(probe(inst, base, first, maker));
      if (known !== null) return step(known, second);
    }
  }
  return foldConstantStep(inst, base, index, maker);
}

/** True if the index was widened from 32 to 64 bits. */
function widened({ def }: Value): boolean {
  return def?.op === "cvt" && (def.mods.sourceType === "i32" || def.mods.sourceType === "u32");
}

function probe(inst: Inst, base: Value, index: Value, maker: Maker): Inst {
  return new Instruction("addr", "addr", [maker.fn.value("addr")], [base, index], inst.mods, inst.span, inst.source);
}

/** (b + c) + i becomes (b + i) + c, so that constants come last. c1 and c2 fold. */
function foldConstantStep(inst: Inst, base: Value, index: Value, maker: Maker): Value | null {
  const inner = base.def;
  if (inner?.op !== "addr") return null;
  const constant = resolve(inner.operands[1]!);
  if (constant.constant === null) return null;
  const start = resolve(inner.operands[0]!);
  const innerScale = inner.mods.scale ?? 1;
  const scale = inst.mods.scale ?? 1;
  if (index.constant !== null) {
    const bytes = signed(constant) * innerScale + signed(index) * scale;
    const mods = { ...inst.mods, scale: 1, sourceType: "i32" as const };
    return maker.make("addr", "addr", [start, maker.constant("i32", bytes)], mods);
  }
  const moved = maker.make("addr", "addr", [start, index], inst.mods);
  return maker.make("addr", "addr", [moved, constant], inner.mods);
}

function signed(value: Value): number {
  return Number(value.constant) | 0;
}

/** A constant step of the address folds into the access's offset. */
export function simplifyAccess(inst: Inst): void {
  for (;;) {
    const { def } = resolve(inst.operands[0]!);
    if (def?.op !== "addr") return;
    const index = resolve(def.operands[1]!);
    if (index.constant === null) return;
    const step = constantIndex(def, index) * (def.mods.scale ?? 1);
    const offset = (inst.mods.offset ?? 0) + step;
    if (offset < -(2 ** 23) || offset >= 2 ** 23) return;
    inst.mods = { ...inst.mods, offset };
    inst.operands[0] = resolve(def.operands[0]!);
  }
}

/** A constant index as the address extends it. Unsigned ones near 2^32 are negative where addresses have 32 bits. */
function constantIndex(def: Inst, index: Value): number {
  if (typeof index.constant === "bigint") return Number(index.constant);
  if (def.mods.space === "global" && def.mods.sourceType === "u32") return Number(index.constant) >>> 0;
  return Number(index.constant) | 0;
}

export function isGlobalLoad({ op, mods }: Inst): boolean {
  return op === "ld" && mods.space === "global";
}

/** The address of a shared array or of an element of one. */
export function isSharedPlace({ op, mods }: Inst): boolean {
  return op === "addr" ? mods.space === "shared" : op === "base" && mods.root?.kind === "shared";
}

/** An address plus a constant. */
export function isOffset({ op, operands }: Inst): boolean {
  return op === "addr" && resolve(operands[1]!).constant !== null;
}

/** The address below all constant offsets. */
export function pointerOf(address: Value): Value {
  const now = resolve(address);
  return now.def !== null && isOffset(now.def) ? pointerOf(now.def.operands[0]!) : now;
}
