/**
 * What only the lanes need that leave a loop by a `break` is computed where they leave (ptxas: `i + 7` of the last of eight rounds
 * at once stands in the block behind the test).
 */

import { isSpeculatable } from "../ssa/effects.js";
import { countUses, type Region, regionsOf, resolve, type SsaFunction, type SsaNode } from "../ssa/ssa.js";

export function sinkIntoLeaving(fn: SsaFunction): void {
  sinkIn(fn.body, countUses(fn));
}

function sinkIn(region: Region, uses: Int32Array): void {
  const moved = new Set<SsaNode>();
  for (const node of region.nodes) {
    for (const inner of regionsOf(node)) sinkIn(inner, uses);
    if (node.kind !== "if") continue;
    for (const side of regionsOf(node)) {
      if (side.end.kind !== "break") continue;
      for (const value of side.end.values) {
        const { def, id } = resolve(value);
        if (def === null || uses[id] !== 1 || def.results.length !== 1 || !isSpeculatable(def)) continue;
        if (moved.has(def) || !region.nodes.includes(def)) continue;
        moved.add(def);
        side.nodes.push(def);
      }
    }
  }
  if (moved.size > 0) region.nodes = region.nodes.filter((node) => !moved.has(node));
}
