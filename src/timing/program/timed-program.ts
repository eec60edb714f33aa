/** What timing needs of a program and a device, whatever the launch: made once for the two. */
import { isDeeplyFrozen } from "../../device/freeze.js";
import type { DeviceSpec } from "../../device/spec.js";
import type { Program } from "../../lower/program.js";
import { expandSlots } from "./expand-slots.js";
import { type ScheduledBlock, scheduleBlocks } from "./instruction-order.js";
import { type Microcode, microcode } from "./microcode.js";

export interface TimedProgram {
  /** An instruction for each machine instruction (`expand-slots.ts`). */
  readonly program: Program;
  /** Where instruction pc of the lowered program begins in it. */
  readonly start: Int32Array;
  readonly microcode: Microcode;
  readonly scheduled: readonly ScheduledBlock[];
  /** Volatile memory instructions bypass L1. */
  readonly bypassesL1: Uint8Array;
}

const known = new WeakMap<Program, WeakMap<DeviceSpec, TimedProgram>>();

export function timedProgram(lowered: Program, device: DeviceSpec): TimedProgram {
  // Of the numbers of one that may change nothing is kept.
  if (!isDeeplyFrozen(device)) return make(lowered, device);
  let ofDevice = known.get(lowered);
  if (ofDevice === undefined) {
    ofDevice = new WeakMap();
    known.set(lowered, ofDevice);
  }
  let timed = ofDevice.get(device);
  if (timed === undefined) {
    timed = make(lowered, device);
    ofDevice.set(device, timed);
  }
  return timed;
}

function make(lowered: Program, device: DeviceSpec): TimedProgram {
  const { program, start } = expandSlots(lowered);
  const code = microcode(program, device);
  return {
    program,
    start,
    microcode: code,
    scheduled: scheduleBlocks(program, code),
    bypassesL1: Uint8Array.from(program.instructions, ({ volatile }) => (volatile === true ? 1 : 0)),
  };
}
