/**
 * One thread of a kernel's IR as a coroutine: it runs the statements as ir.ts defines them and stops where it waits for
 * other threads. No lowering and no engine takes part.
 */
import type {
  AtomicOp,
  CallExpr,
  Expr,
  IntrinsicName,
  KernelIr,
  LoopStmt,
  PointerExpr,
  Stmt,
} from "../../../src/core/ir/ir.js";
import { byteSize, type ElementType, isVector } from "../../../src/core/ir/types.js";
import { operands } from "../../../src/core/ir/walk.js";
import { VOTES, type Wait } from "../coroutines.js";
import { type Scalar, updated } from "../oracle-arithmetic.js";
import { exchanged } from "../oracle-warp.js";
import type * as tree from "../tree.js";
import { moved, newMemory, type Pointer, read, write } from "./memory.js";
import { operation } from "./operation.js";

export type Value = Scalar | readonly Scalar[] | Pointer;

/** What a thread is given by its launch. */
export interface Place {
  /** By parameter. */
  readonly args: readonly Value[];
  /** By shared array. */
  readonly shared: readonly Pointer[];
  readonly builtins: ReadonlyMap<string, number>;
  readonly lane: number;
}

type Outcome = "break" | "continue" | { readonly returned: Value | null } | null;
type Steps<T> = Generator<Wait, T, Scalar>;

const WARP: Partial<Record<IntrinsicName, tree.WarpOp>> = {
  shfl: "shfl_sync",
  shflUp: "shfl_up_sync",
  shflDown: "shfl_down_sync",
  shflXor: "shfl_xor_sync",
  ballot: "ballot_sync",
  any: "any_sync",
  all: "all_sync",
  matchAny: "match_any_sync",
  matchAll: "match_all_sync",
  matchAllPredicate: "match_all_sync",
  reduceAdd: "reduce_add_sync",
  reduceMin: "reduce_min_sync",
  reduceMax: "reduce_max_sync",
  reduceAnd: "reduce_and_sync",
  reduceOr: "reduce_or_sync",
  reduceXor: "reduce_xor_sync",
};

const BARRIERS: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "syncthreads",
  "syncthreadsCount",
  "syncthreadsAnd",
  "syncthreadsOr",
  "syncwarp",
]);

const ATOMICS: Readonly<Record<AtomicOp, tree.AtomicName>> = {
  add: "atomicAdd",
  sub: "atomicSub",
  min: "atomicMin",
  max: "atomicMax",
  and: "atomicAnd",
  or: "atomicOr",
  xor: "atomicXor",
  exch: "atomicExch",
  cas: "atomicCAS",
  inc: "atomicInc",
  dec: "atomicDec",
};

/** Rounds of one loop before it counts as endless. */
const MOST_ROUNDS = 10_000;

export class Thread {
  private readonly variables = new Map<number, Value>();
  private readonly local = new Map<number, Pointer>();

  constructor(
    private readonly ir: KernelIr,
    private readonly place: Place,
  ) {}

  *run(): Steps<void> {
    yield* this.list(this.ir.body);
  }

  private *list(body: readonly Stmt[]): Steps<Outcome> {
    for (const stmt of body) {
      const outcome = yield* this.statement(stmt);
      if (outcome !== null) return outcome;
    }
    return null;
  }

  private *statement(s: Stmt): Steps<Outcome> {
    switch (s.kind) {
      case "declare":
        this.variables.set(s.variable, yield* this.value(s.value));
        return null;
      case "assign": {
        const value = yield* this.value(s.value);
        if (s.component === null) this.variables.set(s.variable, value);
        else {
          const changed = [...vector(this.variables.get(s.variable))];
          changed[s.component] = scalar(value);
          this.variables.set(s.variable, changed);
        }
        return null;
      }
      case "store": {
        const at = moved(yield* this.pointer(s.pointer), scalar(yield* this.value(s.index)), s.pointer.type.pointer);
        store(at, s.pointer.type.pointer, yield* this.value(s.value));
        return null;
      }
      case "expr":
        yield* this.value(s.value);
        return null;
      case "if":
        return yield* this.list(scalar(yield* this.value(s.condition)) !== 0 ? s.then : s.else);
      case "loop":
        return yield* this.loop(s);
      case "break":
      case "continue":
        return s.kind;
      case "return":
        return { returned: s.value === null ? null : yield* this.value(s.value) };
      case "block":
        return yield* this.list(s.body);
      case "printf":
      case "launch":
        throw new Error(`the interpreter of the IR has no ${s.kind}`);
    }
  }

