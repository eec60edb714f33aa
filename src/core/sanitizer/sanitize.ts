/**
 * compute-sanitizer's tools for the launches of a piece of program: memcheck, racecheck, initcheck and synccheck. All four look
 * at one run. The kernels run in the reference engine, and their results are those of a plain run.
 */

import { KernelFault } from "../base/errors.js";
import {
  boolean,
  callable,
  checkArgument,
  checkOptions,
  either,
  type Fields,
  listOf,
  oneOf,
  optional,
  type Shape,
  whole,
  seed as wholeSeed,
} from "../base/shape.js";
import { summarized } from "../base/summary.js";
import type { PreparedLaunch } from "../engine/engine.js";
import { type CopyActivity, hear } from "../host/activity.js";
import { FreedBufferError } from "../host/buffer.js";
import type { LaunchSchedule } from "../host/launch-schedule.js";
import type { LaunchWarning } from "../host/launch-warning.js";
import { type LaunchWatcher, startWatching } from "../host/launch-watcher.js";
import { withoutPrintf } from "../host/printf-output.js";
import type { StreamKey } from "../host/streams/stream-key.js";
import type { Shown } from "../show/display-data.js";
import { SANITIZER_TOOLS, type SanitizerFinding, type SanitizerTool, type Severity } from "./finding.js";
import { InitWatch, type UnwrittenRead } from "./init-watch.js";
import { joined } from "./joined-watch.js";
import {
  changedFinding,
  faultFinding,
  freedFinding,
  leakFinding,
  unusedFinding,
  unwrittenCopyFinding,
  unwrittenFinding,
  warningFinding,
} from "./launch-findings.js";
import { type MemoryState, WatchedMemory } from "./memory-state.js";
import { waitsOf } from "./race/code-patterns.js";
import type { StreamOperation } from "./race/operation-order.js";
import { raceFinding, racePlace } from "./race/race-findings.js";
import { RaceWatch } from "./race/race-watch.js";
import { type Race, Races } from "./race/races.js";
import { reportText } from "./report-text.js";
import { type ScheduleSearch, searchSchedules } from "./schedules.js";
import { StreamWatch } from "./streams/stream-watch.js";
import { findingViews } from "./views.js";

export interface SanitizeOptions {
  /** compute-sanitizer's --tool; all four unless told. */
  readonly tool?: SanitizerTool | readonly SanitizerTool[];
  /** --leak-check full: allocations that are not freed. Default false. */
  readonly leakCheck?: boolean;
  /** --track-unused-memory: allocations that nothing uses. Default false. */
  readonly trackUnusedMemory?: boolean;
  /**
   * Runs the program again under this many other legal schedules, and compares what it returns with the first run. One more
   * run has asynchronous copies to page-locked memory arrive late. Default 0.
   */
  readonly schedules?: number;
  /** The first seed of those schedules. Default 1. */
  readonly seed?: number;
}

export interface SanitizerReport extends Shown {
  /** Errors first of each tool, in the order of the tools. */
  readonly findings: readonly SanitizerFinding[];
  /** Errors of all tools, wrong schedules among them. */
  readonly errors: number;
  /** compute-sanitizer's text, the summary last. */
  readonly text: string;
  /** null unless schedules were asked for. */
  readonly schedules: ScheduleSearch | null;
}

const tool: Shape = oneOf(...SANITIZER_TOOLS);

/** More other schedules take hours. */
const MOST_SCHEDULES = 1_000_000;

const OPTIONS: Fields<SanitizeOptions> = {
  tool: optional(either(tool, listOf(tool))),
  leakCheck: optional(boolean),
  trackUnusedMemory: optional(boolean),
  schedules: optional(whole(0, MOST_SCHEDULES)),
  seed: optional(wholeSeed),
};

function checkedTools(options: SanitizeOptions): readonly SanitizerTool[] {
  checkOptions("sanitize", options, OPTIONS);
  const { tool = SANITIZER_TOOLS } = options;
  const tools: readonly SanitizerTool[] = typeof tool === "string" ? [tool] : tool;
  return SANITIZER_TOOLS.filter((name) => tools.includes(name));
}

