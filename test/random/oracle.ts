/**
 * A direct interpreter of a random kernel's tree: each thread is a coroutine that runs its statements and stops where
 * it waits for others. No front end, no lowering, no engine takes part, so a mistake that both engines share shows.
 */

import { type Answer, Coroutine, runTogether, type Wait } from "./coroutines.js";
import { functionsNamed } from "./functions.js";
import type { Scalar } from "./oracle-arithmetic.js";
import * as arithmetic from "./oracle-arithmetic.js";
import { intrinsic } from "./oracle-functions.js";
import { exchanged } from "./oracle-warp.js";
import { argumentsOf, type Memory } from "./run-case.js";
import type { BinaryOp, DeviceFunctionTree, Expr, KernelTree, Numeric, Stmt, Type } from "./tree.js";
import { arrayOf, createArray, type DataArray } from "./values.js";

type TileStmt = Extract<Stmt, { k: "tile" }>;
type Outcome = "break" | "continue" | "return" | null;
type Run = Generator<Wait, Outcome, Scalar>;

interface ArrayView {
  readonly data: DataArray;
  readonly offset: number;
  readonly t: Numeric;
  /** Elements of a row; 0 where it has one dimension. */
  readonly row: number;
}

interface Frame {
  readonly values: Map<string, Scalar | Scalar[]>;
  readonly arrays: Map<string, ArrayView>;
  result: Scalar;
}

class Thread {
  constructor(
    readonly tree: KernelTree,
    readonly special: ReadonlyMap<string, number>,
  ) {}

  run(frame: Frame): Run {
    return this.list(this.tree.body, frame);
  }

  private value(e: Expr, frame: Frame): Scalar {
    switch (e.k) {
      case "lit":
        return e.v;
      case "var": {
        const found = frame.values.get(e.name);
        if (found === undefined || Array.isArray(found)) throw new Error(`no variable ${e.name}`);
        return found;
      }
      case "special": {
        const found = this.special.get(e.name);
        if (found === undefined) throw new Error(`no ${e.name}`);
        return found;
      }
      case "unary": {
        const a = this.value(e.a, frame);
        if (e.op === "!") return a === 0 ? 1 : 0;
        if (e.op === "~") return arithmetic.wrap(e.t, ~BigInt(a));
        return e.t === "f32" || e.t === "f64" ? -Number(a) : arithmetic.wrap(e.t, -BigInt(a));
      }
      case "binary":
        return this.binary(e.op, e.t, e.a, e.b, frame);
      case "compare": {
        const t = commonType(e.a.t, e.b.t);
        return arithmetic.compare(e.op, this.as(t, e.a, frame), this.as(t, e.b, frame)) ? 1 : 0;
      }
      case "logical": {
        const a = this.value(e.a, frame);
        return (a !== 0) === (e.op === "&&") ? this.value(e.b, frame) : a;
      }
      case "select":
        return this.value(e.c, frame) !== 0 ? this.as(e.t, e.a, frame) : this.as(e.t, e.b, frame);
      case "cast":
        return this.as(e.t, e.a, frame);
      case "call":
        return this.intrinsic(e, frame);
      case "load":
        return this.element(frame, e.array, this.value(e.index, frame));
      case "load2": {
        const row = this.array(frame, e.array).row;
        return this.element(
          frame,
          e.array,
          Number(this.value(e.row, frame)) * row + Number(this.value(e.index, frame)),
        );
      }
      case "device":
        return this.call(e, frame);
      case "component": {
        const vector = frame.values.get(e.name);
        return Array.isArray(vector) ? (vector[e.component] ?? 0) : 0;
      }
    }
  }

  private as(t: Type, e: Expr, frame: Frame): Scalar {
    return arithmetic.convert(this.value(e, frame), e.t, t);
  }

  private binary(op: BinaryOp, t: Numeric, a: Expr, b: Expr, frame: Frame): Scalar {
    const shift = op === "<<" || op === ">>" || op === ">>>";
    return arithmetic.binary(op, t, this.as(t, a, frame), shift ? this.as("u32", b, frame) : this.as(t, b, frame));
  }

