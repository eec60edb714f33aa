/**
 * A loop parameter whose first and next values come from the same operation with the same constant becomes the
 * operation's operand, and the operation is done once, at the start of the loop (LLVM's foldPHIArgOpIntoPHI; only where
 * nothing else reads the two). `for (k = n / 2; k > 32; k /= 2)` then carries 2k.
 */
import { countUses, Inst, type LoopNode, resolve, type SsaFunction, type Value, walk } from "../../ssa/ssa.js";

const SINKS: ReadonlySet<string> = new Set(["shr", "shl", "and", "mul"]);

export function sinkIntoParams(fn: SsaFunction): boolean {
  const loops: LoopNode[] = [];
  walk(fn.body, (node) => {
    if (node.kind === "loop") loops.push(node);
  });
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
