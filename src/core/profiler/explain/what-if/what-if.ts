/**
 * The input of a prediction without one cause of its time: a what-if. The timing model stays as it is; the device, the
 * program or the traces change. `LaunchResult.timeIf` predicts again.
 */
import { type DeviceChanges, modifyDevice } from "../../../device/index.js";
import type { LaunchResult } from "../../../host/launch-result.js";
import type { Instruction, IssueSlot } from "../../../lower/program.js";
import type { PredictInput } from "../../../timing/index.js";
import { rewriteTraces } from "./rewrite-traces.js";

export type WhatIf = (input: PredictInput) => PredictInput;

/** Cycles and bandwidths that cost nothing beside any other. */
const NO_CYCLES = 0.01;
const NO_LIMIT_GBPS = 500_000;
const NO_LIMIT_BYTES = 50_000;
const MOST_BLOCKS = 1024;
const MANY_REGISTERS = 2 ** 20;

/** The share of its time that the launch would take. */
export function timeLeft(launch: LaunchResult, whatIf: WhatIf): number {
  return launch.timeIf(whatIf).durationMicroseconds / launch.time.durationMicroseconds;
}

export function onDevice(changes: DeviceChanges): WhatIf {
  return (input) => ({ ...input, device: modifyDevice(input.device, changes) });
}

/** The slots of these machine instructions are not issued. */
export function withoutSlots(removes: (slot: IssueSlot) => boolean): WhatIf {
  return (input) => {
    const instructions = input.program.instructions.map((each) =>
      each.issue.some(removes) ? { ...each, issue: each.issue.filter((slot) => !removes(slot)) } : each,
    );
    return { ...input, program: { ...input.program, instructions } };
  };
}

/** These instructions are not issued, and access no memory. */
export function withoutInstructions(removes: (instruction: Instruction) => boolean): WhatIf {
  return (input) => {
    const { program, traces } = input;
    const removed = program.instructions.map(removes);
    return {
      ...input,
      program: {
        ...program,
        instructions: program.instructions.map((each, pc) =>
          removed[pc] ? { ...each, op: "overhead", issue: [] } : each,
        ),
      },
      traces: rewriteTraces(program, traces, { record: (pc, record) => (removed[pc] ? null : record) }),
    };
  };
}

/** Each warp has a scheduler of its own. */
export const endlessIssue: WhatIf = (input) => onDevice({ schedulersPerSm: input.device.limits.maxWarpsPerSm })(input);

const ENDLESS_L2: DeviceChanges["l2"] = {
  bandwidthGBps: NO_LIMIT_GBPS,
  writeBandwidthGBps: NO_LIMIT_GBPS,
  portBytesPerCyclePerSm: NO_LIMIT_BYTES,
  portWriteBytesPerCyclePerSm: NO_LIMIT_BYTES,
  campingFactor: 1,
  strongLineCycles: 0,
};

export const endlessL2: WhatIf = onDevice({ l2: ENDLESS_L2 });

/** Data from DRAM enters L2 by the path of stores, so that path is as wide. */
export const endlessDram: WhatIf = onDevice({
  dram: { peakBandwidthGBps: NO_LIMIT_GBPS },
  l2: { writeBandwidthGBps: NO_LIMIT_GBPS },
});

/** Stores and loads pass the caches as fast as they come. */
export const endlessQueues: WhatIf = onDevice({
  pipes: { lsu: { issueIntervalCycles: NO_CYCLES } },
  l1: { lineIntervalCycles: NO_CYCLES, hitLineIntervalCycles: NO_CYCLES },
  l2: ENDLESS_L2,
});

export const promptMemory: WhatIf = onDevice({
  l1: { hitLatencyCycles: 1 },
  l2: { hitLatencyCycles: 2 },
  dram: { latencyCycles: 3 },
  atomics: { returnLatencyCycles: 1 },
});

