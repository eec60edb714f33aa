/**
 * Loops that count: a parameter that steps by an invariant amount up or down to an invariant bound. Their number of rounds
 * is a formula, where the counter cannot wrap (signed, as C has it; unsigned only by steps of one).
 */

import type { CompareOp } from "../../ir/ir.js";
import type { RegisterType } from "../program.js";
import type { Modifiers } from "../ssa.js";
import {
  Inst,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type SsaOp,
  type Value,
} from "../ssa.js";

export interface CountedLoop {
  readonly loop: LoopNode;
  /** Index of the counter among the parameters. */
  readonly counter: number;
  readonly init: Value;
  /** A constant other than 0, or an invariant value (then the loop counts up). */
  readonly step: Value;
  readonly bound: Value;
  readonly compare: CompareOp;
  readonly type: "i32" | "u32";
}

/** Everything that a loop defines. */
export function definedIn(loop: LoopNode): ReadonlySet<Value> {
  const inside = new Set<Value>([...loop.params, ...loop.latchParams]);
  const collect = (region: Region): void => {
    for (const node of region.nodes) {
      for (const result of node.results) inside.add(result);
      if (node.kind === "if") {
        collect(node.then);
        collect(node.else);
      } else if (node.kind === "loop") {
        for (const param of [...node.params, ...node.latchParams]) inside.add(param);
        collect(node.body);
        collect(node.latch);
      }
    }
  };
  collect(loop.body);
  collect(loop.latch);
  return inside;
}

export function countedLoop(loop: LoopNode): CountedLoop | null {
  if (loop.condition === null) return null;
  const test = resolve(loop.condition).def;
  if (test?.op !== "setp" || test.operands.length !== 2) return null;
  const { compare, sourceType } = test.mods;
  if (compare === undefined || (sourceType !== "i32" && sourceType !== "u32")) return null;
  const inside = definedIn(loop);
  const tested = resolve(test.operands[0]!);
  const bound = resolve(test.operands[1]!);
  if (inside.has(bound)) return null;
  const { def } = tested;
  if (def?.op !== "add" || !inside.has(tested)) return null;
  const counter = loop.params.findIndex(
    (param, i) => resolve(loop.nexts[i]!) === tested && resolve(def.operands[0]!) === param,
  );
  if (counter < 0) return null;
  const step = resolve(def.operands[1]!);
  if (inside.has(step)) return null;
  const amount = step.constant === null ? null : Number(step.constant) | 0;
  const init = resolve(loop.inits[counter]!);
  const result: CountedLoop = { loop, counter, init, step, bound, compare, type: sourceType };
  if (compare === "ne") return amount === 1 || amount === -1 ? result : null;
  const up = compare === "lt" || compare === "le";
  if (compare === "eq") return null;
  if (sourceType === "u32") return amount === 1 && compare === "lt" ? result : null;
  // A step that may wrap says nothing of the number of rounds.
  if (def.type !== "i32" && amount === null) return null;
  if (amount === null) return up ? result : null;
  return up === amount > 0 ? result : null;
}

/** Appends instructions to a list. */
export class Appender {
  readonly nodes: SsaNode[] = [];
  private readonly fn: SsaFunction;
  private readonly like: { readonly span: Inst["span"]; readonly source: number };

  constructor(fn: SsaFunction, like: { readonly span: Inst["span"]; readonly source: number }) {
    this.fn = fn;
    this.like = like;
  }

  emit(op: SsaOp, type: RegisterType, operands: Value[], mods: Modifiers = {}): Value {
    const result = this.fn.value(op === "setp" ? "bool" : type);
    this.nodes.push(new Inst(op, type, [result], operands, mods, this.like.span, this.like.source));
    return result;
  }

  constant(type: RegisterType, value: number): Value {
    return this.fn.constant(type, type === "u32" ? value >>> 0 : value | 0);
  }
}

/** The number of rounds less one, once the loop is entered. */
export function roundsLessOne(counted: CountedLoop, out: Appender): Value {
  const { init, bound, step, compare } = counted;
  const amount = step.constant === null ? null : Number(step.constant) | 0;
  const down = amount !== null && amount < 0;
  let distance = down ? out.emit("sub", "u32", [init, bound]) : out.emit("sub", "u32", [bound, init]);
  if (compare !== "le" && compare !== "ge") distance = out.emit("add", "u32", [distance, out.constant("u32", -1)]);
  if (amount === 1 || amount === -1) return distance;
  const size = amount === null ? step : out.constant("u32", Math.abs(amount));
  return out.emit("div", "u32", [distance, size]);
}
