/**
 * A loop from n / 2 on that halves (`for (d = n / 2; d > 0; d /= 2)`) carries what is halved and halves it at the round's beginning (LLVM's
 * InstCombine, a phi of two like operations). Signed quotients and shifts by the same constant, where only the loop and its first
 * test read the first (nvcc 13.0, ten loops): an unsigned start is none.
 */
import { countUses, Inst, type LoopNode, resolve, type SsaFunction, type Value, walk } from "../../ssa/ssa.js";

export function carryDividends(fn: SsaFunction): void {
  const uses = countUses(fn);
  const tested = new Map<Value, number>();
  walk(fn.body, (node) => {
    if (node.kind !== "inst" || node.op !== "setp" || resolve(node.operands[1]!).constant === null) return;
    const value = resolve(node.operands[0]!);
    tested.set(value, (tested.get(value) ?? 0) + 1);
  });
  walk(fn.body, (node) => {
    if (node.kind !== "loop" || node.latchParams.length > 0) return;
    node.params.forEach((param, k) => {
      const init = resolve(node.inits[k]!);
      if (uses[init.id] === 1 + (tested.get(init) ?? 0)) carry(fn, node, k, param, init);
    });
  });
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
