/**
 * Where loads are dense in a loop, ptxas leaves in it the LDC of the pointers that its addresses start from. Elsewhere they stand
 * in front. Found with nvcc 13.0 (80 innermost loops without branches): with these LDCs, one for each scalar parameter that more than the
 * test reads and one more, the round has less than 4.7 instructions for each load from global memory, and at least
 * three such loads.
 */

import { definedIn } from "../analysis/counted-loop.js";
import { issueSlots } from "../machine/machine-instructions.js";
import type { IssueSlot } from "../program.js";
import { Inst, type LoopNode, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa/ssa.js";
import { loopsIn } from "../ssa/traversal.js";

/** It comes first in the round; nothing is put in front of it to fill its wait. */
const AT_ONCE: readonly IssueSlot[] = Object.freeze([{ mnemonic: "LDC.64", pipe: "constant", independent: true }]);
const INSTRUCTIONS_A_LOAD = 4.7;
const LEAST_LOADS = 3;
/** The branch, and what is counted besides. */
const OWN = 2;

/** True if a loop has such loads. */
export function reloadWhereDense(fn: SsaFunction): boolean {
  let changed = false;
  for (const loop of loopsIn(fn.body)) {
    const nodes = [...loop.body.nodes, ...loop.latch.nodes];
    const body = nodes.filter((node) => node.kind === "inst");
    if (body.length === nodes.length && reload(fn, loop, body)) changed = true;
  }
  return changed;
}

function reload(fn: SsaFunction, loop: LoopNode, body: readonly Inst[]): boolean {
  const inside = definedIn(loop);
  const ofAddresses = new Map<Value, Value>();
  const others = new Set<Value>();
  let loads = 0;
  let count = OWN;
  for (const inst of body) {
    if (inst.op === "ld" && inst.mods.space === "global") loads++;
    count += slotsOf(inst);
    for (const operand of inst.operands.map(resolve)) {
      if (inside.has(operand) || !isParameter(operand)) continue;
      if (inst.op === "addr" && operand.def?.op === "base") ofAddresses.set(operand, operand);
      else if (inst.op !== "setp") others.add(operand);
    }
  }
  if (loads < LEAST_LOADS || count + ofAddresses.size + others.size >= INSTRUCTIONS_A_LOAD * loads) return false;
  const { body: region } = loop;
  const front: SsaNode[] = [];
  for (const [value] of ofAddresses) {
    const { op, type, mods, span, source } = value.def!;
    const again = fn.value(type, value.name);
    const load = new Inst(op, type, [again], [], mods, span, source);
    load.slots = AT_ONCE;
    front.push(load);
    ofAddresses.set(value, again);
  }
  for (const inst of body) {
    if (inst.op === "addr")
      inst.operands = inst.operands.map((operand) => ofAddresses.get(resolve(operand)) ?? operand);
  }
  region.nodes.unshift(...front);
  return front.length > 0;
}

function isParameter({ def }: Value): boolean {
  return def?.op === "param" || (def?.op === "base" && def.mods.root?.kind === "param");
}

function slotsOf(inst: Inst): number {
  if (inst.slots !== null) return inst.slots.length;
  // A pointer steps by a constant in two halves.
  if (inst.op === "addr" && inst.mods.space === "global" && resolve(inst.operands[1]!).constant !== null) return 2;
  return issueSlots(inst.op, inst.type, inst.mods).length;
}
