/** Tells what bounds a launch and what to try, in sentences that rest on numbers, as Nsight Compute's rules do. */

import { checkArgument } from "../../base/shape.js";
import { summarized } from "../../base/summary.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import type { Shown } from "../../show/display-data.js";
import { wrap } from "../../show/output/plain-text.js";
import { table } from "../../show/table.js";
import { l1Bound, sharedBound } from "./data-stage-rules.js";
import { type Cause, evidenceText, type Finding, lineText, type RuleName, timeLeftText } from "./finding.js";
import { computeBound, latencyBound } from "./issue-rules.js";
import { atomicsOnOneAddress, bankConflicts, memoryBound, uncoalesced } from "./memory-rules.js";
import {
  barrierStalls,
  divergence,
  idleLanes,
  lowOccupancy,
  shortBlocks,
  tailEffect,
  tooFewBlocks,
} from "./warp-rules.js";

const RULES: readonly ((launch: LaunchResult) => Cause | null)[] = [
  tooFewBlocks,
  uncoalesced,
  bankConflicts,
  divergence,
  idleLanes,
  lowOccupancy,
  tailEffect,
  shortBlocks,
  memoryBound,
  l1Bound,
  sharedBound,
  computeBound,
  latencyBound,
  barrierStalls,
  atomicsOnOneAddress,
];

/** A cause that gains less is not told: the model tells such launches apart no better. */
const LEAST_GAIN = 0.01;
/**
 * These name a resource, not a fault: no kernel does without it. A fault that burdens the resource stands first where
 * its removal gains a quarter as much.
 */
const RESOURCES: ReadonlySet<RuleName> = new Set([
  "memory bound",
  "L1 bound",
  "shared memory bound",
  "compute bound",
  "latency bound",
]);
const AS_RESOURCE = 0.25;

function rank({ rule, timeLeft }: Finding): number {
  return (1 - timeLeft) * (RESOURCES.has(rule) ? AS_RESOURCE : 1);
}

/** Tries the launch without each cause. */
function findingsOf(launch: LaunchResult): readonly Finding[] {
  return RULES.flatMap((rule) => rule(launch) ?? [])
    .map(({ tryWithout, ...cause }): Finding => ({ ...cause, timeLeft: Math.min(1, tryWithout(launch)) }))
    .filter(({ timeLeft }) => timeLeft <= 1 - LEAST_GAIN)
    .sort((a, b) => rank(b) - rank(a));
}

export interface Explanation extends Shown {
  readonly kernel: string;
  readonly device: string;
  /**
   * The cause whose removal gains most stands first; the launch is predicted without it. Empty where no rule has
   * evidence of a cause that costs time.
   */
  readonly findings: readonly Finding[];
  /** A paragraph a finding: sentence, advice, line and evidence. */
  readonly text: string;
}

export function explanationText(findings: readonly Finding[]): string {
  return findings
    .map(
      (finding) =>
        `${finding.sentence} ${timeLeftText(finding)} ${finding.advice}${lineText(finding.line)} [${finding.evidence.map(evidenceText).join("; ")}]`,
    )
    .join("\n");
}

const WHAT_WIDTH = 56;
const EVIDENCE_WIDTH = 32;

/** Parts below each other, each in lines of that width: pages keep a cell's line in one piece. */
function cell(parts: readonly string[], width: number): string {
  return parts.flatMap((part) => wrap(part, width)).join("\n");
}

/**
 * Says what bounds a launch and what to try. A rule without evidence is silent.
 * @example
 * display(explain(gpu.launch(sum, { grid: 64, block: 256 }, { data })));
 */
export function explain(launch: LaunchResult): Explanation {
  checkArgument("explain", "launch", launch, launchShape);
  const findings = findingsOf(launch);
  const device = launch.device.name;
  return summarized(
    {
      kernel: launch.kernel,
      device,
      findings,
      text: explanationText(findings),
      views: [
        table({
          title: `${launch.kernel} on ${device}: what bounds it`,
          columns: [
            { key: "rule", title: "Rule" },
            { key: "what", title: "What bounds it, and what to try" },
            { key: "evidence", title: "Evidence" },
          ],
          rows: findings.map((finding) => {
            const { rule, sentence, advice, evidence, line } = finding;
            const place = line === null ? [] : [`Line ${line.line}: ${line.text}`];
            return {
              rule,
              what: cell([sentence, timeLeftText(finding), advice, ...place], WHAT_WIDTH),
              evidence: cell(evidence.map(evidenceText), EVIDENCE_WIDTH),
            };
          }),
          note: findings.length === 0 ? "No rule has evidence." : "",
        }),
      ],
    },
    ({ text }) => text,
  );
}
