/**
 * Cuts a failing kernel down: drops statements, replaces statements by their bodies and expressions by their operands
 * or by 0, as long as it fails in the same way. What keeps a kernel race-free stays together (see `group` in tree.ts).
 */
import type { Expr, KernelTree, Stmt } from "./tree.js";

type Json = { [key: string]: unknown };

const LISTS = ["body", "then", "else", "otherwise"] as const;

function isNode(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "k" in value;
}

/** Where something stands in a tree: the keys from the root. */
type Path = readonly (string | number)[];

function replaced(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.map((item, index) => (index === key ? replaced(item, rest, value) : item));
  const object = root as Json;
  return { ...object, [key]: replaced(object[key as string], rest, value) };
}

/** The statement in plainer forms: without its hint to unroll, its second condition, a fall-through, a name of a list. */
function plainer(stmt: Stmt): readonly Stmt[] {
  switch (stmt.k) {
    case "for":
      return [
        ...(stmt.unroll === null ? [] : [{ ...stmt, unroll: null }]),
        ...(stmt.and === null ? [] : [{ ...stmt, and: null }]),
      ];
    case "while":
      return [
        ...(stmt.unroll === null ? [] : [{ ...stmt, unroll: null }]),
        ...(stmt.form === "while" ? [] : [{ ...stmt, form: "while" as const }]),
      ];
    case "switch":
      return [
        ...stmt.arms.map((_, at) => ({ ...stmt, arms: stmt.arms.filter((_arm, index) => index !== at) })),
        ...(stmt.arms.some(({ falls }) => falls)
          ? [{ ...stmt, arms: stmt.arms.map((arm) => ({ ...arm, falls: false })) }]
          : []),
      ];
    case "list":
      return stmt.targets.length <= 1
        ? []
        : stmt.targets.map((_, at) => ({
            ...stmt,
            targets: stmt.targets.filter((_target, index) => index !== at),
            values: stmt.values.filter((_value, index) => index !== at),
          }));
    default:
      return [];
  }
}

interface Place {
  readonly path: Path;
  readonly list: readonly Stmt[];
  /** Inside of a group: its own statements stay. */
  readonly fixed: boolean;
}

/** All lists of statements, outer ones first, and all expressions. */
function places(tree: KernelTree): { lists: Place[]; expressions: { path: Path; expr: Expr }[] } {
  const lists: Place[] = [];
  const expressions: { path: Path; expr: Expr }[] = [];
  const visitList = (list: readonly Stmt[], path: Path, inGroup: boolean): void => {
    lists.push({ path, list, fixed: inGroup || list.some((stmt) => stmt.k === "syncthreads") });
    list.forEach((stmt, index) => {
      visitStmt(stmt, [...path, index]);
    });
  };
  const visitStmt = (stmt: Stmt, path: Path): void => {
    const fields = stmt as unknown as Json;
    if (stmt.k === "let" && IDENTITY.has(stmt.name)) return;
    for (const [key, value] of Object.entries(fields)) {
      if (decidesOwner(stmt, key)) continue;
      if (key === "arms") {
        (value as readonly { readonly body: readonly Stmt[] }[]).forEach((arm, index) => {
          visitList(arm.body, [...path, "arms", index, "body"], false);
        });
      } else if ((LISTS as readonly string[]).includes(key)) {
        visitList(value as readonly Stmt[], [...path, key], stmt.k === "group" && stmt.loose !== true);
      } else visitExpr(value, [...path, key]);
    }
  };
  const visitExpr = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        visitExpr(item, [...path, index]);
      });
    } else if (isNode(value)) {
      expressions.push({ path, expr: value as unknown as Expr });
      for (const [key, inner] of Object.entries(value)) visitExpr(inner, [...path, key]);
    }
  };
  visitList(tree.body, ["body"], false);
  tree.functions.forEach((fn, index) => {
    visitList(fn.body, ["functions", index, "body"], false);
  });
  return { lists, expressions };
}

