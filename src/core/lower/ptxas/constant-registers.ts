/**
 * Moves constants to registers where an instruction cannot hold them. At most one operand may be an immediate, and a
 * 64-bit immediate must have a zero lower word. Stores, atomics and some first operands need registers. One MOV
 * serves a region. In a loop ptxas repeats the MOV in each iteration rather than keep a register live across a wait.
 * It hoists the MOV only out of a short innermost loop without global or local loads (about 200 loops;
 * NVCC-RULES.md, 5).
 */

import { one } from "../machine/issue-slots.js";
import { OperandForms } from "../machine/operand-forms.js";
import type { Target } from "../machine/target.js";
import { twoPaths } from "../machine/two-path-code.js";
import type { RegisterType } from "../program.js";
import { isInteger64 } from "../ssa/integer-types.js";
import {
  type IfNode,
  Inst,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";

/**
 * The most instructions of an iteration across which a constant stays live, including it and the back branch; fewer
 * for a 64-bit constant.
 */
const LONGEST_ROUND = 26;
const LONGEST_WIDE_ROUND = 11;

const MOVE = one("MOV", "alu");
const CHOOSE = one("FSEL", "alu");

/** `guarded`: the branches that become predicated, which end no basic block. */
export function moveConstants(fn: SsaFunction, target: Target, guarded: ReadonlySet<IfNode>): void {
  new ConstantMoves(fn, target, guarded).region(fn.body, new Map(), null);
}

/** A loop's preheader: the place of its constants, and those available there. */
interface Front {
  readonly nodes: SsaNode[];
  readonly known: Map<string, Value>;
}

class ConstantMoves {
  private readonly fn: SsaFunction;
  private readonly forms: OperandForms;
  private readonly guarded: ReadonlySet<IfNode>;
  private readonly uses: ReadonlyMap<string, number>;

  constructor(fn: SsaFunction, target: Target, guarded: ReadonlySet<IfNode>) {
    this.fn = fn;
    this.forms = new OperandForms(fn, target);
    this.guarded = guarded;
    this.uses = usesInProducts(fn);
  }

  /** `front`: the preheader, if the constants of this block go there. Returns the constants available at the end. */
  region(region: Region, outer: ReadonlyMap<string, Value>, front: Front | null): Map<string, Value> {
    const known = front?.known ?? new Map(outer);
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        const upper = choosesUpper(node);
        for (const i of registerOperands(node, this.uses)) {
          const value = resolve(node.operands[i]!);
          const key = upper ? `upper ${keyOf(value)}` : keyOf(value);
          let moved = known.get(key);
          if (moved === undefined) {
            moved = this.fn.value(value.type);
            const mov = new Inst("mov", value.type, [moved], [value], {}, node.span, node.source);
            if (upper) mov.slots = MOVE;
            (front?.nodes ?? nodes).push(mov);
            known.set(key, moved);
          }
          node.operands[i] = moved;
        }
        if (upper)
          for (const part of node.operands) if (choosesUpper(resolve(part).def)) resolve(part).def!.slots = CHOOSE;
      } else if (node.kind === "if") {
        const around = this.guarded.has(node) ? front : null;
        this.region(node.then, known, around);
        this.region(node.else, known, around);
      } else {
        const before = this.holdsConstants(node, known) ? { nodes, known } : null;
        this.region(node.latch, this.region(node.body, known, before), before);
      }
      nodes.push(node);
    }
    region.nodes = nodes;
    return known;
  }

  /** A short body without a wait for memory, a call or a nested loop. */
  private holdsConstants(loop: LoopNode, known: ReadonlyMap<string, Value>): boolean {
    const constants = new Set<string>();
    let length = 1;
    let wide = false;
    const straight = (region: Region): boolean =>
      region.nodes.every((node) => {
        if (node.kind === "loop") return false;
        if (node.kind === "if") return !this.guarded.has(node) || (straight(node.then) && straight(node.else));
        if (node.op === "ld" && node.mods.space !== "shared") return false;
        if (twoPaths(node.op, node.type) !== null) return false;
        length += this.forms.slots(node).length;
        for (const i of registerOperands(node, this.uses)) {
          const value = resolve(node.operands[i]!);
          if (known.has(keyOf(value))) continue;
          wide ||= value.type === "f64" || isInteger64(value.type);
          constants.add(keyOf(value));
        }
        return true;
      });
    if (!straight(loop.body) || !straight(loop.latch)) return false;
    return length + constants.size <= (wide ? LONGEST_WIDE_ROUND : LONGEST_ROUND);
  }
}