/** Any seed is a legal order of turns. */
const TURNS_SEED = 2;

/** Collects what the four tools see in the launches of one run. */
class Watcher implements LaunchWatcher {
  readonly races: Races = new Races();
  readonly memory: WatchedMemory = new WatchedMemory();
  readonly streams: StreamWatch = new StreamWatch(this.races);
  readonly unwritten: Map<PreparedLaunch["program"]["instructions"][number], UnwrittenRead> = new Map();
  readonly told: SanitizerFinding[] = [];
  private readonly owners: WeakMap<PreparedLaunch, MemoryState> = new WeakMap();

  /** initcheck, too, has to know which reads race with a write that comes too late. */
  readonly followsRaces: boolean;

  constructor(
    private readonly tools: readonly SanitizerTool[],
    /** The program runs once, and under no other schedules. */
    private readonly once: boolean,
  ) {
    this.followsRaces = tools.some((tool) => tool === "racecheck" || tool === "initcheck");
  }

  /**
   * Where threads wait for others, turns change often. One side that runs to its end first leaves the other nothing to wait for.
   * A hand-over that nobody waits for then looks right.
   */
  scheduleOf(program: PreparedLaunch["program"]): LaunchSchedule {
    return this.once && waitsOf(program).loads.size > 0 ? { seed: TURNS_SEED } : "default";
  }

  begin(launch: PreparedLaunch, owner: object, stream: StreamKey) {
    const memory = this.memory.of(owner);
    this.owners.set(launch, memory);
    return joined([
      ...(this.followsRaces ? [this.raceWatch(launch, owner, stream)] : []),
      ...(this.tools.includes("initcheck") ? [new InitWatch(launch, memory, this.unwritten)] : []),
    ]);
  }

  private raceWatch(launch: PreparedLaunch, owner: object, stream: StreamKey): RaceWatch {
    const operation = this.streams.launch(owner, stream, launch.program.name);
    return new RaceWatch(this.races, { launch, owner, operation, started: null });
  }

  end(launch: PreparedLaunch, warnings: readonly LaunchWarning[], fault: KernelFault | null): void {
    for (const warning of warnings) {
      const finding = warningFinding(warning, launch);
      if (finding !== null) this.tell(finding);
    }
    if (fault === null) return;
    const { address = -1 } = fault.access?.allocation ?? {};
    this.tell(faultFinding(fault, this.owners.get(launch)?.at(address) ?? null));
  }

  /** The host reads device memory. */
  copiedOut(copy: CopyActivity): void {
    const unwritten = this.memory.of(copy.owner).unwrittenIn(copy);
    if (unwritten !== null) this.told.push(unwrittenCopyFinding(copy, unwritten));
  }

  /** Launches of one kernel tell of one line once. */
  private tell(finding: SanitizerFinding): void {
    const { tool, title, count } = finding;
    const [place] = finding.places;
    const known = this.told.findIndex(({ places: [other], ...each }) => {
      const alike = each.tool === tool && each.title === title && other?.kernel === place?.kernel;
      return alike && place !== undefined && place.span !== null && other?.span === place.span;
    });
    const before = this.told[known];
    if (before === undefined) this.told.push(finding);
    else this.told[known] = { ...before, count: before.count + count };
  }
}

/** The tools at work: on all launches until `finish`. */
export interface Sanitizing {
  /** `searching`: tries schedules when the tools have stopped, for the report's end. */
  finish(searching?: (races: Iterable<Race>) => ScheduleSearch | null): SanitizerReport;
}

