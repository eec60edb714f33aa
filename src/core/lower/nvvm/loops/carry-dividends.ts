/**
 * A halving loop (`for (d = n / 2; d > 0; d /= 2)`) carries the dividend and divides at the start of the iteration
 * (LLVM's InstCombine, a phi of two like operations). It applies to signed divisions and shifts by the same
 * constant. Only the loop and its first test may read the initial value (ten loops, nvcc 13.0).
 */
import { countUses, Inst, type LoopNode, resolve, type SsaFunction, type Value } from "../../ssa/ssa.js";
import { loopsIn, walkInstructions } from "../../ssa/traversal.js";

export function carryDividends(fn: SsaFunction): void {
  const uses = countUses(fn);
  const tested = new Map<Value, number>();
  walkInstructions(fn.body, (inst) => {
    if (inst.op !== "setp" || resolve(inst.operands[1]!).constant === null) return;
    const value = resolve(inst.operands[0]!);
    tested.set(value, (tested.get(value) ?? 0) + 1);
  });
  for (const loop of loopsIn(fn.body)) {
    if (loop.latchParams.length > 0) continue;
    loop.params.forEach((param, k) => {
      const init = resolve(loop.inits[k]!);
      if (uses[init.id] === 1 + (tested.get(init) ?? 0)) carry(fn, loop, k, param, init);
    });
  }
}

function carry(fn: SsaFunction, loop: LoopNode, k: number, param: Value, init: Value): void {
  const first = init.def;
  const next = resolve(loop.nexts[k]!).def;
  if (first === null || next === null || first.op !== next.op || (first.op !== "div" && first.op !== "shr")) return;
  if (first.type !== "i32" || next.type !== "i32" || resolve(next.operands[0]!) !== param) return;
  const [by, again] = [first, next].map((inst) => resolve(inst.operands[1]!).constant);
  if (by === null || by === undefined || Number(by) !== Number(again)) return;
  const whole = fn.value("i32", param.name);
  whole.owner = loop;
  loop.params[k] = whole;
  loop.inits[k] = first.operands[0]!;
  loop.nexts[k] = param;
  param.owner = null;
  const operands = [whole, first.operands[1]!];
  loop.body.nodes.unshift(new Inst(first.op, "i32", [param], operands, next.mods, next.span, next.source));
}
