/** Tells what bounds a launch and what to try, in sentences that rest on numbers, as Nsight Compute's rules do. */
import type { LaunchResult } from "../../host/launch-result.js";
import type { Shown } from "../../show/output/notebook.js";
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

/**
 * Says what bounds a launch and what to try. A rule without evidence is silent.
 * @example
 * display(explain(gpu.launch(sum, { grid: 64, block: 256 }, { data })));
 */
export function explain(launch: LaunchResult): Explanation {
  const findings = RULES.flatMap((rule) => rule(launch) ?? []).sort((a, b) => b.weight - a.weight);
  const device = launch.device.name;
  return {
    kernel: launch.kernel,
    device,
    findings,
    text: explanationText(findings),
    views: [
      table({
        title: `${launch.kernel} on ${device}: what bounds it`,
        columns: [
          { key: "rule", title: "Rule" },
          { key: "what", title: "What bounds it" },
          { key: "advice", title: "What to try" },
          { key: "evidence", title: "Evidence" },
          { key: "line", title: "Line" },
        ],
        rows: findings.map(({ rule, sentence, advice, evidence, line }) => ({
          rule,
          what: sentence,
          advice,
          evidence: evidence.map(evidenceText).join("; "),
          line: line === null ? null : `${line.line}: ${line.text}`,
        })),
        note: findings.length === 0 ? "No rule has evidence." : "",
      }),
    ],
  };
}
