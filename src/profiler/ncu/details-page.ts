/**
 * Nsight Compute's details page of a launch, as text: its sections, labels and units. Rows that the model has no number
 * for (DRAM frequency, pipes of the L1) are left out. Counts are exact; times, rates and stalls are predicted.
 */
import { checkArgument } from "../../base/shape.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import { fidelityLines } from "../fidelity/fidelity.js";
import { kernelName } from "../nvprof/recorded.js";
import { type DetailRow, sectionText } from "./section.js";
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

function speedOfLight(launch: LaunchResult): Section {
  const { time, device } = launch;
  const elapsed = Math.max(time.cycles, time.durationMicroseconds * device.smClockMHz);
  const active = time.cycles / elapsed;
  const dram = dramPercent(launch);
  const busiest = Math.max(time.pipeBusyPercent, time.issueSlotUtilizationPercent) * active;
  return {
    title: "GPU Speed Of Light Throughput",
    rows: [
      ["SM Frequency", "Ghz", (device.smClockMHz / 1000).toFixed(2)],
      ["Elapsed Cycles", "cycle", grouped(elapsed)],
      ["Memory Throughput", "%", Math.max(dram, time.l2BusyPercent * active).toFixed(2)],
      ["DRAM Throughput", "%", dram.toFixed(2)],
      durationRow(time.durationMicroseconds),
      ["L2 Cache Throughput", "%", (time.l2BusyPercent * active).toFixed(2)],
      ["SM Active Cycles", "cycle", grouped(time.cycles)],
      ["Compute (SM) Throughput", "%", busiest.toFixed(2)],
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
      ["Dynamic Shared Memory Per Block", "byte/block", grouped(launch.dynamicSharedBytes)],
      ["Static Shared Memory Per Block", "byte/block", grouped(launch.staticSharedBytes)],
      ["# SMs", "SM", String(device.smCount)],
      ["Threads", "thread", grouped(blocks * product(block))],
      ["Waves Per SM", "", (blocks / wave).toFixed(2)],
    ],
  };
}

function occupancySection({ occupancy, device, time }: LaunchResult): Section {
  const { limits } = occupancy;
  const blocks = (count: number): string => (count > 1e9 ? "no limit" : String(count));
  const achieved = time.achievedOccupancyPercent;
  return {
    title: "Occupancy",
    rows: [
      ["Block Limit SM", "block", blocks(limits.blocks)],
      ["Block Limit Registers", "block", blocks(limits.registers)],
      ["Block Limit Shared Mem", "block", blocks(limits.sharedMemory)],
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
    memoryWorkload(launch),
    schedulers(launch),
    warpStates(launch),
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
