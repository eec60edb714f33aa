/**
 * Where a loop is dense in loads, ptxas keeps the LDC of the base pointers in it; otherwise they are hoisted. The
 * limit is 4.7 instructions for each global load, with at least three such loads (80 innermost loops without
 * branches, nvcc 13.0). The count includes these LDCs, one more, and one for each scalar parameter with a use
 * besides the test.
 */

import { definedIn } from "../analysis/counted-loop.js";
import { issueSlots } from "../machine/machine-instructions.js";
import type { IssueSlot } from "../program.js";
import { Inst, type LoopNode, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa/ssa.js";
import { loopsIn } from "../ssa/traversal.js";

/** It is first in the iteration, so nothing fills its latency. */
const AT_ONCE: readonly IssueSlot[] = Object.freeze([{ mnemonic: "LDC.64", pipe: "constant", independent: true }]);
const INSTRUCTIONS_A_LOAD = 4.7;
const LEAST_LOADS = 3;
/** The branch and one more. */
const OWN = 2;

/** True if a loop is dense in loads. */
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
  // Stepping a pointer by a constant takes two instructions.
  if (inst.op === "addr" && inst.mods.space === "global" && resolve(inst.operands[1]!).constant !== null) return 2;
  return issueSlots(inst.op, inst.type, inst.mods).length;
}