  private intrinsic(e: Extract<Expr, { k: "call" }>, frame: Frame): Scalar {
    // A function of one argument list has its types; the others take their arguments' common type.
    const known = functionsNamed(e.name);
    const t = (known.length === 1 ? known[0]?.args[0] : undefined) ?? e.args.map((arg) => arg.t).reduce(commonType);
    const args = e.args.map((arg) => this.as(t, arg, frame));
    return intrinsic(e.name, t, args);
  }

  private array(frame: Frame, name: string): ArrayView {
    const view = frame.arrays.get(name);
    if (view === undefined) throw new Error(`no array ${name}`);
    return view;
  }

  private position(view: ArrayView, index: Scalar): number {
    const at = view.offset + Number(index);
    if (!(at >= 0 && at < view.data.length)) throw new Error(`the oracle reads element ${at} of ${view.data.length}`);
    return at;
  }

  private element(frame: Frame, name: string, index: Scalar): Scalar {
    const view = this.array(frame, name);
    return view.data[this.position(view, index)] ?? 0;
  }

  private put(frame: Frame, name: string, index: Scalar, value: Scalar): void {
    const view = this.array(frame, name);
    view.data[this.position(view, index)] = value as never;
  }

  private call(e: Extract<Expr, { k: "device" }>, frame: Frame): Scalar {
    const fn = this.tree.functions.find((candidate) => candidate.name === e.name) as DeviceFunctionTree;
    const inner: Frame = { values: new Map(), arrays: new Map(), result: 0 };
    fn.params.forEach((param, index) => {
      const arg = e.args[index];
      if (typeof arg === "string") inner.arrays.set(param.name, this.array(frame, arg));
      else if (arg !== undefined) inner.values.set(param.name, this.as(param.t, arg, frame));
    });
    const step = this.list(fn.body, inner).next(0);
    if (step.done !== true) throw new Error("a device function waits");
    return inner.result;
  }

  private *list(body: readonly Stmt[], frame: Frame): Run {
    for (const stmt of body) {
      const outcome = yield* this.statement(stmt, frame);
      if (outcome !== null) return outcome;
    }
    return null;
  }

  private set(frame: Frame, name: string, value: Scalar): void {
    frame.values.set(name, value);
  }

