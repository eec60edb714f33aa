/**
 * Integer sums that take in what a loop carries start from it: v + ((a + b) + (c + d)) is ((v + a) + b) + .., so that products
 * among the terms become multiply-adds and pairs of terms three-term sums. LLVM's Reassociate sorts terms by where they are known:
 * what no round changes first, then what the loop carries, then what the round makes. Sums of what is loaded, outside of loops, are
 * such chains in the text's order.
 */
import { countUses, Inst, type Region, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa.js";
import { isIntegerType } from "./integer-types.js";
import { operatorTree, type Term } from "./operator-terms.js";

export function chainSums(fn: SsaFunction): boolean {
  const chains = new Chains(fn);
  chains.region(fn.body, new Set(), new Set());
  return chains.changed;
}

class Chains {
  changed = false;
  private readonly fn: SsaFunction;
  private readonly uses: Int32Array;

  constructor(fn: SsaFunction) {
    this.fn = fn;
    this.uses = countUses(fn);
  }

  /** `carried`: parameters of the loop around; `made`: what its round has made so far. */
  region(region: Region, carried: ReadonlySet<Value>, made: Set<Value>): void {
    const block = new Set<SsaNode>(region.nodes);
    const parts = new Set<Inst>();
    for (const node of region.nodes) {
      if (node.kind !== "inst" || !isSum(node)) continue;
      for (const operand of node.operands) {
        const part = this.partOf(node, operand, block);
        if (part !== null) parts.add(part);
      }
    }
    const joined = new Set<SsaNode>();
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "loop") {
        this.region(node.body, new Set(node.params), new Set());
        this.region(node.latch, new Set(), new Set());
      } else if (node.kind === "if") {
        this.region(node.then, carried, made);
        this.region(node.else, carried, made);
      }
      for (const result of node.results) made.add(result);
      if (node.kind !== "inst" || !isSum(node) || parts.has(node)) {
        nodes.push(node);
        continue;
      }
      const { terms, inner } = operatorTree(node, (operand) => this.partOf(node, operand, block));
      const chain = inner.length === 0 ? null : chained(terms, carried, made);
      if (chain === null) {
        nodes.push(node);
        continue;
      }
      for (const part of inner) joined.add(part);
      nodes.push(...this.chain(node, chain));
      this.changed = true;
    }
    region.nodes = nodes.filter((node) => !joined.has(node));
  }

  /** The sum that `value` is, if `sum` alone reads it. */
  private partOf(sum: Inst, value: Value, block: ReadonlySet<SsaNode>): Inst | null {
    const { def, id } = resolve(value);
    return def !== null && isSum(def) && def.type === sum.type && block.has(def) && this.uses[id] === 1 ? def : null;
  }

  private chain(sum: Inst, terms: readonly Term[]): Inst[] {
    let total = terms[0]!.value;
    return terms.slice(1).map(({ value, negative }, i) => {
      const result = i === terms.length - 2 ? sum.results[0]! : this.fn.value(sum.type);
      const operands = [total, value];
      total = result;
      return new Inst(negative ? "sub" : "add", sum.type, [result], operands, sum.mods, sum.span, sum.source);
    });
  }
}

/** The terms in NVVM's order; null where they stay as they are. */
function chained(
  terms: readonly Term[],
  carried: ReadonlySet<Value>,
  made: ReadonlySet<Value>,
): readonly Term[] | null {
  const rank = ({ value }: Term): number => {
    if (value.constant !== null) return 3;
    if (carried.has(value)) return 1;
    return made.has(value) ? 2 : 0;
  };
  const carries = terms.some((term) => rank(term) === 1) && terms.some((term) => rank(term) === 2);
  const loaded = carried.size === 0 && terms.every(({ value }) => value.def?.op === "ld");
  if (!carries && !loaded) return null;
  const order = carries ? [...terms].sort((a, b) => rank(a) - rank(b)) : terms;
  return order[0]!.negative ? null : order;
}

function isSum(inst: Inst): boolean {
  return (inst.op === "add" || inst.op === "sub") && isIntegerType(inst.type) && Object.keys(inst.mods).length === 0;
}
