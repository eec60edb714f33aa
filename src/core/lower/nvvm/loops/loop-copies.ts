/** Guarded copies of a loop's iterations, as runtime unrolling makes them. */
import {
  emptyRegion,
  type IfNode,
  type LoopNode,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";

/** The loop's carried values and results between two copies. */
export interface LoopState {
  readonly params: readonly Value[];
  readonly results: readonly Value[];
}

/** A result's value before the first iteration: the init of the parameter whose next value it is, or an arbitrary one. */
export function resultBefore(fn: SsaFunction, loop: LoopNode, i: number): Value {
  const exit = resolve(loop.exits[i]!);
  const carried = loop.nexts.findIndex((next) => resolve(next) === exit);
  if (carried >= 0) return loop.inits[carried]!;
  const { type } = loop.results[i]!;
  return fn.constant(type, type === "i64" || type === "u64" ? 0n : 0);
}

/** An `if` around copies: its results are the copies' state, or `before` where the condition fails. */
export function guardCopies(
  fn: SsaFunction,
  loop: LoopNode,
  condition: Value,
  copies: { readonly nodes: readonly SsaNode[]; readonly state: LoopState },
  before: LoopState,
): { readonly node: IfNode; readonly state: LoopState } {
  const then = emptyRegion();
  then.nodes.push(...copies.nodes);
  const node: IfNode = {
    kind: "if",
    condition,
    then,
    else: emptyRegion(),
    results: [],
    looped: true,
    select: false,
    span: loop.span,
    source: loop.source,
  };
  const join = (after: readonly Value[], skipped: readonly Value[]): Value[] =>
    after.map((value, i) => {
      const result = fn.value(value.type, value.name);
      result.owner = node;
      node.results.push(result);
      node.then.end.values.push(value);
      node.else.end.values.push(skipped[i]!);
      return result;
    });
  const params = join(copies.state.params, before.params);
  const results = join(copies.state.results, before.results);
  return { node, state: { params, results } };
}
