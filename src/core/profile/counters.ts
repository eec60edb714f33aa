/**
 * Named event counts of one launch, summed from the engines' raw counters by the meaning of each instruction. All are
 * exact sums over every block of the grid. Names and meanings follow Nsight Compute's counters of the same thing.
 */
import type { RawCounters } from "../engine/engine.js";
import type { Instruction, Program } from "../lower/program.js";
import { furtherArrivals } from "./arrivals.js";

export interface Counters {
  /** smsp__inst_executed: machine instructions issued, one a warp; an integer modulo is the many that it expands to. */
  readonly warpInstructions: number;
  /** smsp__thread_inst_executed: the same times the lanes active there. */
  readonly threadInstructions: number;
  /** Lanes in which the instruction's guard held too. */
  readonly threadInstructionsPredicatedOn: number;
  readonly warps: number;
  readonly blocks: number;
  /** Conditional and unconditional jumps (not exits). */
  readonly branches: number;
  /** Jumps at which active lanes of a warp went both ways. */
  readonly divergentBranches: number;
  /** smsp__inst_executed_op_branch: jumps, reconvergence points and exits. */
  readonly controlInstructions: number;
  readonly barriers: number;
  readonly globalLoadInstructions: number;
  readonly globalStoreInstructions: number;
  readonly globalAtomicInstructions: number;
  /** Requests: instructions in which at least one lane took part. */
  readonly globalLoadRequests: number;
  readonly globalStoreRequests: number;
  readonly globalAtomicRequests: number;
  /** 32-byte sectors that the requests touch. */
  readonly globalLoadSectors: number;
  readonly globalStoreSectors: number;
  readonly globalAtomicSectors: number;
  /** 128-byte lines that the requests touch: what Fermi's L1 moves. */
  readonly globalLoadLines: number;
  readonly globalStoreLines: number;
  /** Bytes that lanes asked for. */
  readonly globalLoadBytes: number;
  readonly globalStoreBytes: number;
  readonly sharedLoadInstructions: number;
  readonly sharedStoreInstructions: number;
  readonly sharedLoadRequests: number;
  readonly sharedStoreRequests: number;
  readonly sharedAtomicRequests: number;
  readonly sharedLoadWavefronts: number;
  readonly sharedStoreWavefronts: number;
  readonly sharedAtomicWavefronts: number;
  /** Wavefronts beyond the least that the same requests need. */
  readonly sharedLoadBankConflicts: number;
  readonly sharedStoreBankConflicts: number;
  readonly shuffles: number;
  readonly votes: number;
}

type Total = { -readonly [key in keyof Counters]: number };

function countMemory(total: Total, instruction: Instruction, raw: RawCounters): void {
  const pc = instruction.pc;
  const at = (array: Float64Array): number => array[pc] ?? 0;
  if (instruction.space === "global") {
    const kind = instruction.op === "ld" ? "Load" : instruction.op === "st" ? "Store" : "Atomic";
    total[`global${kind}Instructions`] += at(raw.executed);
    total[`global${kind}Requests`] += at(raw.requests);
    total[`global${kind}Sectors`] += at(raw.sectors);
    if (kind === "Atomic") return;
    total[`global${kind}Lines`] += at(raw.lines);
    total[`global${kind}Bytes`] += at(raw.bytes);
  } else if (instruction.space === "shared") {
    const kind = instruction.op === "ld" ? "Load" : instruction.op === "st" ? "Store" : "Atomic";
    total[`shared${kind}Requests`] += at(raw.requests);
    total[`shared${kind}Wavefronts`] += at(raw.wavefronts);
    if (kind === "Atomic") return;
    total[`shared${kind}Instructions`] += at(raw.executed);
    total[`shared${kind}BankConflicts`] += at(raw.wavefronts) - at(raw.idealWavefronts);
  }
}

function countInstruction(total: Total, instruction: Instruction, raw: RawCounters): void {
  const pc = instruction.pc;
  const executed = raw.executed[pc] ?? 0;
  if (executed === 0) return;
  const issued = instruction.issue.length;
  total.warpInstructions += executed * issued;
  total.threadInstructions += (raw.activeLanes[pc] ?? 0) * issued;
  total.threadInstructionsPredicatedOn += (raw.predicatedLanes[pc] ?? 0) * issued;
  switch (instruction.op) {
    case "bra":
      total.branches += executed;
      total.controlInstructions += executed;
      total.divergentBranches += raw.divergent[pc] ?? 0;
      break;
    case "overhead":
      // Jumps to the next basic block, of unoptimised code.
      if (issued === 1 && instruction.issue[0]?.mnemonic === "BRA") {
        total.branches += executed;
        total.controlInstructions += executed;
      }
      break;
    case "bsync":
    case "exit":
      total.controlInstructions += executed;
      break;
    case "bar":
      total.barriers += executed;
      break;
    case "ld":
    case "st":
    case "atom":
      countMemory(total, instruction, raw);
      break;
    case "shfl":
    case "shflUp":
    case "shflDown":
    case "shflXor":
      total.shuffles += executed;
      break;
    case "ballot":
    case "any":
    case "all":
      total.votes += executed;
      break;
    default:
  }
}

/** Sums of one launch. `barriers` counts warp executions: divide by the warps of a block for barriers a block. */
export function countEvents(program: Program, raw: RawCounters): Counters {
  const total: Total = {
    warpInstructions: 0,
    threadInstructions: 0,
    threadInstructionsPredicatedOn: 0,
    warps: raw.warps,
    blocks: raw.blocks,
    branches: 0,
    divergentBranches: 0,
    controlInstructions: 0,
    barriers: 0,
    globalLoadInstructions: 0,
    globalStoreInstructions: 0,
    globalAtomicInstructions: 0,
    globalLoadRequests: 0,
    globalStoreRequests: 0,
    globalAtomicRequests: 0,
    globalLoadSectors: 0,
    globalStoreSectors: 0,
    globalAtomicSectors: 0,
    globalLoadLines: 0,
    globalStoreLines: 0,
    globalLoadBytes: 0,
    globalStoreBytes: 0,
    sharedLoadInstructions: 0,
    sharedStoreInstructions: 0,
    sharedLoadRequests: 0,
    sharedStoreRequests: 0,
    sharedAtomicRequests: 0,
    sharedLoadWavefronts: 0,
    sharedStoreWavefronts: 0,
    sharedAtomicWavefronts: 0,
    sharedLoadBankConflicts: 0,
    sharedStoreBankConflicts: 0,
    shuffles: 0,
    votes: 0,
  };
  for (const instruction of program.instructions) countInstruction(total, instruction, raw);
  for (const arrivals of furtherArrivals(program, raw).values()) {
    total.warpInstructions += arrivals;
    total.controlInstructions += arrivals;
  }
  return total;
}
