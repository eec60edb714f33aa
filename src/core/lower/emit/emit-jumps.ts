/** Region ends for emission: jumps, their moves, and inverted conditions. */
import type { Span } from "../../base/errors.js";
import type { Guard } from "../program.js";
import type { Terminator, Value } from "../ssa/ssa.js";

export interface Jump {
  readonly kind: "break" | "continue" | "exit";
  readonly loop: number;
  readonly copies: readonly (readonly [Value, Value])[];
  readonly span: Span;
  readonly source: number;
}

/** A `break` with values needs a block of its own for the moves of the lanes that leave. */
export function movesAndBreaks(end: Terminator): boolean {
  return end.kind === "break" && end.values.length > 0;
}

export function pairs(targets: readonly Value[], values: readonly Value[]): (readonly [Value, Value])[] {
  return targets.map((target, i) => [target, values[i]!] as const);
}

export function opposite(guard: Guard): Guard {
  return { reg: guard.reg, negate: !guard.negate };
}

export function jumpOf(end: Terminator): Jump | null {
  switch (end.kind) {
    case "yield":
    case "unreachable":
      return null;
    case "exit":
      return { kind: "exit", loop: -1, copies: [], span: end.span, source: end.source };
    case "break":
      return {
        kind: "break",
        loop: end.loop.id,
        copies: pairs(end.loop.results, end.values),
        span: end.span,
        source: end.source,
      };
    case "continue":
      return {
        kind: "continue",
        loop: end.loop.id,
        copies: pairs(end.loop.latchParams, end.values),
        span: end.span,
        source: end.source,
      };
  }
}
