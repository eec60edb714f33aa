/**
 * Joins operations into the machine's richer ones: multiply-add, shift-add (LEA, LEA.HI), three-input add and logic,
 * compares that combine with another predicate, tests that come with a logic instruction. Where a part has no
 * operation of its own, it gets no issue slot: the instruction that reads it does its work. After NVVM's and ptxas's
 * instruction selection (NVCC-RULES.md).
 */
import { isFloat, type Scalar } from "../../ir/types.js";
import type { IssueSlot } from "../program.js";
import {
  countUses,
  Inst,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa.js";
import type { Target } from "../target.js";
import { isInteger32, isInteger64 } from "./integer-types.js";

const NONE: readonly IssueSlot[] = Object.freeze([]);

function slot(mnemonic: string, pipe: IssueSlot["pipe"]): readonly IssueSlot[] {
  return Object.freeze([{ mnemonic, pipe, independent: false }]);
}

const LEA_HI = slot("LEA.HI", "alu");
const LEA_HI_SIGNED = slot("LEA.HI.SX32", "alu");
const REVERSE = slot("BREV", "xu");
const FIND_HIGHEST = slot("FLO.U32.SH", "xu");
const COPY_IN_LOOP: readonly IssueSlot[] = Object.freeze([...slot("@P.IADD3", "alu"), ...slot("MOV", "alu")]);
const SINE = slot("MUFU.SIN", "xu");
const COSINE = slot("MUFU.COS", "xu");
const LOP3_TEST = slot("LOP3.LUT", "alu");
const MULTIPLY_WIDE = slot("IMAD.WIDE", "imad");
const MULTIPLY_WIDE_UNSIGNED = slot("IMAD.WIDE.U32", "imad");

export function selectInstructions(fn: SsaFunction, contractFma: boolean, target: Target): void {
  const selection = new Selection(fn, contractFma, target);
  selection.region(fn.body);
}

function shiftsOnlyAdded(fn: SsaFunction): ReadonlySet<Value> {
  const shifts = new Set<Value>();
  walk(fn.body, (node) => {
    if (node.kind === "inst" && node.op === "shl" && isInteger32(node.type)) shifts.add(node.results[0]!);
  });
  const reject = (values: readonly Value[]): void => {
    for (const value of values) shifts.delete(resolve(value));
  };
  walk(fn.body, (node, region) => {
    if (node.kind === "inst") {
      if (node.op !== "add" || !isInteger32(node.type)) reject(node.operands);
      else if (resolve(node.operands[0]!) === resolve(node.operands[1]!)) reject(node.operands);
    } else if (node.kind === "if") {
      reject([node.condition, ...node.then.end.values, ...node.else.end.values]);
    } else {
      reject([...node.inits, ...node.nexts, ...node.exits, ...node.body.end.values, ...node.latch.end.values]);
    }
    reject(region.end.values);
  });
  return shifts;
}

function productsOnlySummed(fn: SsaFunction): ReadonlySet<Value> {
  const isProduct = ({ def }: Value): boolean =>
    def?.op === "mul" && isFloat(def.type as Scalar) && def.mods.exact !== true;
  const products = new Set<Value>();
  walk(fn.body, (node) => {
    if (node.kind === "inst") for (const result of node.results) if (isProduct(result)) products.add(result);
  });
  const reject = (values: readonly Value[]): void => {
    for (const value of values) {
      const now = resolve(value);
      products.delete(now);
      // A sign is part of the instruction that reads the value.
      if (now.def?.op === "neg") products.delete(resolve(now.def.operands[0]!));
    }
  };
  walk(fn.body, (node, region) => {
    if (node.kind === "inst") {
      const sum = (node.op === "add" || node.op === "sub") && node.mods.exact !== true;
      if (!sum && node.op !== "neg") reject(node.operands);
    } else if (node.kind === "if") {
      reject([node.condition, ...node.then.end.values, ...node.else.end.values]);
    } else {
      reject([...node.inits, ...node.nexts, ...node.exits, ...node.body.end.values, ...node.latch.end.values]);
    }
    reject(region.end.values);
  });
  return products;
}

class Selection {
  private readonly fn: SsaFunction;
  private readonly uses: Int32Array;
  private readonly contract: boolean;
  /** Instructions of the block in hand so far. */
  private block = new Set<Inst>();
  private readonly addedOnly: ReadonlySet<Value>;
  /** Products of floats that nothing but sums reads. */
  private readonly onlySummed: ReadonlySet<Value>;
  private readonly constantOperands: boolean;
  private loop: LoopNode | null = null;
  private readonly loopOf = new Map<Inst, LoopNode | null>();

  constructor(fn: SsaFunction, contract: boolean, target: Target) {
    this.constantOperands = target.constantOperands;
    this.fn = fn;
    this.uses = countUses(fn);
    this.contract = contract;
    this.addedOnly = shiftsOnlyAdded(fn);
    this.onlySummed = productsOnlySummed(fn);
  }

  region(region: Region): void {
    const outer = this.block;
    this.block = new Set();
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        this.loopOf.set(node, this.loop);
        this.inst(node, nodes);
        this.block.add(node);
      } else {
        if (node.kind === "if") {
          this.region(node.then);
          this.region(node.else);
        } else {
          const outerLoop = this.loop;
          this.loop = node;
          this.region(node.body);
          this.region(node.latch);
          this.loop = outerLoop;
        }
        this.block = new Set();
      }
      nodes.push(node);
    }
    region.nodes = nodes;
    this.block = outer;
  }

  private useCount(value: Value): number {
    return this.uses[resolve(value).id] ?? 0;
  }

  /** The instruction of `value` if it is `op`, read here only, and not yet part of another. */
  private single(value: Value, op: Inst["op"]): Inst | null {
    const now = resolve(value);
    const { def } = now;
    return def !== null && def.op === op && def.slots === null && this.useCount(now) === 1 ? def : null;
  }

  /** A shift by a constant that only sums read: each of them does it itself. */
  private onlyAdded(value: Value): Inst | null {
    const { def } = resolve(value);
    return def !== null && def.op === "shl" && this.addedOnly.has(resolve(value)) ? def : null;
  }

  private inst(inst: Inst, before: SsaNode[]): void {
    switch (inst.op) {
      case "add":
      case "sub":
        if (isFloat(inst.type as Scalar)) this.contraction(inst, before);
        else if (isInteger32(inst.type)) {
          if (inst.op === "add" && this.countedTest(inst)) break;
          this.integerSum(inst, before);
        } else if (isInteger64(inst.type)) this.wideSum(inst);
        break;
      case "mul":
        if (isInteger64(inst.type)) this.wideProduct(inst);
        break;
      case "and":
      case "or":
      case "xor":
      case "not":
        this.logic(inst);
        break;
      case "shl":
      case "shr":
        this.wrappedCount(inst);
        break;
      case "fastSin":
      case "fastCos":
        this.reducedAngle(inst);
        break;
      case "setp":
        this.test(inst);
        break;
      case "pand":
      case "por":
        this.combine(inst);
        break;
      case "pxor":
        // ISETP.XOR
        if (inst.operands.some((operand) => this.single(operand, "setp") !== null)) inst.slots = NONE;
        break;
      default:
        break;
    }
    if (FLOAT_READERS.has(inst.op) && isFloat(inst.type as Scalar)) this.modifiers(inst);
  }

  /**
   * a * b + c with one rounding, as -fmad allows. nvcc contracts a product into all sums that read it, or, where
   * something else reads it as well, into none (machine code of sm_90: every use a sum, in any block, up to five tried).
   */
  private contraction(inst: Inst, before: SsaNode[]): void {
    if (!this.contract || inst.mods.exact === true) return;
    const a = resolve(inst.operands[0]!);
    const b = resolve(inst.operands[1]!);
    const minus = a.def?.op === "neg" && inst.op === "sub" ? this.product(a.def.operands[0]!) : null;
    if (minus !== null) {
      const [x, y] = minus.operands as [Value, Value];
      this.become(inst, "mad", [this.negated(inst, x, before), y, this.negated(inst, b, before)], a);
      return;
    }
    const left = this.product(a);
    if (left !== null) {
      const rest = inst.op === "add" ? b : this.negated(inst, b, before);
      this.become(inst, "mad", [left.operands[0]!, left.operands[1]!, rest], a);
      return;
    }
    const right = this.product(b);
    if (right === null) {
      if (this.exponential(a) || (inst.op === "add" && this.exponential(b))) inst.slots = NONE;
      return;
    }
    const [x, y] = right.operands as [Value, Value];
    if (inst.op === "add") this.become(inst, "mad", [x, y, a], b);
    else if (resolve(y).constant !== null) this.become(inst, "mad", [x, this.negated(inst, y, before), a], b);
    else this.become(inst, "mad", [this.negated(inst, x, before), y, a], b);
  }

  /** exp ends in a product by a power of two, which a sum that alone reads it takes along. */
  private exponential(value: Value): boolean {
    return this.single(value, "exp") !== null;
  }

  private product(value: Value): Inst | null {
    return this.onlySummed.has(resolve(value)) ? resolve(value).def : null;
  }

  /** -value, which the reading instruction does as it reads. */
  private negated(inst: Inst, value: Value, before: SsaNode[]): Value {
    const now = resolve(value);
    if (now.constant !== null) {
      if (!isFloat(inst.type as Scalar)) return this.fn.constant(inst.type, -Number(now.constant) | 0);
      return this.fn.constant(inst.type, -Number(now.constant));
    }
    const neg = new Inst("neg", inst.type, [this.fn.value(inst.type)], [now], {}, inst.span, inst.source);
    neg.slots = NONE;
    before.push(neg);
    return neg.results[0]!;
  }

  private become(inst: Inst, op: Inst["op"], operands: Value[], consumed: Value): void {
    inst.op = op;
    inst.operands = operands;
    const id = resolve(consumed).id;
    this.uses[id] = (this.uses[id] ?? 1) - 1;
    for (const operand of operands) {
      const reader = resolve(operand).id;
      if (reader < this.uses.length) this.uses[reader] = (this.uses[reader] ?? 0) + 1;
    }
  }

  /**
   * c + (test ? 1 : 0) is made of c + 1 and a guarded copy of c, which in a loop's own counter cannot be done in place.
   */
  private countedTest(inst: Inst): boolean {
    for (const [part, count] of [inst.operands, [...inst.operands].reverse()] as [Value, Value][]) {
      const choice = this.single(part, "selp");
      if (choice === null) continue;
      const [one, zero] = choice.operands.map((operand) => resolve(operand).constant);
      if (one !== 1 || zero !== 0) continue;
      const carried = this.loop?.params.indexOf(resolve(count)) ?? -1;
      if (carried < 0 || resolve(this.loop!.nexts[carried]!) !== resolve(inst.results[0]!)) return false;
      inst.slots = COPY_IN_LOOP;
      return true;
    }
    return false;
  }

  /**
   * A product in front of the loop stays there, unless its factors are operands in constant memory, which the sum in
   * the loop reads as well.
   */
  private nearby(product: Inst): boolean {
    if (this.loopOf.get(product) === this.loop) return true;
    return this.constantOperands && product.operands.every((factor) => isLaunchSize(resolve(factor)));
  }

  private integerSum(inst: Inst, before: SsaNode[]): void {
    const [a, b] = inst.operands as [Value, Value];
    const sides: readonly (readonly [Value, Value])[] =
      inst.op === "add"
        ? [
            [a, b],
            [b, a],
          ]
        : [[a, b]];
    for (const [part, rest] of sides) {
      const product = this.single(part, "mul");
      if (product !== null && this.nearby(product)) {
        const other = inst.op === "add" ? rest : this.negated(inst, rest, before);
        if (inst.op === "sub" && resolve(rest).constant === null) continue;
        this.become(inst, "mad", [product.operands[0]!, product.operands[1]!, other], part);
        return;
      }
    }
    if (inst.op === "sub") {
      const product = this.single(b, "mul");
      const factor = product === null ? null : resolve(product.operands[1]!).constant;
      if (product !== null && typeof factor === "number") {
        this.become(inst, "mad", [product.operands[0]!, this.negated(inst, product.operands[1]!, before), a], b);
        return;
      }
    }
    if (inst.op === "add") {
      for (const [part, rest] of sides) {
        const shift = this.single(part, "shl") ?? this.onlyAdded(part);
        const count = shift === null ? null : resolve(shift.operands[1]!).constant;
        if (shift !== null && typeof count === "number" && count < 32) {
          inst.mods = { immediate: count };
          this.become(inst, "lea", [shift.operands[0]!, rest], part);
          return;
        }
      }
      for (const [part] of sides) {
        const shift = this.single(part, "shr");
        if (shift !== null && typeof resolve(shift.operands[1]!).constant === "number") {
          shift.slots = NONE;
          inst.slots = shift.type === "i32" ? LEA_HI_SIGNED : LEA_HI;
          return;
        }
      }
    }
    if (this.findFirstSet(inst)) return;
    this.threeTerms(inst, sides, before);
  }

  /** __ffs(x) - 1 is what the machine finds; __ffs adds the 1. */
  private findFirstSet(inst: Inst): boolean {
    if (inst.op !== "add" || Number(resolve(inst.operands[1]!).constant) !== -1) return false;
    const ffs = this.single(inst.operands[0]!, "ffs");
    if (ffs === null) return false;
    ffs.slots = REVERSE;
    inst.slots = FIND_HIGHEST;
    return true;
  }

  /** (a ± b) ± c in one IADD3, whose operands can be negated. */
  private threeTerms(inst: Inst, sides: readonly (readonly [Value, Value])[], before: SsaNode[]): void {
    for (const [part, rest] of sides) {
      const sum = this.single(part, "add") ?? this.single(part, "sub");
      if (sum === null) continue;
      const [x, y] = sum.operands as [Value, Value];
      const second = sum.op === "add" ? y : this.negated(inst, y, before);
      const third = inst.op === "add" ? rest : this.negated(inst, rest, before);
      inst.type = "u32";
      this.become(inst, "add3", [x, second, third], part);
      return;
    }
    if (inst.op !== "sub") return;
    const [a, b] = inst.operands as [Value, Value];
    const sum = this.single(b, "add") ?? this.single(b, "sub");
    if (sum === null) return;
    const [x, y] = sum.operands as [Value, Value];
    const second = this.negated(inst, x, before);
    const third = sum.op === "add" ? this.negated(inst, y, before) : y;
    inst.type = "u32";
    this.become(inst, "add3", [a, second, third], b);
  }

  /** The 64-bit product of 32-bit factors is one instruction. */
  private wideProduct(inst: Inst): void {
    const parts = inst.operands.map((operand) => resolve(operand));
    const signs = parts.map((part) => {
      if (part.constant !== null) return "constant";
      return part.def?.op === "cvt" ? (part.def.mods.sourceType ?? "") : "";
    });
    const from = signs.find((sign) => sign === "i32" || sign === "u32");
    if (from === undefined || !signs.every((sign) => sign === from || sign === "constant")) return;
    for (const part of parts) {
      if (part.constant !== null) {
        const value = BigInt(part.constant);
        if (value < -(2n ** 31n) || value >= 2n ** 31n) return;
      } else if (this.useCount(part) === 1 && part.def !== null) part.def.slots = NONE;
    }
    inst.slots = from === "i32" ? MULTIPLY_WIDE : MULTIPLY_WIDE_UNSIGNED;
  }

  private wideSum(inst: Inst): void {
    if (inst.op !== "add") return;
    for (const operand of inst.operands) {
      const { def } = resolve(operand);
      if (def?.op === "mul" && def.slots !== null && def.slots.length === 1 && this.useCount(operand) === 1) {
        inst.slots = def.slots;
        def.slots = NONE;
        return;
      }
    }
  }

  private logic(inst: Inst): void {
    if (!isInteger32(inst.type)) return;
    for (let i = 0; i < inst.operands.length; i++) {
      const inner = this.logicPart(inst.operands[i]!);
      if (inner === null) continue;
      const outerOperands = inst.operands.filter((_, j) => j !== i);
      const inputs = [...new Set([...inner.operands, ...outerOperands].map(resolve))];
      if (inputs.length > 3) continue;
      const table = (value: Value): number => [0xf0, 0xcc, 0xaa][inputs.indexOf(resolve(value))]!;
      const innerTable = logicTable(inner.op, inner.operands.map(table), inner.mods.immediate);
      const operands = inst.operands.map((operand, j) => (j === i ? innerTable : table(operand)));
      const whole = logicTable(inst.op, operands, undefined);
      const consumed = inst.operands[i]!;
      while (inputs.length < 3) inputs.push(inputs[0]!);
      inst.mods = { immediate: whole };
      this.become(inst, "lop3", inputs, consumed);
      return;
    }
  }

  /** __sinf and __cosf of one angle bring it into range once. */
  private reducedAngle(inst: Inst): void {
    const angle = resolve(inst.operands[0]!);
    for (const other of this.block) {
      if (other.op === inst.op || (other.op !== "fastSin" && other.op !== "fastCos")) continue;
      if (resolve(other.operands[0]!) === angle) inst.slots = inst.op === "fastSin" ? SINE : COSINE;
    }
  }

  /** SHF.W takes the count's low five bits itself. */
  private wrappedCount(inst: Inst): void {
    if (!isInteger32(inst.type)) return;
    const mask = this.single(inst.operands[1]!, "and");
    if (mask !== null && resolve(mask.operands[1]!).constant === 31) mask.slots = NONE;
  }

  private logicPart(value: Value): Inst | null {
    return (
      this.single(value, "and") ?? this.single(value, "or") ?? this.single(value, "xor") ?? this.single(value, "not")
    );
  }

  /** A test for zero comes with the logic instruction, but not for the lowest bit, which NVVM compares with 1. */
  private test(inst: Inst): void {
    if (inst.operands.length > 2) return;
    const { compare, sourceType } = inst.mods;
    if ((compare !== "eq" && compare !== "ne") || sourceType === undefined || !isInteger32(sourceType)) return;
    if (resolve(inst.operands[1]!).constant !== 0) return;
    const { def } = resolve(inst.operands[0]!);
    if (def === null || def.slots !== null || (def.op !== "and" && def.op !== "lop3")) return;
    if (!this.block.has(def)) return;
    if (def.op === "and" && resolve(def.operands[1]!).constant === 1) return;
    def.slots = LOP3_TEST;
    inst.slots = NONE;
  }

  private combine(inst: Inst): void {
    const [a, b] = inst.operands as [Value, Value];
    for (const [part, rest] of [
      [b, a],
      [a, b],
    ] as const) {
      const compare = this.single(part, "setp");
      if (compare === null || compare.operands.length > 2) continue;
      inst.mods = { ...compare.mods, combine: inst.op === "pand" ? "and" : "or" };
      const operands = [compare.operands[0]!, compare.operands[1]!, rest];
      inst.type = "bool";
      this.become(inst, "setp", operands, part);
      const other = resolve(rest);
      if (other.def?.op === "pnot") other.def.slots = NONE;
      return;
    }
  }

  /** -x and |x| as operands of float arithmetic cost nothing. */
  private modifiers(inst: Inst): void {
    for (const operand of inst.operands) {
      const now = resolve(operand);
      const { def } = now;
      if (def === null || def.slots !== null || (def.op !== "neg" && def.op !== "abs")) continue;
      if (def.type === inst.type && this.useCount(now) === 1) def.slots = NONE;
    }
  }
}

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

function logicTable(op: Inst["op"], operands: readonly number[], _immediate: number | undefined): number {
  const [a, b] = operands as [number, number];
  switch (op) {
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    default:
      return ~a & 0xff;
  }
}

function isLaunchSize(value: Value): boolean {
  const name = value.def?.mods.special?.name;
  return name === "blockDim" || name === "gridDim";
}
