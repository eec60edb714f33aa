/**
 * Random statements. A place in the kernel allows what keeps it race-free and defined: block barriers only where all
 * threads of the block come, warp primitives only where the lanes of a known mask come, `return` only behind the last
 * of both.
 */
import {
  binary,
  call,
  cast,
  compare,
  ExpressionGenerator,
  isInteger,
  isSigned,
  isWide,
  literal,
  type Readable,
  variable,
} from "./generate-expression.js";
import type { AtomicName, BinaryOp, Expr, Numeric, Stmt, Type, VectorScalar, WarpOp } from "./tree.js";
import { NUMERIC } from "./tree.js";
import { INPUT_LENGTH } from "./values.js";

export interface Place {
  /** "block": all threads of the block are here; "warp": the lanes of `mask` are; "none": nobody knows. */
  readonly meet: "block" | "warp" | "none";
  readonly mask: Expr;
  /** break and continue would leave or repeat a loop that only some of the meeting threads run. */
  readonly jumps: "none" | "uniform" | "any";
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

const FULL: Expr = literal("u32", 0xffffffff);
const VECTORS: readonly (readonly [VectorScalar, 2 | 4])[] = [
  ["i32", 2],
  ["i32", 4],
  ["u32", 2],
  ["u32", 4],
  ["f32", 2],
  ["f32", 4],
  ["f64", 2],
];
const lane = (): Expr => variable("i32", "lane");
const tid = (): Expr => variable("i32", "tid");
const TYPES: readonly Type[] = [...NUMERIC, "i32", "u32", "f32", "bool"];

export class StatementGenerator extends ExpressionGenerator {
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

