/** Checks a learner's kernel against an exercise: points and a sentence a check, naming the learner's line. */
import { CompileError, KernelFault, WarplabError } from "../../core/base/errors.js";
import {
  boolean,
  checkArgument,
  checkOptions,
  optional,
  string,
  whole,
  seed as wholeSeed,
} from "../../core/base/shape.js";
import type { IdOr } from "../../core/device/index.js";
import type { Kernel } from "../../core/frontend/index.js";
import { launchesChildren } from "../../core/host/children/child-grids.js";
import { Gpu } from "../../core/host/gpu.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import type { LaunchWarning } from "../../core/host/launch-warning.js";
import { programFor } from "../../core/host/timed-launch.js";
import type { Program } from "../../core/lower/program.js";
import { type Answer, handedIn, withChoices } from "./answer.js";
import { bandwidthFinding } from "./bandwidth.js";
import { type ChildGridSpec, childGridFinding, tooManyGrids } from "./child-grids.js";
import { type DivergenceSpec, divergenceFinding } from "./divergence.js";
import { type ExerciseId, exercise } from "./exercise.js";
import { type CounterSpec, counterFinding, idleFinding, speedupFinding } from "./figures.js";
import { type Finding, NOT_YET, waiting } from "./finding.js";
import { howToLook, trialPlace, wrongSentence } from "./lead.js";
import type { Case } from "./plan/case.js";
import { drawPlan, freshSeed, type Plan } from "./plan/draw.js";
import { isRequirement, ownShared, type RequirementSpec, Requirements } from "./requirements.js";
import { sanitizedTrial } from "./sanitized-trial.js";
import { counted, failureSentence, warningSentence } from "./source-line.js";
import { blockElements, type CheckSpec, type ExerciseSpec } from "./spec.js";
import { type LaunchPlan, type PreparedTrial, runTrial, withTrial } from "./trial.js";
import { type Verdict, verdictOf } from "./verdict.js";
import { wastedWork } from "./work.js";

export interface CheckOptions {
  /** Repeats an earlier check: a verdict's `seed`. Drawn anew unless told, here or by WARPLAB_CHECK_SEED. */
  readonly seed?: number;
  /** Ends with the first thing that is wrong, and gives a wrong sum no part of the points: quicker. Default false. */
  readonly untilWrong?: boolean;
  /** So many draws of sizes, blocks and schedules from the seed, of which the worst counts. Default 1. */
  readonly draws?: number;
}

/** A warp that issues more is taken for endless: one thread that adds a whole block's elements takes half of it. */
const WARP_STEP_LIMIT = 60_000;

/** The kernel's program for a GPU; null where that lacks something, as the first launch will tell. */
export function programOn({ device, options }: Gpu, kernel: Kernel): Program | null {
  try {
    return programFor(kernel.ir, device, options.contractFma);
  } catch (problem) {
    if (problem instanceof CompileError) return null;
    throw problem;
  }
}

/** The first GPU that has all that the kernel uses; the first one, which then says what it lacks. */
function gpuFor(ids: readonly string[], kernel: Kernel): Gpu {
  const gpus = ids.map((id) => new Gpu(id, { warpStepLimit: WARP_STEP_LIMIT }));
  return gpus.find((gpu) => programOn(gpu, kernel) !== null) ?? gpus[0] ?? new Gpu();
}

interface Measured {
  readonly launch: LaunchResult;
  readonly n: number;
}

class Grading {
  readonly requirements: Requirements;
  /** Those that were needed so far. */
  private readonly gpus: Gpu[] = [];
  private right = 0;
  private tried = 0;
  private lead: Pick<Finding, "sentence" | "look"> | null = null;
  /** Launches on the first GPU, in the default schedule, whose sums are right. */
  private readonly launches: LaunchResult[] = [];
  /** Those whose input ends with a block, so that its end lies in no warp. */
  private readonly wholeLaunches = new Set<LaunchResult>();
  /** The measured launch, and those of further draws. */
  private readonly measured: Measured[] = [];
  /** A launch that ends by a fault is worth nothing: an answer that crashes is worth no more than the starter. */
  private faulted = false;
  /** A sentence for the first warning of style. */
  private style: string | null = null;
  /** A launch without an end, or grids that fill the GPU's pool: every other launch would do so, too, and take its time. */
  private runaway = false;
  /** A sentence from the first launch that starts too many grids. */
  private tooManyGrids: string | null = null;
  /** The measured launch on the other GPUs, where a check looks at each GPU. */
  private readonly elsewhere: LaunchResult[] = [];

