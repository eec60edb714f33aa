/** Copies of regions with fresh values, for unrolling. */
import {
  type IfNode,
  Inst,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Terminator,
  type Value,
} from "./ssa.js";

/** Old value to the one that stands for it in the copy. Values that are not in it stay themselves. */
export type Substitution = Map<Value, Value>;

export class Cloner {
  private readonly fn: SsaFunction;
  readonly values: Substitution;
  private readonly loops = new Map<LoopNode, LoopNode>();

  constructor(fn: SsaFunction, values: Substitution) {
    this.fn = fn;
    this.values = values;
  }

  get(value: Value): Value {
    const now = resolve(value);
    return this.values.get(now) ?? now;
  }

  list(values: readonly Value[]): Value[] {
    return values.map((value) => this.get(value));
  }

  private fresh(value: Value): Value {
    const copy = this.fn.value(value.type, value.name);
    this.values.set(value, copy);
    return copy;
  }

  /** Jumps to `loop` in what is copied go to `to` instead. */
  redirect(loop: LoopNode, to: LoopNode): void {
    this.loops.set(loop, to);
  }

  nodes(nodes: readonly SsaNode[]): SsaNode[] {
    return nodes.map((node) => this.node(node));
  }

  region(region: Region): Region {
    const nodes = this.nodes(region.nodes);
    return { nodes, end: this.end(region.end) };
  }

  end(end: Terminator): Terminator {
    const values = this.list(end.values);
    switch (end.kind) {
      case "yield":
      case "unreachable":
        return { kind: end.kind, values };
      case "exit":
        return { ...end, values };
      default:
        return { ...end, values, loop: this.loops.get(end.loop) ?? end.loop };
    }
  }

  private node(node: SsaNode): SsaNode {
    if (node.kind === "inst") {
      const operands = this.list(node.operands);
      const results = node.results.map((result) => this.fresh(result));
      const copy = new Inst(node.op, node.type, results, operands, node.mods, node.span, node.source);
      copy.slots = node.slots;
      return copy;
    }
    if (node.kind === "if") {
      const condition = this.get(node.condition);
      const then = this.region(node.then);
      const otherwise = this.region(node.else);
      const copy: IfNode = {
        ...node,
        condition,
        then,
        else: otherwise,
        results: node.results.map((result) => this.fresh(result)),
      };
      for (const result of copy.results) result.owner = copy;
      return copy;
    }
    const copy: LoopNode = {
      ...node,
      id: this.fn.loopId(),
      inits: this.list(node.inits),
      params: node.params.map((param) => this.fresh(param)),
      latchParams: node.latchParams.map((param) => this.fresh(param)),
      results: node.results.map((result) => this.fresh(result)),
    };
    this.loops.set(node, copy);
    copy.body = this.region(node.body);
    copy.latch = this.region(node.latch);
    copy.condition = node.condition === null ? null : this.get(node.condition);
    copy.nexts = this.list(node.nexts);
    copy.exits = this.list(node.exits);
    for (const value of [...copy.params, ...copy.latchParams, ...copy.results]) value.owner = copy;
    return copy;
  }
}
