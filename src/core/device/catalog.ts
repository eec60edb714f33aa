/** The GPUs there are. A new one is a file like v100.ts and a line here. */

import { InputError } from "../base/errors.js";
import { platform } from "../base/platform.js";
import { checkArgument, string } from "../base/shape.js";
import { deviceFrom } from "./device-from.js";
import type { DeviceJson } from "./device-json.js";
import { a100 } from "./gpus/a100.js";
import { gtx970 } from "./gpus/gtx970.js";
import { h200 } from "./gpus/h200.js";
import { k40 } from "./gpus/k40.js";
import { m2070 } from "./gpus/m2070.js";
import { rtx2080 } from "./gpus/rtx2080.js";
import { rtx3080 } from "./gpus/rtx3080.js";
import { rtx4080Laptop } from "./gpus/rtx4080-laptop.js";
import { v100 } from "./gpus/v100.js";
import type { DeviceSpec, OccupancySpec } from "./spec.js";

/** Ids of `devices`. Editors and notebooks complete them. */
export type DeviceId = "m2070" | "v100" | "a100" | "rtx3080" | "rtx4080-laptop" | "h200";

/** Ids of `occupancyDevices`. */
export type OccupancyDeviceId = DeviceId | "k40" | "gtx970" | "rtx2080";

/** `Id`, which editors complete, or any other text, which the callee looks up. */
export type IdOr<Id extends string> = Id | (string & {});

/** GPUs that kernels can be timed on, oldest first. */
export const devices: readonly DeviceSpec[] = Object.freeze([m2070, v100, a100, rtx3080, rtx4080Laptop, h200]);

/** GPUs whose occupancy and launch limits are known: those of `devices` and three more. */
export const occupancyDevices: readonly OccupancySpec[] = Object.freeze([
  m2070,
  k40,
  gtx970,
  v100,
  rtx2080,
  a100,
  rtx3080,
  rtx4080Laptop,
  h200,
]);

function byId<T extends OccupancySpec>(list: readonly T[], id: string, others: string): T {
  const wanted = String(id).trim().toLowerCase();
  const found = list.find((device) => device.id === wanted);
  if (found !== undefined) return found;
  throw new InputError({
    what: `There is no GPU "${id}".`,
    cure: `Name one of: ${list.map((device) => device.id).join(", ")}.${others}`,
  });
}

/** Whether a text names a file rather than one of `devices`. */
export function isDeviceFile(id: string): boolean {
  return /\.json$/i.test(id.trim());
}

function deviceOfFile(path: string): DeviceSpec {
  const text = platform().readText(path);
  if (text === undefined) {
    throw new InputError({ what: `${path} cannot be read.`, cure: "Name a device file that is there, by its path." });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (problem) {
    throw new InputError({ what: `${path} is no JSON: ${(problem as Error).message}.`, cure: "Mend the file there." });
  }
  // deviceFrom refuses what is no device file.
  return deviceFrom(json as DeviceJson);
}

/**
 * The GPU of that id ("m2070", "v100", "a100", "rtx3080", "rtx4080-laptop", "h200"), in any case, or of a device file by
 * its path ("my-gpu.json").
 * @throws InputError listing the ids there are, or naming what is wrong in the file.
 */
export function deviceById(id: IdOr<DeviceId>): DeviceSpec {
  checkArgument("deviceById", "id", id, string);
  if (isDeviceFile(id)) return deviceOfFile(id.trim());
  const wanted = String(id).trim().toLowerCase();
  const occupancyOnly = occupancyDevices.some((device) => device.id === wanted);
  return byId(devices, id, occupancyOnly ? ` Of ${wanted} only the occupancy is known (occupancyDeviceById).` : "");
}

/**
 * Like `deviceById`, for occupancy and launch limits: knows "k40", "gtx970" and "rtx2080" too.
 * @throws InputError listing the ids there are.
 */
export function occupancyDeviceById(id: IdOr<OccupancyDeviceId>): OccupancySpec {
  checkArgument("occupancyDeviceById", "id", id, string);
  return byId(occupancyDevices, id, "");
}
