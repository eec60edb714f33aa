/** Random loops in every form that the language has. */
import { binary, literal } from "./generate-expression.js";
import { OperationGenerator } from "./generate-operation.js";
import type { Place } from "./generate-statement.js";
import type { Expr, Stmt } from "./tree.js";

/** `constant`: bounds that the compiler knows. `other`: not for, and unrolled. */
export type LoopForm =
  | "constant"
  | "runtime"
  | "unroll 1"
  | "unroll n"
  | "unroll all"
  | "while"
  | "do"
  | "endless"
  | "other";

export const LOOP_FORMS: readonly LoopForm[] = [
  "constant",
  "runtime",
  "unroll 1",
  "unroll n",
  "unroll all",
  "while",
  "do",
  "endless",
  "other",
];

type ForStmt = Extract<Stmt, { k: "for" }>;
type Rounds = Pick<ForStmt, "from" | "test" | "to" | "step" | "by">;

export abstract class LoopGenerator extends OperationGenerator {
  protected override loop(place: Place): Stmt {
    const { choices } = this;
    const meets = place.meet !== "none" && choices.chance(0.6);
    const inner: Place = {
      ...place,
      depth: place.depth - 1,
      loops: place.loops + 1,
      meet: meets ? place.meet : "none",
      jumps: meets ? (place.meet === "block" ? "uniform" : "none") : "any",
      exits: place.continues ? ["break", "continue"] : ["break"],
    };
    const form = choices.pick(meets ? LOOP_FORMS.slice(0, 5) : LOOP_FORMS);
    const body = (): Stmt[] => this.scoped(choices.between(1, 4), inner);
    return this.loopOf(form, { meets, uniform: meets && place.meet === "block", and: null, body });
  }

  /** A loop with a body that `body` makes, with the counter in scope. `and`: what also must hold for another round. */
  protected loopOf(
    form: LoopForm,
    made: {
      readonly meets: boolean;
      readonly uniform: boolean;
      readonly and: Expr | null;
      readonly body: (counter: { readonly name: string; readonly t: "i32" | "u32" }) => readonly Stmt[];
    },
  ): Stmt {
    const { choices } = this;
    const { names } = this.scope;
    const within = (name: string, t: "i32" | "u32", uniform: boolean): readonly Stmt[] => {
      this.scope.names = [...names, { name, t, mutable: false, uniform }];
      const body = made.body({ name, t });
      this.scope.names = names;
      return body;
    };
    if (form === "while" || form === "do" || form === "endless" || form === "other") {
      const fuel = this.fresh("n_");
      const c = made.and ?? this.condition(2);
      const unroll = form === "other" ? choices.pick([1, 2, 4]) : null;
      const kind = form === "other" ? choices.pick(["while", "do"] as const) : form;
      return { k: "while", form: kind, fuel, most: choices.between(1, 7), c, unroll, body: within(fuel, "i32", false) };
    }
    const t = choices.pick(["i32", "u32"] as const);
    const constant = form === "constant" || form === "unroll all" || (form !== "runtime" && choices.chance(0.4));
    const bound = (low: number, high: number): Expr => {
      if (constant) return this.small(t, low, high);
      return binary("&", t, this.numeric(t, 2, made.meets), literal(t, choices.pick([3, 7])));
    };
    const rounds = constant ? choices.pick(this.constantRounds(t)) : choices.pick(this.runtimeRounds(t, bound));
    const unroll =
      form === "unroll 1" ? 1 : form === "unroll all" ? 0 : form === "unroll n" ? choices.pick([2, 3, 4, 8]) : null;
    const name = this.fresh("k_");
    const and = form === "constant" ? null : made.and;
    const body = within(name, t, made.uniform && made.and === null);
    return { k: "for", name, t, ...rounds(), and, unroll, body };
  }

  private runtimeRounds(t: "i32" | "u32", bound: (low: number, high: number) => Expr): readonly (() => Rounds)[] {
    const one = this.small(t, 1, 1);
    return [
      () => ({ from: this.small(t, 0, 2), test: "<", to: bound(1, 7), step: "++", by: one }),
      () => ({ from: bound(0, 7), test: "<", to: this.small(t, 0, 37), step: "++", by: one }),
      () => ({ from: this.small(t, 0, 2), test: "<=", to: bound(1, 6), step: "+=", by: this.small(t, 1, 3) }),
      () => ({ from: bound(1, 7), test: ">", to: this.small(t, 0, 1), step: "--", by: one }),
      () => ({ from: bound(1, 7), test: ">=", to: this.small(t, 1, 2), step: "-=", by: this.small(t, 1, 1) }),
      () => ({ from: bound(1, 7), test: "!==", to: this.small(t, 0, 0), step: "--", by: one }),
    ];
  }

  private constantRounds(t: "i32" | "u32"): readonly (() => Rounds)[] {
    const one = this.small(t, 1, 1);
    const small = (low: number, high: number): Expr => this.small(t, low, high);
    return [
      () => ({ from: small(0, 2), test: "<", to: small(1, 7), step: "++", by: one }),
      () => ({ from: small(0, 7), test: "<", to: small(0, 37), step: "++", by: one }),
      () => ({ from: small(0, 2), test: "<=", to: small(1, 6), step: "+=", by: small(1, 3) }),
      () => ({ from: small(1, 7), test: ">", to: small(0, 1), step: "--", by: one }),
      () => ({ from: small(1, 3), test: "<", to: small(4, 40), step: "<<=", by: this.small("i32", 1, 2) }),
      () => ({ from: small(1, 33), test: ">", to: small(0, 2), step: ">>=", by: this.small("i32", 1, 2) }),
      () => ({ from: small(0, 3), test: "!==", to: small(3, 6), step: "++", by: one }),
    ];
  }
}
