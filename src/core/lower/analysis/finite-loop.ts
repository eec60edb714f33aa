/**
 * Loops that provably end, which NVVM removes where nothing needs them (LoopDeletion). CUDA lets it assume no progress: a loop
 * that waits for a value in memory stays, and may wait for ever.
 */

import type { CompareOp } from "../../ir/ir.js";
import { INVERTED } from "../ssa/constant-folding.js";
import { isIntegerType } from "../ssa/integer-types.js";
import { type Inst, isJump, type LoopNode, resolve, type Value } from "../ssa/ssa.js";
import { countedLoop, definedIn } from "./counted-loop.js";
import { tripCount } from "./trip-count.js";

/** A comparison without which the loop makes no further round. */
interface Test {
  readonly compare: CompareOp;
  readonly type: Inst["mods"]["sourceType"];
  readonly tested: Value;
  readonly bound: Value;
}

/** True where one of the loop's tests fails sooner or later, whatever else ends it. */
export function endsProvably(loop: LoopNode): boolean {
  if (countedLoop(loop) !== null || tripCount(loop) !== null) return true;
  const inside = definedIn(loop);
  return testsOf(loop).some((test) => isFixed(test.bound, inside) && fails(test, loop, inside));
}

function testsOf(loop: LoopNode): readonly Test[] {
  const tests = loop.condition === null ? [] : conjuncts(loop.condition, true);
  for (const node of loop.body.nodes) {
    if (node.kind !== "if") continue;
    for (const [side, stays] of [
      [node.then, false],
      [node.else, true],
    ] as const) {
      const leaves = side.end.kind === "exit" || (side.end.kind === "break" && side.end.loop === loop);
      if (leaves) tests.push(...conjuncts(node.condition, stays));
      else if (isJump(side.end)) return tests;
    }
  }
  return tests;
}

/** The comparisons that all hold where the condition is `value`. */
function conjuncts(condition: Value, value: boolean): Test[] {
  const { def } = resolve(condition);
  if (def === null) return [];
  if (def.op === "pnot") return conjuncts(def.operands[0]!, !value);
  if (def.op === (value ? "pand" : "por")) return def.operands.flatMap((operand) => conjuncts(operand, value));
  const { compare, sourceType: type } = def.mods;
  if (def.op !== "setp" || def.operands.length !== 2 || compare === undefined) return [];
  const [tested, bound] = def.operands.map(resolve) as [Value, Value];
  return [{ compare: value ? compare : INVERTED[compare], type, tested, bound }];
}

function isFixed(value: Value, inside: ReadonlySet<Value>): boolean {
  return !inside.has(value) || value.def?.op === "param";
}

/** The tested value is a parameter or its next value, and each round brings it nearer to where the test fails. */
function fails({ compare, type, tested, bound }: Test, loop: LoopNode, inside: ReadonlySet<Value>): boolean {
  const index = loop.params.findIndex((param, i) => param === tested || resolve(loop.nexts[i]!) === tested);
  const param = loop.params[index];
  const next = param === undefined ? null : resolve(loop.nexts[index]!).def;
  if (param === undefined || next === null || resolve(next.operands[0]!) !== param) return false;
  const by = next.operands[1] === undefined ? null : resolve(next.operands[1]);
  if (by === null || !isFixed(by, inside) || type === undefined || !isIntegerType(type)) return false;
  const amount = by.constant === null ? null : Number(by.constant);
  const limit = bound.constant === null ? null : Number(bound.constant);
  const signed = type === "i32" || type === "i64";
  const up = compare === "lt" || compare === "le";
  if (next.op === "shr" || next.op === "div") {
    const shrinks = amount !== null && amount >= (next.op === "shr" ? 1 : 2);
    return shrinks && limit === 0 && (compare === "gt" || (compare === "ne" && (!signed || next.op === "div")));
  }
  if (next.op !== "add" || compare === "eq") return false;
  // Signed sums do not overflow in C.
  if (signed && next.type === type) {
    if (amount === null) return up;
    const step = type === "i32" ? amount | 0 : amount;
    return step !== 0 && (compare === "ne" || up === step > 0);
  }
  if (amount === null) return false;
  const step = type === "u32" ? amount | 0 : Number(BigInt.asIntN(64, BigInt(amount)));
  if (compare === "ne" || (compare === "lt" && step === 1)) return step === 1 || step === -1;
  if (limit === null) return step === -1 && compare === "gt";
  const most = type === "u32" || type === "i32" ? 2 ** 32 - 1 : 2 ** 64 - 1;
  if (up) return step > 0 && limit + step <= most;
  return step < 0 && limit + (compare === "gt" ? 1 : 0) >= -step;
}
