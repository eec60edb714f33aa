/**
 * Flattens trees of single-use integer sums into one chain, so that products become multiply-adds and pairs of terms
 * three-input adds. v + ((a + b) + (c + d)) becomes ((v + a) + b) + .. LLVM's Reassociate sorts the terms by rank
 * (`Ranks`): in a loop over r, a + r * 32 + c gets the loop-invariant sum a + c.
 */

import { isSpeculatable } from "../../ssa/effects.js";
import { isIntegerType } from "../../ssa/integer-types.js";
import { operatorTree, type Term } from "../../ssa/operator-terms.js";
import {
  countUses,
  Inst,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";

export function chainSums(fn: SsaFunction): boolean {
  const chains = new Chains(fn);
  chains.region(fn.body);
  return chains.changed;
}

class Chains {
  changed = false;
  private readonly fn: SsaFunction;
  private readonly uses: Int32Array;
  private readonly ranks: Ranks;

  constructor(fn: SsaFunction) {
    this.fn = fn;
    this.uses = countUses(fn);
    this.ranks = new Ranks(fn);
  }

  region(region: Region): void {
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
      for (const inner of regionsOf(node)) this.region(inner);
      if (node.kind !== "inst" || !isSum(node) || parts.has(node)) {
        nodes.push(node);
        continue;
      }
      const { terms, inner } = operatorTree(node, (operand) => this.partOf(node, operand, block));
      const chain = inner.length === 0 ? null : this.byRank(terms);
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

  /** The sum that defines `value`, if `sum` is its only use. */
  private partOf(sum: Inst, value: Value, block: ReadonlySet<SsaNode>): Inst | null {
    const { def, id } = resolve(value);
    return def !== null && isSum(def) && def.type === sum.type && block.has(def) && this.uses[id] === 1 ? def : null;
  }

  /** Lowest rank first, equal ranks from the end, constants last; null if the order stays. */
  private byRank(terms: readonly Term[]): readonly Term[] | null {
    const rank = ({ value }: Term): number =>
      value.constant === null ? this.ranks.of(value) : Number.POSITIVE_INFINITY;
    const order = [...terms].reverse().sort((a, b) => rank(a) - rank(b));
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

/**
 * LLVM's ranks. A parameter's rank is its number. Loads, special registers and loop parameters rank in program
 * order, block by block. Other values rank one above their highest operand.
 */
class Ranks {
  private readonly ranks = new Map<Value, number>();
  private blocks = 0;
  private last = 0;

  constructor(fn: SsaFunction) {
    this.region(fn.body);
  }

  private region(region: Region): void {
    this.beginBlock();
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        if (node.op === "param") this.ranks.set(node.results[0]!, node.mods.index!);
        else if (node.op === "special" || !isSpeculatable(node)) this.next(node.results);
        continue;
      }
      this.beginBlock();
      if (node.kind === "loop") this.next(node.params);
      for (const inner of regionsOf(node)) this.region(inner);
      this.beginBlock();
      this.next(node.results);
    }
  }

  private beginBlock(): void {
    this.last = ++this.blocks * 2 ** 16;
  }

  private next(values: readonly Value[]): void {
    for (const value of values) this.ranks.set(value, ++this.last);
  }

  of(value: Value): number {
    const known = this.ranks.get(value);
    if (known !== undefined) return known;
    const { def } = value;
    const rank = def === null ? 0 : 1 + Math.max(0, ...def.operands.map((operand) => this.of(resolve(operand))));
    this.ranks.set(value, rank);
    return rank;
  }
}

function isSum(inst: Inst): boolean {
  return (inst.op === "add" || inst.op === "sub") && isIntegerType(inst.type) && Object.keys(inst.mods).length === 0;
}
