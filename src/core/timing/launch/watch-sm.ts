/** The SM that a prediction simulates, run once more under an observer. The prediction knows nothing of it. */
import { STALL_REASONS, type StallReason } from "../base/stalls.js";
import { recordOf } from "../program/microcode.js";
import { type TimedProgram, timedProgram } from "../program/timed-program.js";
import type { Sm } from "../sm/sm.js";
import { StallSampler, WarpRecorder } from "../sm/warp-record.js";
import { RECORD_HEADER } from "../trace/trace.js";
import { walkRequests } from "../trace/trace-requests.js";
import { launchSample } from "./launch-sample.js";
import { LaunchSimulation } from "./launch-simulation.js";
import { launchShape, type PredictInput } from "./predict-input.js";

/** Cycles from `from` to before `to` that a warp spent in one state at one instruction. */
export interface WarpStretch {
  readonly state: StallReason;
  /** The instruction that it issues, or waits to issue; of `barrier`, `membar` and `branch_resolving` the one waited at. */
  readonly pc: number;
  readonly from: number;
  readonly to: number;
}

export interface WarpStates {
  readonly scheduler: number;
  /** Number of the block on the SM, from 0 in the order in which they come, and of the warp in its block. */
  readonly block: number;
  readonly warp: number;
  /** In the order of time, without gaps. */
  readonly stretches: readonly WarpStretch[];
}

/** The states of one SM's warps. */
export interface SmRecord {
  /** Cycles recorded, from the launch's start on. */
  readonly cycles: number;
  /** Whether all simulated blocks ended within them. */
  readonly complete: boolean;
  readonly schedulers: number;
  /** In the order in which they came. */
  readonly warps: readonly WarpStates[];
}

/** Warp cycles of one SM by instruction and state. */
export interface StallSamples {
  /** An array a pc, by index into STALL_REASONS. */
  readonly byPc: readonly Float64Array[];
  /** Cycles of the SM that were watched. */
  readonly cycles: number;
  /** Where the traced blocks' atomics on global memory meet. */
  readonly atomics: readonly AtomicMeeting[];
}

/** The requests of one atomic instruction in the traced blocks. */
export interface AtomicMeeting {
  readonly pc: number;
  readonly requests: number;
  /** Operations that L2 does one after the other: a request has one a sector, and one a lane where lanes share an address. */
  readonly operations: number;
  /** Different sectors of 32 bytes that they touch. */
  readonly sectors: number;
}

interface Watched {
  readonly timed: TimedProgram;
  readonly simulation: LaunchSimulation;
  readonly mostIssues: number;
}

function watched(input: PredictInput): Watched {
  const shape = launchShape(input);
  const timed = timedProgram(input.program, input.device);
  const sample = launchSample(input, shape, timed);
  return { timed, simulation: new LaunchSimulation(input, shape, timed, sample), mostIssues: sample.plan.mostIssues };
}

/** The instruction of the lowered program of each place of the microcode. */
function pcsOf({ start, microcode }: TimedProgram): Int32Array {
  const lowered = new Int32Array(start.at(-1) ?? 0);
  for (let pc = 0; pc + 1 < start.length; pc++) lowered.fill(pc, start[pc]!, start[pc + 1]!);
  return microcode.pcOf.map((place) => lowered[place]!);
}

/** Records the first `cycles` cycles of the SM, or of one that gets no more than so many blocks. */
export function recordSm(input: PredictInput, cycles: number, mostBlocks: number | null = null): SmRecord {
  const { timed, simulation } = watched(input);
  const recorder = new WarpRecorder(cycles);
  const machine: Sm = simulation.watched(recorder, mostBlocks);
  const goesOn = machine.advance(cycles, Number.POSITIVE_INFINITY);
  const end = goesOn ? cycles : Math.min(cycles, Math.ceil(machine.result().cycles));
  recorder.finish(end);
  const pcs = pcsOf(timed);
  const { schedulersPerSm: schedulers } = input.device;
  const warps = recorder.warps.map(
    ({ slot, block, warp, stretches }): WarpStates => ({
      scheduler: slot % schedulers,
      block,
      warp,
      stretches: stretches.map(({ state, at, from, to }) => ({ state: STALL_REASONS[state]!, pc: pcs[at]!, from, to })),
    }),
  );
  return {
    cycles: end,
    complete: !goesOn,
    schedulers,
    warps: warps.filter(({ stretches }) => stretches.length > 0),
  };
}

/** Sums the warp cycles of the part of the launch that a prediction simulates. */
export function sampleStalls(input: PredictInput): StallSamples {
  const { timed, simulation, mostIssues } = watched(input);
  const sampler = new StallSampler(timed.microcode.pcOf.length);
  const machine = simulation.watched(sampler);
  machine.advance(Number.POSITIVE_INFINITY, mostIssues);
  const { cycles } = machine.result();
  sampler.finish(cycles);
  const reasons = STALL_REASONS.length;
  const byPc = input.program.instructions.map(() => new Float64Array(reasons));
  for (const [at, pc] of pcsOf(timed).entries()) {
    for (let reason = 0; reason < reasons; reason++) byPc[pc]![reason]! += sampler.cycles[at * reasons + reason]!;
  }
  return { byPc, cycles, atomics: atomicMeetings(input) };
}

function atomicMeetings({ program, traces }: PredictInput): readonly AtomicMeeting[] {
  const found = new Map<number, { requests: number; operations: number; sectors: Set<number> }>();
  const isAtomic = program.instructions.map(({ op, space }) => op === "atom" && space === "global");
  if (!isAtomic.includes(true)) return [];
  const traced = Uint8Array.from(program.instructions, recordOf);
  for (const block of traces.blocks) {
    walkRequests(block, traced, (pc, record) => {
      if (!isAtomic[pc]) return;
      const meeting = found.get(pc) ?? { requests: 0, operations: 0, sectors: new Set<number>() };
      found.set(pc, meeting);
      const count = block.memory[record + 2]!;
      meeting.requests++;
      meeting.operations += count;
      const first = record + RECORD_HEADER;
      for (let at = first; at < first + count; at++) meeting.sectors.add(block.memory[at]!);
    });
  }
  return [...found].map(([pc, { requests, operations, sectors }]) => ({
    pc,
    requests,
    operations,
    sectors: sectors.size,
  }));
}
