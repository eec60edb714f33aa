/** Random expressions of a wanted type over the names in scope. They have no effect and read no other thread's data. */
import { type Capability, capabilityOf } from "./capabilities.js";
import type { Choices } from "./prng.js";
import type { BinaryOp, CompareOp, Expr, Numeric, Type } from "./tree.js";
import { INPUT_LENGTH, someValue } from "./values.js";

export interface Options {
  /**
   * true: only what CUDA C++ defines and IEEE 754 fixes, so that a real GPU and an independent interpreter must give
   * every bit: no signed overflow, no shift beyond the width, no approximate function, no bits of a NaN made visible.
   */
  readonly defined: boolean;
  /** false leaves out functions that a GPU approximates and lanes that happen to be active; true unless told. */
  readonly approximate?: boolean;
  /** What the kernel uses is there on this GPU; 9.0 unless told. */
  readonly capability?: Capability;
  /** true: few statements, threads and blocks, so that many kernels can be tried. */
  readonly small?: boolean;
}

export interface Name {
  readonly name: string;
  readonly t: Type;
  readonly mutable: boolean;
  /** The same in all threads of a block. */
  readonly uniform: boolean;
}

/** An array that the thread may read: `mask` + 1 elements by any index, or its own ones. */
export interface Readable {
  readonly name: string;
  readonly t: Numeric;
  readonly reach:
    | { readonly kind: "mask"; readonly mask: number }
    | { readonly kind: "own"; readonly indices: readonly Expr[] };
  /** gid, tid and the like may index it without a mask. */
  readonly linear: boolean;
}

export interface Vector {
  readonly name: string;
  readonly t: Numeric;
  readonly lanes: number;
}

export interface Scope {
  names: Name[];
  arrays: Readable[];
  vectors: Vector[];
}

export interface Callable {
  readonly name: string;
  readonly params: readonly { readonly t: Numeric; readonly pointer: boolean }[];
  readonly returns: Numeric;
}

export const literal = (t: Type, v: number | bigint): Expr => ({ k: "lit", t, v });
export const variable = (t: Type, name: string): Expr => ({ k: "var", t, name });
export const cast = (t: Numeric, a: Expr): Expr => (a.t === t ? a : { k: "cast", t, a });
export const binary = (op: BinaryOp, t: Numeric, a: Expr, b: Expr): Expr => ({ k: "binary", op, t, a, b });
export const compare = (op: CompareOp, a: Expr, b: Expr): Expr => ({ k: "compare", op, t: "bool", a, b });
export const call = (t: Type, name: string, ...args: readonly Expr[]): Expr => ({ k: "call", t, name, args });

export const isInteger = (t: Type): boolean => t !== "f32" && t !== "f64" && t !== "bool";
export const isSigned = (t: Type): boolean => t === "i32" || t === "i64";
export const isWide = (t: Type): boolean => t === "i64" || t === "u64";
export const unsignedOf = (t: Numeric): "u32" | "u64" => (isWide(t) ? "u64" : "u32");

const RANK: readonly Type[] = ["bool", "i32", "u32", "i64", "u64", "f32", "f64"];
const INTEGERS: readonly Numeric[] = ["i32", "u32", "i64", "u64"];
const ALL: readonly Numeric[] = [...INTEGERS, "f32", "f64"];
const COMPARES: readonly CompareOp[] = ["===", "!==", "<", "<=", ">", ">="];
const TRANSCENDENTAL: readonly string[] = ["rsqrt", "exp", "exp2", "log", "log2", "sin", "cos", "tanh"];
const FAST: readonly string[] = ["__expf", "__logf", "__sinf", "__cosf"];

export class ExpressionGenerator {
  scope: Scope = { names: [], arrays: [], vectors: [] };
  callables: Callable[] = [];
  readonly capability: Capability;
  #counter = 0;

  constructor(
    readonly choices: Choices,
    readonly options: Options,
  ) {
    this.capability = options.capability ?? capabilityOf("9.0");
  }

  fresh(stem: string): string {
    return `${stem}${this.#counter++}`;
  }

