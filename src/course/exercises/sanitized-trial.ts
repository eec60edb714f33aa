/** A launch of a learner's kernel under the sanitizers, which see all of its blocks. Long launches run without them. */
import type { FindingPlace, SanitizerFinding } from "../../sanitizer/finding.js";
import { startSanitizing } from "../../sanitizer/sanitize.js";
import { trialPlace } from "./lead.js";
import { type Outcome, type PreparedTrial, runTrial } from "./trial.js";

/** Elements of a launch that the sanitizers' slower engine adds. */
const MOST_ELEMENTS = 2 ** 12;

const DOES: Readonly<Record<FindingPlace["does"], string>> = {
  read: "reads",
  write: "writes",
  atomic: "updates",
  wait: "waits at",
};

function placeWords({ line, text, thread, block }: FindingPlace, does: string): string {
  const who = thread === null || block === null ? "a thread" : `thread ${thread[0]} of block ${block[0]}`;
  return `line ${line} (${text}): ${who} ${does}`;
}

/** The race with both lines; the launch's own warnings tell of everything else. */
function raceSentence({ places, count }: SanitizerFinding): string | null {
  const [first, second] = places;
  if (first === undefined || second === undefined) return null;
  const one = placeWords(second, `${DOES[second.does]} a place`);
  const other = placeWords(first, `${DOES[first.does]} it`);
  return `${one}. ${other}. Nothing orders the two, in ${count} ${count === 1 ? "case" : "cases"}.`;
}

export interface SanitizedOutcome {
  readonly outcome: Outcome;
  /** A sentence for the first race; null for none. */
  readonly found: string | null;
}

/** Throws what `runTrial` throws. */
export function sanitizedTrial(trial: PreparedTrial): SanitizedOutcome {
  if (trial.data.length > MOST_ELEMENTS || trial.schedule !== undefined)
    return { outcome: runTrial(trial), found: null };
  const sanitizing = startSanitizing({ tool: "racecheck" });
  try {
    const outcome = runTrial(trial);
    const race = sanitizing.finish().findings.find(({ severity }) => severity === "error");
    const sentence = race === undefined ? null : raceSentence(race);
    return { outcome, found: sentence === null ? null : `${trialPlace(trial)}: ${sentence}` };
  } catch (problem) {
    sanitizing.finish();
    throw problem;
  }
}
