/**
 * Random recurrences: loops whose variables take values of this, the last and earlier iterations, by exchanges and by
 * steps, through branches, inner loops and device functions, and what is read of them in the loop and behind it.
 */
import { binary, cast, compare, isInteger, isWide, literal, type Name, variable } from "./generate-expression.js";
import { LOOP_FORMS, type LoopForm, LoopGenerator } from "./generate-loop.js";
import type { Output, Place } from "./generate-statement.js";
import type { Expr, Numeric, Stmt, Target, Type } from "./tree.js";
import { NUMERIC } from "./tree.js";

interface Counter {
  readonly name: string;
  readonly t: "i32" | "u32";
}

/** The carried variables: at least two, of one type. */
interface Carried {
  readonly t: Numeric;
  readonly names: readonly string[];
  /** A truth value that is carried, too, and the one of the iteration before. */
  readonly flags: readonly [string, string] | null;
  /** A variable that only a jump out of the loop assigns. */
  readonly found: string | null;
}

export abstract class RecurrenceGenerator extends LoopGenerator {
  protected override recurrence(place: Place): Stmt {
    const { choices } = this;
    const output = choices.pick([...(this.surroundings?.outputs ?? []), null]);
    const t = output?.t ?? choices.pick(NUMERIC);
    const names = Array.from({ length: choices.chance(0.65) ? 3 : 2 }, () => this.fresh(`${t[0]}_`));
    const flags = choices.chance(0.4) ? ([this.fresh("b_"), this.fresh("b_")] as const) : null;
    const found = choices.chance(0.4) ? this.fresh(`${t[0]}_`) : null;
    const carried: Carried = { t, names, flags, found };
    const sum = this.fresh(`${t[0]}_`);
    const body: Stmt[] = this.firstValues(carried);
    body.push({ k: "let", name: sum, t, mutable: true, init: this.leaf(t, false) });
    for (const name of flags ?? []) body.push({ k: "let", name, t: "bool", mutable: true, init: this.condition(1) });
    if (found !== null) body.push({ k: "let", name: found, t, mutable: true, init: this.leaf(t, false) });
    const inScope = (name: string): Name => ({ name, t, mutable: false, uniform: false });
    const known = this.scope.names;
    this.scope.names = [...known, ...carried.names.map(inScope)];
    const form = choices.pick(LOOP_FORMS);
    body.push(this.carrying(form, carried, (counter) => this.iteration(carried, sum, counter, place, output)));
    this.scope.names = [...known, ...[...carried.names, sum].map(inScope)];
    for (const name of flags ?? []) this.scope.names.push({ name, t: "bool", mutable: false, uniform: false });
    body.push(...this.readBehind(carried, output));
    return { k: "group", body, loose: true };
  }

  private firstValues({ t, names }: Carried): Stmt[] {
    const { choices } = this;
    const value = (): Expr => (choices.chance(0.4) ? this.small(t, 0, 9) : this.leaf(t, false));
    if (choices.chance(0.3)) {
      return [{ k: "list", declares: "let", targets: targetsOf(names, t), values: names.map(value) }];
    }
    return names.map((name) => ({ k: "let", name, t, mutable: true, init: value() }));
  }

  private carrying(form: LoopForm, carried: Carried, body: (counter: Counter) => readonly Stmt[]): Stmt {
    const and = this.choices.chance(0.75) ? this.mostly(carried) : null;
    return this.loopOf(form, { meets: false, uniform: false, and, body });
  }

  private pick({ t, names }: Carried): Expr {
    return variable(t, this.choices.pick(names));
  }

  /** The last one holds the oldest value, where each takes that of the one before it. */
  private oldest({ t, names }: Carried): Expr {
    return variable(t, (this.choices.chance(0.5) ? names.at(-1) : this.choices.pick(names)) ?? "");
  }

  /** A condition on a carried value that holds more often than not. */
  private mostly(carried: Carried): Expr {
    const { t, flags } = carried;
    if (flags !== null && this.choices.chance(0.25)) {
      const [left, right] = flags.map((name) => variable("bool", name));
      if (left !== undefined && right !== undefined) return { k: "logical", op: "||", t: "bool", a: left, b: right };
    }
    if (!isInteger(t)) return compare("<", this.oldest(carried), literal(t, this.choices.pick([100, 1e6])));
    const number = (v: number): Expr => literal(t, isWide(t) ? BigInt(v) : v);
    return compare("!==", binary("&", t, this.oldest(carried), number(7)), number(this.choices.below(8)));
  }

  private seldom(carried: Carried, counter: Counter): Expr {
    const { choices } = this;
    if (choices.chance(0.3)) return { k: "unary", op: "!", t: "bool", a: this.mostly(carried) };
    const count = variable(counter.t, counter.name);
    const low = binary("&", counter.t, count, literal(counter.t, choices.pick([1, 3, 3])));
    return compare("===", low, literal(counter.t, choices.below(3)));
  }

