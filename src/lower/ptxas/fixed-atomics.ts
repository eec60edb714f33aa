/**
 * An atomic at a fixed place of a parameter other than its start (`atomicAdd(&o[1], v)`): ptxas keeps no offset from a uniform
 * pointer there, but puts the first such place together (UIADD3, UIADD3.X, two moves), from which the others are offsets. A
 * pointer that something else reads is loaded once more for it. Machine code of nvcc 13.0 for sm_90 (20 kernels).
 */

import { ADD, ADD_HIGH } from "../machine/address-slots.js";
import { overheadAt } from "../machine/overhead.js";
import type { IssueSlot } from "../program.js";
import {
  type Inst,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa/ssa.js";

const LOAD: IssueSlot = { mnemonic: "ULDC.64", pipe: "constant", independent: false };
const PLACE: readonly IssueSlot[] = [
  { mnemonic: "UIADD3", pipe: "uniform", independent: false },
  { mnemonic: "UIADD3.X", pipe: "uniform", independent: false },
  { mnemonic: "MOV", pipe: "alu", independent: false },
  { mnemonic: "MOV", pipe: "alu", independent: true },
];
const UNIFORM: readonly IssueSlot[] = Object.freeze(PLACE);
const UNIFORM_BESIDE: readonly IssueSlot[] = Object.freeze([LOAD, ...PLACE]);
const IN_REGISTERS: readonly IssueSlot[] = Object.freeze([ADD, ADD_HIGH]);

export function placeFixedAtomics(fn: SsaFunction, constantOperands: boolean): void {
  const beside = new Set<string>();
  walk(fn.body, (node) => {
    if (node.kind !== "inst" || pointerAt(node) !== null) return;
    for (const operand of node.operands) {
      const pointer = parameter(resolve(operand));
      if (pointer !== null) beside.add(pointer);
    }
  });
  const visit = (region: Region, outer: ReadonlySet<string>): void => {
    const placed = new Set(outer);
    const holders = new Map<string, number>();
    for (const node of region.nodes) {
      for (const { pointer } of atomicsIn(node)) holders.set(pointer, (holders.get(pointer) ?? 0) + 1);
    }
    region.nodes = region.nodes.flatMap((node): SsaNode[] => {
      const made: SsaNode[] = [];
      for (const { pointer, inst } of atomicsIn(node)) {
        // Only one branch has it: there.
        const own = node.kind === "if" && !node.leader && holders.get(pointer) === 1;
        if (placed.has(pointer) || own) continue;
        placed.add(pointer);
        made.push(overheadAt(inst, constantOperands ? IN_REGISTERS : beside.has(pointer) ? UNIFORM_BESIDE : UNIFORM));
      }
      for (const inner of regionsOf(node)) visit(inner, placed);
      return [...made, node];
    });
  };
  visit(fn.body, new Set());
}

/** The first atomic in a node for each pointer. */
function atomicsIn(node: SsaNode): readonly { readonly pointer: string; readonly inst: Inst }[] {
  const found = new Map<string, Inst>();
  const note = (inner: SsaNode): void => {
    const pointer = inner.kind === "inst" ? pointerAt(inner) : null;
    if (inner.kind === "inst" && pointer !== null && !found.has(pointer)) found.set(pointer, inner);
  };
  note(node);
  for (const region of regionsOf(node)) walk(region, note);
  return [...found].map(([pointer, inst]) => ({ pointer, inst }));
}

/** The parameter of an atomic at another fixed place of it. */
function pointerAt({ op, mods, operands }: Inst): string | null {
  return op === "atom" && mods.space === "global" && mods.offset ? parameter(resolve(operands[0]!)) : null;
}

function parameter({ def }: Value): string | null {
  return def?.op === "base" && def.mods.root?.kind === "param" ? `${def.mods.root.index}` : null;
}
