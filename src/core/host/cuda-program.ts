/**
 * A launch as a whole CUDA program. The program holds the buffers' present contents and the simulator's results, and
 * prints the predicted time beside the measured one.
 */
import { anything, checkArgument, objectWith, recordOf } from "../base/shape.js";
import { type CudaArguments, mayWrite, toCudaProgram as programText } from "../cuda/program.js";
import { type Kernel, kernelShape } from "../frontend/index.js";
import { DeviceBuffer, type HostArray } from "./buffer.js";
import { type Gpu, gpuShape } from "./gpu.js";
import type { LaunchConfig } from "./launch.js";
import type { LaunchArguments } from "./launch-arguments.js";
import type { LaunchResult } from "./launch-result.js";

/** The arguments of `gpu.launch` takes, in one object. */
export interface CudaProgramLaunch extends LaunchConfig {
  readonly gpu: Gpu;
  readonly kernel: Kernel;
  readonly args: LaunchArguments;
}

/**
 * The launch as a whole .cu for nvcc: the kernel, the buffers' present contents, the launch. The program compares the
 * GPU's results with the simulator's, and prints the time by events beside the predicted one. The buffers keep their
 * contents.
 * @throws what `gpu.launch` throws, and InputError for input that is too large to write out and has no formula
 */
export function toCudaProgram(launch: CudaProgramLaunch): string {
  const fields = { gpu: gpuShape, kernel: kernelShape, args: recordOf(anything) };
  checkArgument("toCudaProgram", "launch", launch, objectWith(fields, "{ gpu, kernel, grid, block, args }"));
  const { gpu, kernel, args, ...config } = launch;
  const buffers = Object.entries(args).filter((entry): entry is [string, DeviceBuffer] => DeviceBuffer.is(entry[1]));
  const before = new Map<DeviceBuffer, HostArray>();
  for (const [, buffer] of buffers) if (!buffer.freed) before.set(buffer, buffer.read());
  const after = new Map<DeviceBuffer, HostArray>();
  let result: LaunchResult;
  try {
    result = gpu.launch(kernel, config, args);
    for (const buffer of before.keys()) after.set(buffer, buffer.read());
  } finally {
    // Each buffer gets what it gave, whose array type the map does not keep.
    for (const [buffer, values] of before) buffer.write(values as never);
  }
  const first = new Map<DeviceBuffer, string>();
  const written = new Set(
    kernel.ir.params.flatMap(({ name }, index) => (mayWrite(kernel.ir, index) ? [args[name]] : [])),
  );
  const given: Record<string, CudaArguments[string]> = {};
  for (const { name } of kernel.ir.params) {
    const value = args[name];
    if (value === undefined) continue;
    if (!DeviceBuffer.is(value)) {
      given[name] = typeof value === "boolean" ? Number(value) : value;
      continue;
    }
    const known = first.get(value);
    const [values, expected] = [before.get(value), after.get(value)];
    if (known !== undefined) given[name] = { sameAs: known };
    else if (values !== undefined && expected !== undefined) {
      given[name] = { data: { values }, ...(written.has(value) ? { expected } : {}) };
      first.set(value, name);
    }
  }
  return programText(
    kernel.ir,
    {
      grid: result.grid,
      block: result.block,
      dynamicSharedBytes: result.dynamicSharedBytes,
      contractFma: gpu.options.contractFma,
      predicted: { device: result.device.name, timeMs: result.timeMs },
    },
    given,
  );
}
