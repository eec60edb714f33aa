/**
 * Instruction selection: multiply-add, shift-add (LEA, LEA.HI), three-input add and logic, compares combined with a
 * predicate, and tests by a logic instruction. An operation that another instruction does gets no issue slot. After
 * NVVM's and ptxas's instruction selection (NVCC-RULES.md).
 */
import { isFloat, type Scalar } from "../../../ir/types.js";
import { InstructionMatcher, NONE, slot } from "../../analysis/instruction-matcher.js";
import type { Target } from "../../machine/target.js";
import { isInteger32, isInteger64 } from "../../ssa/integer-types.js";
import {
  type IfNode,
  type Inst,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { contract, foldSigns, productsOnlySummed, signsOnlyRead } from "./contraction.js";
import { combineTests, mergeLogic, testWithLogic, wrapCount } from "./select-logic.js";
import { carryMinMax, joinMinMax } from "./select-min-max.js";
import { joinRotation } from "./select-rotation.js";
import { countedTest, divideByParameter, integerSum, wideProduct, wideSum } from "./select-sums.js";

const SINE = slot("MUFU.SIN", "xu");
const COSINE = slot("MUFU.COS", "xu");
const HIGHEST_BIT = slot("FLO.U32", "xu");

/** `guarded`: the branches that become predicated. */
export function selectInstructions(
  fn: SsaFunction,
  contractFma: boolean,
  target: Target,
  guarded: () => ReadonlySet<IfNode>,
): void {
  const selection = new Selection(fn, contractFma, target, guarded);
  selection.region(fn.body);
}

class Selection {
  private readonly matcher: InstructionMatcher;
  /** Products that may be contracted; none without -fmad. */
  private readonly contracted: ReadonlySet<Value>;
  private readonly contracts: boolean;
  private readonly signs: ReadonlySet<Value>;

  constructor(fn: SsaFunction, contractFma: boolean, target: Target, guarded: () => ReadonlySet<IfNode>) {
    this.matcher = new InstructionMatcher(fn, target);
    this.contracts = contractFma;
    this.signs = signsOnlyRead(fn);
    this.contracted = contractFma ? productsOnlySummed(fn, guarded) : new Set();
  }

  region(region: Region): void {
    const { matcher } = this;
    const outer = matcher.block;
    matcher.block = new Set();
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        matcher.loopOf.set(node, matcher.loop);
        this.inst(node, nodes);
        matcher.block.add(node);
      } else {
        const outerLoop = matcher.loop;
        if (node.kind === "loop") matcher.loop = node;
        for (const inner of regionsOf(node)) this.region(inner);
        matcher.loop = outerLoop;
        matcher.block = new Set();
      }
      nodes.push(node);
    }
    region.nodes = nodes;
    matcher.block = outer;
  }

  private inst(inst: Inst, before: SsaNode[]): void {
    const { matcher } = this;
    switch (inst.op) {
      case "add":
      case "sub":
        if (isFloat(inst.type as Scalar)) {
          if (this.contracts) contract(matcher, this.contracted, inst, before);
        } else if (isInteger32(inst.type)) {
          if (inst.op === "sub") {
            if (!this.highestBit(inst)) integerSum(matcher, inst, before);
          } else if (!joinRotation(matcher, inst) && !countedTest(matcher, inst)) integerSum(matcher, inst, before);
        } else if (isInteger64(inst.type) && (inst.op === "sub" || !joinRotation(matcher, inst)))
          wideSum(matcher, inst);
        break;
      case "mul":
        if (isInteger64(inst.type)) wideProduct(matcher, inst);
        break;
      case "div":
      case "rem":
        divideByParameter(matcher, inst);
        break;
      case "min":
      case "max":
        if (isInteger32(inst.type)) joinMinMax(matcher, inst);
        else if (inst.type === "f64") carryMinMax(matcher, inst);
        break;
      case "or":
      case "xor":
        if (!joinRotation(matcher, inst)) mergeLogic(matcher, inst);
        break;
      case "and":
      case "not":
        mergeLogic(matcher, inst);
        break;
      case "shl":
      case "shr":
        wrapCount(matcher, inst);
        break;
      case "fastSin":
      case "fastCos":
        this.reducedAngle(inst);
        break;
      case "setp":
        testWithLogic(matcher, inst);
        break;
      case "pand":
      case "por":
        combineTests(matcher, inst);
        break;
      case "pxor":
        // ISETP.XOR
        if (inst.operands.some((operand) => matcher.single(operand, "setp") !== null)) inst.slots = NONE;
        break;
      default:
        break;
    }
    foldSigns(this.signs, inst);
  }

  /**
   * FLO computes 31 - __clz(x), so __clz(x) needs a subtraction. For x | c, which is not 0, NVVM has __clz(x | c) ^
   * 31.
   */
  private highestBit(inst: Inst): boolean {
    const [from, zeros] = inst.operands.map(resolve) as [Value, Value];
    if (inst.slots !== null || from.constant !== 31 || zeros.def?.op !== "clz") return false;
    const of = resolve(zeros.def.operands[0]!).def;
    if (!isInteger32(zeros.def.type) || (of?.op === "or" && resolve(of.operands[1]!).constant !== null)) return false;
    inst.slots = NONE;
    const alone = this.matcher.single(zeros, "clz");
    if (alone !== null) alone.slots = HIGHEST_BIT;
    return true;
  }

  /** __sinf and __cosf of one angle share the range reduction. */
  private reducedAngle(inst: Inst): void {
    const angle = resolve(inst.operands[0]!);
    for (const other of this.matcher.block) {
      if (other.op === inst.op || (other.op !== "fastSin" && other.op !== "fastCos")) continue;
      if (resolve(other.operands[0]!) === angle) inst.slots = inst.op === "fastSin" ? SINE : COSINE;
    }
  }
}
