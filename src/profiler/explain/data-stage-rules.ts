/** Rules on the pipe that shared memory, shuffles and L1 have in common: an SM does one wavefront of it at a time. */
import type { LaunchResult } from "../../host/launch-result.js";
import type { Instruction } from "../../lower/program.js";
import { type Cause, exact, lineWithMost, predicted, shortNumber } from "./finding.js";
import { timeLeft, withoutInstructions } from "./what-if/what-if.js";

/** Share of an SM's cycles from which on the pipe may bound a kernel. */
const BUSY = 0.5;
const WAVEFRONT_BYTES = 128;
const WIDE = 4;

const isAccess = ({ op }: Instruction): boolean => op === "ld" || op === "st" || op === "atom";

export function usesShared(instruction: Instruction): boolean {
  return (isAccess(instruction) && instruction.space === "shared") || isShuffle(instruction);
}

export function isShuffle({ op }: Instruction): boolean {
  return op.startsWith("shfl");
}

function loadsGlobal({ op, space }: Instruction): boolean {
  return op === "ld" && space === "global";
}

/** Whether all these accesses move 16 bytes a lane or more than the pipe takes at once. */
export function areWide(instructions: readonly Instruction[]): boolean {
  const accesses = instructions.filter(isAccess);
  return (
    accesses.length > 0 && accesses.every(({ op, dst, src }) => (op === "st" ? src.length - 1 : dst.length) >= WIDE)
  );
}

/** Cycles of the pipe that the instruction takes on all SMs together. */
function cyclesOf({ rawCounters: raw, device }: LaunchResult, { pc, op, space }: Instruction): number {
  const { pipes, sharedMemory, l1 } = device;
  if (op.startsWith("shfl")) return (raw.executed[pc] ?? 0) * (pipes.shuffle?.issueIntervalCycles ?? 0);
  const requests = raw.requests[pc] ?? 0;
  const passes =
    space === "shared"
      ? (raw.wavefronts[pc] ?? 0) *
        (op === "atom" ? sharedMemory.atomicLaneIntervalCycles : sharedMemory.wavefrontCycles)
      : Math.max(requests, (raw.bytes[pc] ?? 0) / WAVEFRONT_BYTES, (raw.lines[pc] ?? 0) * l1.hitLineIntervalCycles);
  return Math.max(passes, requests * pipes.lsu.issueIntervalCycles);
}

function busyShare(launch: LaunchResult, uses: (instruction: Instruction) => boolean): number {
  const { program, device, counters, time } = launch;
  const cycles = program.instructions.reduce((sum, each) => sum + (uses(each) ? cyclesOf(launch, each) : 0), 0);
  return cycles / Math.min(device.smCount, counters.blocks) / Math.max(1, time.cycles);
}

export function sharedBound(launch: LaunchResult): Cause | null {
  const share = busyShare(launch, usesShared);
  if (share < BUSY) return null;
  const { program, counters } = launch;
  const used = program.instructions.filter(usesShared);
  const fewer = "Keep values in registers, and compute several results from each value that is read.";
  return {
    rule: "shared memory bound",
    sentence: `Shared memory's pipe bounds the kernel: it is busy in ${shortNumber(100 * share)} % of the SM's cycles.`,
    advice: areWide(used)
      ? fewer
      : `${fewer} Accesses of several words a lane, such as float4, need fewer instructions.`,
    evidence: [
      predicted("share of the cycles that shared memory's pipe is busy", 100 * share, "%"),
      exact("shared wavefronts", counters.sharedLoadWavefronts + counters.sharedStoreWavefronts),
    ],
    line: lineWithMost(launch, (pc) => {
      const instruction = program.instructions[pc]!;
      return usesShared(instruction) ? cyclesOf(launch, instruction) : 0;
    }),
    without: "accesses to shared memory and shuffles",
    tryWithout: (tried) => timeLeft(tried, withoutInstructions(usesShared)),
  };
}

/** Half of the sectors hit. */
const HITS = 50;

export function l1Bound(launch: LaunchResult): Cause | null {
  const { program, time, counters } = launch;
  const share = busyShare(launch, loadsGlobal);
  if (share < BUSY || time.l1HitRatePercent === null || time.l1HitRatePercent < HITS) return null;
  const fewer = "Read a value once and keep it in a register.";
  return {
    rule: "L1 bound",
    sentence: `L1's pipe bounds the kernel: loads that mostly hit it keep it busy in ${shortNumber(100 * share)} % of the SM's cycles.`,
    advice: areWide(program.instructions.filter(loadsGlobal))
      ? fewer
      : `${fewer} Loads of several words a lane, such as float4, need fewer instructions.`,
    evidence: [
      predicted("share of the cycles that L1's pipe is busy", 100 * share, "%"),
      predicted("l1 hit rate", time.l1HitRatePercent, "%"),
      exact("global load requests", counters.globalLoadRequests),
    ],
    line: lineWithMost(launch, (pc) => {
      const instruction = program.instructions[pc]!;
      return loadsGlobal(instruction) ? cyclesOf(launch, instruction) : 0;
    }),
    without: "these loads",
    tryWithout: (tried) => timeLeft(tried, withoutInstructions(loadsGlobal)),
  };
}
