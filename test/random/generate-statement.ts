/**
 * Random statements. A place in the kernel allows what keeps it race-free and defined: block barriers only where all
 * threads of the block come, warp primitives only where the lanes of a known mask come, `return` only behind the last
 * of both.
 */
import {
  binary,
  cast,
  ExpressionGenerator,
  isInteger,
  isSigned,
  isWide,
  literal,
  type Readable,
  variable,
} from "./generate-expression.js";
import type { AtomicName, BinaryOp, Expr, Numeric, Stmt, Type, VectorScalar } from "./tree.js";
import { NUMERIC } from "./tree.js";
import { INPUT_LENGTH } from "./values.js";

export interface Place {
  /** "block": all threads of the block are here; "warp": the lanes of `mask` are; "none": nobody knows. */
  readonly meet: "block" | "warp" | "none";
  readonly mask: Expr;
  /** break and continue would leave or repeat a loop that only some of the meeting threads run. */
  readonly jumps: "none" | "uniform" | "any";
  /** What a jump may be. */
  readonly exits: readonly ("break" | "continue")[];
  /** Inside of a switch that a break leaves, no continue stands. */
  readonly continues: boolean;
  /** What `return` gives: a value in a device function, nothing in a kernel; null where it is not allowed. */
  readonly leave: { readonly value: Numeric | null } | null;
  readonly depth: number;
  readonly loops: number;
}

/** The thread's own elements of an output array. */
export interface Output {
  readonly name: string;
  readonly t: Numeric;
  readonly indices: readonly Expr[];
  /** Index of the thread's own vectors of `lanes` elements, where it has whole ones. */
  readonly vectors: { readonly lanes: 2 | 4; readonly t: VectorScalar; readonly index: Expr } | null;
}

/** An array that all threads update by one operation, whose order does not matter. */
export interface Accumulator {
  readonly name: string;
  readonly t: Numeric;
  readonly op: AtomicName;
  readonly length: number;
}

/** A shared array with a slot for each thread. */
export interface Exchange {
  readonly name: string;
  readonly t: Numeric;
  /** Elements of a used row where the array has two dimensions. */
  readonly row: number | null;
}

export interface Surroundings {
  readonly threads: number;
  readonly outputs: readonly Output[];
  readonly accumulators: readonly Accumulator[];
  readonly exchanges: readonly Exchange[];
  /** A shared array of few elements for atomics. */
  readonly histogram: Accumulator | null;
  /** One element a block, for what the thread `thread` of the block does alone. */
  readonly solos: readonly { readonly name: string; readonly t: Numeric; readonly thread: number }[];
  readonly inputs: readonly Readable[];
}

const VECTORS: readonly (readonly [VectorScalar, 2 | 4])[] = [
  ["i32", 2],
  ["i32", 4],
  ["u32", 2],
  ["u32", 4],
  ["f32", 2],
  ["f32", 4],
  ["f64", 2],
];
const TYPES: readonly Type[] = [...NUMERIC, "i32", "u32", "f32", "bool"];

export abstract class StatementGenerator extends ExpressionGenerator {
  surroundings: Surroundings | null = null;
  /** Statements that may still be made. */
  budget = 0;

  /** A list of statements in a scope of its own. */
  scoped(count: number, place: Place): Stmt[] {
    const { names, arrays, vectors } = this.scope;
    this.scope = { names: [...names], arrays: [...arrays], vectors: [...vectors] };
    const list = this.statements(count, place);
    this.scope = { names, arrays, vectors };
    return list;
  }

  statements(count: number, place: Place): Stmt[] {
    const list: Stmt[] = [];
    for (let made = 0; made < count && this.budget > 0; made++) {
      this.budget--;
      list.push(this.statement(place));
    }
    return list;
  }

  protected abstract operation(exact?: boolean): Stmt;

  protected abstract loop(place: Place): Stmt;

  /** A loop that carries values from one iteration to the next, and what is read of them. */
  protected abstract recurrence(place: Place): Stmt;

  /** Something that the threads of the block or the lanes of the warp do together, where they meet. */
  protected abstract together(place: Place): Stmt;

