/**
 * Nsight Compute's details page of a launch, as text: its sections, labels and units. Rows that the model has no number
 * for (DRAM frequency, compression) are left out. Counts are exact; times, rates and stalls are predicted.
 */
import { checkArgument } from "../../base/shape.js";
import { unlimitedBlocks } from "../../device/index.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import { busyShare } from "../data-stage.js";
import { fidelityLines } from "../fidelity/fidelity.js";
import { kernelName } from "../nvprof/recorded.js";
import { type DetailRow, sectionText } from "./section.js";
import { blocksBySharedConfiguration, sharedConfigurationBytes } from "./shared-configuration.js";
import { sourceCounters } from "./source-counters.js";
import { STALL_LABELS } from "./stall-labels.js";

interface Section {
  readonly title: string;
  readonly rows: readonly DetailRow[];
}

const none = (value: number | null): string => (value === null ? "n/a" : value.toFixed(2));
const grouped = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 0 });

/** DRAM's bytes a second over the peak, percent. */
function dramPercent({ time, device }: LaunchResult): number {
  const bytes = time.dramBytesRead + time.dramBytesWritten;
  return (100 * bytes) / (time.durationMicroseconds * 1e3 * device.dram.peakBandwidthGBps);
}

function durationRow(microseconds: number): DetailRow {
  return microseconds < 1000
    ? ["Duration", "us", microseconds.toFixed(2)]
    : ["Duration", "ms", (microseconds / 1000).toFixed(2)];
}

/** Bytes of a block as the tool shows them: in thousands from one thousand on. */
function bytesRow(label: string, bytes: number): DetailRow {
  return bytes < 1000 ? [label, "byte/block", String(bytes)] : [label, "Kbyte/block", (bytes / 1000).toFixed(2)];
}

/** Elapsed cycles of the SMs' clock, and the share of them that an SM is active. */
function elapsedOf({ time, device }: LaunchResult): { readonly elapsed: number; readonly active: number } {
  const elapsed = Math.max(time.cycles, time.durationMicroseconds * device.smClockMHz);
  return { elapsed, active: time.cycles / elapsed };
}

/** The busiest of the schedulers and pipes, in percent of the active cycles. */
function smBusy({ time }: LaunchResult): number {
  return Math.max(time.pipeBusyPercent, time.issueSlotUtilizationPercent);
}

function l1Percent(launch: LaunchResult): number {
  return Math.min(100, 100 * busyShare(launch));
}

function speedOfLight(launch: LaunchResult): Section {
  const { time, device } = launch;
  const { elapsed, active } = elapsedOf(launch);
  const dram = dramPercent(launch);
  const l1 = l1Percent(launch);
  return {
    title: "GPU Speed Of Light Throughput",
    rows: [
      ["SM Frequency", "Ghz", (device.smClockMHz / 1000).toFixed(2)],
      ["Elapsed Cycles", "cycle", grouped(elapsed)],
      ["Memory Throughput", "%", Math.max(dram, time.l2BusyPercent * active, l1 * active).toFixed(2)],
      ["DRAM Throughput", "%", dram.toFixed(2)],
      durationRow(time.durationMicroseconds),
      ["L1/TEX Cache Throughput", "%", l1.toFixed(2)],
      ["L2 Cache Throughput", "%", (time.l2BusyPercent * active).toFixed(2)],
      ["SM Active Cycles", "cycle", grouped(time.cycles)],
      ["Compute (SM) Throughput", "%", (smBusy(launch) * active).toFixed(2)],
    ],
  };
}

function computeWorkload(launch: LaunchResult): Section {
  const { time } = launch;
  const executed = time.ipc / (1 + time.repeatedShare);
  return {
    title: "Compute Workload Analysis",
    rows: [
      ["Executed Ipc Active", "inst/cycle", executed.toFixed(2)],
      ["Executed Ipc Elapsed", "inst/cycle", (executed * elapsedOf(launch).active).toFixed(2)],
      ["Issue Slots Busy", "%", time.issueSlotUtilizationPercent.toFixed(2)],
      ["Issued Ipc Active", "inst/cycle", time.ipc.toFixed(2)],
      ["SM Busy", "%", smBusy(launch).toFixed(2)],
    ],
  };
}

