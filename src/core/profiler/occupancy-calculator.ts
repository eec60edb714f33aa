/**
 * The occupancy calculator: how many blocks of a launch an SM holds, and what keeps it from holding more. It says what to
 * change for one block more, and draws curves over block size, registers and shared memory. The arithmetic is NVIDIA's
 * (src/core/device/occupancy.ts).
 */

import {
  checkArgument,
  checkOptions,
  either,
  object,
  objectWith,
  optional,
  type Shape,
  string,
  whole,
} from "../base/shape.js";
import { checkOccupancySpec } from "../device/check-spec.js";
import {
  type IdOr,
  type LimitingFactor,
  type Occupancy,
  type OccupancyDeviceId,
  type OccupancySpec,
  occupancy,
  occupancyDeviceById,
  unlimitedBlocks,
} from "../device/index.js";
import type { LaunchResult } from "../host/launch-result.js";
import { launchShape } from "../profile/launch-shape.js";
import type { Shown } from "../show/display-data.js";
import type { Figure } from "../show/figures/figure.js";
import { count, formatNumber } from "../show/number-format.js";
import { type Table, table } from "../show/table.js";
import { moreBlocks } from "./more-blocks.js";
import { type OccupancyCurves, occupancyCurveFigures, occupancyCurves } from "./occupancy-curves.js";
import type { OccupancyChoice, OccupancyFacts, OccupancyLimit } from "./occupancy-facts.js";
import { occupancyText } from "./occupancy-text.js";

export interface OccupancyCalculation extends OccupancyFacts, Shown {
  readonly curves: OccupancyCurves;
  readonly table: Table;
  readonly figures: readonly Figure[];
  /** All of it in lines of at most 60 columns. */
  readonly text: string;
}

const NAMES: Readonly<Record<LimitingFactor, string>> = {
  warps: "warps",
  registers: "registers",
  shared: "shared memory",
  blocks: "the number of blocks",
  barriers: "barriers",
};

function checkChoice({ limits }: OccupancySpec, choice: OccupancyChoice): void {
  checkOptions<OccupancyChoice>("occupancyCalculator", choice, {
    block: whole(1, limits.maxThreadsPerBlock),
    registersPerThread: whole(0, limits.maxRegistersPerThread),
    sharedBytesPerBlock: optional(whole(0, limits.sharedBytesPerBlockOptIn)),
  });
}

/** The launch's shared memory counts as opted in, as `gpu.launch` counts it. */
export function occupancyOfChoice(spec: OccupancySpec, choice: Required<OccupancyChoice>): Occupancy {
  return occupancy(spec, {
    threadsPerBlock: choice.block,
    registersPerThread: choice.registersPerThread,
    dynamicSharedBytes: choice.sharedBytesPerBlock,
    dynamicSharedOptInBytes: choice.sharedBytesPerBlock,
  });
}

function limitsOf(spec: OccupancySpec, choice: Required<OccupancyChoice>, found: Occupancy): readonly OccupancyLimit[] {
  const { limits } = spec;
  const has = (blocks: number): number | null => (blocks === unlimitedBlocks ? null : blocks);
  const rows: readonly (readonly [LimitingFactor, string, number, number, number])[] = [
    ["warps", "warps", Math.ceil(choice.block / spec.warpSize), limits.maxWarpsPerSm, found.limits.warps],
    ["registers", "registers", found.allocatedRegistersPerBlock, limits.registersPerSm, found.limits.registers],
    [
      "shared",
      "shared memory (bytes)",
      found.allocatedSharedBytesPerBlock,
      limits.sharedBytesPerSm,
      found.limits.sharedMemory,
    ],
    ["blocks", "blocks", 1, limits.maxBlocksPerSm, found.limits.blocks],
    ...(limits.barriersPerSm === null
      ? []
      : ([["barriers", "barriers", 1, limits.barriersPerSm, found.limits.barriers]] as const)),
  ];
  return rows.map(([resource, title, blockTakes, smHas, blocks]) => ({
    resource,
    title,
    blockTakes,
    smHas,
    blocks: has(blocks),
    limits: found.limitingFactors.includes(resource),
  }));
}

