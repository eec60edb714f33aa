/**
 * Launches at the places where a kernel may turn wrong. They have every power of two of threads, and grids and sizes on
 * both sides of each constant of the answer's text. Two have data that is all zero or all negative. A draw misses most.
 */
import type { Expr, KernelIr, Stmt } from "../../../core/ir/ir.js";
import { expressionsOf, nestedLists, operands } from "../../../core/ir/walk.js";
import { blockElements, choosesBlocks, type DrawRange, type ExerciseSpec } from "../spec.js";
import type { Case } from "./case.js";

/** Elements of most of these launches. */
const MOST_ELEMENTS = 2 ** 22;
/** The one or two largest may have so many, for a size or a number of blocks that the text names. */
const LARGEST_ELEMENTS = 2 ** 24 + 2 ** 20;
/** A float32 holds every whole number up to here. */
const FLOAT_INTEGERS = 2 ** 24;
/** Larger ones are masks and the like. */
const LARGEST_CONSTANT = 2 ** 24;
/** Launches for constants of one kernel: a text of a thousand constants gets no thousand launches. */
const MOST_CONSTANTS = 24;

interface Words {
  readonly constants: ReadonlySet<number>;
  /** Every whole number of the text: an element may be compared with it. */
  readonly values: ReadonlySet<number>;
  /** A value becomes a float: an index that does so is wrong from 2^24 on. */
  readonly floats: boolean;
}

/** The value of an expression of constants alone; null for any other. */
function constantValue(expr: Expr): number | null {
  if (expr.kind === "const") return Number(expr.value);
  if (expr.kind !== "binary") return null;
  const [left, right] = [constantValue(expr.left), constantValue(expr.right)];
  if (left === null || right === null) return null;
  if (expr.op === "mul") return left * right;
  if (expr.op === "add") return left + right;
  return expr.op === "sub" ? left - right : null;
}

/** The whole numbers of a kernel's text and its device functions' and child grids', as far as they can be a size. */
function wordsOf(kernel: KernelIr): Words {
  const constants = new Set<number>();
  const values = new Set<number>();
  let floats = false;
  const note = (value: number | bigint | boolean): void => {
    const number = Number(value);
    if (Number.isInteger(number)) values.add(number | 0);
    if (Number.isInteger(number) && number >= 2 && number <= LARGEST_CONSTANT) constants.add(number);
  };
  const expression = (expr: Expr): void => {
    const constant = constantValue(expr);
    if (constant !== null) note(constant);
    if (expr.kind === "convert" && expr.type === "f32") floats = true;
    // A shift by k is a product with, or a quotient by, 2^k.
    if (expr.kind === "binary" && /^(shl|shr)/.test(expr.op) && expr.right.kind === "const")
      note(2 ** Math.min(Number(expr.right.value), 30));
    operands(expr).forEach(expression);
  };
  const statements = (list: readonly Stmt[]): void => {
    for (const stmt of list) {
      expressionsOf(stmt).forEach(expression);
      nestedLists(stmt).forEach(statements);
    }
  };
  const one = ({ body, functions, constants: templates, children = [] }: KernelIr): void => {
    statements(body);
    for (const callee of functions) statements(callee.body);
    for (const { value } of templates) note(value);
    children.forEach(one);
  };
  one(kernel);
  return { constants, values, floats };
}

const range = (low: number, high: number, of: (k: number) => number): readonly number[] =>
  Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => of(low + index));

const within = ({ least, most, powersOfTwo = false }: DrawRange, value: number): boolean =>
  value >= least && value <= most && (!powersOfTwo || Number.isInteger(Math.log2(value)));

/** Threads a block: every power of two, its neighbours where any number may come, and each constant's neighbours. */
function blocksOf({ drawn, named }: ExerciseSpec["blocks"], constants: readonly number[]): readonly number[] {
  const near = (value: number): readonly number[] => [value - 1, value, value + 1];
  const all = [
    ...named,
    drawn.least,
    drawn.most,
    ...range(0, 10, (k) => 2 ** k).flatMap(near),
    ...constants.flatMap(near),
  ];
  return [...new Set(all)].filter((block) => within(drawn, block)).sort((a, b) => a - b);
}