  /** A literal that a text can hold: NaN and infinities too. */
  constant(t: Type): Expr {
    if (t === "bool") return literal("bool", this.choices.below(2));
    return literal(t, someValue(this.choices, t));
  }

  small(t: Numeric, low: number, high: number): Expr {
    const v = this.choices.between(low, high);
    return literal(t, isWide(t) ? BigInt(v) : v);
  }

  private named(t: Type, uniform: boolean): Expr | null {
    const fitting = this.scope.names.filter((name) => name.t === t && (!uniform || name.uniform));
    if (fitting.length === 0) return null;
    return variable(t, this.choices.pick(fitting).name);
  }

  protected leaf(t: Type, uniform: boolean): Expr {
    const { choices } = this;
    if (t === "i32" && choices.chance(0.05)) return { k: "special", t, name: "warpSize" };
    const found = choices.chance(0.75) ? this.named(t, uniform) : null;
    if (found !== null) return found;
    if (!uniform && t !== "bool") {
      const loaded = choices.chance(0.4) ? this.load(t, 0) : null;
      if (loaded !== null) return loaded;
      const vectors = this.scope.vectors.filter((vector) => vector.t === t);
      if (vectors.length > 0 && choices.chance(0.5)) {
        const vector = choices.pick(vectors);
        return { k: "component", t, name: vector.name, component: choices.below(vector.lanes) };
      }
    }
    if (t === "u32" && choices.chance(0.3)) {
      const names = uniform
        ? ["blockIdx.x", "blockIdx.y", "blockDim.x", "blockDim.y", "gridDim.x", "gridDim.y"]
        : ["threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockDim.x", "gridDim.x", "laneId()"];
      return { k: "special", t, name: choices.pick(names) };
    }
    if (t !== "bool" && choices.chance(0.3)) {
      const other = this.named(choices.pick(INTEGERS), uniform);
      if (other !== null) return cast(t, other);
    }
    return this.constant(t);
  }

  /** An i32 below `count`, a power of two. */
  masked(count: number, depth: number): Expr {
    const { choices } = this;
    const t = choices.pick(["i32", "i32", "u32", "u32", "i64", "u64"] as const);
    const mask = literal(t, isWide(t) ? BigInt(count - 1) : count - 1);
    return binary("&", t, this.numeric(t, depth), mask);
  }

  private linearIndex(): Expr | null {
    const { choices } = this;
    const names = this.scope.names.filter((name) => /^(gid|tid)$/.test(name.name));
    if (names.length === 0) return null;
    const base = choices.pick(names);
    const start = variable(base.t, base.name);
    switch (choices.below(4)) {
      case 0:
        return start;
      case 1:
        return binary("+", base.t as Numeric, start, this.small("i32", 1, 31));
      case 2: {
        const block = this.scope.names.find((name) => name.name === "block");
        return block === undefined ? start : variable(block.t, block.name);
      }
      default:
        return binary(
          "&",
          base.t as Numeric,
          binary("*", base.t as Numeric, start, this.small("i32", 2, 9)),
          literal("i32", INPUT_LENGTH - 1),
        );
    }
  }

  private load(t: Numeric, depth: number): Expr | null {
    const { choices } = this;
    const arrays = this.scope.arrays.filter((array) => array.t === t);
    if (arrays.length === 0) return null;
    const array = choices.pick(arrays);
    if (array.reach.kind === "own") {
      return { k: "load", t, array: array.name, index: choices.pick(array.reach.indices) };
    }
    const linear = array.linear && choices.chance(0.5) ? this.linearIndex() : null;
    const index = linear ?? this.masked(array.reach.mask + 1, depth - 1);
    return { k: "load", t, array: array.name, index };
  }

  expr(t: Type, depth: number): Expr {
    return t === "bool" ? this.condition(depth) : this.numeric(t, depth);
  }