  private statement(place: Place): Stmt {
    const { choices } = this;
    const together = place.meet === "none" || this.surroundings === null ? 0 : 30;
    const what = choices.below(100 + together);
    if (what >= 100)
      return place.meet === "block" && choices.chance(0.5) ? this.blockWide(place) : this.warpWide(place);
    if (what < 28) return this.declare(place);
    if (what < 44) return this.assign() ?? this.declare(place);
    if (what < 56) return this.store() ?? this.declare(place);
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

  private depth(): number {
    return this.choices.between(1, 4);
  }

  private declare(place: Place): Stmt {
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

  private compoundOp(t: Numeric): BinaryOp {
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

  private loop(place: Place): Stmt {
    const { choices } = this;
    const meets = place.meet !== "none" && choices.chance(0.6);
    const inner: Place = {
      ...place,
      depth: place.depth - 1,
      loops: place.loops + 1,
      meet: meets ? place.meet : "none",
      jumps: meets ? (place.meet === "block" ? "uniform" : "none") : "any",
    };
    const count = choices.between(1, 4);
    if (!meets && choices.chance(0.35)) {
      const fuel = this.fresh("n_");
      const c = this.condition(2);
      const { names } = this.scope;
      this.scope.names = [...names, { name: fuel, t: "i32", mutable: false, uniform: false }];
      const body = this.scoped(count, inner);
      this.scope.names = names;
      return { k: "while", fuel, most: choices.between(1, 6), c, first: choices.chance(0.6), body };
    }
    const t = choices.pick(["i32", "u32"] as const);
    const name = this.fresh("k_");
    const bound = (low: number, high: number): Expr => {
      if (choices.chance(0.55)) return this.small(t, low, high);
      const value = this.numeric(t, 2, meets);
      return binary("&", t, value, literal(t, choices.pick([3, 7])));
    };
    const one = this.small(t, 1, 1);
    const shapes = [
      () => ({ from: this.small(t, 0, 2), test: "<", to: bound(1, 7), step: "++", by: one }) as const,
      () => ({ from: this.small(t, 0, 2), test: "<=", to: bound(1, 6), step: "+=", by: this.small(t, 1, 3) }) as const,
      () => ({ from: bound(1, 7), test: ">", to: this.small(t, 0, 1), step: "--", by: one }) as const,
      () =>
        ({
          from: this.small(t, 1, 3),
          test: "<",
          to: this.small(t, 4, 40),
          step: "<<=",
          by: this.small("i32", 1, 2),
        }) as const,
      () =>
        ({
          from: this.small(t, 1, 33),
          test: ">",
          to: this.small(t, 0, 2),
          step: ">>=",
          by: this.small("i32", 1, 2),
        }) as const,
      () => ({ from: this.small(t, 0, 3), test: "!==", to: this.small(t, 3, 6), step: "++", by: one }) as const,
    ];
    const shape = choices.pick(shapes)();
    const constant = shape.from.k === "lit" && shape.to.k === "lit";
    const unroll = choices.chance(0.25) ? (constant && choices.chance(0.5) ? 0 : choices.pick([2, 3, 4])) : null;
    const { names } = this.scope;
    this.scope.names = [...names, { name, t, mutable: false, uniform: meets && place.meet === "block" }];
    const body = this.scoped(count, inner);
    this.scope.names = names;
    return { k: "for", name, t, ...shape, unroll, body };
  }

  private jump(place: Place): Stmt | null {
    const { choices } = this;
    const kinds: Stmt[] = [];
    if (place.loops > 0 && place.jumps !== "none") kinds.push({ k: "break" }, { k: "continue" });
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
    const inner: Place = { ...place, depth: place.depth - 1, meet: "none", jumps: "none", leave: null };
    const on = binary("&", "i32", this.numeric("i32", 2), literal("i32", 3));
    const values = [0, 1, 2, 3].filter(() => choices.chance(0.5));
    const arms = values.map((v) => ({ v, body: this.scoped(choices.between(1, 2), inner) }));
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

  private vector(): Stmt | null {
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
  private accumulated(t: Numeric, op: AtomicName): Expr {
    if (t === "f32" || t === "f64") return cast(t, binary("&", "i32", this.numeric("i32", 2), literal("i32", 7)));
    if (op === "atomicInc") return literal("u32", 5);
    return this.numeric(t, 2);
  }

  private atomic(): Stmt | null {
    const { choices } = this;
    const accumulators = this.surroundings?.accumulators ?? [];
    if (accumulators.length === 0) return null;
    const { name, t, op, length } = choices.pick(accumulators);
    const index = choices.chance(0.3) ? literal("i32", choices.below(length)) : this.masked(length, 2);
    return { k: "atomic", op, array: name, t, index, args: [this.accumulated(t, op)], result: null };
  }

  // ------------------------------------------------------------------------------------------ threads together

  private blockWide(place: Place): Stmt {
    const { choices, surroundings } = this;
    const what = choices.below(10);
    if (surroundings === null) return this.declare(place);
    if (what < 6 && surroundings.exchanges.length > 0) {
      return choices.chance(0.3) ? this.treeReduction() : this.exchange();
    }
    if (what === 6) return this.blockVote();
    if (what === 7) return this.alone();
    if (what === 8) return { k: "group", body: [{ k: "fence" }, { k: "syncthreads" }] };
    return this.histogram(place) ?? this.blockVote();
  }

  /** A bijection of the block's threads. */
  private permutation(): Expr {
    const { choices } = this;
    const threads = this.surroundings?.threads ?? 1;
    const number = (v: number): Expr => literal("i32", v);
    const powerOfTwo = (threads & (threads - 1)) === 0;
    switch (choices.below(powerOfTwo ? 5 : 3)) {
      case 0:
        return tid();
      case 1:
        return binary("%", "i32", binary("+", "i32", tid(), number(choices.below(threads))), number(threads));
      case 2:
        return binary("-", "i32", number(threads - 1), tid());
      case 3:
        return binary("^", "i32", tid(), number(choices.below(threads)));
      default:
        return binary("&", "i32", binary("*", "i32", tid(), number(2 * choices.below(8) + 1)), number(threads - 1));
    }
  }

  /** Any thread's slot. */
  private anySlot(): Expr {
    const threads = this.surroundings?.threads ?? 1;
    if (this.choices.chance(0.6)) return this.permutation();
    const reachable = 2 ** Math.floor(Math.log2(threads));
    const index = binary("&", "i32", this.numeric("i32", 2), literal("i32", reachable - 1));
    return index;
  }

  private slotLoad({ name, t, row }: Exchange, slot: Expr): Expr {
    if (row === null) return { k: "load", t, array: name, index: slot };
    const [r, c] = this.rowAndColumn(slot, row);
    return { k: "load2", t, array: name, row: r, index: c };
  }

  private slotStore({ name, t, row }: Exchange, slot: Expr, value: Expr): Stmt {
    if (row === null) return { k: "store", array: name, t, index: slot, op: "", value };
    const [r, c] = this.rowAndColumn(slot, row);
    return { k: "store2", array: name, t, row: r, index: c, value };
  }

  private rowAndColumn(slot: Expr, row: number): readonly [Expr, Expr] {
    return [
      binary(">>", "i32", slot, literal("i32", Math.log2(row))),
      binary("&", "i32", slot, literal("i32", row - 1)),
    ];
  }

  private exchange(): Stmt {
    const { choices } = this;
    const array = choices.pick(this.surroundings?.exchanges ?? []);
    const { t } = array;
    const body: Stmt[] = [
      this.slotStore(array, choices.chance(0.6) ? tid() : this.permutation(), this.numeric(t, this.depth())),
      { k: "syncthreads" },
    ];
    const reads = choices.between(1, 2);
    for (let read = 0; read < reads; read++) {
      const name = this.fresh("x_");
      const init = this.slotLoad(array, this.anySlot());
      body.push({ k: "let", name, t, mutable: choices.chance(0.5), init });
    }
    body.push({ k: "syncthreads" });
    for (const stmt of body) {
      if (stmt.k === "let") this.scope.names.push({ name: stmt.name, t, mutable: stmt.mutable, uniform: false });
    }
    return { k: "group", body };
  }

  /** The reduction of the course: half the threads add the other half's values, and again. */
  private treeReduction(): Stmt {
    const { choices } = this;
    const threads = this.surroundings?.threads ?? 1;
    const flat = (this.surroundings?.exchanges ?? []).filter((exchange) => exchange.row === null);
    if (flat.length === 0) return this.exchange();
    const array = choices.pick(flat);
    const { name: arrayName, t } = array;
    const stride = this.fresh("s_");
    const s = variable("i32", stride);
    const load = (index: Expr): Expr => ({ k: "load", t, array: arrayName, index });
    const [own, other] = [load(tid()), load(binary("+", "i32", tid(), s))];
    const ops: Expr[] = [call(t, "min", own, other), call(t, "max", own, other)];
    if (!(this.options.defined && isSigned(t))) ops.push(binary("+", t, own, other));
    else ops.push(binary("^", t, own, other));
    const inside = compare("<", tid(), s);
    const exists = compare("<", binary("+", "i32", tid(), s), literal("i32", threads));
    const step: Stmt = { k: "store", array: arrayName, t, index: tid(), op: "", value: choices.pick(ops) };
    const name = this.fresh("r_");
    const from = 2 ** Math.ceil(Math.log2(Math.max(2, threads))) / 2;
    const body: Stmt[] = [
      { k: "store", array: arrayName, t, index: tid(), op: "", value: this.numeric(t, 3) },
      { k: "syncthreads" },
      {
        k: "for",
        name: stride,
        t: "i32",
        from: literal("i32", from),
        test: ">",
        to: literal("i32", 0),
        step: ">>=",
        by: literal("i32", 1),
        unroll: null,
        body: [
          { k: "if", c: { k: "logical", op: "&&", t: "bool", a: inside, b: exists }, then: [step], else: [] },
          { k: "syncthreads" },
        ],
      },
      { k: "let", name, t, mutable: false, init: load(literal("i32", 0)) },
      { k: "syncthreads" },
    ];
    this.scope.names.push({ name, t, mutable: false, uniform: true });
    return { k: "group", body };
  }

  /** All threads update a few shared elements, in any order, and read them behind the barrier. */
  private histogram(place: Place): Stmt | null {
    const { choices, surroundings } = this;
    const array = surroundings?.histogram ?? null;
    if (array === null || surroundings === null) return null;
    const { name, t, op, length } = array;
    const first = this.small(t, 0, 7);
    const update: Stmt = {
      k: "atomic",
      op,
      array: name,
      t,
      index: this.masked(length, 2),
      args: [this.accumulated(t, op)],
      result: null,
    };
    const own = this.fresh("h_");
    const element: Expr = { k: "load", t, array: name, index: this.masked(length, 2) };
    const guarded = choices.chance(0.5) && place.depth > 0;
    const updates: Stmt = guarded ? { k: "if", c: this.condition(2), then: [update], else: [] } : update;
    this.scope.names.push({ name: own, t, mutable: false, uniform: false });
    const counter = this.fresh("k_");
    const clear: Stmt = {
      k: "for",
      name: counter,
      t: "i32",
      from: tid(),
      test: "<",
      to: literal("i32", length),
      step: "+=",
      by: literal("i32", surroundings.threads),
      unroll: null,
      body: [{ k: "store", array: name, t, index: variable("i32", counter), op: "", value: first }],
    };
    return {
      k: "group",
      body: [
        clear,
        { k: "syncthreads" },
        updates,
        { k: "syncthreads" },
        { k: "let", name: own, t, mutable: false, init: element },
        { k: "syncthreads" },
      ],
    };
  }

  private blockVote(): Stmt {
    const op = this.choices.pick(["syncthreadsCount", "syncthreadsAnd", "syncthreadsOr"] as const);
    const name = this.fresh("bv_");
    const value = this.condition(2);
    this.scope.names.push({ name, t: op === "syncthreadsCount" ? "i32" : "bool", mutable: false, uniform: true });
    return { k: "blockVote", name, op, value };
  }

  /** One thread of the block alone uses the value that an atomic operation found. */
  private alone(): Stmt {
    const { choices } = this;
    const solos = this.surroundings?.solos ?? [];
    if (solos.length === 0) return this.blockVote();
    const { name: array, t, thread } = choices.pick(solos);
    const ops: AtomicName[] = ["atomicAdd"];
    if (t === "u32") ops.push("atomicInc", "atomicDec");
    if (t === "i32" || t === "u32" || t === "u64") ops.push("atomicExch", "atomicCAS", "atomicAnd", "atomicXor");
    if (t === "f32") ops.push("atomicExch");
    if (isInteger(t)) ops.push("atomicMin", "atomicMax");
    if (t === "i64") ops.shift();
    const op = choices.pick(ops);
    const result = this.fresh("old_");
    const args = op === "atomicCAS" ? [this.numeric(t, 1), this.numeric(t, 2)] : [this.numeric(t, 2)];
    const index = variable("i32", "block");
    const atomic: Stmt = { k: "atomic", op, array, t, index, args, result };
    const outputs = (this.surroundings?.outputs ?? []).filter((output) => output.t === t);
    const output = outputs[0];
    const use: Stmt[] =
      output === undefined
        ? []
        : [
            {
              k: "store",
              array: output.name,
              t,
              index: output.indices[0] ?? lane(),
              op: "",
              value: variable(t, result),
            },
          ];
    const c = compare("===", tid(), literal("i32", thread));
    return { k: "if", c, then: [{ k: "group", body: [atomic, ...use] }], else: [] };
  }

  private warpWide(place: Place): Stmt {
    const { choices } = this;
    const what = choices.below(10);
    if (what === 9 && this.isFull(place) && choices.chance(0.5)) return this.tile();
    if (what < 4) return this.shuffle(place);
    if (what < 7) return this.vote(place);
    if (what === 7) return { k: "syncwarp", mask: choices.chance(0.5) && place.meet === "block" ? null : place.mask };
    if (place.depth > 0) return this.maskedBranch(place);
    return this.vote(place);
  }

  private tile(): Stmt {
    const { choices } = this;
    const t = choices.pick(["i32", "u32"] as const);
    const name = this.fresh("g_");
    const op = choices.pick(["reduce", "inclusive_scan", "exclusive_scan"] as const);
    // Signed sums may overflow, and an exclusive scan's first thread has no value but for a sum.
    const wraps = !(this.options.defined && t === "i32");
    const operators = wraps
      ? (["plus", "less", "greater", "bit_and", "bit_or", "bit_xor"] as const)
      : (["bit_xor", "greater"] as const);
    const operator = choices.pick(operators);
    const size = choices.pick([2, 4, 8, 16, 32]);
    const value = this.numeric(t, 3);
    this.scope.names.push({ name, t, mutable: false, uniform: false });
    return { k: "tile", name, t, op, operator, size, value };
  }

  /** All lanes of every warp are here, as the literal mask says. */
  private isFull(place: Place): boolean {
    return place.meet === "block" && (this.surroundings?.threads ?? 0) % 32 === 0;
  }

  private bit(mask: Expr, index: Expr): Expr {
    return compare("!==", binary("&", "u32", binary(">>", "u32", mask, index), literal("u32", 1)), literal("u32", 0));
  }

  private shuffle(place: Place): Stmt {
    const { choices } = this;
    const t = choices.pick(NUMERIC);
    const value = this.numeric(t, 3);
    const name = this.fresh("w_");
    const width = choices.chance(0.4) ? [literal("i32", choices.pick([2, 4, 8, 16, 32]))] : [];
    const full = this.isFull(place);
    if (full || (!this.options.defined && this.options.approximate !== false)) {
      const op = choices.pick(["shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"] as const);
      const argType = op === "shfl_sync" || op === "shfl_xor_sync" ? "i32" : "u32";
      const count = choices.chance(0.6)
        ? this.small(argType, 0, 31)
        : binary("&", argType, this.numeric(argType, 2), literal(argType, 31));
      this.scope.names.push({ name, t, mutable: false, uniform: false });
      return { k: "warp", name, t, op, mask: place.mask, args: [value, count, ...width] };
    }
    // Only lanes that take part are read, or what comes from others is not used.
    const source = binary("&", "i32", this.numeric("i32", 2), literal("i32", 31));
    const result = this.fresh("w_");
    this.scope.names.push({ name: result, t, mutable: false, uniform: false });
    if (choices.chance(0.5)) {
      const s = this.fresh("src_");
      const src = variable("i32", s);
      const safe: Expr = { k: "select", t: "i32", c: this.bit(place.mask, src), a: src, b: lane() };
      return {
        k: "group",
        body: [
          { k: "let", name: s, t: "i32", mutable: false, init: source },
          { k: "warp", name: result, t, op: "shfl_sync", mask: place.mask, args: [value, safe] },
        ],
      };
    }
    const delta = choices.between(1, 31);
    const [op, from] = choices.pick([
      ["shfl_down_sync", binary("+", "i32", lane(), literal("i32", delta))],
      ["shfl_xor_sync", binary("^", "i32", lane(), literal("i32", delta))],
    ] as const);
    const argType = op === "shfl_xor_sync" ? "i32" : "u32";
    const valid: Expr = {
      k: "logical",
      op: "&&",
      t: "bool",
      a: compare("<", from, literal("i32", 32)),
      b: this.bit(place.mask, binary("&", "i32", from, literal("i32", 31))),
    };
    return {
      k: "group",
      body: [
        { k: "warp", name, t, op, mask: place.mask, args: [value, literal(argType, delta)] },
        {
          k: "let",
          name: result,
          t,
          mutable: false,
          init: { k: "select", t, c: valid, a: variable(t, name), b: this.constant(t) },
        },
      ],
    };
  }

  private vote(place: Place): Stmt {
    const { choices } = this;
    const ops: WarpOp[] = ["ballot_sync", "any_sync", "all_sync", "match_any_sync", "match_all_sync"];
    ops.push(
      "reduce_add_sync",
      "reduce_min_sync",
      "reduce_max_sync",
      "reduce_and_sync",
      "reduce_or_sync",
      "reduce_xor_sync",
    );
    if (!this.options.defined && this.options.approximate !== false) ops.push("activemask");
    const op = choices.pick(ops);
    const name = this.fresh("m_");
    const made = (t: Type, args: readonly Expr[]): Stmt => {
      this.scope.names.push({ name, t, mutable: false, uniform: false });
      return { k: "warp", name, t, op, mask: place.mask, args };
    };
    if (op === "activemask") return made("u32", []);
    if (op === "ballot_sync") return made("u32", [this.condition(3)]);
    if (op === "any_sync" || op === "all_sync") return made("bool", [this.condition(3)]);
    if (op === "match_any_sync" || op === "match_all_sync") {
      const t = choices.pick(["i32", "u32", "i64", "u64"] as const);
      const value = binary("&", t, this.numeric(t, 2), literal(t, isWide(t) ? 3n : 3));
      return made(op === "match_all_sync" && choices.chance(0.5) ? "bool" : "u32", [value]);
    }
    const t = choices.pick(["i32", "u32"] as const);
    const bitwise = op === "reduce_and_sync" || op === "reduce_or_sync" || op === "reduce_xor_sync";
    return made(bitwise ? "u32" : t, [this.numeric(t, 3)]);
  }

  /** A branch whose lanes know each other by a ballot before it. */
  private maskedBranch(place: Place): Stmt {
    const { choices } = this;
    const c = this.fresh("c_");
    const m = this.fresh("mask_");
    const condition = this.condition(3);
    const mask = variable("u32", m);
    const inner: Place = { ...place, depth: place.depth - 1, meet: "warp", mask, jumps: "none", leave: null };
    const then = this.scoped(choices.between(1, 4), inner);
    const rest = binary("&", "u32", place.mask, { k: "unary", op: "~", t: "u32", a: mask });
    const other = choices.chance(0.5) ? this.scoped(choices.between(1, 3), { ...inner, mask: rest }) : [];
    return {
      k: "group",
      body: [
        { k: "let", name: c, t: "bool", mutable: false, init: condition },
        { k: "warp", name: m, t: "u32", op: "ballot_sync", mask: place.mask, args: [variable("bool", c)] },
        { k: "if", c: variable("bool", c), then, else: other },
      ],
    };
  }
}

export const FULL_MASK: Expr = FULL;