  private statement(place: Place): Stmt {
    const { choices } = this;
    const together = place.meet === "none" || this.surroundings === null ? 0 : 30;
    const what = choices.below(100 + together);
    if (what >= 100) return this.together(place);
    if (what < 19) return this.declare(place);
    if (what < 22) return this.operation();
    if (what < 25 && place.depth > 0 && place.loops < 2) return this.recurrence(place);
    if (what < 28) return this.list(place);
    if (what < 44) return this.assign() ?? this.declare(place);
    if (what < 56) return this.store() ?? this.declare(place);
    if (what < 60) return this.decision();
    if (what < 70 && place.depth > 0) return this.branch(place);
    if (what < 80 && place.depth > 0 && place.loops < 2) return this.loop(place);
    if (what < 83) return this.jump(place) ?? this.declare(place);
    if (what < 86 && place.depth > 0) return this.switch(place);
    if (what < 89) return this.localArray();
    if (what < 92) return this.vector() ?? this.declare(place);
    if (what < 94) return this.pointer() ?? this.declare(place);
    if (what < 97) return this.atomic() ?? this.declare(place);
    return this.vectorStore() ?? this.store() ?? this.declare(place);
  }

  protected depth(): number {
    return this.choices.between(1, 4);
  }

  protected declare(place: Place): Stmt {
    const { choices } = this;
    const t = choices.pick(TYPES);
    const name = this.fresh(`${t === "bool" ? "b" : t[0]}_`);
    const uniform = place.meet === "block" && t !== "bool" && choices.chance(0.15);
    const mutable = !uniform && choices.chance(0.6);
    const init = uniform ? this.numeric(t as Numeric, 2, true) : this.expr(t, this.depth());
    this.scope.names.push({ name, t, mutable, uniform });
    return { k: "let", name, t, mutable, init };
  }

  private assign(): Stmt | null {
    const { choices } = this;
    const targets = this.scope.names.filter((name) => name.mutable);
    if (targets.length === 0) return null;
    const target = choices.pick(targets);
    const { name, t } = target;
    if (t === "bool") return { k: "set", name, t, op: "", value: this.condition(this.depth()) };
    if (choices.chance(0.1) && !(this.options.defined && isSigned(t))) {
      return { k: "step", name, t, by: choices.chance(0.5) ? 1 : -1 };
    }
    const op = choices.chance(0.5) ? "" : this.compoundOp(t);
    return { k: "set", name, t, op, value: this.compoundValue(t, op) };
  }

  /** Several variables at once: new ones, or those in scope of one type, in another order or from new values. */
  private list(place: Place): Stmt {
    const { choices } = this;
    const t = choices.pick(TYPES);
    const known = this.scope.names.filter((name) => name.mutable && name.t === t);
    const count = choices.between(2, 3);
    if (known.length < 2 || choices.chance(0.4)) {
      if (place.depth > 0 && choices.chance(0.3)) {
        return { k: "block", body: this.scoped(count, { ...place, depth: place.depth - 1 }) };
      }
      const declares = choices.pick(["const", "let"] as const);
      const targets = Array.from({ length: count }, () => ({ name: this.fresh(t === "bool" ? "b_" : `${t[0]}_`), t }));
      const values = targets.map(() => this.expr(t, 2));
      for (const { name } of targets) {
        this.scope.names.push({ name, t, mutable: declares === "let", uniform: false });
      }
      return { k: "list", declares, targets, values };
    }
    const first = choices.below(known.length);
    const targets = Array.from({ length: Math.min(count, known.length) }, (_, index) => {
      return { name: known[(first + index) % known.length]?.name ?? "", t };
    });
    const values = targets.map((_, index) =>
      choices.chance(0.7) ? variable(t, targets[(index + 1) % targets.length]?.name ?? "") : this.expr(t, 2),
    );
    return { k: "list", declares: null, targets, values };
  }

  protected compoundOp(t: Numeric): BinaryOp {
    const { choices, options } = this;
    if (!isInteger(t)) return choices.pick(["+", "-", "*", "/"] as const);
    if (options.defined && isSigned(t)) return choices.pick(["&", "|", "^", ">>", "idiv"] as const);
    return choices.pick(["+", "-", "*", "&", "|", "^", "<<", ">>", "%", "idiv"] as const);
  }