  condition(depth: number, uniform = false): Expr {
    const { choices } = this;
    if (depth <= 0 || choices.chance(0.1)) {
      const found = this.named("bool", uniform);
      if (found !== null && choices.chance(0.5)) return found;
    }
    const what = choices.below(10);
    if (depth > 0 && what === 0) return { k: "unary", op: "!", t: "bool", a: this.condition(depth - 1, uniform) };
    if (depth > 0 && what <= 2) {
      const op = choices.chance(0.5) ? "&&" : "||";
      return {
        k: "logical",
        op,
        t: "bool",
        a: this.condition(depth - 1, uniform),
        b: this.condition(depth - 1, uniform),
      };
    }
    if (what === 3) {
      const t = choices.pick(["f32", "f64"] as const);
      return call("bool", choices.pick(["isnan", "isinf"]), this.numeric(t, depth - 1, uniform));
    }
    const t = choices.pick(ALL);
    // Most conditions compare something small, so that both sides of a branch happen.
    if (isInteger(t) && choices.chance(0.6)) {
      const bits = choices.pick([1, 3, 7, 15]);
      const mask = literal(t, isWide(t) ? BigInt(bits) : bits);
      const left = binary("&", t, this.numeric(t, depth - 1, uniform), mask);
      return compare(choices.pick(COMPARES), left, this.small(t, 0, bits));
    }
    const other = choices.chance(0.2) && isInteger(t) ? choices.pick(INTEGERS) : t;
    return compare(
      choices.pick(COMPARES),
      this.numeric(t, depth - 1, uniform),
      this.numeric(other, depth - 1, uniform),
    );
  }

  /** The same in all threads of the block. */
  uniformCondition(depth: number): Expr {
    return this.condition(depth, true);
  }

  /** An expression that wraps where it overflows, also in C++. */
  protected arithmetic(op: BinaryOp, t: Numeric, a: Expr, b: Expr): Expr {
    const overflows = op === "+" || op === "-" || op === "*" || op === "<<";
    if (!(this.options.defined && isSigned(t) && overflows)) return binary(op, t, a, b);
    const unsigned = unsignedOf(t);
    return cast(t, binary(op, unsigned, cast(unsigned, a), op === "<<" ? b : cast(unsigned, b)));
  }

  numeric(t: Numeric, depth: number, uniform = false): Expr {
    const { choices } = this;
    if (depth <= 0 || choices.chance(0.08)) return this.leaf(t, uniform);
    const sub = (type: Numeric = t): Expr => this.numeric(type, depth - 1, uniform);
    switch (choices.below(uniform ? 9 : 12)) {
      case 0:
      case 1:
      case 2:
        return this.sum(t, sub, uniform);
      case 3:
        return isInteger(t) ? this.bits(t, sub, uniform) : this.sum(t, sub, uniform);
      case 4:
        return this.unary(t, sub());
      case 5:
        return { k: "select", t, c: this.condition(depth - 1, uniform), a: sub(), b: sub() };
      case 6:
        return this.conversion(t, (type) => this.numeric(type, depth - 1, uniform), depth, uniform);
      case 7:
        return this.division(t, sub);
      case 8:
        return this.intrinsic(t, sub, depth, uniform);
      case 9:
        return this.intrinsic(t, sub, depth, uniform);
      case 10:
        return this.load(t, depth) ?? this.leaf(t, uniform);
      default:
        return this.deviceCall(t, depth) ?? this.sum(t, sub, uniform);
    }
  }

  /** A second operand of the type or of one that converts to it. */
  private partner(t: Numeric, sub: (type?: Numeric) => Expr): Expr {
    if (!this.choices.chance(0.2)) return sub(t);
    const lower = ALL.filter((other) => RANK.indexOf(other) <= RANK.indexOf(t));
    return sub(this.choices.pick(lower));
  }

  /** A literal such as 0.1 beside a variable: it has the variable's precision. */
  private bareLiteral(t: Numeric): Expr {
    const v = this.choices.pick(isInteger(t) ? [1, 2, 3, 10, 255] : [0.1, 0.5, 2.5, 1e-3, 3.3]);
    return { k: "lit", t, v: isWide(t) ? BigInt(v) : t === "f32" ? Math.fround(v) : v, bare: true };
  }

