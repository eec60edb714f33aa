/**
 * A loop parameter whose initial and next values come from the same operation with the same constant carries the
 * operand instead. The operation runs once, at the start of the body (LLVM's foldPHIArgOpIntoPHI; neither value has
 * other uses). `for (k = n / 2; k > 32; k /= 2)` then carries 2k.
 */
import { countUses, Inst, resolve, type SsaFunction, type Value } from "../../ssa/ssa.js";
import { loopsIn } from "../../ssa/traversal.js";

const SINKS: ReadonlySet<string> = new Set(["shr", "shl", "and", "mul"]);

export function sinkIntoParams(fn: SsaFunction): boolean {
  const loops = loopsIn(fn.body);
  if (loops.length === 0) return false;
  let changed = false;
  const uses = countUses(fn);
  const once = (value: Value): boolean => uses[value.id] === 1;
  for (const loop of loops) {
    loop.params.forEach((param, i) => {
      const init = resolve(loop.inits[i]!);
      const next = resolve(loop.nexts[i]!);
      const first = init.def;
      const again = next.def;
      if (first === null || again === null || !once(init) || !once(next)) return;
      if (first.op !== again.op || first.type !== again.type || !SINKS.has(first.op)) return;
      const amount = resolve(first.operands[1]!);
      if (amount.constant === null || amount !== resolve(again.operands[1]!)) return;
      changed = true;
      const carried = fn.value(param.type, param.name);
      carried.owner = loop;
      loop.params[i] = carried;
      loop.inits[i] = resolve(first.operands[0]!);
      const operand = resolve(again.operands[0]!);
      loop.nexts[i] = operand;
      param.owner = null;
      loop.body.nodes.unshift(
        new Inst(first.op, first.type, [param], [carried, amount], first.mods, loop.span, loop.source),
      );
    });
  }
  return changed;
}
