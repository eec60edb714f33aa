/** Builds two alternatives as an `if`, each in its own region; values that differ become results. */
import type { Span } from "../../base/errors.js";
import type { RegisterType } from "../program.js";
import { emptyRegion, type IfNode, type Region, type Value } from "../ssa/ssa.js";
import type { BuildContext, Environment, Slot } from "./build-context.js";

interface Side {
  readonly region: Region;
  readonly ended: boolean;
  readonly environment: Environment;
  readonly values: readonly Value[];
}

function buildSide(context: BuildContext, build: () => readonly Value[]): Side {
  const outer = { region: context.region, environment: context.environment, ended: context.ended };
  context.region = emptyRegion();
  context.environment = new Map(outer.environment);
  context.ended = false;
  const values = build();
  const side = { region: context.region, ended: context.ended, environment: context.environment, values };
  context.region = outer.region;
  context.environment = outer.environment;
  context.ended = outer.ended;
  return side;
}

/**
 * Builds `then` and `otherwise` under `condition`. Returns their joined values, of `types`. The environment gets the
 * joined value of every variable that a side changed.
 */
export function buildBranches(
  context: BuildContext,
  condition: Value,
  then: () => readonly Value[],
  otherwise: () => readonly Value[],
  types: readonly RegisterType[],
  span: Span,
  arm?: true,
): readonly Value[] {
  const first = buildSide(context, then);
  const second = buildSide(context, otherwise);
  const node: IfNode = {
    kind: "if",
    condition,
    then: first.region,
    else: second.region,
    results: [],
    looped: loops(first.region) || loops(second.region),
    select: false,
    ...(arm === undefined ? {} : { arm }),
    span,
    source: context.source,
  };
  const firstYields: Value[] = [];
  const secondYields: Value[] = [];
  const join = (type: RegisterType, a: Value | undefined, b: Value | undefined): Value => {
    const result = context.fn.value(type);
    result.owner = node;
    node.results.push(result);
    // A side that ends in a jump never yields: any value serves.
    if (a !== undefined) firstYields.push(a);
    if (b !== undefined) secondYields.push(b);
    return result;
  };
  const results = types.map((type, i) =>
    join(type, first.ended ? undefined : first.values[i], second.ended ? undefined : second.values[i]),
  );
  if (first.ended && second.ended) {
    context.ended = true;
  } else {
    node.elseWritten = second.region.nodes.length > 0;
    for (const [variable, before] of context.environment) {
      if (!second.ended && second.environment.get(variable) !== before) node.elseWritten = true;
      const a = first.ended ? null : first.environment.get(variable)!;
      const b = second.ended ? null : second.environment.get(variable)!;
      context.environment.set(variable, joinSlots(before, a, b, join));
    }
  }
  if (!first.ended) first.region.end = { kind: "yield", values: firstYields };
  if (!second.ended) second.region.end = { kind: "yield", values: secondYields };
  context.region.nodes.push(node);
  if (context.ended) context.region.end = { kind: "unreachable", values: [] };
  return results;
}

function loops(region: Region): boolean {
  return region.nodes.some((node) => node.kind === "loop" || (node.kind === "if" && node.looped));
}

function joinSlots(
  before: Slot,
  a: Slot | null,
  b: Slot | null,
  join: (type: RegisterType, a: Value | undefined, b: Value | undefined) => Value,
): Slot {
  const model = a ?? b ?? before;
  let changed = false;
  const values = model.values.map((value, i) => {
    const old = before.values[i];
    const fromA = a?.values[i];
    const fromB = b?.values[i];
    const same = (a === null || fromA === old) && (b === null || fromB === old);
    if (same && old !== undefined) return old;
    changed = true;
    return join(value.type, fromA, fromB);
  });
  return changed ? { values, root: model.root } : before;
}
