/** The pipe that shared memory, shuffles and L1 have in common: an SM does one wavefront of it at a time. */
import type { LaunchResult } from "../host/launch-result.js";
import type { Instruction } from "../lower/program.js";

const WAVEFRONT_BYTES = 128;

const isAccess = ({ op }: Instruction): boolean => op === "ld" || op === "st" || op === "atom";

export function isShuffle({ op }: Instruction): boolean {
  return op.startsWith("shfl");
}

export function usesShared(instruction: Instruction): boolean {
  return (isAccess(instruction) && instruction.space === "shared") || isShuffle(instruction);
}

export function loadsGlobal({ op, space }: Instruction): boolean {
  return op === "ld" && space === "global";
}

/** Cycles of the pipe that the instruction takes on all SMs together. */
export function cyclesOf({ rawCounters: raw, device }: LaunchResult, instruction: Instruction): number {
  const { pc, op, space } = instruction;
  const { pipes, sharedMemory, l1 } = device;
  if (isShuffle(instruction)) return (raw.executed[pc] ?? 0) * (pipes.shuffle?.issueIntervalCycles ?? 0);
  if (!isAccess(instruction)) return 0;
  const requests = raw.requests[pc] ?? 0;
  const passes =
    space === "shared"
      ? (raw.wavefronts[pc] ?? 0) *
        (op === "atom" ? sharedMemory.atomicLaneIntervalCycles : sharedMemory.wavefrontCycles)
      : Math.max(requests, (raw.bytes[pc] ?? 0) / WAVEFRONT_BYTES, (raw.lines[pc] ?? 0) * l1.hitLineIntervalCycles);
  return Math.max(passes, requests * pipes.lsu.issueIntervalCycles);
}

/** Share of an SM's active cycles that these instructions keep the pipe busy; predicted. */
export function busyShare(launch: LaunchResult, uses: (instruction: Instruction) => boolean = () => true): number {
  const { program, device, counters, time } = launch;
  const cycles = program.instructions.reduce((sum, each) => sum + (uses(each) ? cyclesOf(launch, each) : 0), 0);
  return cycles / Math.min(device.smCount, counters.blocks) / Math.max(1, time.cycles);
}

const WIDE = 4;

/** Whether all accesses among the instructions move several words a lane. */
export function areWide(instructions: readonly Instruction[]): boolean {
  const accesses = instructions.filter(isAccess);
  return (
    accesses.length > 0 && accesses.every(({ op, dst, src }) => (op === "st" ? src.length - 1 : dst.length) >= WIDE)
  );
}
