/**
 * Integer divisions by one divisor share its reciprocal. If the divisor is loop-invariant and every iteration
 * divides, the reciprocal is in the preheader. An unsigned division may follow a `break`, a signed one may not. Each
 * division keeps its own remaining instructions. A signed one computes the divisor's absolute value again.
 */

import { definedIn } from "../analysis/counted-loop.js";
import { sequence } from "../machine/issue-slots.js";
import { issueSlots } from "../machine/machine-instructions.js";
import { overheadAt } from "../machine/overhead.js";
import type { IssueSlot } from "../program.js";
import { isInteger32 } from "../ssa/integer-types.js";
import { type Inst, isJump, type Region, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa/ssa.js";

/**
 * The slots of the divisor: the reciprocal and its correction; if signed, also the absolute value and the two tests.
 */
const UNSIGNED_PART = 9;
const SIGNED_PART = 12;

/**
 * `warpSize` is not constant to NVVM; ptxas replaces the divisor by 32 once the division is expanded. The checks for
 * 0 and for a sign fold away, and signed and unsigned divisions share one reciprocal.
 */
const WARP_RECIPROCAL: readonly IssueSlot[] = sequence(
  "I2F.U32.RP:xu MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ |MOV LEA IMAD.HI.U32",
);
const WARP_UNSIGNED_QUOTIENT = sequence(
  "IMAD.HI.U32 IMAD ISETP.GE.U32.AND @P.IADD3 |@P.IADD3 ISETP.GE.U32.AND @P.IADD3",
);
const WARP_UNSIGNED_REMAINDER = sequence("IMAD.HI.U32 IMAD ISETP.GE.U32.AND @P.IADD3 ISETP.GE.U32.AND @P.IADD3");
const WARP_SIGNED_QUOTIENT = sequence(
  "IABS |LOP3.LUT |ISETP.GE.AND IMAD.HI.U32 IMAD ISETP.GE.U32.AND @P.IADD3 |@P.IADD3 ISETP.GE.U32.AND @P.IADD3 @P.IADD3",
);
const WARP_SIGNED_REMAINDER = sequence(
  "IABS |ISETP.GE.AND MOV IMAD.HI.U32 IMAD ISETP.GE.U32.AND @P.IADD3 ISETP.GE.U32.AND @P.IADD3 @P.IADD3",
);

function byWarpSize(inst: Inst): readonly IssueSlot[] {
  const quotient = inst.op === "div";
  if (inst.type === "u32") return quotient ? WARP_UNSIGNED_QUOTIENT : WARP_UNSIGNED_REMAINDER;
  return quotient ? WARP_SIGNED_QUOTIENT : WARP_SIGNED_REMAINDER;
}

const ABSOLUTE: IssueSlot = Object.freeze({ mnemonic: "IABS", pipe: "alu", independent: true });

export function shareReciprocals(fn: SsaFunction): void {
  visit(fn.body, new Set(), []);
}

interface OpenLoop {
  readonly inside: ReadonlySet<Value>;
  /** The nodes of the preheader, and the divisors prepared there. */
  readonly front: SsaNode[];
  readonly prepared: Set<string>;
}

function visit(region: Region, outer: ReadonlySet<string>, loops: readonly OpenLoop[]): void {
  const prepared = new Set(outer);
  const nodes: SsaNode[] = [];
  let certain = loops;
  for (const node of region.nodes) {
    if (node.kind === "if") {
      visit(node.then, prepared, []);
      visit(node.else, prepared, []);
      if (isJump(node.then.end) || isJump(node.else.end)) certain = [];
    } else if (node.kind === "loop") {
      const own: OpenLoop = { inside: definedIn(node), front: nodes, prepared };
      visit(node.body, prepared, [...loops, own]);
      visit(node.latch, prepared, [...loops, own]);
    } else if ((node.op === "div" || node.op === "rem") && isInteger32(node.type)) {
      prepare(node, prepared, node.type === "u32" ? loops : certain);
    }
    nodes.push(node);
  }
  region.nodes = nodes;
}

/** Splits a division's slots into those of the divisor alone and the rest. */
function partsOf(inst: Inst): { readonly part: readonly IssueSlot[]; readonly own: readonly IssueSlot[] } {
  const all = inst.slots ?? issueSlots(inst.op, inst.type, inst.mods);
  const length = inst.type === "u32" ? UNSIGNED_PART : SIGNED_PART;
  return { part: Object.freeze(all.slice(0, length)), own: Object.freeze(all.slice(length)) };
}

function prepare(inst: Inst, prepared: Set<string>, loops: readonly OpenLoop[]): void {
  const divisor = resolve(inst.operands[1]!);
  if (divisor.constant !== null) return;
  const known = divisor.def?.op === "warpSize";
  const key = known ? "warpSize" : `${inst.type} ${divisor.id}`;
  const { part, own } = known ? { part: WARP_RECIPROCAL, own: byWarpSize(inst) } : partsOf(inst);
  if (prepared.has(key)) {
    inst.slots = own;
    return;
  }
  const steady = loops.find((loop) => !loop.inside.has(divisor));
  if (steady === undefined) {
    if (known) inst.slots = Object.freeze([...part, ...own]);
    prepared.add(key);
    return;
  }
  if (!steady.prepared.has(key)) {
    steady.front.push(overheadAt(inst, part));
    steady.prepared.add(key);
  }
  prepared.add(key);
  inst.slots = known || inst.type === "u32" ? own : Object.freeze([ABSOLUTE, ...own]);
}
