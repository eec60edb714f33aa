/** Writes a launch's arguments and tables to the scratch area, where the compiled kernel reads them. */
import type { Scalar } from "../../ir/types.js";
import type { PreparedLaunch } from "../engine.js";
import type { CompiledKernel } from "./compile.js";
import { BANK_WORK, LAUNCH, LAUNCH_AREA, MARGIN, MASK_TABLE, POINTER } from "./layout.js";
import { blockPortion, launchPortion } from "./step-meter.js";

function sharedBytesOf(launch: PreparedLaunch): number {
  return launch.program.staticSharedBytes + launch.dynamicSharedBytes;
}

/** The start of local and shared memory, after the kernel's own layout, and the end of the whole area. */
export function placesBehind(
  kernel: CompiledKernel,
  launch: PreparedLaunch,
): { local: number; shared: number; end: number } {
  const local = Math.ceil(kernel.layout.size / 64) * 64;
  const localBytes = Math.ceil(launch.program.localBytesPerThread / 16) * 16 * 32 * kernel.warps;
  const shared = local + localBytes + MARGIN;
  return { local, shared, end: shared + Math.ceil(sharedBytesOf(launch) / 16) * 16 + MARGIN };
}

/** Writes tables and arguments to the scratch area. */
export function writeLaunch(kernel: CompiledKernel, launch: PreparedLaunch, scratch: number): void {
  const { buffer } = launch.memory;
  const view = new DataView(buffer as ArrayBuffer, scratch, kernel.layout.size);
  for (let bits = 0; bits < 16; bits++) {
    for (let lane = 0; lane < 4; lane++)
      view.setInt32(MASK_TABLE + 16 * bits + 4 * lane, (bits >> lane) & 1 ? -1 : 0, true);
  }
  const at = LAUNCH_AREA;
  const places = placesBehind(kernel, launch);
  view.setInt32(at + LAUNCH.gridX, launch.grid[0], true);
  view.setInt32(at + LAUNCH.gridY, launch.grid[1], true);
  view.setInt32(at + LAUNCH.gridZ, launch.grid[2], true);
  view.setInt32(at + LAUNCH.banks, launch.sharedBanks, true);
  view.setBigInt64(at + LAUNCH.blockSteps, BigInt(blockPortion(launch)), true);
  view.setBigInt64(at + LAUNCH.stepsLeft, BigInt(launchPortion(launch)), true);
  view.setBigInt64(at + LAUNCH.memoryBytes, BigInt(buffer.byteLength), true);
  view.setInt32(at + LAUNCH.sharedBytes, sharedBytesOf(launch), true);
  view.setInt32(at + LAUNCH.sharedOffset, places.shared, true);
  view.setInt32(at + LAUNCH.localOffset, places.local, true);
  launch.args.forEach((argument, index) => {
    const offset = kernel.layout.argument(index);
    const param = launch.program.params[index];
    if (typeof argument === "object") {
      const { address, byteLength, bytesBefore = 0 } = argument;
      view.setBigInt64(offset + POINTER.address, BigInt(address), true);
      view.setBigInt64(offset + POINTER.start, BigInt(address - bytesBefore), true);
      view.setBigInt64(offset + POINTER.length, BigInt(bytesBefore + byteLength), true);
    } else if (param?.kind === "scalar") writeScalar(view, offset, param.type, argument);
  });
  const [x, y] = launch.block;
  kernel.threadTables.forEach((table, axis) => {
    if (table < 0) return;
    for (let thread = 0; thread < kernel.warps * 32; thread++) {
      const index = [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))][axis] ?? 0;
      view.setInt32(table + 4 * thread, index, true);
    }
  });
  new Uint8Array(buffer, scratch + BANK_WORK, 16).fill(0);
  for (const { offset, bytes } of kernel.layout.cleared) new Uint8Array(buffer, scratch + offset, bytes).fill(0);
}

function writeScalar(view: DataView, offset: number, type: Scalar, value: number | bigint): void {
  switch (type) {
    case "i64":
    case "u64":
      view.setBigInt64(offset, BigInt.asIntN(64, BigInt(value)), true);
      return;
    case "f32":
      view.setFloat32(offset, Number(value), true);
      return;
    case "f64":
      view.setFloat64(offset, Number(value), true);
      return;
    case "bool":
      view.setInt32(offset, Number(value) === 0 ? 0 : 1, true);
      return;
    default:
      view.setInt32(offset, Number(value) | 0, true);
  }
}
