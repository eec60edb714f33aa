/** Random kernels: parameters, arrays, launch, and a body in three parts (all threads meet, then each for itself). */
import { hasAtomic, hasShuffles } from "./capabilities.js";
import { binary, cast, literal, type Options, variable } from "./generate-expression.js";
import type { Accumulator, Exchange, Output, Place } from "./generate-statement.js";
import { FULL_MASK, WarpGenerator } from "./generate-warp.js";
import { Choices } from "./prng.js";
import {
  type AtomicName,
  type DeviceFunctionTree,
  type Expr,
  type KernelTree,
  NUMERIC,
  type Numeric,
  type ParamTree,
  type SharedTree,
  type Stmt,
} from "./tree.js";
import { INPUT_LENGTH, SLACK, someValue } from "./values.js";

type Extent = readonly [number, number, number];

const BLOCKS: readonly Extent[] = [
  [32, 1, 1],
  [64, 1, 1],
  [96, 1, 1],
  [128, 1, 1],
  [33, 1, 1],
  [1, 1, 1],
  [17, 1, 1],
  [50, 1, 1],
  [100, 1, 1],
  [8, 4, 1],
  [16, 4, 1],
  [5, 7, 1],
  [16, 3, 1],
  [4, 2, 3],
  [4, 4, 4],
  [8, 2, 2],
];
const GRIDS: readonly Extent[] = [
  [1, 1, 1],
  [2, 1, 1],
  [3, 1, 1],
  [2, 2, 1],
  [1, 2, 2],
];

const count = ([x, y, z]: Extent): number => x * y * z;

const ATOMICS: Readonly<Record<Numeric, readonly AtomicName[]>> = {
  i32: ["atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"],
  u32: ["atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicInc"],
  i64: ["atomicMin", "atomicMax"],
  u64: ["atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"],
  f32: ["atomicAdd"],
  f64: ["atomicAdd"],
};

/** The kernel of a seed: the same on every machine. */
export function generateKernel(seed: number, options: Options): KernelTree {
  return new KernelGenerator(new Choices(seed), options).kernel(seed);
}

class KernelGenerator extends WarpGenerator {
  kernel(seed: number): KernelTree {
    const { choices } = this;
    const small = this.options.small === true;
    const block = choices.pick(BLOCKS.filter((extent) => !small || count(extent) <= 64));
    const blocks = small ? 2 : INPUT_LENGTH / count(block);
    const grid = choices.pick(GRIDS.filter((extent) => count(extent) <= blocks));
    const threads = count(block);
    const total = threads * count(grid);
    const params: ParamTree[] = [];
    const types = NUMERIC.filter((t) => choices.chance(t === "i32" || t === "f32" ? 0.8 : 0.5));
    if (types.length === 0) types.push("i32");
    for (const t of types) {
      params.push({ name: `in_${t}`, t, kind: "array", length: INPUT_LENGTH + SLACK, fill: "corners" });
    }
    const slots = new Map(types.map((t) => [t, choices.pick([1, 2, 4])]));
    for (const t of types) {
      params.push({ name: `out_${t}`, t, kind: "array", length: total * (slots.get(t) ?? 1), fill: "zero" });
    }
    for (const t of NUMERIC.filter(() => choices.chance(0.4))) {
      params.push({ name: `s_${t}`, t, kind: "scalar", value: someValue(choices, t) });
    }
    const accumulators = this.accumulators(params);
    const solo = choices.chance(0.8) ? choices.pick(NUMERIC) : null;
    const solos = NUMERIC.filter((t) => t === solo && t !== "f64").map((t) => ({
      name: `solo_${t}`,
      t,
      thread: choices.below(threads),
    }));
    for (const { name, t } of solos) params.push({ name, t, kind: "array", length: count(grid), fill: "small" });
    const { shared, exchanges, bytes } = this.sharedArrays(threads);
    const histogram = this.histogramArray(shared);
    const constants = Object.fromEntries(
      ["C0", "C1"].filter(() => choices.chance(0.4)).map((name) => [name, choices.between(-3, 100)]),
    );
    const functions = this.deviceFunctions(types);
    this.scope = { names: [], arrays: [], vectors: [] };
    const prologue = this.prologue(block, grid, params, constants);
    const outputs = types.map((t) => this.output(t, slots.get(t) ?? 1, total));
    const inputs = types.map((t) => ({
      name: `in_${t}`,
      t,
      reach: { kind: "mask", mask: INPUT_LENGTH - 1 } as const,
      linear: true,
    }));
    this.scope.arrays.push(...inputs);
    for (const { name, t, indices } of outputs) {
      this.scope.arrays.push({ name, t, reach: { kind: "own", indices }, linear: false });
    }
    this.surroundings = { threads, outputs, accumulators, exchanges, histogram, solos, inputs };
    const live = threads % 32 === 0 ? FULL_MASK : variable("u32", "live");
    const place: Place = {
      meet: "block",
      mask: live,
      jumps: "none",
      exits: [],
      continues: true,
      leave: null,
      depth: 3,
      loops: 0,
    };
    this.budget = small ? choices.between(1, 6) : choices.between(6, 34);
    const body: Stmt[] = [];
    if (!this.options.defined && this.options.approximate !== false && choices.chance(0.15))
      body.push(this.guard(total));
    const first = choices.below(4);
    body.push(...this.statements(first, place));
    for (let made = choices.chance(0.5) ? 2 : 1; made > 0; made--) body.push(this.recurrence(place));
    body.push(...this.everyKind(place));
    body.push(...this.statements(choices.between(2, 11 - first), place));
    body.push(...this.results(outputs));
    if (choices.chance(0.5)) {
      this.budget = choices.between(2, small ? 4 : 14);
      body.push(...this.statements(choices.between(1, 6), { ...place, meet: "none", leave: { value: null } }));
    }
    return {
      seed,
      name: `random_${seed}`,
      params,
      constants,
      functions,
      shared,
      body: [...prologue, ...body],
      grid,
      block,
      dynamicSharedBytes: bytes,
    };
  }