  private sum(t: Numeric, sub: (type?: Numeric) => Expr, uniform: boolean): Expr {
    const { choices } = this;
    const named = choices.chance(0.15) ? this.named(t, uniform) : null;
    if (named !== null && !(this.options.defined && isSigned(t))) {
      const op = choices.pick(isInteger(t) ? (["+", "-", "*"] as const) : (["+", "-", "*", "/"] as const));
      const [a, b] = choices.chance(0.5) ? [named, this.bareLiteral(t)] : [this.bareLiteral(t), named];
      return binary(op, t, a, b);
    }
    const op = choices.pick(["+", "-", "*", "+", "*"] as const);
    const [a, b] = choices.chance(0.5) ? [sub(t), this.partner(t, sub)] : [this.partner(t, sub), sub(t)];
    return this.arithmetic(op, t, a, b);
  }

  private bits(t: Numeric, sub: (type?: Numeric) => Expr, uniform: boolean): Expr {
    const { choices } = this;
    const op = choices.pick(["&", "|", "^", "<<", ">>", ">>>"] as const);
    if (op === "&" || op === "|" || op === "^") return binary(op, t, sub(t), sub(t));
    const width = isWide(t) ? 64 : 32;
    const count = choices.chance(0.5) ? this.small("i32", 0, width - 1) : this.shiftCount(sub, width, uniform);
    // `>>>` gives an unsigned type: shift an unsigned, or cast back.
    if (op === ">>>") return cast(t, binary(op, unsignedOf(t), sub(t), count));
    return this.arithmetic(op, t, sub(t), count);
  }

  private shiftCount(sub: (type?: Numeric) => Expr, width: number, uniform: boolean): Expr {
    const t = this.choices.pick(["i32", "u32"] as const);
    const beyond = !this.options.defined && this.choices.chance(0.3);
    if (!beyond) return binary("&", t, sub(t), literal(t, width - 1));
    // A constant count beyond the width is refused: the lane or the block makes it vary.
    const special: Expr = { k: "special", t: "u32", name: uniform ? "blockIdx.x" : "laneId()" };
    const varying = binary("+", "u32", special, sub(t));
    return binary("&", "u32", varying, literal("u32", 2 * width - 1));
  }

  private unary(t: Numeric, a: Expr): Expr {
    if (isInteger(t) && this.choices.chance(0.5)) return { k: "unary", op: "~", t, a };
    if (this.options.defined && isSigned(t)) return this.arithmetic("-", t, literal(t, isWide(t) ? 0n : 0), a);
    return { k: "unary", op: "-", t, a };
  }

  private division(t: Numeric, sub: (type?: Numeric) => Expr): Expr {
    if (!isInteger(t)) return binary("/", t, sub(t), this.partner(t, sub));
    const op = this.choices.pick(["idiv", "%"] as const);
    const number = (v: number): Expr => literal(t, isWide(t) ? BigInt(v) : v);
    if (this.choices.chance(0.4)) {
      const divisor = this.choices.pick([1, 2, 3, 5, 7, 8, 10, 16, 100, 1000, 641]);
      return binary(op, t, sub(t), number(divisor));
    }
    // Never 0; in C++ also never -1 with the smallest number.
    const divisor =
      this.options.defined && isSigned(t)
        ? binary("|", t, binary("&", t, sub(t), number(0xffff)), number(1))
        : binary("|", t, sub(t), number(1));
    return binary(op, t, sub(t), divisor);
  }

  private conversion(t: Numeric, sub: (type: Numeric) => Expr, depth: number, uniform: boolean): Expr {
    const { choices } = this;
    if (choices.chance(0.15)) return cast(t, this.condition(depth - 1, uniform));
    const from = choices.pick(ALL.filter((other) => other !== t));
    if (!(this.options.defined && !isInteger(from) && isInteger(t))) return cast(t, sub(from));
    // A float out of the integer's range has no meaning in C++; what comes straight from memory is converted by the GPU.
    const loaded = uniform ? null : choices.chance(0.4) ? this.load(from, depth - 1) : null;
    if (loaded !== null) return cast(t, loaded);
    return cast(t, this.inRange(from, t, sub(from)));
  }

