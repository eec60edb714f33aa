/** The passes, in their order. */
import type { LoweringOptions } from "./program.js";
import { mapOperands, resolve, type SsaFunction, walk } from "./ssa.js";
import type { Target } from "./target.js";

export function optimize(fn: SsaFunction, _options: LoweringOptions, _target: Target): void {
  walk(fn.body, (node, region) => {
    void region;
    if (node.kind !== "inst" || node.op !== "cvt") return;
    const from = node.mods.sourceType;
    const bits = (type: string | undefined): string => (type === "u32" ? "i32" : type === "u64" ? "i64" : (type ?? ""));
    if (bits(from) === bits(node.type)) node.results[0]!.forward = node.operands[0]!;
  });
  const prune = (nodes: typeof fn.body.nodes): typeof fn.body.nodes =>
    nodes.filter((node) => {
      if (node.kind === "if") {
        node.then.nodes = prune(node.then.nodes);
        node.else.nodes = prune(node.else.nodes);
      } else if (node.kind === "loop") {
        node.body.nodes = prune(node.body.nodes);
        node.latch.nodes = prune(node.latch.nodes);
      } else if (node.op === "cvt" && node.results[0]!.forward !== null) return false;
      return true;
    });
  fn.body.nodes = prune(fn.body.nodes);
  mapOperands(fn.body, resolve);
}