function memoryWorkload(launch: LaunchResult): Section {
  const { time } = launch;
  const bytes = time.dramBytesRead + time.dramBytesWritten;
  return {
    title: "Memory Workload Analysis",
    rows: [
      ["Memory Throughput", "Gbyte/s", (bytes / (time.durationMicroseconds * 1e3)).toFixed(2)],
      ["Max Bandwidth", "%", dramPercent(launch).toFixed(2)],
      ["L1/TEX Hit Rate", "%", none(time.l1HitRatePercent)],
      ["L2 Hit Rate", "%", none(time.l2HitRatePercent)],
    ],
  };
}

function schedulers({ time, device }: LaunchResult): Section {
  const issued = time.issueSlotUtilizationPercent / 100;
  const warps = (time.achievedOccupancyPercent / 100) * device.limits.maxWarpsPerSm;
  const eligible = time.ipc * (time.stalls.selected + time.stalls.not_selected);
  return {
    title: "Scheduler Statistics",
    rows: [
      ["One or More Eligible", "%", (100 * issued).toFixed(2)],
      ["Issued Warp Per Scheduler", "", issued.toFixed(2)],
      ["No Eligible", "%", (100 - 100 * issued).toFixed(2)],
      ["Active Warps Per Scheduler", "warp", (warps / device.schedulersPerSm).toFixed(2)],
      ["Eligible Warps Per Scheduler", "warp", (eligible / device.schedulersPerSm).toFixed(2)],
    ],
  };
}

function warpStates({ time, metrics, device }: LaunchResult): Section {
  const cycles = Object.values(time.stalls).reduce((sum, each) => sum + each, 0);
  const lanes = (percent: number | null): string => none(percent === null ? null : (percent / 100) * device.warpSize);
  const stalls = STALL_LABELS.filter(([reason]) => time.stalls[reason] > 0).sort(
    ([a], [b]) => time.stalls[b] - time.stalls[a],
  );
  return {
    title: "Warp State Statistics",
    rows: [
      ["Warp Cycles Per Issued Instruction", "cycle", cycles.toFixed(2)],
      ["Warp Cycles Per Executed Instruction", "cycle", (cycles * (1 + time.repeatedShare)).toFixed(2)],
      ["Avg. Active Threads Per Warp", "", lanes(metrics.warpExecutionEfficiencyPercent)],
      ["Avg. Not Predicated Off Threads Per Warp", "", lanes(metrics.warpNonPredicatedExecutionEfficiencyPercent)],
      ...stalls.map(([reason, label]): DetailRow => [label, "cycle", time.stalls[reason].toFixed(2)]),
    ],
  };
}

function instructionStatistics(launch: LaunchResult): Section {
  const { counters, device, expectedWarpInstructions: issued } = launch;
  const schedulersOfGpu = device.smCount * device.schedulersPerSm;
  const mean = (instructions: number): string =>
    (instructions / schedulersOfGpu).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return {
    title: "Instruction Statistics",
    rows: [
      ["Avg. Executed Instructions Per Scheduler", "inst", mean(counters.warpInstructions)],
      ["Executed Instructions", "inst", grouped(counters.warpInstructions)],
      ["Avg. Issued Instructions Per Scheduler", "inst", mean(issued)],
      ["Issued Instructions", "inst", grouped(issued)],
    ],
  };
}

const product = (extents: readonly number[]): number => extents.reduce((all, each) => all * each, 1);