function limitsTable(calculation: OccupancyFacts): Table {
  const { device, choice, limits, residentBlocks, residentWarps, maxWarps, percent, limitedBy } = calculation;
  return table({
    title: `Occupancy on ${device.name}: ${choice.block} threads, ${choice.registersPerThread} registers a thread, ${formatNumber(choice.sharedBytesPerBlock, count)} bytes of shared memory`,
    note: `${residentBlocks} blocks, ${residentWarps} of ${maxWarps} warps: ${Math.round(percent)} %, ${limitedBy}.`,
    columns: [
      { key: "title", title: "Resource" },
      { key: "blockTakes", title: "A block takes" },
      { key: "smHas", title: "An SM has" },
      { key: "blocks", title: "Blocks by it alone" },
      { key: "limits", title: "Limits" },
    ],
    rows: limits,
  });
}

const chooser: Shape = either(
  launchShape,
  objectWith({ id: string, limits: object }, 'a device, or an id such as "v100"'),
);

function chosen(
  device: OccupancySpec | IdOr<OccupancyDeviceId> | LaunchResult,
  choice: OccupancyChoice | undefined,
): readonly [OccupancySpec, OccupancyChoice] {
  if (typeof device === "string") return [occupancyDeviceById(device), choice as OccupancyChoice];
  checkArgument("occupancyCalculator", "device", device, chooser);
  if (!("occupancy" in device)) {
    checkOccupancySpec(device);
    return [device, choice as OccupancyChoice];
  }
  const { block, registersPerThread, staticSharedBytes, dynamicSharedBytes } = device;
  const own = {
    block: block[0] * block[1] * block[2],
    registersPerThread,
    sharedBytesPerBlock: staticSharedBytes + dynamicSharedBytes,
  };
  if (choice !== undefined) checkArgument("occupancyCalculator", "choice", choice, object);
  return [device.device, { ...own, ...choice }];
}

/**
 * NVIDIA's occupancy calculator for a GPU and a choice, or for a launch that has run.
 * @throws InputError for an unknown device, and for numbers that no launch of it can have.
 * @example console.log(occupancyCalculator("gtx970", { block: 128, registersPerThread: 48, sharedBytesPerBlock: 4096 }).text);
 */
export function occupancyCalculator(
  device: OccupancySpec | IdOr<OccupancyDeviceId> | LaunchResult,
  choice?: OccupancyChoice,
): OccupancyCalculation {
  const [spec, given] = chosen(device, choice);
  checkChoice(spec, given);
  const launch = { ...given, sharedBytesPerBlock: given.sharedBytesPerBlock ?? 0 };
  const found = occupancyOfChoice(spec, launch);
  const { activeBlocksPerSm, activeWarpsPerSm, limitingFactors, theoreticalOccupancy } = found;
  const facts = {
    device: spec,
    choice: launch,
    occupancy: found,
    residentBlocks: activeBlocksPerSm,
    residentWarps: activeWarpsPerSm,
    maxWarps: spec.limits.maxWarpsPerSm,
    percent: 100 * theoreticalOccupancy,
    limits: limitsOf(spec, launch, found),
    limitedBy: `limited by ${limitingFactors.map((factor) => NAMES[factor]).join(" and ")}`,
    advice: moreBlocks(spec, launch, (changed) => occupancyOfChoice(spec, changed)),
    curves: occupancyCurves(spec, launch, (changed) => occupancyOfChoice(spec, changed)),
  };
  const figures = occupancyCurveFigures(spec, launch, facts.curves, activeWarpsPerSm);
  const shown = limitsTable(facts);
  return { ...facts, table: shown, figures, views: [shown, ...figures], text: occupancyText(facts) };
}
