/** The part of the timing model that depends only on the program and the device; it is computed once for the two. */
import { isDeeplyFrozen } from "../../device/freeze.js";
import type { DeviceSpec } from "../../device/spec.js";
import type { Program } from "../../lower/program.js";
import { expandSlots } from "./expand-slots.js";
import { type Microcode, microcode } from "./microcode.js";

export interface TimedProgram {
  /** The expanded program, with one instruction for each machine instruction (`expand-slots.ts`). */
  readonly program: Program;
  /** The first expanded instruction, by pc of the lowered program. */
  readonly start: Int32Array;
  readonly microcode: Microcode;
  /** 1 for volatile memory instructions, which bypass L1, by pc. */
  readonly bypassesL1: Uint8Array;
}

const known = new WeakMap<Program, WeakMap<DeviceSpec, TimedProgram>>();

export function timedProgram(lowered: Program, device: DeviceSpec): TimedProgram {
  // A device that is not frozen may change, so its result is not cached.
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
  return {
    program,
    start,
    microcode: microcode(program, device),
    bypassesL1: Uint8Array.from(program.instructions, ({ volatile }) => (volatile === true ? 1 : 0)),
  };
}
