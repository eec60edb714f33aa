/**
 * Parameter loads in outer loops. ptxas loads a parameter at its use and hoists the load out of innermost loops
 * only. Each iteration of an outer loop loads its parameters again: in front of the inner loop that reads them, or
 * in its own block. The compare-and-swap loop of an atomic is an inner loop, too. Block and grid sizes are hoisted.
 */
import {
  holdsLoop,
  Inst,
  mapOperands,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";
import { loopsIn, walkInstructions } from "../ssa/traversal.js";

export function reloadParameters(fn: SsaFunction): void {
  for (const { body, latch } of loopsIn(fn.body).filter(holdsLoop)) {
    for (const value of parametersOf(body)) reload(fn, body, value);
    const loaded = new Set(body.nodes.flatMap((node) => (node.kind === "inst" ? [placeOf(node)] : [])));
    for (const value of parametersOf(latch)) {
      const again = reload(fn, latch, value);
      // The register still holds the parameter that the body's own block has loaded.
      if (loaded.has(placeOf(again))) again.slots = [];
    }
  }
}

function placeOf({ op, mods }: Inst): string | null {
  if (op === "param") return `scalar ${mods.index}`;
  return op === "base" && mods.root?.kind === "param" ? `pointer ${mods.root.index}` : null;
}

function isParameter({ def }: Value): boolean {
  return def !== null && placeOf(def) !== null;
}

/** The parameters that a region uses but does not load. */
function parametersOf(region: Region): ReadonlySet<Value> {
  const found = new Set<Value>();
  mapOperands(region, (value) => {
    if (isParameter(resolve(value))) found.add(resolve(value));
    return value;
  });
  walkInstructions(region, ({ results }) => {
    for (const result of results) found.delete(result);
  });
  return found;
}

function reads(node: SsaNode, value: Value): boolean {
  return parametersOf({ nodes: [node], end: { kind: "yield", values: [] } }).has(value);
}

/** Loads the parameter in the innermost block, outside inner loops, that dominates its uses in the region. */
function reload(fn: SsaFunction, region: Region, value: Value): Inst {
  const readers = region.nodes.filter((node) => reads(node, value));
  const only = readers.length === 1 && !region.end.values.some((end) => resolve(end) === value) ? readers[0]! : null;
  if (only?.kind === "if" && resolve(only.condition) !== value) {
    const sides = [only.then, only.else].filter((side) => parametersOf(side).has(value));
    if (sides.length === 1) return reload(fn, sides[0]!, value);
  }
  const { op, type, mods, span, source } = value.def!;
  const again = new Inst(op, type, [fn.value(value.type, value.name)], [], mods, span, source);
  mapOperands(region, (operand) => (resolve(operand) === value ? again.results[0]! : operand));
  const at = readers.length === 0 ? region.nodes.length : region.nodes.indexOf(readers[0]!);
  region.nodes.splice(at, 0, again);
  return again;
}
