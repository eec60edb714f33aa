/**
 * Reassociates a sum of several products and another term so that each product has its own sum: (a * b + c * d) + e
 * becomes a * b + (c * d + e), two multiply-adds. LLVM's Reassociate adds the lowest rank first. A shift counts as a
 * product.
 */

import { isInteger32 } from "../ssa/integer-types.js";
import { operatorTree } from "../ssa/operator-terms.js";
import {
  countUses,
  Inst,
  NO_MODIFIERS,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";

export function groupSums(fn: SsaFunction, onlyAdded: ReadonlySet<Value>): void {
  const uses = countUses(fn);
  const once = (value: Value): boolean => uses[value.id] === 1;
  const isProduct = (value: Value, block: ReadonlySet<Inst>): boolean => {
    const { def } = value;
    if (def === null || !block.has(def) || !(once(value) || onlyAdded.has(value))) return false;
    return def.op === "mul" || (def.op === "shl" && resolve(def.operands[1]!).constant !== null);
  };
  const visit = (region: Region): void => {
    const block = new Set<Inst>();
    const inner = new Set<Inst>();
    for (const node of region.nodes) {
      if (node.kind !== "inst") continue;
      block.add(node);
      if (!isSum(node)) continue;
      for (const operand of node.operands) {
        const { def } = resolve(operand);
        if (def !== null && block.has(def) && isSum(def) && once(resolve(operand))) inner.add(def);
      }
    }
    const gone = new Set<Inst>();
    const put = new Map<Inst, Inst[]>();
    for (const root of region.nodes) {
      if (root.kind !== "inst" || !isSum(root) || inner.has(root)) continue;
      const tree = operatorTree(root, (operand) => {
        const { def } = resolve(operand);
        return def !== null && inner.has(def) ? def : null;
      });
      const terms = tree.terms.map(({ value }) => value);
      const products = terms.filter((term) => isProduct(term, block));
      const constants = terms.filter((term) => term.constant !== null);
      const others = terms.filter((term) => !products.includes(term) && term.constant === null);
      if (products.length < 2 || others.length === 0) continue;
      const apart = others.length > 1 ? undefined : products.find((product) => isApart(product, others[0]!));
      const rest = products.filter((product) => product !== apart);
      const order = [...others, ...(apart === undefined ? [] : [apart]), ...rest, ...constants];
      const made: Inst[] = [];
      let sum = order[0]!;
      for (const term of order.slice(1, -1)) {
        const { type, span, source } = root;
        const op = term === apart ? "or" : "add";
        const next = new Inst(op, type, [fn.value(type)], [term, sum], NO_MODIFIERS, span, source);
        made.push(next);
        sum = next.results[0]!;
      }
      const last = order.at(-1)!;
      root.operands = last.constant === null ? [last, sum] : [sum, last];
      put.set(root, made);
      for (const part of tree.inner) gone.add(part);
    }
    region.nodes = region.nodes.flatMap((node): SsaNode[] => {
      if (node.kind !== "inst") return [node];
      return gone.has(node) ? [] : [...(put.get(node) ?? []), node];
    });
    for (const node of region.nodes) regionsOf(node).forEach(visit);
  };
  visit(fn.body);
}

function isSum({ op, type }: Inst): boolean {
  return op === "add" && isInteger32(type);
}

/** A shift that leaves a masked value's bits free: NVVM makes the sum an `or`. It adds loaded values last. */
function isApart({ def }: Value, masked: Value): boolean {
  if (def?.op !== "shl" || masked.def?.op !== "and") return false;
  const mask = resolve(masked.def.operands[1]!).constant;
  const count = Number(resolve(def.operands[1]!).constant);
  return typeof mask === "number" && mask >= 0 && mask < 2 ** count && !isLoaded(resolve(def.operands[0]!));
}

function isLoaded({ def }: Value, seen = new Set<Inst>()): boolean {
  if (def === null || seen.has(def)) return false;
  seen.add(def);
  return def.op === "ld" || def.op === "atom" || def.operands.some((from) => isLoaded(resolve(from), seen));
}