  private *statement(s: Stmt, frame: Frame): Run {
    switch (s.k) {
      case "let":
        this.set(frame, s.name, this.value(s.init, frame));
        return null;
      case "set": {
        if (s.op === "") this.set(frame, s.name, this.as(s.t, s.value, frame));
        else
          this.set(
            frame,
            s.name,
            this.binary(s.op, s.t as Numeric, { k: "var", t: s.t, name: s.name }, s.value, frame),
          );
        return null;
      }
      case "step": {
        const one: Expr = { k: "lit", t: "i32", v: s.by };
        this.set(frame, s.name, this.binary("+", s.t, { k: "var", t: s.t, name: s.name }, one, frame));
        return null;
      }
      case "list": {
        const values = s.values.map((value, index) => this.as(s.targets[index]?.t ?? value.t, value, frame));
        s.targets.forEach(({ name }, index) => {
          this.set(frame, name, values[index] ?? 0);
        });
        return null;
      }
      case "block":
        return yield* this.list(s.body, frame);
      case "store": {
        const index = this.value(s.index, frame);
        const at: Expr = { k: "load", t: s.t, array: s.array, index: { k: "lit", t: "i32", v: Number(index) } };
        const value = s.op === "" ? this.as(s.t, s.value, frame) : this.binary(s.op, s.t, at, s.value, frame);
        this.put(frame, s.array, index, value);
        return null;
      }
      case "store2": {
        const row = this.array(frame, s.array).row;
        const index = Number(this.value(s.row, frame)) * row + Number(this.value(s.index, frame));
        this.put(frame, s.array, index, this.as(s.t, s.value, frame));
        return null;
      }
      case "if":
        return yield* this.list(this.value(s.c, frame) !== 0 ? s.then : s.else, frame);
      case "for":
        return yield* this.loop(s, frame);
      case "while":
        return yield* this.counted(s, frame);
      case "break":
      case "continue":
        return s.k;
      case "return":
        if (s.value !== null) frame.result = this.value(s.value, frame);
        return "return";
      case "switch": {
        const on = this.value(s.on, frame);
        const first = s.arms.findIndex(({ v }) => v === on);
        for (const arm of first < 0 ? [] : s.arms.slice(first)) {
          const outcome = yield* this.list(arm.body, frame);
          if (outcome !== null) return outcome === "break" ? null : outcome;
          if (!arm.falls) return null;
        }
        const outcome = yield* this.list(s.otherwise, frame);
        return outcome === "break" ? null : outcome;
      }
      case "local":
        if (!frame.arrays.has(s.name)) {
          frame.arrays.set(s.name, { data: createArray(s.t, s.length), offset: 0, t: s.t, row: 0 });
        }
        return null;
      case "pointer": {
        const view = this.array(frame, s.array);
        frame.arrays.set(s.name, { ...view, offset: view.offset + Number(this.value(s.offset, frame)) });
        return null;
      }
      case "vector": {
        const first = Number(this.value(s.index, frame)) * s.lanes;
        const parts = Array.from({ length: s.lanes }, (_, lane) => this.element(frame, s.array, first + lane));
        frame.values.set(s.name, parts);
        return null;
      }
      case "component": {
        const vector = frame.values.get(s.name);
        if (!Array.isArray(vector)) throw new Error(`no vector ${s.name}`);
        const changed = [...vector];
        changed[s.component] = this.as(s.t, s.value, frame);
        frame.values.set(s.name, changed);
        return null;
      }
      case "vectorStore": {
        const first = Number(this.value(s.index, frame)) * s.lanes;
        const parts = s.parts.map((part) => this.as(s.t, part, frame));
        parts.forEach((part, lane) => {
          this.put(frame, s.array, first + lane, part);
        });
        return null;
      }
      case "warp": {
        const mask = Number(this.value(s.mask, frame));
        const args = s.args.map((arg) => this.value(arg, frame));
        const answer: Answer = (lanes, lane) => exchanged(s.op, s.t, mask, lanes, lane);
        this.set(frame, s.name, yield { kind: "warp", at: s, mask, args, answer });
        return null;
      }
      case "tile": {
        const args = [this.as(s.t, s.value, frame)];
        const answer: Answer = (lanes, lane) => combined(s, lanes, lane);
        this.set(frame, s.name, yield { kind: "warp", at: s, mask: 0xffffffff, args, answer });
        return null;
      }
      case "syncwarp":
        if (s.mask !== null) {
          yield { kind: "warp", at: s, mask: Number(this.value(s.mask, frame)), args: [], answer: null };
        }
        return null;
      case "blockVote": {
        const count = Number(yield { kind: "block", vote: Number(this.value(s.value, frame)) });
        const [held, all] = [count % 4096, Math.floor(count / 4096)];
        const answers = {
          syncthreadsCount: held,
          syncthreadsAnd: held === all ? 1 : 0,
          syncthreadsOr: held > 0 ? 1 : 0,
        };
        this.set(frame, s.name, answers[s.op]);
        return null;
      }
      case "syncthreads":
        yield { kind: "block", vote: 0 };
        return null;
      case "fence":
        return null;
      case "atomic": {
        const index = this.value(s.index, frame);
        const old = this.element(frame, s.array, index);
        const args = s.args.map((arg) => this.as(s.t, arg, frame));
        const global = !this.tree.shared.some(({ name }) => name === s.array);
        this.put(frame, s.array, index, arithmetic.updated(s.op, s.t, old, args, global));
        if (s.result !== null) this.set(frame, s.result, old);
        return null;
      }
      case "group":
        return yield* this.list(s.body, frame);
    }
  }

  private *loop(s: Extract<Stmt, { k: "for" }>, frame: Frame): Run {
    const counter: Expr = { k: "var", t: s.t, name: s.name };
    this.set(frame, s.name, this.as(s.t, s.from, frame));
    const test: Expr = { k: "compare", op: s.test, t: "bool", a: counter, b: s.to };
    const holds = (): boolean => this.value(test, frame) !== 0 && (s.and === null || this.value(s.and, frame) !== 0);
    for (let round = 0; holds(); round++) {
      if (round > 10_000) throw new Error("an endless loop");
      const outcome = yield* this.list(s.body, frame);
      if (outcome === "break") break;
      if (outcome === "return") return outcome;
      const op = { "++": "+", "--": "-", "+=": "+", "-=": "-", "<<=": "<<", ">>=": ">>" } as const;
      this.set(frame, s.name, this.binary(op[s.step], s.t, counter, s.by, frame));
    }
    return null;
  }

