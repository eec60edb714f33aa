/** Who waits where when no thread of the launch can go on: the text of the fault. */
import type { KernelFault } from "../../base/errors.js";
import { coordinates, type FaultSite, hang, hexMask, sourceLine } from "../faults.js";
import type { BlockContext } from "./block-context.js";
import type { MachineState } from "./machine-state.js";
import type { Warp } from "./warp.js";

interface Waiting {
  readonly block: number;
  readonly warp: number;
  readonly pc: number;
  readonly lanes: number;
  readonly kind: "spin" | "behind" | "primitive" | "barrier" | "gridBarrier";
  /** Lanes that a primitive waits for. */
  readonly missing: number;
}

const MOST_LINES = 8;

export function hangFault(machine: MachineState, contexts: readonly BlockContext[], seed: number | null): KernelFault {
  const { launch } = machine;
  const waiting = contexts.flatMap((context) => context.warps.flatMap((warp) => waitingLanes(machine, context, warp)));
  const first = waiting.find(({ kind }) => kind === "spin" || kind === "primitive") ?? waiting[0];
  if (first === undefined) throw new Error("nothing waits, and nothing goes on");
  const lines = waiting.slice(0, MOST_LINES).map((entry) => describe(machine, entry));
  if (waiting.length > MOST_LINES) lines.push(`and ${waiting.length - MOST_LINES} more groups of lanes`);
  if (seed !== null) lines.push(`schedule seed ${seed}`);
  const instruction = launch.program.instructions[first.pc];
  if (instruction === undefined) throw new Error(`no instruction ${first.pc}`);
  const site: FaultSite = { launch, instruction, block: first.block, warp: first.warp, lanes: first.lanes };
  return hang(site, lines, cure(machine, waiting));
}

function waitingLanes(machine: MachineState, context: BlockContext, warp: Warp): Waiting[] {
  const at = { block: context.block, warp: warp.index, missing: 0 };
  const { instructions } = machine.launch.program;
  const result: Waiting[] = [];
  for (const { pc, lanes } of warp.parked) result.push({ ...at, pc, lanes, kind: "spin" });
  for (const { pc, lanes, mask } of warp.waits) {
    let present = 0;
    for (const wait of warp.waits) if (wait.mask === mask) present |= wait.lanes;
    result.push({ ...at, pc, lanes, kind: "primitive", missing: mask & warp.live & ~present });
  }
  for (const { pc, lanes } of warp.barrier) {
    result.push({ ...at, pc, lanes, kind: instructions[pc]?.op === "bar" ? "barrier" : "gridBarrier" });
  }
  for (let k = 0; k < warp.readyCount; k++) {
    result.push({ ...at, pc: warp.readyPc[k] ?? 0, lanes: warp.readyMask[k] ?? 0, kind: "behind" });
  }
  return result;
}

function describe(machine: MachineState, entry: Waiting): string {
  const { launch } = machine;
  const instruction = launch.program.instructions[entry.pc];
  const line = instruction === undefined ? 0 : sourceLine(launch.program, instruction);
  const who = `block (${coordinates(entry.block, launch.grid).join(",")}), warp ${entry.warp}, lanes ${hexMask(entry.lanes)}`;
  switch (entry.kind) {
    case "spin":
      return `${who}: spin in the loop that starts at line ${line}; nobody changes what they read`;
    case "behind":
      return `${who}: wait at line ${line} for the lanes of their warp that spin (lockstep)`;
    case "primitive":
      return `${who}: wait at line ${line} (${instruction?.op}) for lanes ${hexMask(entry.missing)} of its mask`;
    case "barrier":
      return `${who}: wait at line ${line} (syncthreads) for the other threads of the block`;
    case "gridBarrier":
      return `${who}: wait at line ${line} (grid sync) for the other blocks of the grid`;
  }
}

function cure(machine: MachineState, waiting: readonly Waiting[]): string {
  const kinds = new Set(waiting.map(({ kind }) => kind));
  if (kinds.has("behind") && machine.launch.lockstep) {
    return "before compute capability 7.0 the lanes of a warp run in lockstep: a lane cannot leave a lock to its neighbours while they spin for it. Let one lane of each warp take the lock, or do the critical section inside the loop, under if (got the lock)";
  }
  if (kinds.has("primitive"))
    return "every live lane that the mask names must reach the primitive: take it out of the branch, or narrow the mask";
  if (kinds.has("barrier"))
    return "every thread of the block must reach syncthreads(), or end: take it out of the branch or loop";
  if (kinds.has("gridBarrier")) return "every block of the grid must reach the grid-wide barrier";
  return "the value that the loop waits for is never written: check who should write it, and that it runs before or beside the loop";
}