/** Values at which a comparison turns: the text's own, their neighbours, and the ends of the range. */
function dataOf(values: ReadonlySet<number>): readonly number[] {
  const near = [...values].slice(0, MOST_CONSTANTS).flatMap((value) => [value - 1, value, value + 1, -value]);
  return [...new Set([0, 1, -1, 2 ** 31 - 1, -(2 ** 31), ...near.map((value) => value | 0)])];
}

/** Blocks of a grid: small ones, odd ones, and both sides of each constant. */
function gridsOf(constants: readonly number[]): readonly number[] {
  const all = [1, 2, 3, 5, 7, 33, 65, ...constants.flatMap((c) => [c - 1, c, c + 1, c + 2, 2 * c + 1])];
  return [...new Set(all)].sort((a, b) => a - b);
}

/** The launches, smallest first. `salt` begins the seeds of their data. */
export function landmarks(spec: ExerciseSpec, kernel: KernelIr, salt: number): readonly Case[] {
  const { constants, values, floats } = wordsOf(kernel);
  const known = [...constants].sort((a, b) => a - b).slice(0, MOST_CONSTANTS);
  const blocks = blocksOf(spec.blocks, known);
  const [least = spec.blocks.drawn.least, most = least] = [blocks[0], blocks.at(-1)];
  const cases = new Map<string, Case>();
  const add = (n: number, block: number, more: Pick<Case, "grid" | "data"> = {}, limit = MOST_ELEMENTS): void => {
    if (n < 0 || n > limit || (n === 0 && !spec.guarded)) return;
    const key = `${n} ${block} ${more.grid ?? ""} ${more.data ?? ""}`;
    cases.set(key, { n, block, dataSeed: (salt + cases.size) & 0x7fffffff, traced: 0, sumsAlone: true, ...more });
  };
  for (const block of blocks) add(2 * blockElements(spec, block) + 1, block);
  for (const data of ["zeros", "negative", dataOf(values)] as const) add(3 * blockElements(spec, most), most, { data });
  const grids = gridsOf(known);
  if (choosesBlocks(spec) || spec.mostBlocks !== null) {
    // Every block goes on in steps of its grid, a whole one and a part of one.
    for (const block of blocks) add(5 * block + 3, block, { grid: 2 });
    const limit = spec.mostBlocks ?? 0;
    for (const grid of [...grids, limit - 1, limit]) {
      if (grid < 1 || grid > limit) continue;
      for (const block of [least, most]) add(4 * grid * block + 3, block, { grid });
    }
  } else {
    for (const grid of grids) {
      for (const block of [least, most]) add((grid - 1) * blockElements(spec, block) + 1, block);
    }
  }
  // An index of vectors of four ints is a quarter of an element's.
  for (const size of known) for (const n of [size - 1, size, size + 1, 4 * size + 5]) add(n, least);
  const beyond = (n: number, block: number): void => {
    if (n > MOST_ELEMENTS && n <= LARGEST_ELEMENTS) add(n, block, {}, LARGEST_ELEMENTS);
  };
  const [largest = 0] = known.slice(-1);
  beyond(largest + 2 * blockElements(spec, most) + 1, most);
  beyond(4 * largest + 5, most);
  const fit = known.filter((grid) => grid * blockElements(spec, least) < LARGEST_ELEMENTS - blockElements(spec, least));
  if (spec.mostBlocks === null && !choosesBlocks(spec))
    // A mask of c ones, which is no size itself, wraps around first at block c + 1.
    beyond(((fit.at(-1) ?? 0) + 1) * blockElements(spec, least) + 1, least);
  if (floats) add(FLOAT_INTEGERS + 2 * blockElements(spec, most) + 1, most, {}, Number.POSITIVE_INFINITY);
  return [...cases.values()].sort((a, b) => a.n - b.n);
}