  private compoundValue(t: Numeric, op: BinaryOp | ""): Expr {
    const number = (v: number): Expr => literal(t, isWide(t) ? BigInt(v) : v);
    if (op === "<<" || op === ">>") return binary("&", t, this.numeric(t, 1), number(isWide(t) ? 63 : 31));
    if (op === "%" || op === "idiv") {
      return binary("|", t, binary("&", t, this.numeric(t, 2), number(0x7fff)), number(1));
    }
    return this.numeric(t, this.depth());
  }

  private store(): Stmt | null {
    const { choices } = this;
    const outputs = this.surroundings?.outputs ?? [];
    const locals = this.scope.arrays.filter((array) => array.name.startsWith("a_"));
    if (locals.length > 0 && choices.chance(0.4)) {
      const { name, t, reach } = choices.pick(locals);
      const mask = reach.kind === "mask" ? reach.mask : 0;
      const op = choices.chance(0.5) ? "" : this.compoundOp(t);
      return { k: "store", array: name, t, index: this.masked(mask + 1, 2), op, value: this.compoundValue(t, op) };
    }
    if (outputs.length === 0) return null;
    const { name, t, indices } = choices.pick(outputs);
    const op = choices.chance(0.6) ? "" : this.compoundOp(t);
    return { k: "store", array: name, t, index: choices.pick(indices), op, value: this.compoundValue(t, op) };
  }

  /** `let v = a; if (c) v = b;`: both read where they are needed, maybe for the first time in the kernel. */
  private decision(): Stmt {
    const { choices } = this;
    const t = choices.pick(NUMERIC);
    const name = this.fresh(`${t[0]}_`);
    const simple = (): Expr => (choices.chance(0.7) ? this.leaf(t, choices.chance(0.7)) : this.numeric(t, 1));
    const set = (): Stmt => ({ k: "set", name, t, op: "", value: simple() });
    const body: Stmt[] = [{ k: "let", name, t, mutable: true, init: simple() }];
    for (let ifs = choices.between(1, 3); ifs > 0; ifs--) {
      const nested: Stmt = { k: "if", c: this.condition(1), then: [set()], else: choices.chance(0.3) ? [set()] : [] };
      const then = choices.chance(0.25) ? [set(), nested] : [set()];
      body.push({ k: "if", c: this.condition(1), then, else: choices.chance(0.35) ? [set()] : [] });
    }
    this.scope.names.push({ name, t, mutable: true, uniform: false });
    return { k: "group", body };
  }

  private branch(place: Place): Stmt {
    const { choices } = this;
    const uniform = place.meet === "block" && choices.chance(0.4);
    const c = uniform ? this.uniformCondition(2) : this.condition(this.depth());
    const inner: Place = {
      ...place,
      depth: place.depth - 1,
      meet: uniform ? place.meet : "none",
      jumps: uniform || place.jumps === "any" ? place.jumps : "none",
    };
    const then = this.scoped(choices.between(1, 4), inner);
    const other = choices.chance(0.45) ? this.scoped(choices.between(1, 3), inner) : [];
    return { k: "if", c, then, else: other };
  }

  private jump(place: Place): Stmt | null {
    const { choices } = this;
    const kinds: Stmt[] = [];
    if (place.jumps !== "none") kinds.push(...place.exits.map((k) => ({ k })));
    if (place.leave !== null && place.meet === "none") {
      const { value } = place.leave;
      kinds.push({ k: "return", value: value === null ? null : this.numeric(value, 2) });
    }
    if (kinds.length === 0) return null;
    const c = place.meet === "none" ? this.condition(2) : this.uniformCondition(2);
    return { k: "if", c, then: [choices.pick(kinds)], else: [] };
  }

