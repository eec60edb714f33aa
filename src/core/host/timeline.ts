/** A launch's first cycles on one SM: what each warp did in each cycle, and why it did not issue. */
import { InputError } from "../base/errors.js";
import {
  checkArgument,
  checkOptions,
  finite,
  listOf,
  objectWith,
  oneOf,
  optional,
  positive,
  type Shape,
  string,
  whole,
} from "../base/shape.js";
import type { Program } from "../lower/program.js";
import { launchShape, programShape } from "../profile/launch-shape.js";
import { type SmRecord, STALL_REASONS, type WarpStretch } from "../timing/index.js";
import type { LaunchResult } from "./launch-result.js";

export interface TimelineOptions {
  /** Cycles from the launch's start on, at most 100,000; 2,000 unless given. */
  readonly cycles?: number;
}

/** Predicted by the timing model; states have Nsight Compute's names. */
export interface Timeline extends SmRecord {
  readonly kernel: string;
  /** The GPU's name, and its clock in MHz. */
  readonly device: string;
  readonly smClockMHz: number;
  /** The instructions that `pc` counts, with their lines. */
  readonly program: Program;
}

const stretch: Shape = objectWith({ from: finite, to: finite, pc: whole(0), state: oneOf(...STALL_REASONS) });

export const timelineShape: Shape = objectWith(
  {
    kernel: string,
    device: string,
    smClockMHz: positive,
    cycles: whole(0),
    schedulers: whole(1, 64),
    program: programShape,
    warps: listOf(objectWith({ block: whole(0), warp: whole(0), scheduler: whole(0), stretches: listOf(stretch) })),
  },
  "what timeline(launch) or gpu.timeline(...) returns",
);

const DEFAULT_CYCLES = 2000;
const MOST_CYCLES = 100_000;

/**
 * Simulates one SM of the launch again and records its warps, cycle by cycle. All of it is predicted.
 * @throws InputError for an impossible number of cycles.
 * @example
 * display(timelineFigure(timeline(gpu.launch(sum, { grid: 64, block: 256 }, { data }), { cycles: 500 })));
 */
export function timeline(launch: LaunchResult, options: TimelineOptions = {}): Timeline {
  checkArgument("timeline", "launch", launch, launchShape);
  checkOptions<TimelineOptions>("timeline", options, { cycles: optional(whole(1, MOST_CYCLES)) });
  const { cycles = DEFAULT_CYCLES } = options;
  const { kernel, device, program } = launch;
  const { name, smClockMHz } = device;
  return { kernel, device: name, smClockMHz, program, ...launch.recordWarps(cycles) };
}

/** The line of the text that a stretch's instruction comes from, counted from 1. */
export function lineOfStretch(timeline: Timeline, stretch: WarpStretch): number {
  checkArgument("lineOfStretch", "timeline", timeline, objectWith({ program: programShape }, timelineShape.words));
  checkArgument("lineOfStretch", "stretch", stretch, objectWith({ pc: whole(0) }));
  const { program } = timeline;
  const { pc } = stretch;
  return program.instructions[pc]?.span.line ?? 0;
}

/** A scheduler in some cycles. */
export interface SchedulerIssues {
  readonly scheduler: number;
  /** Warps that it chose from. */
  readonly warps: number;
  /** Warp instructions that it issued, and their number a cycle. */
  readonly issues: number;
  readonly issuesPerCycle: number;
}

/**
 * Counts by scheduler what a timeline shows, from cycle `from` to before `to`; over all recorded cycles unless given.
 * @throws InputError for cycles that are not recorded.
 * @example console.log(schedulerIssues(timeline(launch, { cycles: 2000 }), { from: 1000, to: 2000 }));
 */
export function schedulerIssues(
  timeline: Timeline,
  range: { readonly from?: number; readonly to?: number } = {},
): readonly SchedulerIssues[] {
  checkArgument("schedulerIssues", "timeline", timeline, timelineShape);
  checkOptions<typeof range>("schedulerIssues", range, { from: optional(finite), to: optional(finite) });
  const { schedulers, warps, cycles } = timeline;
  const { from = 0, to = cycles } = range;
  if (!(from >= 0 && from < to && to <= cycles)) {
    throw new InputError({
      what: `schedulerIssues: cycles ${from} to ${to} are asked for.`,
      cure: `Name some between 0 and ${cycles}, which are recorded.`,
    });
  }
  return Array.from({ length: schedulers }, (_, scheduler) => {
    const mine = warps
      .filter((warp) => warp.scheduler === scheduler)
      .map(({ stretches }) => stretches.filter((stretch) => stretch.to > from && stretch.from < to))
      .filter((stretches) => stretches.length > 0);
    const issues = mine
      .flat()
      .filter(({ state }) => state === "selected")
      .reduce((sum, stretch) => sum + Math.min(stretch.to, to) - Math.max(stretch.from, from), 0);
    return { scheduler, warps: mine.length, issues, issuesPerCycle: issues / (to - from) };
  });
}
