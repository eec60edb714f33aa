/** Names that are visible at a place of the text, and what each stands for. */
import type { Span } from "../../../base/errors.js";
import type { Value } from "../values/value.js";

export interface Binding {
  readonly value: Value;
  /** The variable's id where the name is one, for assignments. */
  readonly variable: number | null;
  /** Why it cannot be assigned; null where it can. */
  readonly fixed: string | null;
  readonly span: Span;
}

export class Scope {
  private readonly names = new Map<string, Binding>();
  constructor(private readonly outer: Scope | null) {}

  find(name: string): Binding | undefined {
    return this.names.get(name) ?? this.outer?.find(name);
  }

  /** False where this very scope has the name already. */
  declare(name: string, binding: Binding): boolean {
    if (this.names.has(name)) return false;
    this.names.set(name, binding);
    return true;
  }

  /** Every visible name, inner ones first. */
  *visible(): Iterable<string> {
    yield* this.names.keys();
    if (this.outer !== null) yield* this.outer.visible();
  }
}