  /** What one iteration does: exchanges and steps, with reads and jumps before and after. */
  private iteration(
    carried: Carried,
    sum: string,
    counter: Counter,
    place: Place,
    output: Output | null,
  ): readonly Stmt[] {
    const { choices } = this;
    const jump = (k: "break" | "continue"): Stmt => {
      const value = this.step(carried, counter);
      const set: Stmt[] =
        k === "break" && carried.found !== null ? [{ k: "set", name: carried.found, t: carried.t, op: "", value }] : [];
      return { k: "if", c: this.seldom(carried, counter), then: [...set, { k }], else: [] };
    };
    const maybe = (chance: number, stmt: () => Stmt): Stmt[] => (choices.chance(chance) ? [stmt()] : []);
    const jumps = (): Stmt[] => [
      ...maybe(0.2, () => jump("break")),
      ...(place.continues ? maybe(0.2, () => jump("continue")) : []),
    ];
    const read = (): Stmt => this.readInside(carried, sum, output);
    return [
      ...jumps(),
      ...maybe(0.5, read),
      ...this.flagsStep(carried, counter),
      ...this.passage(carried, counter, place),
      ...maybe(0.4, read),
      ...jumps(),
      ...maybe(0.2, () => this.plainStep(carried, counter)),
    ];
  }

  private flagsStep(carried: Carried, counter: Counter): readonly Stmt[] {
    if (carried.flags === null) return [];
    const [flag, before] = carried.flags;
    const t = "bool";
    const old = variable(t, flag);
    const a: Expr = this.choices.chance(0.5) ? old : { k: "unary", op: "!", t, a: variable(t, before) };
    const op = this.choices.pick(["&&", "||"] as const);
    const value: Expr = { k: "logical", op, t, a, b: this.seldom(carried, counter) };
    return this.atOnce({ t, names: [flag, before] }, [value, old]);
  }

  private readInside({ t, names }: Carried, sum: string, output: Output | null): Stmt {
    const { choices } = this;
    const value = variable(t, choices.pick(names));
    if (output !== null && choices.chance(0.3)) {
      const op = isInteger(t) ? "^" : "+";
      return { k: "store", array: output.name, t, index: choices.pick(output.indices), op, value };
    }
    return { k: "set", name: sum, t, op: "", value: this.arithmetic("+", t, variable(t, sum), value) };
  }

  /** An update, at once or through an if, a switch or an inner loop. */
  private passage(carried: Carried, counter: Counter, place: Place): readonly Stmt[] {
    const { choices } = this;
    const update = (): readonly Stmt[] => this.update(carried, counter);
    const what = choices.below(20);
    if (what < 4) {
      const other = choices.chance(0.5) ? update() : [];
      return [{ k: "if", c: this.seldom(carried, counter), then: update(), else: other }];
    }
    if (what < 7) {
      const on = binary("&", "i32", cast("i32", variable(counter.t, counter.name)), literal("i32", 3));
      const values = [0, 1, 2, 3].filter(() => choices.chance(0.5));
      const arms = values.map((v) => ({ v, falls: choices.chance(0.25), body: update() }));
      return [{ k: "switch", on, arms, otherwise: update() }];
    }
    if (what < 11 && place.loops < 2) {
      const inner = this.carrying(choices.pick(LOOP_FORMS), carried, (own) => [
        ...this.update(carried, own),
        ...(choices.chance(0.2)
          ? [{ k: "if", c: this.seldom(carried, own), then: [{ k: "break" }], else: [] } as const]
          : []),
      ]);
      return choices.chance(0.4) ? [this.plainStep(carried, counter), inner] : [inner];
    }
    return update();
  }

  /** New values of the carried variables. */
  private update(carried: Carried, counter: Counter): readonly Stmt[] {
    const { choices } = this;
    const { t, names } = carried;
    const old = names.map((name) => variable(t, name));
    const step = (): Expr => this.step(carried, counter);
    switch (choices.below(8)) {
      // Each takes the value of the one before it, the first one a new value.
      case 0:
      case 1:
      case 2:
      case 7: {
        const values = [step(), ...old.slice(0, -1)];
        return choices.chance(0.3) ? this.inOrder(carried, values) : this.atOnce(carried, values);
      }
      case 3:
      case 4: {
        const values = [...old.slice(1), ...old.slice(0, 1)];
        return this.atOnce(carried, choices.chance(0.5) ? values : [...old.slice(-1), ...old.slice(0, -1)]);
      }
      case 5: {
        const [a, b, ...rest] = old;
        return a === undefined || b === undefined ? [] : this.atOnce(carried, [b, a, ...rest.map(step)]);
      }
      default:
        return names.slice(0, 2).map(() => this.plainStep(carried, counter));
    }
  }

