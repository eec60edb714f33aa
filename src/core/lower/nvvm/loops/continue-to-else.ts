/** `if (c) { a; continue; } rest` in a loop is `if (c) { a } else { rest }`: then the loop's body always reaches its end. */
import { type IfNode, isJump, type LoopNode, type Region, type SsaFunction, type Value, walk } from "../../ssa/ssa.js";

export function continueToElse(fn: SsaFunction): boolean {
  const loops: LoopNode[] = [];
  walk(fn.body, (node) => {
    if (node.kind === "loop" && node.latchParams.length > 0) loops.push(node);
  });
  for (const loop of loops) restructure(fn, loop, loop.body);
  return loops.length > 0;
}

/** `region`'s end gives the loop's latch parameters. */
function restructure(fn: SsaFunction, loop: LoopNode, region: Region): void {
  const goesOn = (side: Region): boolean => side.end.kind === "continue" && side.end.loop === loop;
  const at = region.nodes.findIndex((node) => node.kind === "if" && goesOn(node.then) !== goesOn(node.else));
  if (at < 0) return;
  const node = region.nodes[at] as IfNode;
  // Results that a jumping side left to the other one alone would be read by the rest: value numbering has removed them.
  if (node.results.length > 0) return;
  const leaving = goesOn(node.then) ? node.then : node.else;
  const staying = goesOn(node.then) ? node.else : node.then;
  if (isJump(staying.end)) return;
  const results: Value[] = loop.latchParams.map((param) => {
    const result = fn.value(param.type, param.name);
    result.owner = node;
    return result;
  });
  staying.nodes.push(...region.nodes.slice(at + 1));
  staying.end = region.end;
  leaving.end = { kind: "yield", values: leaving.end.values };
  region.nodes.length = at + 1;
  node.results.push(...results);
  region.end = { kind: "yield", values: [...results] };
  restructure(fn, loop, staying);
}