  constructor(
    private readonly spec: ExerciseSpec,
    private readonly kernel: Kernel,
    private readonly plan: Plan,
    private readonly untilWrong: boolean,
  ) {
    this.requirements = new Requirements(spec.checks.filter(isRequirement));
  }

  get devices(): readonly string[] {
    return this.gpus.map((gpu) => gpu.device.id);
  }

  run(): void {
    const { named, drawn, landmarks, scheduled, measured, further } = this.plan;
    const [first = [], ...others] = this.spec.devices;
    const gpu = this.gpu(first);
    if (this.startsGrids(gpu)) return;
    const kept = (launch: LaunchResult, n: number): void => {
      this.launches.push(launch);
      if (n % blockElements(this.spec, launch.block[0]) === 0) this.wholeLaunches.add(launch);
    };
    this.tryAll(gpu, named, kept);
    // A wrong answer needs no other cases, GPUs or schedules, and is not measured.
    if (!this.resultPassed || this.ended) return;
    this.tryAll(gpu, [...drawn, ...further.drawn], kept);
    this.tryAll(gpu, landmarks, kept);
    // A kernel that does nothing of what is asked is not worth the slow schedules.
    if (this.requirements.allFailed) return;
    for (const ids of others) this.tryAll(this.gpu(ids), drawn);
    // Under a seed the 32 lanes of a warp may issue one after the other.
    for (const { device } of this.gpus) {
      if (this.resultPassed) this.tryAll(new Gpu(device, { warpStepLimit: 32 * WARP_STEP_LIMIT }), scheduled);
    }
    if (!this.resultPassed || this.ended) return;
    for (const tried of [measured, ...further.measured]) {
      this.try({ gpu, tried }, (launch, n) => this.measured.push({ launch, n }));
    }
    if (!this.resultPassed) return;
    if (!this.spec.checks.some(({ kind }) => kind === "idle-sms" || kind === "bandwidth")) return;
    for (const other of this.gpus.slice(1)) {
      this.try({ gpu: other, tried: measured }, (launch) => this.elsewhere.push(launch));
    }
  }

  /** Child grids would do what no counter of the kernel's own shows. An exercise on them counts what they do. */
  private startsGrids(gpu: Gpu): boolean {
    if (this.childGrids !== undefined) return false;
    const program = programOn(gpu, this.kernel);
    if (program === null || !launchesChildren(program)) return false;
    this.lead = { sentence: "The kernel launches child grids; it is to make the sums by itself." };
    this.tried += 1;
    return true;
  }

  private get childGrids(): ChildGridSpec | undefined {
    return this.spec.checks.find((check) => check.kind === "child-grids");
  }

  private gpu(ids: readonly string[]): Gpu {
    const gpu = gpuFor(ids, this.kernel);
    this.gpus.push(gpu);
    return gpu;
  }

  private tryAll(
    gpu: Gpu,
    cases: readonly (Case & { readonly schedule?: number })[],
    done?: (launch: LaunchResult, n: number) => void,
  ): void {
    for (const { schedule, ...tried } of cases) {
      if (this.ended) return;
      this.try(schedule === undefined ? { gpu, tried } : { gpu, tried, schedule }, done);
    }
  }

  private get ended(): boolean {
    if (this.runaway) return true;
    return this.untilWrong && !(this.resultPassed && this.requirements.allHold && this.tooManyGrids === null);
  }

  private get resultPassed(): boolean {
    return this.right === this.tried;
  }

  private try(
    parts: Pick<LaunchPlan, "gpu" | "schedule"> & { readonly tried: Case },
    done: (launch: LaunchResult, n: number) => void = () => {},
  ): void {
    const plan = { ...parts, spec: this.spec, kernel: this.kernel };
    this.tried += 1;
    withTrial(plan, (trial) => {
      try {
        const { outcome, found } = sanitizedTrial(trial);
        const { launch, wrong, changedInput } = outcome;
        const sound = wrong === null && changedInput === null;
        this.watch(trial, launch, wrong?.block ?? null);
        this.requirements.fail("hazards", found);
        if (this.childGrids !== undefined) this.tooManyGrids ??= tooManyGrids(this.childGrids, launch);
        if (sound) {
          this.right += 1;
          done(launch, trial.data.length);
        } else if (this.lead === null) {
          this.lead = wrong === null ? this.changed(trial, changedInput ?? 0) : this.leadOf(plan, trial);
        }
      } catch (problem) {
        if (!(problem instanceof WarplabError)) throw problem;
        this.faulted = true;
        this.runaway ||=
          problem instanceof KernelFault && /^cudaErrorLaunch(Pending|MaxDepth|Timeout)/.test(problem.code);
        const look = problem instanceof KernelFault ? { look: howToLook(trial, problem.place.block[0]) } : {};
        this.lead ??= { sentence: `${trialPlace(trial)}: ${failureSentence(problem)}`, ...look };
      }
    });
  }

