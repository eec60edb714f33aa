/** Kernels, CUDA's words, GPUs, launches and what they return. */

export {
  CompileError,
  type FaultPlace,
  InputError,
  KernelFault,
  LaunchError,
  type SourceText,
  type Span,
  WarplabError,
} from "./core/base/errors.js";
export {
  type BlockLimits,
  type ComputeCapability,
  type DeviceChanges,
  type DeviceEntry,
  type DeviceId,
  type DeviceJson,
  type DeviceRow,
  type DeviceSpec,
  deviceById,
  deviceFrom,
  deviceRows,
  deviceSchema,
  devices,
  deviceToJson,
  type LaunchLimits,
  type LimitingFactor,
  modifyDevice,
  type Occupancy,
  type OccupancyDeviceId,
  type OccupancyInput,
  type OccupancySpec,
  occupancy,
  occupancyDeviceById,
  occupancyDevices,
  type SmParts,
  type SmUnit,
  type SmUnitName,
  type SourceRow,
  smParts,
  sourceRows,
} from "./core/device/index.js";
export type { Dim3, PrintfRecord, RawCounters } from "./core/engine/engine.js";
export type { LaneGroup, RegisterView, StepPosition, WarpView } from "./core/engine/reference/index.js";
export {
  type BlockGroup,
  type ConstantInput,
  type Constants,
  type Cuda,
  type DeviceArray,
  type DeviceFunction,
  device,
  type GridGroup,
  Kernel,
  type KernelDeclaration,
  type KernelFunction,
  kernel,
  type Long,
  type Parameter,
  type Parameters,
  type PointerParameter,
  ptr,
  type ScalarType,
  sharedPtr,
  type Template,
  type TileGroup,
  type TypedConstant,
  type ValueType,
  type Vector2,
  type Vector4,
  type VectorElement,
} from "./core/frontend/index.js";
export * from "./core/frontend/words/index.js";
export { type BlockStay, type BlocksOnSms, blocksOnSms, idleShareOfSms, workOfSms } from "./core/host/blocks-on-sms.js";
export { DeviceBuffer, type HostArray } from "./core/host/buffer.js";
export type { ChildGridsResult, ChildKernelResult } from "./core/host/children/child-grids.js";
export type { DeviceLimit } from "./core/host/children/device-limits.js";
export type { LaunchedGrid } from "./core/host/children/launch-tree.js";
export { type CudaProgramLaunch, toCudaProgram } from "./core/host/cuda-program.js";
export { Gpu, type GpuOptions } from "./core/host/gpu.js";
export type { Extent, LaunchConfig } from "./core/host/launch.js";
export type { LaunchArgument, LaunchArguments } from "./core/host/launch-arguments.js";
export { bandwidthGBps, type LaunchResult } from "./core/host/launch-result.js";
export type { ChildTurn, LaunchSchedule, ScheduleHold } from "./core/host/launch-schedule.js";
export type { LaunchWarning, LaunchWarningKind } from "./core/host/launch-warning.js";
export type { LaunchStepper, SteppingOptions } from "./core/host/stepping.js";
export type { DeviceProperties } from "./core/host/streams/device-properties.js";
export type { EventOptions, GpuEvent } from "./core/host/streams/event.js";
export type { Engine, TracedOperation } from "./core/host/streams/operation.js";
export type { PitchedBuffer } from "./core/host/streams/pitched-buffer.js";
export type { Stream, StreamOptions } from "./core/host/streams/stream.js";
export type { StreamKey, StreamKind } from "./core/host/streams/stream-key.js";
export type { StreamTrace } from "./core/host/streams/stream-trace.js";
export type { Warning } from "./core/ir/ir.js";
export type { ElementType, Scalar, VectorType } from "./core/ir/types.js";
export type { Instruction, Program } from "./core/lower/program.js";
export { type CudaKernels, cuda, refusedKernels } from "./core/program/cuda-text.js";