  /** Some of the operations that need a place of their own: each of every type is as likely as the others. */
  private everyKind(place: Place): Stmt[] {
    const { choices, surroundings } = this;
    const made: Stmt[] = [];
    const times = (count: number, stmt: () => Stmt | null): void => {
      for (let left = count; left > 0; left--) made.push(stmt() ?? this.operation());
    };
    times(4, () => this.operation());
    if (!this.options.defined && this.options.approximate !== false) times(10, () => this.operation(false));
    if (hasShuffles(this.capability)) times(2, () => this.shuffle(place));
    if (hasShuffles(this.capability) && this.isFull(place)) times(choices.below(2), () => this.tile());
    times(2, () => this.vote(place));
    for (const accumulator of surroundings?.accumulators ?? []) times(1, () => this.accumulation(accumulator));
    times(choices.chance(0.12) ? 2 : 0, () => this.vector());
    times(1, () => this.histogram(place));
    times(1, () => this.alone());
    return made;
  }

  /** The guard of many a kernel, `if (gid >= n) return;`: on a GPU what other threads read of these is undefined. */
  private guard(total: number): Stmt {
    const n = literal("i32", this.choices.between(1, total));
    const c: Expr = { k: "compare", op: ">=", t: "bool", a: variable("i32", "gid"), b: n };
    return { k: "if", c, then: [{ k: "return", value: null }], else: [] };
  }

  private atomicsOf(t: Numeric): readonly AtomicName[] {
    return ATOMICS[t].filter((op) => hasAtomic(this.capability, op, t));
  }

  private everyAtomic(): readonly (readonly [Numeric, AtomicName])[] {
    return NUMERIC.flatMap((t) => this.atomicsOf(t).map((op) => [t, op] as const));
  }

  private accumulators(params: ParamTree[]): readonly Accumulator[] {
    const { choices } = this;
    const made: Accumulator[] = [];
    const possible = this.everyAtomic();
    for (let left = choices.between(1, 2); left > 0; left--) {
      const [t, op] = choices.pick(possible);
      if (made.some((other) => other.t === t)) continue;
      const length = choices.pick([1, 4, 16, 64]);
      const name = `acc_${t}`;
      params.push({ name, t, kind: "array", length, fill: isExact(t, op) ? "zero" : "small" });
      made.push({ name, t, op, length });
    }
    return made;
  }

  private sharedArrays(threads: number): { shared: SharedTree[]; exchanges: Exchange[]; bytes: number } {
    const { choices } = this;
    const shared: SharedTree[] = [];
    const exchanges: Exchange[] = [];
    let bytes = 0;
    const number = choices.below(3);
    for (let made = 0; made < number; made++) {
      const t = choices.pick(NUMERIC);
      const name = `sh${made}`;
      const kind = choices.below(4);
      if (kind === 0 && bytes === 0) {
        shared.push({ name, t, dims: null });
        exchanges.push({ name, t, row: null });
        bytes = threads * 8;
      } else if (kind === 1) {
        const row = choices.pick([4, 8, 16]);
        shared.push({ name, t, dims: [Math.ceil(threads / row), row + choices.below(2)] });
        exchanges.push({ name, t, row });
      } else {
        shared.push({ name, t, dims: [threads] });
        exchanges.push({ name, t, row: null });
      }
    }
    return { shared, exchanges, bytes };
  }

  private histogramArray(shared: SharedTree[]): Accumulator | null {
    const { choices } = this;
    if (!choices.chance(0.6)) return null;
    const [t, op] = choices.pick(this.everyAtomic());
    const length = choices.pick([1, 8, 32]);
    shared.push({ name: "hist", t, dims: [length] });
    return { name: "hist", t, op, length };
  }

