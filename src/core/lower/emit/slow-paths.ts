/**
 * Adds the branches of operations with two paths (two-path-code.ts), after scheduling. Each gets a test for lanes on
 * the slow path, a branch around it, and a reconvergence point. A predicated operation keeps its fast path alone.
 */

import { BRANCH, BSSY, BSYNC } from "../machine/machine-instructions.js";
import { type TwoPaths, twoPaths } from "../machine/two-path-code.js";
import type { Guard } from "../program.js";
import { NO_MODIFIERS } from "../ssa/ssa.js";
import { bareInst, type Draft, type DraftIf, type DraftInst, type DraftRegion, innerRegions } from "./draft.js";

export function branchToSlowPaths({ region, registers }: Draft): void {
  const inRegion = (nodes: DraftRegion): void => {
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!;
      if (node.kind === "inst") {
        const paths = node.inst.guard === null ? twoPaths(node.inst.op, node.inst.type) : null;
        if (paths === null) continue;
        registers.push({ type: "bool", name: null });
        nodes.splice(i, 1, ...branched(node.inst, paths, registers.length - 1));
      } else innerRegions(node).forEach(inRegion);
    }
  };
  inRegion(region);
}

function branched(inst: DraftInst, { check, common, fast, slow }: TwoPaths, isSlow: number): DraftRegion {
  const condition: Guard = { reg: isSlow, negate: false };
  const around = bareInst("bra", BRANCH, { reg: isSlow, negate: true }, inst);
  const end = bareInst("bsync", BSYNC, null, inst);
  const start = bareInst("bssy", BSSY, null, inst);
  start.target = end;
  const test: DraftInst = { ...inst, op: check.op, dst: [isSlow], issue: check.slots, mods: NO_MODIFIERS };
  const only = (made: DraftInst): DraftRegion => [{ kind: "inst", inst: made }];
  const parted: DraftIf =
    fast.length === 0
      ? {
          kind: "if",
          branch: around,
          condition,
          then: only(bareInst("overhead", slow, null, inst)),
          jumpOver: null,
          else: [],
        }
      : {
          kind: "if",
          branch: around,
          condition,
          then: only({ ...inst, issue: slow }),
          jumpOver: bareInst("bra", BRANCH, null, inst),
          else: only({ ...inst, issue: fast }),
        };
  const result = fast.length === 0 ? only({ ...inst, issue: common }) : [];
  return [...only(start), ...only(test), ...result, parted, ...only(end)];
}