  private *loop(s: LoopStmt): Steps<Outcome> {
    yield* this.list(s.init);
    for (let round = 0; ; round++) {
      if (round > MOST_ROUNDS) throw new Error("an endless loop");
      const tested = s.condition !== null && (s.testFirst || round > 0);
      if (tested && scalar(yield* this.value(s.condition as Expr)) === 0) return null;
      const outcome = yield* this.list(s.body);
      if (outcome === "break") return null;
      if (outcome !== null && outcome !== "continue") return outcome;
      yield* this.list(s.update);
    }
  }

  private *value(expr: Expr): Steps<Value> {
    if (!mayWait(expr)) return this.plain(expr);
    switch (expr.kind) {
      case "logical": {
        const left = scalar(yield* this.value(expr.left));
        return (left !== 0) === (expr.op === "and") ? yield* this.value(expr.right) : left;
      }
      case "select":
        return yield* this.value(scalar(yield* this.value(expr.condition)) !== 0 ? expr.whenTrue : expr.whenFalse);
      case "call":
        return yield* this.call(expr);
      default: {
        const values: Value[] = [];
        for (const operand of operands(expr)) values.push(yield* this.value(operand));
        if (expr.kind !== "intrinsic") return this.strict(expr, values);
        return yield* this.met(expr, values.map(scalar));
      }
    }
  }

  /** The value of an expression in which the thread does not wait. */
  private plain(expr: Expr): Value {
    switch (expr.kind) {
      case "const":
        return expr.value;
      case "binary":
      case "compare":
        return operation(expr, [scalar(this.plain(expr.left)), scalar(this.plain(expr.right))]);
      case "unary":
      case "convert":
        return operation(expr, [scalar(this.plain(expr.operand))]);
      case "logical": {
        const left = this.plain(expr.left);
        return (left !== 0) === (expr.op === "and") ? this.plain(expr.right) : left;
      }
      case "select":
        return this.plain(this.plain(expr.condition) !== 0 ? expr.whenTrue : expr.whenFalse);
      default:
        return this.strict(
          expr,
          operands(expr).map((operand) => this.plain(operand)),
        );
    }
  }

  /** `values` are those of the direct operands, in order. */
  private strict(expr: Expr, values: readonly Value[]): Value {
    switch (expr.kind) {
      case "const":
        return expr.value;
      case "param":
        return this.place.args[expr.index] ?? 0;
      case "builtin":
        return this.place.builtins.get(`${expr.name}.${expr.axis}`) ?? 0;
      case "variable": {
        const found = this.variables.get(expr.variable);
        if (found === undefined) throw new Error(`variable ${expr.variable} has no value`);
        return found;
      }
      case "load":
        return load(moved(pointer(values[0]), scalar(values[1]), expr.type), expr.type);
      case "atomic": {
        const at = moved(pointer(values[0]), scalar(values[1]), expr.type);
        const old = read(at, expr.type);
        const args = values.slice(2).map(scalar);
        const { type } = expr;
        if (type === "bool") throw new Error("an atomic of bools");
        write(at, type, updated(ATOMICS[expr.op], type, old, args, at.space === "global"));
        return old;
      }
      case "component":
        return vector(values[0])[expr.component] ?? 0;
      case "makeVector":
        return values.map(scalar);
      case "pointer": {
        const root = this.root(expr);
        return values[0] === undefined ? root : moved(root, scalar(values[0]), expr.type.pointer);
      }
      case "intrinsic":
        if (expr.name === "laneId") return this.place.lane;
        if (expr.name === "warpSize") return 32;
        if (expr.name === "threadfence" || expr.name === "threadfenceBlock") return 0;
        return operation(expr, values.map(scalar));
      case "unary":
      case "binary":
      case "compare":
      case "convert":
        return operation(expr, values.map(scalar));
      case "logical":
      case "select":
      case "call":
        throw new Error(`${expr.kind} does not evaluate all of its operands`);
    }
  }