/** What makes each thread's elements its own. */
const IDENTITY: ReadonlySet<string> = new Set(["tid", "block", "gid", "lane", "live"]);

function isAlone(stmt: Stmt): boolean {
  return stmt.k === "group" && stmt.body.some((inner) => inner.k === "atomic" && inner.result !== null);
}

/** An index or a condition without which several threads would meet at one element. */
function decidesOwner(stmt: Stmt, key: string): boolean {
  if (stmt.k === "store" || stmt.k === "vectorStore") return key === "index" && /^(out|sh|hist)/.test(stmt.array);
  if (stmt.k === "store2") return key === "index" || key === "row";
  if (stmt.k === "atomic") return key === "index" && stmt.result !== null;
  return stmt.k === "if" && key === "c" && stmt.then.some(isAlone);
}

function unwrapped(stmt: Stmt): readonly (readonly Stmt[])[] {
  switch (stmt.k) {
    case "if":
      return stmt.then.some(isAlone) ? [] : [stmt.then, stmt.else];
    case "for":
    case "while":
    case "block":
      return [stmt.body];
    case "group":
      return stmt.loose === true ? [stmt.body] : [];
    case "switch":
      return [...stmt.arms.map((arm) => arm.body), stmt.otherwise];
    default:
      return [];
  }
}

function operands(expr: Expr): readonly Expr[] {
  return Object.values(expr as unknown as Json)
    .flat()
    .filter((value): value is Expr & Json => isNode(value)) as unknown as readonly Expr[];
}

function simpler(expr: Expr): readonly Expr[] {
  if (expr.k === "lit" || expr.k === "special") return [];
  const zero: Expr = { k: "lit", t: expr.t, v: expr.t === "i64" || expr.t === "u64" ? 0n : 0 };
  const same = operands(expr).filter((operand) => operand.t === expr.t);
  return expr.k === "var" ? [zero] : [...same, zero];
}

function* candidates(tree: KernelTree): Generator<KernelTree> {
  const { lists, expressions } = places(tree);
  const edit = (path: Path, value: unknown): KernelTree => replaced(tree, path, value) as KernelTree;
  for (const { path, list, fixed } of lists) {
    if (fixed) continue;
    for (let size = list.length; size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from + size <= list.length; from += size) {
        yield edit(path, [...list.slice(0, from), ...list.slice(from + size)]);
      }
    }
  }
  for (const { path, list } of lists) {
    for (const [index, stmt] of list.entries()) {
      for (const inner of unwrapped(stmt))
        yield edit(path, [...list.slice(0, index), ...inner, ...list.slice(index + 1)]);
      for (const other of plainer(stmt)) yield edit([...path, index], other);
    }
  }
  for (const { path, expr } of expressions) for (const other of simpler(expr)) yield edit(path, other);
  if (tree.grid.some((extent) => extent > 1)) yield { ...tree, grid: [1, 1, 1] };
  for (const key of ["functions", "params", "shared"] as const) {
    for (let index = 0; index < tree[key].length; index++) {
      yield { ...tree, [key]: tree[key].filter((_, other) => other !== index) };
    }
  }
  for (const name of Object.keys(tree.constants)) {
    yield {
      ...tree,
      constants: Object.fromEntries(Object.entries(tree.constants).filter(([other]) => other !== name)),
    };
  }
}

/** The smallest kernel found that `fails` like `tree`; at most `attempts` kernels are tried. */
export function shrink(tree: KernelTree, fails: (candidate: KernelTree) => boolean, attempts = 4000): KernelTree {
  let best = tree;
  let left = attempts;
  for (let improved = true; improved && left > 0; ) {
    improved = false;
    for (const candidate of candidates(best)) {
      if (left-- <= 0) break;
      if (!fails(candidate)) continue;
      best = candidate;
      improved = true;
      break;
    }
  }
  return best;
}