  private switch(place: Place): Stmt {
    const { choices } = this;
    const free = place.meet === "none";
    const exit = choices.pick(["none", "break", "continue"] as const);
    const continues = exit === "continue" && place.jumps === "any" && place.exits.includes("continue");
    const breaks = exit === "break";
    const inner: Place = {
      ...place,
      depth: place.depth - 1,
      meet: "none",
      jumps: breaks || continues ? "any" : "none",
      exits: breaks ? ["break"] : continues ? ["continue"] : [],
      continues: place.continues && !breaks,
      leave: free ? place.leave : null,
    };
    const on = binary("&", "i32", this.numeric("i32", 2), literal("i32", 3));
    const values = [0, 1, 2, 3].filter(() => choices.chance(0.5));
    const arms = values.map((v) => ({
      v,
      falls: choices.chance(0.25),
      body: this.scoped(choices.between(1, 2), inner),
    }));
    return { k: "switch", on, arms, otherwise: this.scoped(1, inner) };
  }

  private localArray(): Stmt {
    const { choices } = this;
    const t = choices.pick(NUMERIC);
    const length = choices.pick([2, 4, 8]);
    const name = this.fresh("a_");
    const made: Stmt = { k: "local", name, t, length };
    const known: Readable = { name, t, reach: { kind: "mask", mask: length - 1 }, linear: false };
    if (!this.options.defined) {
      this.scope.arrays.push(known);
      return made;
    }
    // In C++ it holds anything; and it is one array however often a loop comes here.
    const first: Stmt[] = Array.from({ length }, (_, index) => {
      return { k: "store", array: name, t, index: literal("i32", index), op: "", value: this.numeric(t, 1) };
    });
    this.scope.arrays.push(known);
    return { k: "group", body: [made, ...first] };
  }

  protected vector(): Stmt | null {
    const { choices } = this;
    const vectors = this.scope.vectors;
    if (vectors.length > 0 && choices.chance(0.4)) {
      const { name, t, lanes } = choices.pick(vectors);
      return { k: "component", name, t, component: choices.below(lanes), value: this.numeric(t, 3) };
    }
    const inputs = this.surroundings?.inputs ?? [];
    const kinds = VECTORS.filter(([t]) => inputs.some((input) => input.t === t));
    if (kinds.length === 0) return null;
    const [t, lanes] = choices.pick(kinds);
    const input = choices.pick(inputs.filter((array) => array.t === t));
    const name = this.fresh("v_");
    const index = this.masked(INPUT_LENGTH / lanes, 2);
    vectors.push({ name, t, lanes });
    return { k: "vector", name, t, lanes, array: input.name, index };
  }

  private vectorStore(): Stmt | null {
    const outputs = (this.surroundings?.outputs ?? []).filter((output) => output.vectors !== null);
    if (outputs.length === 0) return null;
    const { name, vectors } = this.choices.pick(outputs);
    if (vectors === null) return null;
    const { lanes, t, index } = vectors;
    const parts = Array.from({ length: lanes }, () => this.numeric(t, 2));
    return { k: "vectorStore", t, lanes, array: name, index, parts };
  }

  private pointer(): Stmt | null {
    const inputs = this.surroundings?.inputs ?? [];
    if (inputs.length === 0) return null;
    const { name: array, t, reach } = this.choices.pick(inputs);
    const name = this.fresh("p_");
    const offset = this.masked(32, 2);
    this.scope.arrays.push({ name, t, reach, linear: true });
    return { k: "pointer", name, array, offset };
  }

  /** A value that may be added to an accumulator in any order: floats stay exact. */
  protected accumulated(t: Numeric, op: AtomicName): Expr {
    if (t === "f32" || t === "f64") return cast(t, binary("&", "i32", this.numeric("i32", 2), literal("i32", 7)));
    if (op === "atomicInc") return literal("u32", 5);
    return this.numeric(t, 2);
  }

  private atomic(): Stmt | null {
    const accumulators = this.surroundings?.accumulators ?? [];
    return accumulators.length === 0 ? null : this.accumulation(this.choices.pick(accumulators));
  }

  protected accumulation({ name, t, op, length }: Accumulator): Stmt {
    const { choices } = this;
    const index = choices.chance(0.3) ? literal("i32", choices.below(length)) : this.masked(length, 2);
    return { k: "atomic", op, array: name, t, index, args: [this.accumulated(t, op)], result: null };
  }
}