const AT_ONCE = { latencyCycles: 1 };

export const promptShared: WhatIf = (input) => {
  const { shuffle, match, redux } = input.device.pipes;
  return onDevice({
    sharedMemory: {
      loadLatencyCycles: 1,
      latencyPerExtraWavefrontCycles: 0,
      atomicLatencyCycles: 1,
      atomicLatencyPerExtraLaneCycles: 0,
    },
    pipes: {
      xu: AT_ONCE,
      special: AT_ONCE,
      constant: AT_ONCE,
      ...(shuffle === null ? {} : { shuffle: AT_ONCE }),
      ...(match === null ? {} : { match: AT_ONCE }),
      ...(redux === null ? {} : { redux: AT_ONCE }),
    },
  })(input);
};

export const promptArithmetic: WhatIf = (input) =>
  onDevice({
    pipes: {
      alu: AT_ONCE,
      fma: AT_ONCE,
      imad: AT_ONCE,
      fp64: AT_ONCE,
      vote: AT_ONCE,
      cbu: { latencyCycles: 1, predicateLatencyCycles: 1 },
      ...(input.device.pipes.uniform === null ? {} : { uniform: AT_ONCE }),
    },
  })(input);

/** Blocks are given out, begin and end in no time. */
export const freeDispatch: WhatIf = onDevice({
  launch: {
    blockDispatchNanoseconds: 0.0001,
    firstRoundIntervalCycles: NO_CYCLES,
    emptyBlockResidencyCycles: NO_CYCLES,
    residencyPerWarpCycles: 0,
  },
});

/** An SM holds as many warps as it has places for. */
export const fullOccupancy: WhatIf = (input) => ({
  ...onDevice({ limits: { maxBlocksPerSm: MOST_BLOCKS, barriersPerSm: null, registersPerSm: MANY_REGISTERS } })(input),
  dynamicSharedBytes: 0,
  program: { ...input.program, staticSharedBytes: 0 },
});

/** Lanes of a warp ask for words of different banks. */
export function withoutBankConflicts({ rawCounters: raw }: LaunchResult): WhatIf {
  return (input) => {
    const { program, traces } = input;
    const ideal = program.instructions.map(({ op, space, pc }) =>
      space === "shared" && (op === "ld" || op === "st")
        ? Math.max(1, Math.round((raw.idealWavefronts[pc] ?? 0) / Math.max(1, raw.requests[pc] ?? 0)))
        : null,
    );
    return {
      ...input,
      traces: rewriteTraces(program, traces, {
        record: (pc, record) => {
          const wavefronts = ideal[pc] ?? null;
          return wavefronts === null ? record : { ...record, wavefronts: Math.min(record.wavefronts, wavefronts) };
        },
      }),
    };
  };
}

/**
 * The time of the grid's work shared out evenly. A grid that fills its last wave is predicted, and the launch takes the
 * share of its time that it has of its blocks. An empty kernel's time does not shrink.
 */
export function timeLeftIfBalanced(launch: LaunchResult, places: number): number {
  const { blocks } = launch.counters;
  const full = Math.ceil(blocks / places) * places;
  const empty = launch.device.launch.emptyKernelDurationMicroseconds;
  let grown = blocks;
  const { durationMicroseconds: whole } = launch.timeIf((input) => {
    const [x, y, z] = input.grid;
    grown = Math.floor(full / (y * z)) * y * z;
    const { work: _work, lastSms: _lastSms, counters, ...others } = input;
    const executed = counters?.executed.map((count) => (count * grown) / blocks);
    return {
      ...others,
      grid: [Math.max(x, grown / (y * z)), y, z],
      ...(counters === undefined || executed === undefined ? {} : { counters: { ...counters, executed } }),
    };
  });
  const balanced = Math.min(empty, whole) + (Math.max(0, whole - empty) * blocks) / grown;
  return balanced / launch.time.durationMicroseconds;
}
