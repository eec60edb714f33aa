/** Random programs in the text of the engines' assembler: all operations, control flow, memory, barriers, primitives. */

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
  };
}

export interface Random {
  below(n: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

type Type = "i32" | "u32" | "f32" | "f64" | "i64" | "u64";

const COUNT: Readonly<Record<Type | "bool", number>> = { i32: 4, u32: 4, f32: 3, f64: 2, i64: 2, u64: 2, bool: 4 };
const PREFIX: Readonly<Record<Type | "bool", string>> = {
  i32: "i",
  u32: "u",
  f32: "f",
  f64: "d",
  i64: "l",
  u64: "m",
  bool: "p",
};
const TYPES: readonly Type[] = ["i32", "u32", "i32", "u32", "f32", "f32", "f64", "i64", "u64"];

export interface RandomOptions {
  /** Indices may be out of bounds and divisors 0. */
  readonly faults: boolean;
  /** Instructions, about. */
  readonly size: number;
}

export interface RandomProgram {
  readonly text: string;
}

/** Global memory: `data` i32, `real` f32, `wide` i64, `out` i32, of 256 elements each; parameters `n` i32, `k` u32, `x` f32. */
export function randomProgram(random: Random, options: RandomOptions): string {
  return new Generator(random, options).program();
}

export const ELEMENTS = 256;

class Generator {
  private readonly lines: string[] = [];
  private left: number;
  private depth = 0;
  private loops = 0;
  private counters = 0;
  /** All lanes of the block that live are here: barriers are allowed. */
  private uniform = true;
  private exited = false;

  constructor(
    private readonly random: Random,
    private readonly options: RandomOptions,
  ) {
    this.left = options.size;
  }

  program(): string {
    this.lines.push(
      "kernel random",
      "param data ptr i32",
      "param real ptr f32",
      "param wide ptr i64",
      "param out ptr i32",
      "param n i32",
      "param k u32",
      "param x f32",
      "shared s i32 256",
      "shared t f32 64",
      "shared e i32 dynamic",
      "local loc i32 8",
    );
    for (const type of [...Object.keys(COUNT)] as (Type | "bool")[]) {
      for (let i = 0; i < COUNT[type]; i++) this.lines.push(`reg ${PREFIX[type]}${i} ${type}`);
    }
    this.line("i0 = mov.i32 threadIdx.x");
    this.line("u0 = mad.u32 blockIdx.x, blockDim.x, threadIdx.x");
    this.line("u1 = mov.u32 laneId");
    this.line("f0 = cvt.f32.i32 i0");
    if (this.random.chance(0.5)) this.line("i1 = mov.i32 n");
    while (this.left > 0) this.statement();
    // The values of registers at the end are stored, so that a wrong one shows.
    for (const type of TYPES) this.storeResult(type);
    return this.lines.join("\n");
  }

  private line(text: string): void {
    this.lines.push(`${"  ".repeat(this.depth + 1)}${text}`);
    this.left--;
  }

  private reg(type: Type | "bool"): string {
    return `${PREFIX[type]}${this.random.below(COUNT[type])}`;
  }

  private constant(type: Type): string {
    const { random } = this;
    switch (type) {
      case "i32":
        return String(random.pick([0, 1, -1, 2, 3, 5, 7, 31, 32, 64, 255, -7, 2147483647, -2147483648, 1103515245]));
      case "u32":
        return String(random.pick([0, 1, 2, 3, 4, 8, 16, 31, 32, 33, 255, 4294967295, 2147483648, 2654435769]));
      case "i64":
        return String(
          random.pick(["0", "1", "-1", "3", "1099511627776", "-9223372036854775808", "9223372036854775807"]),
        );
      case "u64":
        return String(random.pick(["0", "1", "5", "18446744073709551615", "9223372036854775808", "4294967296"]));
      default:
        return String(
          random.pick(["0", "1", "-1", "0.5", "2", "3.1415", "-0", "1e10", "1e-40", "inf", "-inf", "nan", "16777216"]),
        );
    }
  }

  private operand(type: Type): string {
    const { random } = this;
    if (random.chance(0.2)) return this.constant(type);
    if (type === "i32" && random.chance(0.1)) return "n";
    if (type === "u32" && random.chance(0.2))
      return random.pick(["k", "threadIdx.x", "threadIdx.y", "blockIdx.x", "blockDim.x", "laneId", "gridDim.x"]);
    if (type === "f32" && random.chance(0.1)) return "x";
    // Signed and unsigned of one size are the same bits.
    if (random.chance(0.15)) {
      const other: Partial<Record<Type, Type>> = { i32: "u32", u32: "i32", i64: "u64", u64: "i64" };
      return this.reg(other[type] ?? type);
    }
    return this.reg(type);
  }

  private guard(): string {
    return this.random.chance(0.15) ? `@${this.random.pick(["", "!"])}${this.reg("bool")} ` : "";
  }

  private storeResult(type: Type): void {
    const index = "u3 = and.u32 u0, 63";
    this.line(index);
    if (type === "f32") {
      this.line("a1 = addr real[u3]");
      this.line(`st.f32 real[a1], ${this.reg("f32")}`);
    } else if (type === "i64") {
      this.line("a2 = addr wide[u3]");
      this.line(`st.i64 wide[a2], ${this.reg("i64")}`);
    } else if (type === "f64") {
      this.line(`l0 = bitcast.i64.f64 ${this.reg("f64")}`);
      this.line("a2 = addr wide[u3]");
      this.line("st.i64 wide[a2 + 1024], l0");
    } else if (type === "i32") {
      this.line("a3 = addr out[u3]");
      this.line(`st.i32 out[a3], ${this.reg("i32")}`);
    }
  }

  private statement(): void {
    const { random } = this;
    const roll = random.below(100);
    if (roll < 40) this.arithmetic();
    else if (roll < 48) this.compare();
    else if (roll < 52) this.logic();
    else if (roll < 68) this.access();
    else if (roll < 72) this.atomic();
    else if (roll < 79) this.primitive();
    else if (roll < 85) this.conditional();
    else if (roll < 90) this.loop();
    else if (roll < 95) this.barrier();
    else if (roll < 96) this.exit();
    else if (roll < 97) this.print();
    else this.affine();
  }

  private arithmetic(): void {
    const { random } = this;
    const type = random.pick(TYPES);
    const guard = this.guard();
    const dst = this.reg(type);
    const [a, b, c] = [this.operand(type), this.operand(type), this.operand(type)];
    const emit = (op: string, ...operands: string[]): void =>
      this.line(`${guard}${dst} = ${op}.${type} ${operands.join(", ")}`);
    if (random.chance(0.15)) {
      const from = random.pick(TYPES);
      if (from !== type) this.line(`${guard}${dst} = cvt.${type}.${from} ${this.operand(from)}`);
      return;
    }
    if (random.chance(0.08)) {
      emit("selp", a, b, this.reg("bool"));
      return;
    }
    if (type === "f32" || type === "f64") {
      const op = random.pick([
        "add",
        "sub",
        "mul",
        "mad",
        "div",
        "min",
        "max",
        "neg",
        "abs",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "rint",
        "saturate",
        "rcp",
        "rsqrt",
        "exp",
        "sin",
        "mov",
        "log2",
        "pow",
        "tanh",
      ]);
      if (["add", "sub", "mul", "div", "min", "max", "pow"].includes(op)) emit(op, a, b);
      else if (op === "mad") emit(op, a, b, c);
      else emit(op, a);
      return;
    }
    const wide = type === "i64" || type === "u64";
    const count = random.chance(0.5) ? this.constant("u32") : this.operand("u32");
    const op = random.pick([
      "add",
      "sub",
      "mul",
      "mad",
      "add3",
      "and",
      "or",
      "xor",
      "not",
      "neg",
      "abs",
      "min",
      "max",
      "shl",
      "shr",
      "lea",
      "lop3",
      "mulhi",
      "div",
      "rem",
      "mov",
      "popc",
      "clz",
      "ffs",
      "brev",
      "bytePerm",
    ]);
    switch (op) {
      case "mad":
      case "add3":
        emit(op, a, b, c);
        return;
      case "not":
      case "neg":
      case "abs":
      case "mov":
      case "brev":
        emit(op, a);
        return;
      case "popc":
      case "clz":
      case "ffs":
        this.line(`${guard}${this.reg("i32")} = ${op}.${type} ${a}`);
        return;
      case "shl":
      case "shr":
        emit(op, a, count);
        return;
      case "lea":
        emit(op, a, b, String(random.below(5)));
        return;
      case "lop3":
        if (!wide) emit(op, a, b, c, String(random.below(256)));
        return;
      case "bytePerm":
        if (type === "u32") emit(op, a, b, c);
        return;
      case "div":
      case "rem": {
        if (this.options.faults && random.chance(0.1)) {
          emit(op, a, b);
          return;
        }
        // A divisor that is not 0: a power of two at times.
        const divisor = this.reg(type);
        if (random.chance(0.3)) this.line(`${divisor} = mov.${type} ${random.pick(["4", "32", "1", "7"])}`);
        else if (random.chance(0.5)) this.line(`${divisor} = or.${type} ${divisor}, 1`);
        else this.line(`${divisor} = max.${type} ${divisor}, 3`);
        emit(op, a, divisor);
        return;
      }
      default:
        emit(op, a, b);
    }
  }

  private compare(): void {
    const { random } = this;
    const type = random.pick(TYPES);
    const kind = random.pick(["eq", "ne", "lt", "le", "gt", "ge"]);
    const combine = random.chance(0.2) ? random.pick([".and", ".or"]) : "";
    const third = combine === "" ? "" : `, ${this.reg("bool")}`;
    const [a, b] =
      random.chance(0.4) && type === "u32"
        ? ["threadIdx.x", this.operand(type)]
        : [this.operand(type), this.operand(type)];
    this.line(`${this.guard()}${this.reg("bool")} = setp.${kind}.${type}${combine} ${a}, ${b}${third}`);
  }

  private logic(): void {
    const op = this.random.pick(["pand", "por", "pxor", "pnot", "mov", "isnan", "isinf"]);
    const dst = this.reg("bool");
    if (op === "isnan" || op === "isinf") {
      const type = this.random.pick(["f32", "f64"] as const);
      this.line(`${this.guard()}${dst} = ${op}.${type} ${this.operand(type)}`);
    } else if (op === "mov")
      this.line(`${this.guard()}${dst} = mov.bool ${this.random.pick([this.reg("bool"), "true", "false"])}`);
    else if (op === "pnot") this.line(`${this.guard()}${dst} = pnot ${this.reg("bool")}`);
    else this.line(`${this.guard()}${dst} = ${op} ${this.reg("bool")}, ${this.reg("bool")}`);
  }

  /** tid-based indices and loop counters, as kernels have them. */
  private affine(): void {
    const { random } = this;
    const dst = this.reg(random.pick(["i32", "u32"] as const));
    this.line(
      random.pick([
        `${dst} = mad.u32 blockIdx.x, blockDim.x, threadIdx.x`,
        `${dst} = add.i32 threadIdx.x, ${this.constant("i32")}`,
        `${dst} = shl.u32 threadIdx.x, ${random.below(4)}`,
        `${dst} = shr.u32 threadIdx.x, 5`,
        `${dst} = and.u32 threadIdx.x, 31`,
        `${dst} = mul.u32 threadIdx.x, k`,
        `${dst} = sub.i32 ${random.below(64)}, threadIdx.x`,
        `${dst} = mad.u32 threadIdx.x, k, n`,
      ]),
    );
  }

  /** An index below `limit`, mostly. */
  private index(limit: number, global: boolean): string {
    const { random } = this;
    const type = global ? random.pick(["i32", "u32"] as const) : "i32";
    if (this.options.faults && random.chance(0.1)) return this.reg(type);
    if (random.chance(0.15)) return String(random.below(limit));
    if (random.chance(0.35)) {
      // Affine: stays affine through the bounds only where it fits.
      return limit >= 128 ? random.pick(["i7", "u7"]) : "i7";
    }
    const index = this.reg(type);
    this.line(`${index} = and.${type} ${this.operand(type)}, ${limit - 1}`);
    return index;
  }

  private address(root: string, limit: number): string {
    const name = `a_${root}${this.random.below(2)}`;
    const global = ["data", "out", "real", "wide"].includes(root);
    let index = this.index(limit, global);
    if (index === "i7" || index === "u7") {
      // threadIdx.x + a small constant, in bounds for blocks of up to 128 threads.
      const source = index === "i7" ? "i2" : "u2";
      const room = limit - 128;
      this.line(
        `${source} = ${index === "i7" ? "add.i32" : "add.u32"} threadIdx.x, ${room > 0 ? this.random.below(room) : 0}`,
      );
      if (room < 0) this.line(`${source} = and.u32 ${source}, ${limit - 1}`);
      index = source;
    }
    const type = index.startsWith("u") ? ".u32" : "";
    if (this.random.chance(0.2) && !/^\d/.test(index)) {
      this.line(`${name} = addr${type} ${root}[${index}]`);
      const step = this.reg("u32");
      this.line(`${step} = mov.u32 ${this.random.pick(["0", "k", "1"])}`);
      this.line(`${step} = and.u32 ${step}, 3`);
      if (this.options.faults) this.line(`${name} = addr.u32 ${root}[${step}] + ${name}`);
      return name;
    }
    this.line(`${this.options.faults ? this.guard() : ""}${name} = addr${type} ${root}[${index}]`);
    return name;
  }

  /** An index with a stride that is known at run time only, guarded by its bound: threadIdx.x * k + c. */
  private stridedAccess(): void {
    const { random } = this;
    const [root, type, limit] = random.pick([
      ["s", "i32", 256],
      ["data", "i32", ELEMENTS],
      ["t", "f32", 64],
      ["wide", "i64", ELEMENTS],
    ] as const);
    const kind = random.pick(["i32", "u32"] as const);
    const index = this.reg(kind);
    const factor = random.pick(["k", "k", "2", "3", "4294967295", "2147483648"]);
    const start = random.pick(["0", "0", "1", "n", "31"]);
    this.line(`${index} = mad.${kind} threadIdx.x, ${kind === "i32" && Number(factor) > 5 ? "-1" : factor}, ${start}`);
    const inside = this.reg("bool");
    if (kind === "i32") {
      this.line(`${inside} = setp.ge.i32 ${index}, 0`);
      this.line(`${inside} = setp.lt.i32.and ${index}, ${limit - 4}, ${inside}`);
    } else this.line(`${inside} = setp.lt.u32 ${index}, ${limit - 4}`);
    this.line(`z_${root} = addr.${kind} ${root}[${index}]`);
    if (random.chance(0.3)) this.line(`z_${root} = addr.i32 ${root}[${random.below(4)}] + z_${root}`);
    const value = this.reg(type);
    this.line(`@${inside} ${value} = ld.${type} ${root}[z_${root}]`);
    if (random.chance(0.6)) this.line(`@${inside} st.${type} ${root}[z_${root}], ${this.operand(type)}`);
  }

  private access(): void {
    const { random } = this;
    if (random.chance(0.2)) {
      this.stridedAccess();
      return;
    }
    const [root, type, limit] = random.pick([
      ["data", "i32", ELEMENTS],
      ["out", "i32", ELEMENTS],
      ["real", "f32", ELEMENTS],
      ["wide", "i64", ELEMENTS],
      ["s", "i32", 256],
      ["s", "i32", 256],
      ["t", "f32", 64],
      ["e", "i32", 128],
      ["loc", "i32", 8],
    ] as const);
    const address = this.address(root, limit);
    const offset =
      this.options.faults && random.chance(0.05) ? ` ${random.pick(["+", "-"])} ${random.pick([4, 8, 64])}` : "";
    const volatile = random.chance(0.1) ? ".volatile" : "";
    const guard = this.guard();
    const vector = type === "i32" && limit >= 128 && random.chance(0.12);
    if (vector) {
      // int4: an index that is a multiple of four elements.
      const index = this.reg("u32");
      this.line(`${index} = and.u32 ${this.operand("u32")}, ${limit / 4 - 1}`);
      this.line(`v_${root} = addr.u32 ${root}[${index} * 16]`);
      if (random.chance(0.5)) this.line(`${guard}i0, i1, i2, i3 = ld.i32 ${root}[v_${root}]`);
      else this.line(`${guard}st.i32 ${root}[v_${root}], ${this.operand("i32")}, ${this.operand("i32")}, i0, i1`);
      return;
    }
    if (random.chance(0.5)) this.line(`${guard}${this.reg(type)} = ld.${type}${volatile} ${root}[${address}${offset}]`);
    else this.line(`${guard}st.${type}${volatile} ${root}[${address}${offset}], ${this.operand(type)}`);
  }

  private atomic(): void {
    const { random } = this;
    const [root, type, limit] = random.pick([
      ["out", "i32", ELEMENTS],
      ["out", "u32", ELEMENTS],
      ["s", "i32", 256],
      ["s", "u32", 256],
      ["real", "f32", ELEMENTS],
      ["t", "f32", 64],
      ["wide", "u64", ELEMENTS],
    ] as const);
    const address = this.address(root, limit);
    const op = random.pick(
      type === "f32"
        ? ["add", "exch", "min", "max"]
        : type === "u32"
          ? ["add", "min", "max", "inc", "dec", "cas", "exch"]
          : ["add", "min", "max", "and", "or", "xor", "exch", "cas"],
    );
    const result = random.chance(0.6) ? `${this.reg(type)} = ` : "";
    const second = op === "cas" ? `, ${this.operand(type)}` : "";
    this.line(`${this.guard()}${result}atom.${op}.${type} ${root}[${address}], ${this.operand(type)}${second}`);
  }

  private primitive(): void {
    const { random } = this;
    // The lanes that are here are the mask.
    this.line("u3 = activemask");
    const mask = this.uniform && !this.exited && random.chance(0.7) ? "0xffffffff" : "u3";
    const all = mask === "0xffffffff" ? mask : "u3";
    const roll = random.below(10);
    if (roll < 5) {
      const type = random.pick(TYPES);
      const op = random.pick(["shfl", "shflUp", "shflDown", "shflXor"]);
      const width = random.pick([32, 32, 16, 8, 4, 2]);
      const argument = random.chance(0.6) ? String(random.below(33)) : this.operand("u32");
      this.line(`${this.reg(type)} = ${op}.${type} ${all}, ${this.reg(type)}, ${argument}, ${width}`);
    } else if (roll < 7) {
      const op = random.pick(["ballot", "any", "all"]);
      const dst = op === "ballot" ? this.reg("u32") : this.reg("bool");
      this.line(`${dst} = ${op} ${all}, ${this.reg("bool")}`);
    } else if (roll < 8) {
      const type = random.pick(["i32", "u32"] as const);
      this.line(
        `${this.reg(type)} = redux.${random.pick(["add", "min", "max", "and", "or", "xor"])}.${type} ${all}, ${this.reg(type)}`,
      );
    } else if (roll < 9) {
      const type = random.pick(["i32", "u64", "f32"] as const);
      this.line(`${this.reg("u32")} = ${random.pick(["matchAny", "matchAll"])}.${type} ${all}, ${this.reg(type)}`);
    } else this.line(`syncwarp ${all}`);
  }

  private nested(emit: () => void, uniform: boolean): void {
    const outer = this.uniform;
    this.uniform = outer && uniform;
    this.depth++;
    emit();
    this.depth--;
    this.uniform = outer;
  }

  private block(count: number): void {
    for (let i = 0; i < count; i++) this.statement();
  }

  private conditional(): void {
    const { random } = this;
    if (this.depth > 3) return;
    const uniform = random.chance(0.3);
    const condition = this.reg("bool");
    if (uniform) this.line(`${condition} = setp.${random.pick(["lt", "ge"])}.i32 n, ${this.constant("i32")}`);
    this.line(`${random.chance(0.3) ? "bare " : ""}if ${random.pick(["", "!"])}${condition} {`);
    this.nested(() => this.block(1 + random.below(4)), uniform);
    if (random.chance(0.4)) {
      this.line("} else {");
      this.nested(() => this.block(1 + random.below(4)), uniform);
    }
    this.line("}");
  }

  private loop(): void {
    const { random } = this;
    if (this.depth > 2) return;
    const uniform = random.chance(0.5);
    const counter = `c${this.counters++}`;
    const limit = `h${this.counters}`;
    this.line(`${counter} = mov.i32 0`);
    if (uniform) this.line(`${limit} = mov.i32 ${1 + random.below(4)}`);
    else {
      this.line(`${limit} = and.i32 ${this.operand("i32")}, 3`);
      if (random.chance(0.3)) this.line(`${limit} = mov.i32 ${random.below(4)}`);
    }
    const again = `q${this.counters}`;
    this.line(`${random.chance(0.5) ? "synced " : ""}loop {`);
    this.loops++;
    this.nested(() => {
      this.block(1 + random.below(4));
      if (!uniform && random.chance(0.3))
        this.line(`${random.pick(["break", "continue"])} if ${random.pick(["", "!"])}${this.reg("bool")}`);
      if (random.chance(0.6)) this.block(1 + random.below(2));
    }, uniform);
    if (random.chance(0.7) || !uniform) this.line("latch");
    this.nested(() => {
      this.line(`${counter} = add.i32 ${counter}, 1`);
      this.line(`${again} = setp.lt.i32 ${counter}, ${limit}`);
    }, uniform);
    this.loops--;
    this.line(`} while ${again}`);
  }

  private barrier(): void {
    // Elsewhere it may hang, or be refused: both engines must say so.
    if (!this.uniform && !this.random.chance(0.15)) return;
    if (this.random.chance(0.2))
      this.line(`${this.reg("i32")} = bar.${this.random.pick(["count", "and", "or"])} ${this.reg("bool")}`);
    else this.line("bar");
  }

  private exit(): void {
    if (this.random.chance(0.5) || this.loops > 0) return;
    this.line(`exit if ${this.reg("bool")}`);
    this.exited = true;
  }

  private print(): void {
    if (this.random.chance(0.7)) return;
    this.line(`printf.i32.f32 "%d %g" ${this.reg("i32")}, ${this.reg("f32")}`);
  }
}
