/**
 * Expands divisions by constants, and a modulo next to a division of the same operands as a - q * b (LLVM's
 * DivRemPairs). A signed modulo by a power of two that is only compared with zero is a mask (InstCombine).
 */

import type { RegisterType } from "../../program.js";
import { readAs } from "../../ssa/constant-folding.js";
import { isInteger32, isInteger64, isIntegerType, powerOfTwo } from "../../ssa/integer-types.js";
import {
  countUses,
  Inst,
  type Modifiers,
  NO_MODIFIERS,
  type Region,
  regionsOf,
  replace,
  resolve,
  type SsaFunction,
  type SsaNode,
  type SsaOp,
  type Value,
} from "../../ssa/ssa.js";
import { walkInstructions } from "../../ssa/traversal.js";
import { divideByConstant, type InstMaker } from "./divide-by-constant.js";

/** True if a division was expanded. */
export function expandDivisions(fn: SsaFunction): boolean {
  let found = false;
  walkInstructions(fn.body, (node) => {
    if ((node.op === "div" || node.op === "rem") && isIntegerType(node.type)) found = true;
  });
  if (found) new Expander(fn, onlyComparedWithZero(fn)).region(fn.body, new Map());
  return found;
}

/** Signed modulo values whose only use is an equality compare with zero. */
function onlyComparedWithZero(fn: SsaFunction): ReadonlySet<Value> {
  const uses = countUses(fn);
  const result = new Set<Value>();
  walkInstructions(fn.body, (node) => {
    if (node.op !== "setp") return;
    if (node.mods.compare !== "eq" && node.mods.compare !== "ne") return;
    const value = resolve(node.operands[0]!);
    const zero = resolve(node.operands[1]!).constant;
    if (zero !== null && Number(zero) === 0 && value.def?.op === "rem" && uses[value.id] === 1) result.add(value);
  });
  return result;
}

class Expander implements InstMaker {
  private readonly fn: SsaFunction;
  private readonly maskable: ReadonlySet<Value>;
  private out: SsaNode[] = [];
  private at!: Inst;

  constructor(fn: SsaFunction, maskable: ReadonlySet<Value>) {
    this.fn = fn;
    this.maskable = maskable;
  }

  make(op: SsaOp, type: RegisterType, operands: Value[], mods: Modifiers = NO_MODIFIERS): Value {
    const result = this.fn.value(op === "setp" ? "bool" : type);
    this.out.push(new Inst(op, type, [result], operands, mods, this.at.span, this.at.source));
    return result;
  }

  constant(type: RegisterType, value: number | bigint): Value {
    const typed = isInteger64(type) ? readAs(type, BigInt(value)) : isInteger32(type) ? readAs(type, value) : value;
    return this.fn.constant(type, typed);
  }

  /** `quotients`: divisions that dominate the region. */
  region(region: Region, outer: ReadonlyMap<string, Value>): void {
    const quotients = new Map(outer);
    const saved = this.out;
    this.out = [];
    const later = pairs(region);
    for (const node of region.nodes) {
      if (node.kind === "inst") this.inst(node, quotients, later);
      else {
        for (const inner of regionsOf(node)) this.region(inner, quotients);
        this.out.push(node);
      }
    }
    region.nodes = this.out;
    this.out = saved;
  }

  private inst(inst: Inst, quotients: Map<string, Value>, later: ReadonlySet<string>): void {
    this.at = inst;
    if ((inst.op !== "div" && inst.op !== "rem") || !isIntegerType(inst.type)) {
      this.out.push(inst);
      return;
    }
    const a = resolve(inst.operands[0]!);
    const b = resolve(inst.operands[1]!);
    const result = inst.results[0]!;
    if (b.constant !== null && Number(b.constant) !== 0) {
      const shift = powerOfTwo(Math.abs(Number(readAs(inst.type, b.constant))));
      if (inst.op === "rem" && inst.type === "i32" && shift > 0 && this.maskable.has(result)) {
        replace(result, this.make("and", "i32", [a, this.constant("i32", 2 ** shift - 1)]));
        return;
      }
      const value = divideByConstant(inst, a, b.constant, this);
      if (value === null) this.out.push(inst);
      else replace(result, value);
      return;
    }
    const key = pairKey(inst);
    if (inst.op === "div") {
      this.out.push(inst);
      quotients.set(key, result);
      return;
    }
    let quotient = quotients.get(key);
    if (quotient === undefined && later.has(key)) {
      quotient = this.make("div", inst.type, [a, b]);
      quotients.set(key, quotient);
    }
    if (quotient === undefined) {
      this.out.push(inst);
      return;
    }
    const negative = this.make("neg", inst.type, [quotient]);
    replace(result, this.make("add", inst.type, [this.make("mul", inst.type, [b, negative]), a]));
  }
}

function pairKey(inst: Inst): string {
  return `${inst.type} ${resolve(inst.operands[0]!).id} ${resolve(inst.operands[1]!).id}`;
}

/** Operand pairs that the region divides (a modulo alone does not count). */
function pairs(region: Region): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const node of region.nodes) if (node.kind === "inst" && node.op === "div") keys.add(pairKey(node));
  return keys;
}