/** Starts the tools. @throws InputError for unknown tools and options */
export function startSanitizing(options: SanitizeOptions = {}): Sanitizing {
  const tools = checkedTools(options);
  const watcher = new Watcher(tools, (options.schedules ?? 0) === 0);
  const heard = hear((activity) => {
    if (activity.kind === "copy" && activity.way === "DtoH") watcher.copiedOut(activity);
    watcher.memory.note(activity);
    if (watcher.followsRaces) watcher.streams.note(activity);
    if (activity.kind === "use-after-free") {
      watcher.told.push(freedFinding(activity.use, activity.bytes, activity.cure, activity.user));
    }
  });
  const watching = startWatching(watcher);
  return {
    finish(searching = () => null) {
      heard.stop();
      watching.stop();
      const search = searching(watcher.races.found.values());
      const findings = findingsOf(watcher, tools, options);
      const searched = (search?.wrong.length ?? 0) + ((search?.lateCopies ?? null) === null ? 0 : 1);
      const errors = findings.filter(({ severity }) => severity === "error").length + searched;
      const text = reportText(tools, findings, search?.lines ?? []);
      const report = { findings, errors, text, schedules: search, views: findingViews(findings, search) };
      return summarized(report, (shown) => shown.text);
    },
  };
}

const ORDER: readonly Severity[] = ["error", "warning", "note"];

/** A line that reads memory, in words that a race's first side and a finding of initcheck have in common. */
function readLine({ places: [place] }: Pick<SanitizerFinding, "places">, space: Race["space"]): string {
  return `${space} ${place?.kernel} ${place?.line}`;
}

/** Reads of unwritten memory, without those that only come before a write that they race with: racecheck tells of them. */
function withoutRacing(findings: readonly SanitizerFinding[], races: readonly Race[]): readonly SanitizerFinding[] {
  const early = new Set(
    races.flatMap(({ unwritten: side, space }) =>
      side === null ? [] : [readLine({ places: [racePlace(side)] }, space)],
    ),
  );
  return findings.filter(
    (finding) =>
      finding.tool !== "initcheck" ||
      !(["shared", "global"] as const).some(
        (space) => finding.title.includes(`__${space}__`) && early.has(readLine(finding, space)),
      ),
  );
}

/** One finding for all copies of one kind and stream. */
function changedFindings(changed: readonly StreamOperation[]): readonly SanitizerFinding[] {
  const names = changed.map(({ name }) => name);
  return [...new Set(names)].map((name) => changedFinding(names.filter((each) => each === name)));
}

function findingsOf(
  watcher: Watcher,
  tools: readonly SanitizerTool[],
  { leakCheck, trackUnusedMemory }: SanitizeOptions,
): readonly SanitizerFinding[] {
  const memories = watcher.memory.all;
  if (leakCheck === true) for (const memory of memories) memory.leak();
  const races = [...watcher.races.found.values()];
  const allocations = memories.flatMap((memory) => memory.allocations);
  const all: readonly SanitizerFinding[] = [
    ...withoutRacing([...watcher.told, ...[...watcher.unwritten.values()].map(unwrittenFinding)], races),
    ...races.map(raceFinding),
    ...changedFindings(watcher.streams.changed),
    ...(leakCheck === true ? allocations.filter(({ leaked }) => leaked).map(leakFinding) : []),
    ...(trackUnusedMemory === true ? allocations.filter(({ used }) => !used).map(unusedFinding) : []),
  ];
  return tools.flatMap((tool) =>
    all
      .filter((finding) => finding.tool === tool)
      .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity)),
  );
}

/**
 * Runs `program`, and gives what compute-sanitizer's tools would say of its launches, with both lines of each race. A launch that
 * fails ends the program, and is a finding.
 * @throws InputError for unknown tools and options; whatever else the program throws
 * @example
 * const report = sanitize(() => {
 *   gpu.launch(sum, { grid, block }, { out, input });
 *   return out.read();
 * }, { schedules: 100 });
 * console.log(report.text);
 */
export function sanitize(program: () => unknown, options: SanitizeOptions = {}): SanitizerReport {
  checkArgument("sanitize", "program", program, callable);
  const sanitizing = startSanitizing(options);
  const { schedules = 0, seed = 1 } = options;
  let ended = false;
  try {
    const result = program();
    ended = true;
    return sanitizing.finish((races) =>
      schedules === 0 ? null : withoutPrintf(() => searchSchedules(program, result, { schedules, seed }, races)),
    );
  } catch (error) {
    const report = sanitizing.finish();
    if (!ended && (error instanceof FreedBufferError || error instanceof KernelFault)) return report;
    throw error;
  }
}