  private *pointer(expr: PointerExpr): Steps<Pointer> {
    return pointer(yield* this.value(expr));
  }

  private root({ root }: PointerExpr): Pointer {
    switch (root.kind) {
      case "param":
        return pointer(this.place.args[root.index]);
      case "shared":
        return pointer(this.place.shared[root.array]);
      case "variable":
        return pointer(this.variables.get(root.variable));
      case "local": {
        const known = this.local.get(root.array);
        if (known !== undefined) return known;
        const array = this.ir.localArrays[root.array];
        if (array === undefined) throw new Error(`no local array ${root.array}`);
        const made = newMemory(
          array.dims.reduce((a, b) => a * b, byteSize(array.element)),
          "local",
        );
        this.local.set(root.array, made);
        return made;
      }
    }
  }

  private *call(expr: CallExpr): Steps<Value> {
    const callee = this.ir.functions[expr.callee];
    if (callee === undefined) throw new Error(`no device function ${expr.callee}`);
    const values: Value[] = [];
    for (const arg of expr.args) values.push(yield* this.value(arg));
    // A call inside of an argument may have used the same parameters.
    callee.params.forEach((param, index) => {
      this.variables.set(param, values[index] ?? 0);
    });
    const outcome = yield* this.list(callee.body);
    return typeof outcome === "object" ? (outcome?.returned ?? 0) : 0;
  }

  /** What the thread gets where it meets others, and where it does not wait for them. */
  private *met(expr: Extract<Expr, { kind: "intrinsic" }>, values: readonly Scalar[]): Steps<Value> {
    const { name } = expr;
    const [mask, ...args] = values;
    const op = WARP[name];
    if (op !== undefined) {
      const type = name === "matchAllPredicate" ? "bool" : expr.type === "void" ? "i32" : expr.type;
      const named = Number(mask);
      return yield {
        kind: "warp",
        at: expr,
        mask: named,
        args,
        answer: (lanes, lane) => exchanged(op, type, named, lanes, lane),
      };
    }
    switch (name) {
      case "syncwarp":
        return yield { kind: "warp", at: expr, mask: Number(mask), args: [], answer: null };
      case "syncthreads":
      case "syncthreadsCount":
      case "syncthreadsAnd":
      case "syncthreadsOr": {
        const count = Number(yield { kind: "block", vote: Number(mask ?? 0) });
        const [held, all] = [count % VOTES, Math.floor(count / VOTES)];
        if (name === "syncthreadsCount") return held;
        return (name === "syncthreadsAnd" ? held === all : held > 0) ? 1 : 0;
      }
      default:
        return this.strict(expr, values);
    }
  }
}

const known = new WeakMap<Expr, boolean>();

/** A thread may wait for others while it evaluates the expression. */
function mayWait(expr: Expr): boolean {
  const found = known.get(expr);
  if (found !== undefined) return found;
  const itself = expr.kind === "call" || (expr.kind === "intrinsic" && (expr.name in WARP || BARRIERS.has(expr.name)));
  const result = itself || operands(expr).some(mayWait);
  known.set(expr, result);
  return result;
}

function scalar(value: Value | undefined): Scalar {
  if (typeof value !== "number" && typeof value !== "bigint") throw new Error("no scalar");
  return value;
}

function vector(value: Value | undefined): readonly Scalar[] {
  if (!Array.isArray(value)) throw new Error("no vector");
  return value;
}

function pointer(value: Value | undefined): Pointer {
  if (typeof value !== "object" || !("bytes" in value)) throw new Error("no pointer");
  return value;
}

function load(at: Pointer, type: ElementType): Value {
  if (!isVector(type)) return read(at, type);
  return Array.from({ length: type.lanes }, (_, lane) => read(moved(at, lane, type.scalar), type.scalar));
}

function store(at: Pointer, type: ElementType, value: Value): void {
  if (!isVector(type)) {
    write(at, type, scalar(value));
    return;
  }
  vector(value).forEach((part, lane) => {
    write(moved(at, lane, type.scalar), type.scalar, part);
  });
}
