/**
 * Integer sums that take in what a loop carries start from it: v + ((a + b) + (c + d)) is ((v + a) + b) + .., so that products
 * among the terms become multiply-adds and pairs of terms three-term sums; and of a + r * 32 + c in a loop over r, a + c is one
 * sum that no round changes. LLVM's Reassociate sorts terms by where they are known: what no round changes first, then what the loop
 * carries, then what the round makes of that. Sums of what is loaded, outside of loops, are such chains in the text's order.
 */
import {
  countUses,
  Inst,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa.js";
import { isSpeculatable } from "./effects.js";
import { isIntegerType } from "./integer-types.js";
import { operatorTree, type Term } from "./operator-terms.js";

export function chainSums(fn: SsaFunction): boolean {
  const chains = new Chains(fn);
  chains.region(fn.body, null);
  return chains.changed;
}

class Chains {
  changed = false;
  private readonly fn: SsaFunction;
  private readonly uses: Int32Array;
  /** What a round of some loop around changes: the innermost of these loops. */
  private readonly changedBy = new Map<Value, LoopNode>();

  constructor(fn: SsaFunction) {
    this.fn = fn;
    this.uses = countUses(fn);
  }

  region(region: Region, loop: LoopNode | null): void {
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
        for (const param of node.params) this.changedBy.set(param, node);
        this.region(node.body, node);
        this.region(node.latch, node);
      } else if (node.kind === "if") {
        this.region(node.then, loop);
        this.region(node.else, loop);
      }
      this.note(node, loop);
      if (node.kind !== "inst" || !isSum(node) || parts.has(node)) {
        nodes.push(node);
        continue;
      }
      const { terms, inner } = operatorTree(node, (operand) => this.partOf(node, operand, block));
      const chain = inner.length === 0 ? null : this.chained(terms, loop);
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

  private note(node: SsaNode, loop: LoopNode | null): void {
    if (loop === null) return;
    const fixed =
      node.kind === "inst" &&
      isSpeculatable(node) &&
      node.operands.every((operand) => this.changedBy.get(resolve(operand)) !== loop);
    if (!fixed) for (const result of node.results) this.changedBy.set(result, loop);
  }

  /** The terms in NVVM's order; null where they stay as they are. */
  private chained(terms: readonly Term[], loop: LoopNode | null): readonly Term[] | null {
    if (loop === null) return terms.every(({ value }) => value.def?.op === "ld") ? terms : null;
    const rank = ({ value }: Term): number => {
      if (value.constant !== null) return 3;
      if (loop.params.includes(value)) return 1;
      return this.changedBy.get(value) === loop ? 2 : 0;
    };
    const ranks = terms.map(rank);
    const carries = ranks.includes(1) && ranks.includes(2);
    const gathers = ranks.filter((each) => each === 0).length > 1 && (ranks.includes(1) || ranks.includes(2));
    if (!carries && !gathers) return null;
    const order = [...terms].sort((a, b) => rank(a) - rank(b));
    return order[0]!.negative ? null : order;
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

function isSum(inst: Inst): boolean {
  return (inst.op === "add" || inst.op === "sub") && isIntegerType(inst.type) && Object.keys(inst.mods).length === 0;
}