function launchStatistics(launch: LaunchResult): Section {
  const { grid, block, device, occupancy } = launch;
  const blocks = product(grid);
  const wave = device.smCount * occupancy.activeBlocksPerSm;
  return {
    title: "Launch Statistics",
    rows: [
      ["Block Size", "", grouped(product(block))],
      ["Grid Size", "", grouped(blocks)],
      ["Registers Per Thread", "register/thread", String(launch.registersPerThread)],
      ["Shared Memory Configuration Size", "Kbyte", (sharedConfigurationBytes(launch) / 1000).toFixed(2)],
      bytesRow("Driver Shared Memory Per Block", device.limits.sharedReservedBytesPerBlock),
      bytesRow("Dynamic Shared Memory Per Block", launch.dynamicSharedBytes),
      bytesRow("Static Shared Memory Per Block", launch.staticSharedBytes),
      ["# SMs", "SM", String(device.smCount)],
      ["Threads", "thread", grouped(blocks * product(block))],
      ["Waves Per SM", "", (blocks / wave).toFixed(2)],
    ],
  };
}

function occupancySection(launch: LaunchResult): Section {
  const { occupancy, device, time } = launch;
  const { limits } = occupancy;
  // A resource that the launch does not take limits it no more than the SM does.
  const blocks = (count: number): string => String(count === unlimitedBlocks ? limits.blocks : count);
  const achieved = time.achievedOccupancyPercent;
  return {
    title: "Occupancy",
    rows: [
      ["Block Limit Barriers", "block", String(Math.min(limits.barriers, limits.blocks))],
      ["Block Limit SM", "block", blocks(limits.blocks)],
      ["Block Limit Registers", "block", blocks(limits.registers)],
      ["Block Limit Shared Mem", "block", String(blocksBySharedConfiguration(launch))],
      ["Block Limit Warps", "block", blocks(limits.warps)],
      ["Theoretical Active Warps per SM", "warp", String(occupancy.activeWarpsPerSm)],
      ["Theoretical Occupancy", "%", (100 * occupancy.theoreticalOccupancy).toFixed(2)],
      ["Achieved Occupancy", "%", achieved.toFixed(2)],
      ["Achieved Active Warps Per SM", "warp", ((achieved / 100) * device.limits.maxWarpsPerSm).toFixed(2)],
    ],
  };
}

function branchRows(launch: LaunchResult): Section {
  const { counters, device } = launch;
  const schedulersOfGpu = device.smCount * device.schedulersPerSm;
  const efficiency = launch.metrics.branchEfficiencyPercent;
  return {
    title: "Source Counters",
    rows: [
      ["Branch Instructions Ratio", "", none(counters.controlInstructions / counters.warpInstructions)],
      ["Branch Instructions", "inst", grouped(counters.controlInstructions)],
      ["Branch Efficiency", "%", none(efficiency)],
      ["Avg. Divergent Branches", "", (counters.divergentBranches / schedulersOfGpu).toFixed(2)],
    ],
  };
}

/**
 * Nsight Compute's details page of a launch, as text.
 * @throws InputError for no launch.
 * @example
 * console.log(ncu(gpu.launch(kernel, { grid, block }, args)));
 */
export function ncu(launch: LaunchResult): string {
  checkArgument("ncu", "launch", launch, launchShape);
  const { grid, block, device } = launch;
  const { major, minor } = device.computeCapability;
  const shape = `(${grid.join(", ")})x(${block.join(", ")})`;
  const earlier = major < 7;
  const sections = [
    speedOfLight(launch),
    computeWorkload(launch),
    memoryWorkload(launch),
    schedulers(launch),
    warpStates(launch),
    instructionStatistics(launch),
    launchStatistics(launch),
    occupancySection(launch),
    branchRows(launch),
  ].map(({ title, rows }) => sectionText(title, rows));
  return [
    `  ${kernelName(launch)} ${shape}, Context 1, Stream 7, Device 0, CC ${major}.${minor}`,
    ...(earlier
      ? [`    Nsight Compute begins with compute capability 7.0: on ${device.name} nvprof shows these numbers.`]
      : []),
    ...sections,
    sourceCounters(launch),
    ...fidelityLines(device).map((line) => `    ${line}`),
    "",
  ].join("\n");
}
