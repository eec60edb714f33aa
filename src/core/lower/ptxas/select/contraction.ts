/**
 * Float arithmetic: contracts products into sums as nvcc does (-fmad), and folds signs and absolute values into
 * their users.
 */
import { isFloat, type Scalar } from "../../../ir/types.js";
import { type InstructionMatcher, NONE } from "../../analysis/instruction-matcher.js";
import {
  type IfNode,
  type Inst,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../../ssa/ssa.js";
import { readsOf, walkInstructions } from "../../ssa/traversal.js";

const FLOAT_READERS: ReadonlySet<string> = new Set([
  "add",
  "sub",
  "mul",
  "mad",
  "min",
  "max",
  "setp",
  "exp",
  "exp2",
  "fastExp",
  "sqrt",
  "div",
]);

/** A part of a region without branches. `before`: the block in front of the branch, for the first block of a side. */
interface Block {
  readonly region: Region;
  readonly before: Block | null;
}

/** `guarded`: branches that become predicated, which end no basic block. */
function blocksOf(fn: SsaFunction, guarded: ReadonlySet<IfNode>): ReadonlyMap<Inst, Block> {
  const blocks = new Map<Inst, Block>();
  const visit = (region: Region, first: Block): void => {
    let block = first;
    for (const node of region.nodes) {
      if (node.kind === "inst") blocks.set(node, block);
      else if (node.kind === "if" && (node.select || guarded.has(node))) {
        visit(node.then, block);
        visit(node.else, block);
      } else {
        for (const inner of regionsOf(node)) visit(inner, { region: inner, before: node.kind === "if" ? block : null });
        block = { region, before: null };
      }
    }
  };
  visit(fn.body, { region: fn.body, before: null });
  return blocks;
}

/**
 * Float products whose only uses are sums in the same basic block or the one after it. NVVM contracts within a
 * block, ptxas within the final block (25 kernels, nvcc 13.0).
 */
export function productsOnlySummed(fn: SsaFunction, guarded: () => ReadonlySet<IfNode>): ReadonlySet<Value> {
  const isProduct = ({ def }: Value): boolean =>
    def?.op === "mul" && isFloat(def.type as Scalar) && def.mods.exact !== true;
  const products = new Set<Value>();
  walkInstructions(fn.body, ({ results }) => {
    for (const result of results) if (isProduct(result)) products.add(result);
  });
  const reject = (values: readonly Value[]): void => {
    for (const value of values) {
      const now = resolve(value);
      products.delete(now);
      // The user of the value folds the sign.
      if (now.def?.op === "neg") products.delete(resolve(now.def.operands[0]!));
    }
  };
  walk(fn.body, (node) => {
    const sum = node.kind === "inst" && (node.op === "add" || node.op === "sub") && node.mods.exact !== true;
    if (!sum && !(node.kind === "inst" && node.op === "neg")) reject(readsOf(node));
  });
  if (products.size > 0) rejectApart(products, blocksOf(fn, guarded()));
  return products;
}

function rejectApart(products: Set<Value>, blocks: ReadonlyMap<Inst, Block>): void {
  const places = new Map<Value, Set<Block>>();
  for (const [inst, block] of blocks) {
    if (inst.op !== "add" && inst.op !== "sub") continue;
    for (const operand of inst.operands) {
      const { def } = resolve(operand);
      const value = resolve(def?.op === "neg" ? def.operands[0]! : operand);
      if (products.has(value)) places.set(value, (places.get(value) ?? new Set()).add(block));
    }
  }
  for (const [product, readers] of places) {
    const own = blocks.get(product.def!);
    const [reader] = readers;
    // A parameter or a constant can be read at the sum, even in a loop.
    const near = product
      .def!.operands.map(resolve)
      .some(({ constant, def }) => constant !== null || def?.op === "param");
    const together = readers.size === 1 && (near || reader!.region === own?.region || reader!.before === own);
    if (!together) products.delete(product);
  }
}

/**
 * Contracts a * b + c into one rounding, as -fmad allows. nvcc contracts a product into all its sums, or into none
 * if it has another use (machine code of sm_90 with up to five uses).
 */
export function contract(m: InstructionMatcher, onlySummed: ReadonlySet<Value>, inst: Inst, before: SsaNode[]): void {
  if (inst.mods.exact === true) return;
  const a = resolve(inst.operands[0]!);
  const b = resolve(inst.operands[1]!);
  const minus = a.def?.op === "neg" && inst.op === "sub" ? product(onlySummed, a.def.operands[0]!) : null;
  if (minus !== null) {
    const [x, y] = minus.operands as [Value, Value];
    m.become(inst, "mad", [m.negated(inst, x, before), y, m.negated(inst, b, before)], a);
    return;
  }
  const left = product(onlySummed, a);
  if (left !== null) {
    const rest = inst.op === "add" ? b : m.negated(inst, b, before);
    m.become(inst, "mad", [left.operands[0]!, left.operands[1]!, rest], a);
    return;
  }
  const right = product(onlySummed, b);
  if (right === null) {
    // x * 2 has become a sum unless its only use is one sum (13 kernels).
    const doubled =
      inst.op === "add" ? [b, a].find((value) => m.single(value, "add")?.mods.doubles === true) : undefined;
    if (doubled !== undefined) {
      m.become(inst, "mad", [doubled.def!.operands[0]!, m.fn.constant(inst.type, 2), doubled === a ? b : a], doubled);
      return;
    }
    if (exponential(m, a) || (inst.op === "add" && exponential(m, b))) inst.slots = NONE;
    return;
  }
  const [x, y] = right.operands as [Value, Value];
  if (inst.op === "add") m.become(inst, "mad", [x, y, a], b);
  else if (resolve(y).constant !== null) m.become(inst, "mad", [x, m.negated(inst, y, before), a], b);
  else m.become(inst, "mad", [m.negated(inst, x, before), y, a], b);
}

/** exp ends in a product with a power of two, which a sum contracts if it is the only use. */
function exponential(m: InstructionMatcher, value: Value): boolean {
  return m.single(value, "exp") !== null;
}

function product(onlySummed: ReadonlySet<Value>, value: Value): Inst | null {
  return onlySummed.has(resolve(value)) ? resolve(value).def : null;
}

/** Negations and absolute values of floats whose only uses are float arithmetic and compares. */
export function signsOnlyRead(fn: SsaFunction): ReadonlySet<Value> {
  const signs = new Set<Value>();
  walk(fn.body, (node) => {
    const isSign = node.kind === "inst" && (node.op === "neg" || node.op === "abs") && isFloat(node.type as Scalar);
    if (isSign) signs.add(node.results[0]!);
  });
  const reject = (values: readonly Value[]): void => {
    for (const value of values) signs.delete(resolve(value));
  };
  walk(fn.body, (node, region) => {
    if (node.kind === "inst") {
      const type = node.op === "setp" ? node.mods.sourceType : node.type;
      // FSEL takes signs; the two selects of a double do not.
      const reads = FLOAT_READERS.has(node.op) || (node.op === "selp" && type === "f32");
      reject(node.operands.filter((operand) => !reads || resolve(operand).type !== type));
    } else if (node.kind === "if") {
      reject([node.condition, ...node.then.end.values, ...node.else.end.values]);
    } else {
      reject([...node.inits, ...node.nexts, ...node.exits, ...node.body.end.values, ...node.latch.end.values]);
    }
    reject(region.end.values);
  });
  return signs;
}

/** -x and |x| are free as operands of float arithmetic and compares. */
export function foldSigns(signs: ReadonlySet<Value>, inst: Inst): void {
  const result = inst.results[0];
  if (result !== undefined && inst.slots === null && signs.has(result)) inst.slots = NONE;
}