function keyOf({ type, constant }: Value): string {
  return `${type} ${constant}`;
}

function isZero(type: RegisterType, value: number | bigint): boolean {
  return type === "f32" || type === "f64" ? Object.is(value, 0) : Number(value) === 0;
}

/** The immediate of a double is its upper word. */
function fitsImmediate({ type, constant }: Value): boolean {
  return type !== "f64" || (new BigUint64Array(new Float64Array([Number(constant)]).buffer)[0]! & 0xffff_ffffn) === 0n;
}

/** A select between doubles with zero lower words selects the upper words only; the lower word is made at the end. */
function choosesUpper(inst: Inst | null): boolean {
  const short = (operand: Value): boolean => {
    const value = resolve(operand);
    if (value.def?.op === "mov") return short(value.def.operands[0]!);
    return value.constant === null ? choosesUpper(value.def) : fitsImmediate(value);
  };
  return inst?.op === "selp" && inst.type === "f64" && inst.operands.slice(0, 2).every(short);
}

function isOne(inst: Inst): boolean {
  return resolve(inst.operands[0]!).constant === 1;
}

function isConstant(operand: Value | undefined): boolean {
  if (operand === undefined) return false;
  const { type, constant } = resolve(operand);
  return constant !== null && !isZero(type, constant);
}

/** The operands that must be registers and are constants other than zero (RZ). `uses`: see `usesInProducts`. */
function registerOperands(inst: Inst, uses: ReadonlyMap<string, number>): readonly number[] {
  const constant = (i: number): boolean => isConstant(inst.operands[i]);
  const full = (i: number): boolean => constant(i) && !fitsImmediate(resolve(inst.operands[i]!));
  if (inst.slots?.length === 0) return [];
  switch (inst.op) {
    case "st":
      return inst.operands.map((_, i) => i).filter((i) => i > 0 && constant(i));
    case "atom":
      return inst.slots !== null ? [] : [1, 2].filter(constant);
    case "add":
    case "sub":
    case "mul":
    case "min":
    case "max":
    case "setp":
      return [0, 1].filter(full);
    case "mad": {
      if (!constant(1) || !constant(2)) return [1, 2].filter(full);
      if (full(2)) return [1, 2];
      const count = (i: number): number => uses.get(keyOf(resolve(inst.operands[i]!))) ?? 0;
      return [full(1) || count(1) >= count(2) ? 1 : 2];
    }
    case "selp":
      return constant(0) && constant(1) ? [0] : [];
    case "shl":
    case "shr":
      return inst.slots === null && constant(0) ? [0] : [];
    case "div":
    case "rem":
      // 1 / x is different code.
      return [0, 1].filter((i) => constant(i) && !(i === 0 && inst.type === "f32" && isOne(inst)));
    default:
      return [];
  }
}

/**
 * The number of products and sums of two constants that use each one. The most used constant gets the register; on a
 * tie the factor does.
 */
function usesInProducts(fn: SsaFunction): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  walkInstructions(fn.body, (node) => {
    if (node.op !== "mad" || !isConstant(node.operands[1]) || !isConstant(node.operands[2])) return;
    for (const operand of node.operands.slice(1)) {
      const key = keyOf(resolve(operand));
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  });
  return uses;
}