  private changed(trial: PreparedTrial, element: number): Pick<Finding, "sentence"> {
    return { sentence: `${trialPlace(trial)}: the kernel changes input[${element}]; input is to be read only.` };
  }

  /** The wrong launch over again with ones, or as it was where ones come out right. */
  private leadOf(plan: LaunchPlan, trial: PreparedTrial): Pick<Finding, "sentence" | "look"> {
    return withTrial({ ...plan, ones: true }, (again) => {
      const { wrong } = runTrial(again);
      const told = wrong === null ? trial : again;
      if (wrong !== null) {
        return { sentence: wrongSentence(again, wrong), look: howToLook(again, wrong.block ?? 0) };
      }
      const original = withTrial(plan, (once) => runTrial(once).wrong);
      if (original === null) return { sentence: `${trialPlace(told)}: the sum is another each time.` };
      return { sentence: wrongSentence(told, original), look: howToLook(told, original.block ?? 0) };
    });
  }

  /** Warnings of the launch; a block of it traced: the wrong one, else one that was drawn, and a last one that is not full. */
  private watch(trial: PreparedTrial, launch: LaunchResult, wrong: number | null): void {
    const { requirements } = this;
    requirements.launched(launch, this.spec);
    const told = (warning: LaunchWarning): string =>
      `${trialPlace(trial)}: ${warningSentence(warning, launch.program)}`;
    const [styled, faults] = styleAndFaults(launch.warnings);
    if (faults[0] !== undefined) requirements.fail("hazards", told(faults[0]));
    if (styled[0] !== undefined) this.style ??= told(styled[0]);
    if (trial.gpu !== this.gpus[0] || trial.schedule !== undefined || requirements.allFailed) return;
    // Where a learner chooses few blocks, theirs are too long to be followed. Smaller launches have shown the same code.
    if (this.spec.blocksPerSmConstant !== null && trial.tried === this.plan.measured) return;
    // Only the first wrong block is traced, to find a cause.
    if (this.lead !== null || trial.tried.sumsAlone === true) return;
    const chosen = new Set([wrong ?? Math.floor(trial.tried.traced * trial.grid)]);
    if (trial.data.length % blockElements(this.spec, trial.tried.block) !== 0 && wrong === null)
      chosen.add(trial.grid - 1);
    for (const block of chosen) {
      trial.output.write(trial.before);
      requirements.trace(trial, block);
    }
  }

  finding(check: CheckSpec): Finding {
    if (check.kind === "result") return this.result();
    if (isRequirement(check)) {
      const failure = this.requirements.failure(check);
      if (failure !== null) return { passed: false, sentence: failure };
      const style = check.kind === "hazards" && this.style !== null ? ` A note that costs no point: ${this.style}` : "";
      return this.resultPassed ? { passed: true, sentence: `${HOLDS[check.kind]}${style}` } : NOT_YET;
    }
    if (check.kind === "child-grids" && this.tooManyGrids !== null) {
      return { passed: false, sentence: this.tooManyGrids };
    }
    if (!this.resultPassed) return NOT_YET;
    if (!this.requirements.allHold) {
      return waiting("Looked at once the kernel adds as asked: see the checks above.");
    }
    // The check's own reason comes before that of useless work, which costs every figure.
    const found = this.measured.map((each) => this.figure(check, each));
    const worst = found.find(({ passed }) => !passed) ?? found[0] ?? NOT_YET;
    const { work } = this.spec;
    if (!worst.passed || work === null) return worst;
    const wasted = this.measured.map(({ launch, n }) => wastedWork(work, launch, n)).find((each) => each !== null);
    return wasted === undefined ? worst : { passed: false, sentence: wasted };
  }

  private figure(
    check: Exclude<CheckSpec, RequirementSpec | { readonly kind: "result" }>,
    { launch, n }: Measured,
  ): Finding {
    const [gpu] = this.gpus;
    if (gpu === undefined) return NOT_YET;
    if (check.kind === "child-grids") return childGridFinding(check, launch);
    if (check.kind === "idle-sms") return idleFinding(check, [launch, ...this.elsewhere]);
    if (check.kind === "bandwidth") return bandwidthFinding(check, [launch, ...this.elsewhere], n);
    if (check.kind === "speed-up") return speedupFinding(check, gpu, launch, n);
    return this.counterFinding(check, launch);
  }