  /** tid, block, gid, lane and, where the last warp is partial, the mask of its lanes; the scalar parameters. */
  private prologue(
    block: Extent,
    grid: Extent,
    params: readonly ParamTree[],
    constants: Readonly<Record<string, number>>,
  ): Stmt[] {
    const special = (name: string): Expr => ({ k: "special", t: "u32", name });
    const linear = (index: string, extentOf: string, extent: Extent): Expr => {
      const x = special(`${index}.x`);
      if (extent[1] === 1 && extent[2] === 1) return x;
      const row = binary("*", "u32", special(`${index}.y`), special(`${extentOf}.x`));
      const inPlane = binary("+", "u32", x, row);
      if (extent[2] === 1) return inPlane;
      const plane = binary("*", "u32", special(`${extentOf}.x`), special(`${extentOf}.y`));
      return binary("+", "u32", inPlane, binary("*", "u32", special(`${index}.z`), plane));
    };
    const constant = (name: string, init: Expr): Stmt => ({ k: "let", name, t: init.t, mutable: false, init });
    const i32 = (name: string): Expr => variable("i32", name);
    const threads = count(block);
    const list: Stmt[] = [
      constant("tid", cast("i32", linear("threadIdx", "blockDim", block))),
      constant("block", cast("i32", linear("blockIdx", "gridDim", grid))),
      constant("gid", binary("+", "i32", binary("*", "i32", i32("block"), literal("i32", threads)), i32("tid"))),
      constant("lane", binary("&", "i32", i32("tid"), literal("i32", 31))),
    ];
    if (threads % 32 !== 0) {
      const args = [literal("bool", 1)];
      list.push({ k: "warp", name: "live", t: "u32", op: "ballot_sync", mask: FULL_MASK, args });
    }
    for (const name of ["tid", "gid", "lane"])
      this.scope.names.push({ name, t: "i32", mutable: false, uniform: false });
    this.scope.names.push({ name: "block", t: "i32", mutable: false, uniform: true });
    for (const param of params) {
      if (param.kind === "scalar")
        this.scope.names.push({ name: param.name, t: param.t, mutable: false, uniform: true });
    }
    for (const name of Object.keys(constants)) this.scope.names.push({ name, t: "i32", mutable: false, uniform: true });
    return list;
  }

  private output(t: Numeric, slots: number, total: number): Output {
    const gid = variable("i32", "gid");
    const number = (v: number): Expr => literal("i32", v);
    const name = `out_${t}`;
    const grouped = this.choices.chance(0.5);
    const indices = Array.from({ length: slots }, (_, slot) =>
      grouped
        ? binary("+", "i32", binary("*", "i32", gid, number(slots)), number(slot))
        : binary("+", "i32", gid, number(slot * total)),
    );
    const lanes = slots === 4 && t !== "f64" ? 4 : 2;
    const whole = grouped && slots >= 2 && t !== "i64" && t !== "u64";
    if (!whole) return { name, t, indices, vectors: null };
    const index = slots / lanes === 1 ? gid : binary("*", "i32", gid, number(slots / lanes));
    return { name, t, indices, vectors: { lanes, t, index } };
  }

  /** Every variable in scope counts: what it holds goes to the thread's own slots. */
  private results(outputs: readonly Output[]): Stmt[] {
    const list: Stmt[] = [];
    for (const { name: array, t, indices } of outputs) {
      const index = this.choices.pick(indices);
      const names = this.scope.names.filter(
        (name) => name.t === t && name.name.includes("_") && !name.name.startsWith("s_"),
      );
      for (const { name } of names.slice(-4)) {
        const op = t === "f32" || t === "f64" ? "+" : "^";
        list.push({ k: "store", array, t, index, op, value: variable(t, name) });
      }
    }
    return list;
  }

  private deviceFunctions(types: readonly Numeric[]): DeviceFunctionTree[] {
    const { choices } = this;
    const made: DeviceFunctionTree[] = [];
    const number = choices.below(3);
    for (let index = 0; index < number; index++) {
      const returns = choices.pick(NUMERIC);
      const params: { name: string; t: Numeric; pointer: boolean }[] = [];
      for (let p = choices.between(1, 3); p > 0; p--) {
        params.push({ name: `q${params.length}`, t: choices.pick(NUMERIC), pointer: false });
      }
      if (choices.chance(0.4)) params.push({ name: "array", t: choices.pick(types), pointer: true });
      this.scope = { names: [], arrays: [], vectors: [] };
      for (const { name, t, pointer } of params) {
        if (!pointer) this.scope.names.push({ name, t, mutable: false, uniform: false });
        else {
          this.scope.arrays.push({ name, t, reach: { kind: "mask", mask: INPUT_LENGTH - 1 }, linear: true });
        }
      }
      const leave = { value: returns };
      const place: Place = {
        meet: "none",
        mask: FULL_MASK,
        jumps: "none",
        exits: [],
        continues: true,
        leave,
        depth: 2,
        loops: 0,
      };
      this.budget = choices.between(1, 8);
      const body = this.statements(choices.between(1, 4), place);
      body.push({ k: "return", value: this.numeric(returns, 3) });
      const name = `fn${index}`;
      made.push({ name, params, returns, body });
    }
    this.callables = made.map(({ name, params, returns }) => ({ name, params, returns }));
    return made;
  }
}

function isExact(t: Numeric, op: AtomicName): boolean {
  return t === "f32" || t === "f64" || op === "atomicInc";
}
