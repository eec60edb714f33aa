/** GPUs as data: their specifications, checks, occupancy, and what CUDA refuses to launch on them. */

export {
  type DeviceId,
  deviceById,
  devices,
  type IdOr,
  isDeviceFile,
  type OccupancyDeviceId,
  occupancyDeviceById,
  occupancyDevices,
} from "./catalog.js";
export { checkDevice, checkOccupancySpec } from "./check-spec.js";
export { atClock } from "./clock.js";
export { deviceFrom, isDeviceJson } from "./device-from.js";
export {
  DEVICE_FORMAT,
  type DeviceEntry,
  type DeviceJson,
  type DeviceValue,
  deviceToJson,
  unitOf,
} from "./device-json.js";
export { deviceSchema } from "./device-schema.js";
export { type DeviceRow, deviceRow, deviceRows, type SourceRow, sourceRows } from "./device-table.js";
export { deepFreeze } from "./freeze.js";
export { a100 } from "./gpus/a100.js";
export { type Generation, generationOf } from "./gpus/capability.js";
export { gtx970 } from "./gpus/gtx970.js";
export { h200 } from "./gpus/h200.js";
export { k40 } from "./gpus/k40.js";
export { m2070 } from "./gpus/m2070.js";
export { rtx2080 } from "./gpus/rtx2080.js";
export { rtx3080 } from "./gpus/rtx3080.js";
export { rtx4080Laptop } from "./gpus/rtx4080-laptop.js";
export { v100 } from "./gpus/v100.js";
export { checkLaunch, type Extent, type LaunchConfiguration } from "./launch-limits.js";
export { type Changes, type DeviceChanges, modifyDevice, VARIABLE_FIELDS, variantOf } from "./modify.js";
export {
  type BlockLimits,
  type LimitingFactor,
  type Occupancy,
  type OccupancyInput,
  occupancy,
  occupancyOfLaunch,
  unlimitedBlocks,
} from "./occupancy.js";
export { type SmParts, type SmUnit, type SmUnitName, smParts } from "./sm-parts.js";
export type { Confidence, Source, Sources } from "./source.js";
export type {
  AtomicsSpec,
  BarrierSpec,
  ComputeCapability,
  DeviceNumbers,
  DeviceSpec,
  DramSpec,
  DynamicParallelismSpec,
  IssueRate,
  L1Spec,
  L2Spec,
  LaunchCosts,
  LaunchLimits,
  OccupancyNumbers,
  OccupancySpec,
  PipeSpec,
  Pipes,
  SharedMemorySpec,
  TransferSpec,
} from "./spec.js";
