/** A warp's request to memory, at the instruction that a stepper comes to: which elements of which array its lanes touch. */
import { DeviceBuffer } from "../host/buffer.js";
import type { LaunchArguments } from "../host/launch-arguments.js";
import type { LaunchStepper } from "../host/stepping.js";
import { componentBytes, type Instruction, type Root } from "../lower/program.js";

/** One load or store of the line. */
export interface LineAccess {
  readonly array: string;
  readonly space: "shared" | "global";
  readonly kind: "load" | "store" | "atomic";
  /** The array's element that each lane touches; null in a lane that does not. */
  readonly elements: readonly (number | null)[];
  /** Bytes of such an element: 4 for an int, 8 for a double or two ints at once. */
  readonly elementBytes: number;
}

const LANES = 32;

export function isAccess({ op, root }: Instruction): boolean {
  return root !== undefined && root.kind !== "local" && (op === "ld" || op === "st" || op === "atom");
}

/** One truth a lane, from a mask. */
export function lanesOf(mask: number): readonly boolean[] {
  return Array.from({ length: LANES }, (_, lane) => ((mask >>> lane) & 1) === 1);
}

function kindOf({ op }: Instruction): LineAccess["kind"] {
  return op === "ld" ? "load" : op === "st" ? "store" : "atomic";
}

/** Bytes that a lane loads or stores at once. */
function bytesOfLane(instruction: Instruction): number {
  const { op, dst, src } = instruction;
  const values = op === "ld" ? dst.length : op === "st" ? src.length - 1 : 1;
  return componentBytes(instruction.type, instruction.narrow) * values;
}

/** A launch's arrays, by the parameter's name. */
export function buffersOf(args: LaunchArguments): ReadonlyMap<string, DeviceBuffer> {
  const buffers = new Map<string, DeviceBuffer>();
  for (const [name, value] of Object.entries(args)) if (value instanceof DeviceBuffer) buffers.set(name, value);
  return buffers;
}

/** @param buffers those of the launch (`buffersOf`) */
export function accessOf(
  stepper: LaunchStepper,
  buffers: ReadonlyMap<string, DeviceBuffer>,
  instruction: Instruction,
  warp: number,
  mask: number,
): LineAccess {
  const { root, src, offset = 0, space } = instruction;
  const [place] = src;
  const addresses = place?.kind === "reg" ? (stepper.registers(warp, true)[place.reg]?.values ?? []) : [];
  const { name, start } = arrayOf(stepper, buffers, root);
  const elementBytes = bytesOfLane(instruction);
  return {
    array: name,
    space: space === "shared" ? "shared" : "global",
    kind: kindOf(instruction),
    elements: lanesOf(mask).map((acts, lane) =>
      acts ? (Number(addresses[lane] ?? 0) + offset - start) / elementBytes : null,
    ),
    elementBytes,
  };
}

/** The array's name, and the address of its first element. */
function arrayOf(
  { program }: LaunchStepper,
  buffers: ReadonlyMap<string, DeviceBuffer>,
  root: Root | undefined,
): { readonly name: string; readonly start: number } {
  if (root?.kind === "shared") {
    const layout = program.shared[root.array];
    return { name: layout?.array.name ?? "", start: layout?.offsetBytes ?? 0 };
  }
  const name = root?.kind === "param" ? (program.params[root.index]?.name ?? "") : "";
  return { name, start: buffers.get(name)?.address ?? 0 };
}