  /** A float that an integer type holds. */
  protected inRange(from: Numeric, t: Numeric, value: Expr): Expr {
    const high = literal(from, isWide(t) ? 2 ** 62 : 2 ** 30);
    const low = literal(from, isSigned(t) ? (isWide(t) ? -(2 ** 62) : -(2 ** 30)) : 0);
    return call(from, "fmin", call(from, "fmax", value, low), high);
  }

  private intrinsic(t: Numeric, sub: (type?: Numeric) => Expr, depth: number, uniform: boolean): Expr {
    const { choices, options } = this;
    if (t === "f32" || t === "f64") {
      if (!options.defined && options.approximate !== false && choices.chance(0.3)) {
        if (choices.chance(0.15)) return call(t, "pow", sub(t), sub(t));
        if (t === "f32" && choices.chance(0.3)) {
          return choices.chance(0.3) ? call(t, "__fdividef", sub(t), sub(t)) : call(t, choices.pick(FAST), sub(t));
        }
        return call(t, choices.pick(TRANSCENDENTAL), sub(t));
      }
      const what = choices.below(t === "f32" ? 9 : 6);
      if (what === 0) return call(t, "fma", sub(t), sub(t), sub(t));
      if (what === 1) return call(t, "sqrt", sub(t));
      if (what === 2) return call(t, choices.pick(["floor", "ceil", "trunc", "rint"]), sub(t));
      if (what === 3) return call(t, choices.pick(["fabs", "abs"]), sub(t));
      if (what <= 5) return call(t, choices.pick(["fmin", "fmax", "min", "max"]), sub(t), sub(t));
      if (what === 6) return call(t, "saturate", sub(t));
      if (what === 7) return call(t, "rcp", sub(t));
      return this.bitsAsFloat(sub);
    }
    if (t === "i32" && choices.chance(0.5)) {
      const what = choices.below(5);
      if (what === 0) return call(t, "popc", sub(choices.pick(["i32", "u32"] as const)));
      if (what === 1) return call(t, choices.pick(["ffs", "clz"]), sub("i32"));
      if (what <= 3) return call(t, "float_as_int", this.visibleFloat(sub("f32")));
      return cast(t, this.condition(depth - 1, uniform));
    }
    if (t === "u32" && choices.chance(0.5)) {
      const what = choices.below(4);
      if (what === 0) return call(t, "brev", sub());
      if (what === 1) return call(t, "byte_perm", sub(), sub(), sub());
      if (what === 2) return call(t, "umulhi", sub(), sub());
      return call(t, "float_as_uint", this.visibleFloat(sub("f32")));
    }
    if (isSigned(t) && choices.chance(0.25)) {
      const value = options.defined ? binary(">>", t, sub(), literal("i32", 1)) : sub();
      return call(t, "abs", value);
    }
    return call(t, choices.pick(isWide(t) ? ["min", "max"] : ["min", "max", "mulhi"]), sub(), sub());
  }

  /** A float whose bits may be seen: no NaN, whose bits a compiler may choose. */
  protected visibleFloat(a: Expr): Expr {
    return this.options.defined ? call(a.t, "fmin", a, literal(a.t, Number.POSITIVE_INFINITY)) : a;
  }

  private bitsAsFloat(sub: (type?: Numeric) => Expr): Expr {
    const t = this.choices.pick(["i32", "u32"] as const);
    return call("f32", t === "i32" ? "int_as_float" : "uint_as_float", sub(t));
  }

  private deviceCall(t: Numeric, depth: number): Expr | null {
    const fitting = this.callables.filter((callable) => callable.returns === t);
    if (fitting.length === 0) return null;
    const callable = this.choices.pick(fitting);
    const args: (Expr | string)[] = [];
    for (const param of callable.params) {
      if (!param.pointer) args.push(this.numeric(param.t, depth - 2));
      else {
        const arrays = this.scope.arrays.filter((array) => array.t === param.t && array.linear);
        if (arrays.length === 0) return null;
        args.push(this.choices.pick(arrays).name);
      }
    }
    return { k: "device", t, name: callable.name, args };
  }
}
