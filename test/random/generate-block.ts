/** Random statements of a whole block: exchanges through shared memory, barriers that count, one thread's atomics. */
import { hasAtomic } from "./capabilities.js";
import { binary, call, compare, isInteger, isSigned, literal, variable } from "./generate-expression.js";
import { RecurrenceGenerator } from "./generate-recurrence.js";
import type { Exchange, Place } from "./generate-statement.js";
import type { AtomicName, Expr, Stmt } from "./tree.js";

export const lane = (): Expr => variable("i32", "lane");
export const tid = (): Expr => variable("i32", "tid");

export abstract class BlockGenerator extends RecurrenceGenerator {
  protected abstract warpWide(place: Place): Stmt;

  protected override together(place: Place): Stmt {
    return place.meet === "block" && this.choices.chance(0.5) ? this.blockWide(place) : this.warpWide(place);
  }

  private blockWide(place: Place): Stmt {
    const { choices, surroundings } = this;
    const what = choices.below(10);
    if (surroundings === null) return this.declare(place);
    if (what < 6 && surroundings.exchanges.length > 0) {
      return choices.chance(0.3) ? this.treeReduction() : this.exchange();
    }
    if (what === 6) return this.blockVote();
    if (what === 7) return this.alone();
    if (what === 8) return { k: "group", body: [{ k: "fence", block: choices.chance(0.5) }, { k: "syncthreads" }] };
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
        and: null,
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
  protected histogram(place: Place): Stmt | null {
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
      and: null,
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
  protected alone(): Stmt {
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
    const possible = ops.filter((each) => hasAtomic(this.capability, each, t));
    if (possible.length === 0) return this.blockVote();
    const op = choices.pick(possible);
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
}
