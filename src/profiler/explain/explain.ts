/** Tells what bounds a launch and what to try, in sentences that rest on numbers, as Nsight Compute's rules do. */
import { checkArgument } from "../../base/shape.js";
import { summarized } from "../../base/summary.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import type { Shown } from "../../show/output/notebook.js";
import { wrap } from "../../show/output/plain-text.js";
import { table } from "../../show/table.js";
import { evidenceText, type Finding, lineText } from "./finding.js";
import { atomicsOnOneAddress, bankConflicts, memoryBound, uncoalesced } from "./memory-rules.js";
import {
  barrierStalls,
  computeBound,
  divergence,
  idleLanes,
  latencyBound,
  lowOccupancy,
  shortBlocks,
  tailEffect,
  tooFewBlocks,
} from "./warp-rules.js";

const RULES: readonly ((launch: LaunchResult) => Finding | null)[] = [
  tooFewBlocks,
  uncoalesced,
  bankConflicts,
  divergence,
  idleLanes,
  lowOccupancy,
  tailEffect,
  shortBlocks,
  memoryBound,
  computeBound,
  latencyBound,
  barrierStalls,
  atomicsOnOneAddress,
];

export interface Explanation extends Shown {
  readonly kernel: string;
  readonly device: string;
  /** The most expensive stands first; empty where no rule has evidence. */
  readonly findings: readonly Finding[];
  /** A paragraph a finding: sentence, advice, line and evidence. */
  readonly text: string;
}

export function explanationText(findings: readonly Finding[]): string {
  return findings
    .map(
      ({ sentence, advice, line, evidence }) =>
        `${sentence} ${advice}${lineText(line)} [${evidence.map(evidenceText).join("; ")}]`,
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
  const findings = RULES.flatMap((rule) => rule(launch) ?? []).sort((a, b) => b.weight - a.weight);
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
          rows: findings.map(({ rule, sentence, advice, evidence, line }) => ({
            rule,
            what: cell([sentence, advice, ...(line === null ? [] : [`Line ${line.line}: ${line.text}`])], WHAT_WIDTH),
            evidence: cell(evidence.map(evidenceText), EVIDENCE_WIDTH),
          })),
          note: findings.length === 0 ? "No rule has evidence." : "",
        }),
      ],
    },
    ({ text }) => text,
  );
}
