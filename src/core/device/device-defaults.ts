/** What stands for the numbers that a device file does not give: those of a built-in GPU of its generation. */
import { InputError } from "../base/errors.js";
import { atClock } from "./clock.js";
import { a100 } from "./gpus/a100.js";
import { h200 } from "./gpus/h200.js";
import { m2070 } from "./gpus/m2070.js";
import { rtx2080 } from "./gpus/rtx2080.js";
import { rtx3080 } from "./gpus/rtx3080.js";
import { rtx4080Laptop } from "./gpus/rtx4080-laptop.js";
import { v100 } from "./gpus/v100.js";
import { modifyDevice } from "./modify.js";
import type { ComputeCapability, DeviceSpec } from "./spec.js";

/** Turing: Volta's SM with half of the warps, hardly any fp64, and the uniform datapath that Ampere has. */
function turing(): DeviceSpec {
  return modifyDevice(v100, {
    name: "a Tesla V100 with Turing's limits",
    limits: rtx2080.limits,
    l1: { capacityBytes: 98304 },
    pipes: { fp64: rtx3080.pipes.fp64, uniform: rtx3080.pipes.uniform! },
  });
}

interface Generation {
  readonly capability: string;
  readonly architecture: string;
  readonly like: () => DeviceSpec;
}

/** Later ones than 9.0 take the numbers of the nearest built-in relative: data centre or GeForce. */
const GENERATIONS: readonly Generation[] = [
  { capability: "2.0", architecture: "Fermi", like: () => m2070 },
  { capability: "7.0", architecture: "Volta", like: () => v100 },
  { capability: "7.5", architecture: "Turing", like: turing },
  { capability: "8.0", architecture: "Ampere", like: () => a100 },
  { capability: "8.6", architecture: "Ampere", like: () => rtx3080 },
  { capability: "8.9", architecture: "Ada Lovelace", like: () => rtx4080Laptop },
  { capability: "9.0", architecture: "Hopper", like: () => h200 },
  { capability: "10.0", architecture: "Blackwell", like: () => h200 },
  { capability: "12.0", architecture: "Blackwell", like: () => rtx4080Laptop },
];

const BUILT_IN: readonly DeviceSpec[] = [m2070, v100, a100, rtx3080, rtx4080Laptop, h200];

export interface Defaults {
  readonly architecture: string;
  readonly device: DeviceSpec;
}

/** @param like the id that the file names @throws InputError for a generation or a GPU that there is not. */
export function defaultsFor(file: string, { major, minor }: ComputeCapability, like: string | undefined): Defaults {
  const capability = `${major}.${minor}`;
  const found = GENERATIONS.find((each) => each.capability === capability);
  if (like !== undefined) {
    const device = BUILT_IN.find(({ id }) => id === like.trim().toLowerCase());
    if (device !== undefined) return { architecture: found?.architecture ?? device.architecture, device };
    throw new InputError({
      what: `${file}: like is ${JSON.stringify(like)}, and there is no such GPU.`,
      cure: `Give one of ${BUILT_IN.map(({ id }) => id).join(", ")}.`,
    });
  }
  if (found !== undefined) return { architecture: found.architecture, device: found.like() };
  throw new InputError({
    what: `${file}: computeCapability is "${capability}", whose generation the simulator has no numbers of.`,
    cure: `Give one of ${GENERATIONS.map((each) => each.capability).join(", ")}, or name the built-in GPU that it resembles, such as "like": "v100".`,
  });
}

/**
 * The numbers of `device` for another clock and another L2. Latencies keep their cycles. L2's bandwidth grows with the
 * number of its slices, which its size tells.
 */
export function scaledTo(device: DeviceSpec, smClockMHz: number, l2SizeBytes: number): DeviceSpec {
  const clocked = atClock(device, smClockMHz);
  const factor = l2SizeBytes / device.l2.sizeBytes;
  const { bandwidthGBps, writeBandwidthGBps } = clocked.l2;
  return modifyDevice(clocked, {
    id: device.id,
    name: device.name,
    l2: { bandwidthGBps: bandwidthGBps * factor, writeBandwidthGBps: writeBandwidthGBps * factor },
  });
}
