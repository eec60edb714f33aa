/**
 * Constants that an instruction cannot hold: only one operand of the machine's instructions may be an immediate, and
 * stores, atomics and some first operands take registers. Such a constant is moved to a register first, once a region,
 * in front of the loops that use it.
 */
import type { RegisterType } from "../program.js";
import { Inst, type Region, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa.js";

export function moveConstants(fn: SsaFunction): void {
  visit(fn, fn.body, new Map(), null);
}

/** What stands before the outermost loop around a region: where its constants go, and which are known there. */
interface Front {
  readonly nodes: SsaNode[];
  readonly known: Map<string, Value>;
}

function visit(fn: SsaFunction, region: Region, outer: ReadonlyMap<string, Value>, front: Front | null): void {
  const known = front?.known ?? new Map(outer);
  const here = new Map<string, Value>();
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "inst") {
      // PTX's atomics hold a constant: it is moved only when machine code is made, where it is needed.
      const inPlace = node.op === "atom";
      const have = inPlace ? here : known;
      for (const i of registerOperands(node)) {
        const value = resolve(node.operands[i]!);
        const { type } = value;
        const key = `${type} ${value.constant}`;
        let moved = have.get(key);
        if (moved === undefined) {
          moved = fn.value(type);
          const before = inPlace ? nodes : (front?.nodes ?? nodes);
          before.push(new Inst("mov", type, [moved], [value], {}, node.span, node.source));
          have.set(key, moved);
        }
        node.operands[i] = moved;
      }
    } else if (node.kind === "if") {
      visit(fn, node.then, known, front);
      visit(fn, node.else, known, front);
    } else {
      const before = front ?? { nodes, known };
      visit(fn, node.body, known, before);
      visit(fn, node.latch, known, before);
    }
    nodes.push(node);
  }
  region.nodes = nodes;
}

function isZero(type: RegisterType, value: number | bigint): boolean {
  return type === "f32" || type === "f64" ? Object.is(value, 0) : Number(value) === 0;
}

function isOne(inst: Inst): boolean {
  return resolve(inst.operands[0]!).constant === 1;
}

/** Which operands must be registers and are constants other than zero (which RZ gives). */
function registerOperands(inst: Inst): readonly number[] {
  const constant = (i: number): boolean => {
    const operand = inst.operands[i];
    if (operand === undefined) return false;
    const value = resolve(operand);
    return value.constant !== null && !isZero(value.type, value.constant);
  };
  switch (inst.op) {
    case "st":
      return inst.operands.map((_, i) => i).filter((i) => i > 0 && constant(i));
    case "atom":
      return inst.slots !== null ? [] : [1, 2].filter(constant);
    case "mad":
      return constant(1) && constant(2) ? [1] : [];
    case "selp":
      return constant(0) && constant(1) ? [0] : [];
    case "shl":
    case "shr":
      return inst.slots === null && constant(0) ? [0] : [];
    case "div":
    case "rem":
      // 1 / x is code of its own.
      return [0, 1].filter((i) => constant(i) && !(i === 0 && inst.type === "f32" && isOne(inst)));
    default:
      return [];
  }
}
