/** One block of a launch, instruction by instruction, for those who watch what its threads do to memory and data. */
import { accessWords } from "../../../core/engine/faults.js";
import type { Instruction, Program } from "../../../core/lower/program.js";
import type { PreparedTrial } from "../trial.js";

/** A warp instruction that is about to run. */
export interface BlockStep {
  readonly warp: number;
  readonly instruction: Instruction;
  /** Lanes that do it. */
  readonly lanes: number;
  /** Lanes of the warp that have not ended. */
  readonly live: () => number;
  /** One value a lane of source operand `index`. */
  readonly operand: (index: number) => readonly (number | bigint)[];
  /** Byte addresses of a memory access, one a lane, in its space. */
  readonly addresses: readonly number[];
  /** 32-bit words that a lane accesses. */
  readonly words: number;
}

export interface TracedBlock {
  readonly trial: PreparedTrial;
  readonly program: Program;
  /** Linear index. */
  readonly block: number;
}

export interface BlockWitness {
  step(step: BlockStep): void;
  /** The block has ended. */
  end(): void;
}

/** Warp instructions of a block after which it is not followed further: a tree takes about 200 of each warp. */
const MOST_STEPS_OF_WARP = 1000;
const MOST_STEPS_BESIDES = 4000;

/** Calls `visit` for every lane of the mask, in ascending order. */
export function forLanes(mask: number, visit: (lane: number) => void): void {
  for (let rest = mask; rest !== 0; rest &= rest - 1) visit(31 - Math.clz32(rest & -rest));
}

const isAccess = ({ op, root }: Instruction): boolean =>
  root !== undefined && (op === "ld" || op === "st" || op === "atom");

/**
 * Runs one block of the trial's launch, in the default schedule, on the trial's buffers. False if it is too long to follow to its
 * end. Throws what the launch would throw.
 */
export function traceBlock(
  trial: PreparedTrial,
  block: number,
  witnesses: (traced: TracedBlock) => readonly BlockWitness[],
): boolean {
  const { gpu, kernel, config, args } = trial;
  const { schedule: _, ...ordered } = config;
  const stepper = gpu.step(kernel, ordered, args, { block, history: false });
  const watching = witnesses({ trial, program: stepper.program, block });
  const most = MOST_STEPS_BESIDES + MOST_STEPS_OF_WARP * Math.ceil(config.block / 32);
  const operand = (index: number): readonly (number | bigint)[] => stepper.operand(index);
  for (let position = stepper.position; position !== null; position = stepper.position) {
    if (stepper.steps >= most) return false;
    const { instruction, warp, guardMask } = position;
    const access = isAccess(instruction);
    const step: BlockStep = {
      warp,
      instruction,
      lanes: guardMask | 0,
      live: () => (stepper.warps[warp]?.live ?? 0) | 0,
      operand,
      addresses: access ? operand(0).map((address) => Number(address) + (instruction.offset ?? 0)) : [],
      words: access ? accessWords(instruction) : 0,
    };
    for (const witness of watching) witness.step(step);
    stepper.step();
  }
  for (const witness of watching) witness.end();
  return true;
}