  private get schedules(): string {
    return this.measured.length === 0 ? "" : `, ${counted(this.plan.scheduled.length, "seeded schedule")} included`;
  }

  private result(): Finding {
    const { right, tried, lead } = this;
    const gpus = this.gpus.map((gpu) => gpu.device.name).join(" and ");
    if (lead === null) {
      return {
        passed: true,
        sentence: `${RIGHT[this.spec.sums]} is right in ${tried === 1 ? "the launch" : `all ${tried} launches`}, on ${gpus}${this.schedules}.`,
      };
    }
    return {
      passed: false,
      share: this.untilWrong || this.faulted ? 0 : right / tried,
      sentence: `${lead.sentence} (${right} of ${tried} launches right.)`,
      ...(lead.look === undefined ? {} : { look: lead.look }),
    };
  }

  /** The finding on the measured launch, or on another launch that exceeds its limit. */
  private counterFinding(check: CounterSpec | DivergenceSpec, measured: LaunchResult): Finding {
    const find = (launch: LaunchResult): Finding =>
      check.kind === "divergent-branches"
        ? divergenceFinding(check, launch, this.wholeLaunches.has(launch))
        : counterFinding(check, launch);
    const found = find(measured);
    if (!found.passed) return found;
    const own = check.kind === "empty-warp-places" ? ownShared(measured, this.spec) : null;
    if (own !== null) return { passed: false, sentence: own };
    for (const launch of this.launches) {
      const other = find(launch);
      const unused = check.kind === "conflict-degree" && launch.counters.sharedLoadRequests === 0;
      if (other.passed || unused) continue;
      return {
        passed: false,
        sentence: `With ${counted(launch.grid[0], "block")} of ${counted(launch.block[0], "thread")}: ${other.sentence}`,
      };
    }
    return found;
  }
}

const RIGHT = {
  block: "Every block's sum",
  total: "Every block's sum",
  first: "The sum",
  scan: "Every element's sum",
  histogram: "Every count",
} as const;

/**
 * The launch's warnings, those of style first: a mask of lanes that are not there is defined where each lane that is there comes. A
 * barrier behind a return is defined from 7.0 on alone, and exercises ask for every GPU.
 */
function styleAndFaults(warnings: readonly LaunchWarning[]): [style: LaunchWarning[], faults: LaunchWarning[]] {
  const ofRun = warnings.filter(({ kind }) => kind !== "compiler" && kind !== "untimed");
  const isStyle = ({ kind, defined }: LaunchWarning): boolean => kind === "missing-lanes" && defined === true;
  return [ofRun.filter(isStyle), ofRun.filter((warning) => !isStyle(warning))];
}

const HOLDS = {
  hazards: "No race, nothing read before it is written, every barrier for the whole block.",
  additions: "The threads and warps of a block share the additions out.",
  order: "The sums are made in the interleaved order, each by its thread.",
  loads: "Every thread loads the elements that are its to add.",
  primitives: "The instructions asked for are executed, and no others that are ruled out.",
} as const;

/**
 * Checks an answer: a kernel, a function that makes it, or a module that exports it as `answer`. An answer that cannot be
 * checked gets a verdict without points that says why. A wrong sum gets part of the result's points, and nothing for figures.
 * @throws InputError for an unknown exercise, or a seed that is no whole number.
 */
export function checkExercise(id: IdOr<ExerciseId>, answer: Answer, options: CheckOptions = {}): Verdict {
  checkArgument("checkExercise", "id", id, string);
  checkOptions<CheckOptions>("checkExercise", options, {
    seed: optional(wholeSeed),
    untilWrong: optional(boolean),
    draws: optional(whole(1)),
  });
  const spec = exercise(id);
  const seed = options.seed ?? freshSeed();
  // It may come from the environment.
  checkArgument("checkExercise", "seed", seed, wholeSeed);
  const kernel = handedIn(spec, answer);
  if (typeof kernel === "string") {
    const none = waiting("Looked at once there is a kernel.");
    const finding = (check: CheckSpec): Finding =>
      check.kind === "result" ? { passed: false, sentence: kernel } : none;
    return verdictOf(spec, { seed, devices: [] }, finding);
  }
  const chosen = withChoices(spec, kernel);
  const grading = new Grading(
    chosen,
    kernel,
    drawPlan(chosen, kernel.ir, seed, options.draws),
    options.untilWrong ?? false,
  );
  grading.run();
  return verdictOf(spec, { seed, devices: grading.devices }, (check) => grading.finding(check));
}