  private *counted(s: Extract<Stmt, { k: "while" }>, frame: Frame): Run {
    let fuel = 0;
    this.set(frame, s.fuel, 0);
    const holds = (): boolean => fuel < s.most && this.value(s.c, frame) !== 0;
    if (s.form !== "do" && !holds()) return null;
    do {
      this.set(frame, s.fuel, ++fuel);
      const outcome = yield* this.list(s.body, frame);
      if (outcome === "break") break;
      if (outcome === "return") return outcome;
    } while (holds());
    return null;
  }
}

const RANK: readonly Type[] = ["bool", "i32", "u32", "i64", "u64", "f32", "f64"];

function commonType(a: Type, b: Type): Type {
  const higher = RANK.indexOf(a) > RANK.indexOf(b) ? a : b;
  return higher === "bool" ? "i32" : higher;
}

/** A tile's reduction or scan; an exclusive scan's first lane has the operator's neutral value. */
function combined(s: TileStmt, args: ReadonlyMap<number, readonly Scalar[]>, lane: number): Scalar {
  const start = lane - (lane % s.size);
  const end = s.op === "reduce" ? start + s.size : s.op === "inclusive_scan" ? lane + 1 : lane;
  const [least, most] = s.t === "i32" ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n];
  const steps: Readonly<Record<TileStmt["operator"], readonly [bigint, (a: bigint, b: bigint) => bigint]>> = {
    plus: [0n, (a, b) => a + b],
    less: [most, (a, b) => (a < b ? a : b)],
    greater: [least, (a, b) => (a > b ? a : b)],
    bit_and: [-1n, (a, b) => a & b],
    bit_or: [0n, (a, b) => a | b],
    bit_xor: [0n, (a, b) => a ^ b],
  };
  const [neutral, step] = steps[s.operator];
  let result = neutral;
  for (let other = start; other < end; other++) result = step(result, BigInt(args.get(other)?.[0] ?? 0));
  return arithmetic.wrap(s.t, result);
}

/** Runs the kernel's tree; gives all its arrays. */
export function interpret(tree: KernelTree): Memory {
  const args = argumentsOf(tree);
  const [bx, by, bz] = tree.block;
  const [gx, gy, gz] = tree.grid;
  for (let block = 0; block < gx * gy * gz; block++) {
    const shared = tree.shared.map(({ name, t, dims }): [string, ArrayView] => {
      const length =
        dims === null ? tree.dynamicSharedBytes / createArray(t, 0).BYTES_PER_ELEMENT : dims.reduce((a, b) => a * b);
      return [name, { data: arrayOf(t, new Array<number>(length).fill(0)), offset: 0, t, row: dims?.[1] ?? 0 }];
    });
    const threads = Array.from({ length: bx * by * bz }, (_, linear) => {
      const special = new Map([
        ["threadIdx.x", linear % bx],
        ["threadIdx.y", Math.floor(linear / bx) % by],
        ["threadIdx.z", Math.floor(linear / (bx * by))],
        ["blockIdx.x", block % gx],
        ["blockIdx.y", Math.floor(block / gx) % gy],
        ["blockIdx.z", Math.floor(block / (gx * gy))],
        ["blockDim.x", bx],
        ["blockDim.y", by],
        ["gridDim.x", gx],
        ["gridDim.y", gy],
        ["laneId()", linear % 32],
        ["warpSize", 32],
      ]);
      const frame: Frame = { values: new Map(), arrays: new Map(shared), result: 0 };
      for (const [name, value] of Object.entries(tree.constants)) frame.values.set(name, value);
      for (const param of tree.params) {
        const value = args[param.name];
        if (typeof value === "object") frame.arrays.set(param.name, { data: value, offset: 0, t: param.t, row: 0 });
        else if (value !== undefined) frame.values.set(param.name, value);
      }
      return new Coroutine(linear, new Thread(tree, special).run(frame));
    });
    runTogether(threads);
  }
  return Object.fromEntries(
    Object.entries(args).filter((entry): entry is [string, DataArray] => typeof entry[1] === "object"),
  );
}