  /** All at once: by lists, or by temporaries for what is still needed. */
  private atOnce({ t, names }: { t: Type; names: readonly string[] }, values: readonly Expr[]): readonly Stmt[] {
    if (this.choices.chance(0.5)) return [{ k: "list", declares: null, targets: targetsOf(names, t), values }];
    const [first, ...others] = names.map((name, index): Stmt => {
      return { k: "set", name, t, op: "", value: values[index] ?? variable(t, name) };
    });
    if (first?.k !== "set") return [];
    const temporary = this.fresh("t_");
    // In the order in which each is read before it is written: a chain; other orders keep every value first.
    const chain = values.every((value, index) => index === 0 || value.k === "var");
    const backwards = values.slice(1).every((value, index) => value.k === "var" && value.name === names[index]);
    if (chain && backwards) {
      return [
        { k: "let", name: temporary, t, mutable: false, init: first.value },
        ...others.reverse(),
        { ...first, value: variable(t, temporary) },
      ];
    }
    const kept = values.map((value): Stmt => ({ k: "let", name: this.fresh("t_"), t, mutable: false, init: value }));
    return [
      ...kept,
      ...kept.map((stmt, index): Stmt => {
        const name = stmt.k === "let" ? stmt.name : "";
        return { k: "set", name: names[index] ?? "", t, op: "", value: variable(t, name) };
      }),
    ];
  }

  /** `c = b; b = a; a = ...`: the last one first. */
  private inOrder({ t, names }: Carried, values: readonly Expr[]): readonly Stmt[] {
    return names
      .map((name, index): Stmt => ({ k: "set", name, t, op: "", value: values[index] ?? variable(t, name) }))
      .reverse();
  }

  private plainStep(carried: Carried, counter: Counter): Stmt {
    const name = this.choices.pick(carried.names);
    return { k: "set", name, t: carried.t, op: "", value: this.step(carried, counter) };
  }

  /** A new value from carried ones. */
  private step(carried: Carried, counter: Counter): Expr {
    const { choices } = this;
    const { t } = carried;
    const called = choices.chance(0.35) ? this.calledWith(carried) : null;
    if (called !== null) return called;
    const other = (): Expr => {
      const what = choices.below(4);
      if (what === 0) return cast(t, variable(counter.t, counter.name));
      return what === 1 ? this.small(t, 1, 5) : this.pick(carried);
    };
    const a = this.pick(carried);
    if (!isInteger(t)) {
      const half = choices.chance(0.5) ? binary("*", t, a, literal(t, 0.5)) : a;
      return binary(choices.pick(["+", "-"] as const), t, half, other());
    }
    const op = choices.pick(["+", "-", "*", "^", "+"] as const);
    return this.arithmetic(op, t, a, other());
  }

  /** A device function of a carried value, where its types fit. */
  private calledWith(carried: Carried): Expr | null {
    const { t } = carried;
    const converts = (from: Numeric, to: Numeric): boolean => isInteger(from) || !isInteger(to);
    const fitting = this.callables.filter(
      ({ params, returns }) =>
        converts(returns, t) && params.every((param) => !param.pointer) && params.some((param) => converts(t, param.t)),
    );
    if (fitting.length === 0) return null;
    const { name, params, returns } = this.choices.pick(fitting);
    const args = params.map((param) => {
      return converts(t, param.t) ? cast(param.t, this.pick(carried)) : this.leaf(param.t, false);
    });
    return cast(t, { k: "device", t: returns, name, args });
  }

  /** What is behind the loop: the thread's own elements take the values, or a variable that counts in the end. */
  private readBehind({ t, names, found }: Carried, output: Output | null): Stmt[] {
    const { choices } = this;
    const read = [...names, ...(found === null ? [] : [found])].filter(() => choices.chance(0.85));
    if (output === null || choices.chance(0.2)) {
      return read.map((value) => {
        const name = this.fresh("r_");
        this.scope.names.push({ name, t, mutable: false, uniform: false });
        return { k: "let", name, t, mutable: false, init: variable(t, value) };
      });
    }
    const op = isInteger(t) ? "^" : "+";
    return read.map((name, index) => ({
      k: "store",
      array: output.name,
      t,
      index: output.indices[index % output.indices.length] ?? literal("i32", 0),
      op: choices.chance(0.5) && output.indices.length > 1 ? "" : op,
      value: variable(t, name),
    }));
  }
}

function targetsOf(names: readonly string[], t: Type): readonly Target[] {
  return names.map((name) => ({ name, t }));
}
