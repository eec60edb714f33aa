/**
 * One load reads two 32-bit parameters that fill an aligned 8 bytes of the parameter block, if one basic block reads
 * both. Parameters lie in order, each aligned to its size (CUDA's C ABI).
 */
import type { KernelIr } from "../../ir/ir.js";
import { byteSize } from "../../ir/types.js";
import type { IssueSlot } from "../program.js";
import { type Inst, type Region, regionsOf, type SsaFunction } from "../ssa/ssa.js";

const NONE: readonly IssueSlot[] = Object.freeze([]);

function parameterOffsets(ir: KernelIr): readonly number[] {
  let offset = 0;
  return ir.params.map((param) => {
    const size = param.kind === "pointer" ? 8 : byteSize(param.type);
    offset = Math.ceil(offset / size) * size;
    const at = offset;
    offset += size;
    return at;
  });
}

export function mergeParameterLoads(fn: SsaFunction, ir: KernelIr): void {
  const offsets = parameterOffsets(ir);
  const small = (index: number): boolean => {
    const param = ir.params[index];
    return param?.kind === "scalar" && byteSize(param.type) === 4;
  };
  const visit = (region: Region): void => {
    let block = new Map<number, Inst>();
    for (const node of region.nodes) {
      if (node.kind !== "inst") {
        regionsOf(node).forEach(visit);
        block = new Map();
      } else if (node.op === "param" && small(node.mods.index!)) {
        const offset = offsets[node.mods.index!]!;
        const pair = Math.floor(offset / 8);
        if (block.has(pair)) node.slots = NONE;
        else block.set(pair, node);
      }
    }
  };
  visit(fn.body);
}
