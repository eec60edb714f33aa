/** A launch of a learner's kernel under the sanitizers, which see all of its blocks. Long launches run without them. */
import { KernelFault } from "../../core/base/errors.js";
import type { FindingPlace, SanitizerFinding } from "../../core/sanitizer/finding.js";
import { startSanitizing } from "../../core/sanitizer/sanitize.js";
import { trialPlace } from "./lead.js";
import { type Outcome, type PreparedTrial, runTrial, withTrial } from "./trial.js";

/** Elements of a launch that the sanitizers' slower engine adds. */
const MOST_ELEMENTS = 2 ** 12;
/** The same of a kernel that launches others, where these get so many blocks' sums that they have several blocks, too. */
const MOST_WITH_CHILDREN = 2 ** 15;
const MANY_SUMS = 2 ** 8;
/** The same where the learner chooses the blocks: the code of a large grid may be another than that of a small one. */
const MOST_WITH_CHOSEN_BLOCKS = 2 ** 20;

function isSanitized({ gpu, spec, data, grid, schedule, tried }: PreparedTrial): boolean {
  if (schedule !== undefined) return false;
  // A text that names a larger size may have other code beyond it.
  const beyond = tried.sumsAlone === true && tried.n > Math.max(...spec.sizes.named);
  if (spec.blocksPerSmConstant !== null && (beyond || spec.sizes.named.includes(tried.n))) {
    return spec.devices[0]?.includes(gpu.device.id) === true && data.length <= MOST_WITH_CHOSEN_BLOCKS;
  }
  if (tried.sumsAlone === true) return false;
  const children = spec.checks.some(({ kind }) => kind === "child-grids");
  return data.length <= (children && grid > MANY_SUMS ? MOST_WITH_CHILDREN : MOST_ELEMENTS);
}

const DOES: Readonly<Record<FindingPlace["does"], string>> = {
  read: "reads",
  write: "writes",
  atomic: "updates",
  wait: "waits at",
};

/** `children`: the race is one with a child grid, so that each side says which grid it is of. */
function placeWords(place: FindingPlace, does: string, answer: string, children: boolean): string {
  const { kernel, line, text, thread, block, launchedBy } = place;
  const who = thread === null || block === null ? "a thread" : `thread ${thread[0]} of block ${block[0]}`;
  const of = kernel === answer ? "" : ` of ${kernel}`;
  const first = children ? " of the first grid" : "";
  const grid = launchedBy === null ? first : ` of the child grid that is launched by ${launchedBy}`;
  return `line ${line}${of} (${text}): ${who}${grid} ${does}`;
}

/** The race with both lines; the launch's own warnings tell of everything else. */
function raceSentence({ places, count }: SanitizerFinding, answer: string): string | null {
  const [first, second] = places;
  if (first === undefined || second === undefined) return null;
  const children = places.some(({ launchedBy }) => launchedBy !== null);
  const one = placeWords(second, `${DOES[second.does]} a place`, answer, children);
  const other = placeWords(first, `${DOES[first.does]} it`, answer, children);
  return `${one}. ${other}. Nothing orders the two, in ${count} ${count === 1 ? "case" : "cases"}.`;
}

export interface SanitizedOutcome {
  readonly outcome: Outcome;
  /** A sentence for the first race; null for none. */
  readonly found: string | null;
}

/** The sanitizers would follow an endless loop for minutes. Throws its fault. */
function checkEnds(trial: PreparedTrial): void {
  try {
    withTrial(trial, runTrial);
  } catch (problem) {
    if (problem instanceof KernelFault && problem.code === "cudaErrorLaunchTimeout") throw problem;
  }
}

/** Throws what `runTrial` throws. */
export function sanitizedTrial(trial: PreparedTrial): SanitizedOutcome {
  if (!isSanitized(trial)) return { outcome: runTrial(trial), found: null };
  checkEnds(trial);
  const sanitizing = startSanitizing({ tool: "racecheck" });
  try {
    const outcome = runTrial(trial);
    const race = sanitizing.finish().findings.find(({ severity }) => severity === "error");
    const sentence = race === undefined ? null : raceSentence(race, trial.kernel.name);
    return { outcome, found: sentence === null ? null : `${trialPlace(trial)}: ${sentence}` };
  } catch (problem) {
    sanitizing.finish();
    throw problem;
  }
}
