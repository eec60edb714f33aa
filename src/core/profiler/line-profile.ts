/**
 * A launch by source line: exact counts, and for what warps wait there by the timing model. As text it is the kernel's
 * listing with numbers in front, as Nsight Compute's source page has it.
 */
import { checkArgument, finite, listOf, objectWith, orNull, type Shape, string, whole } from "../base/shape.js";
import { summarized } from "../base/summary.js";
import { writtenLine } from "../base/written-line.js";
import type { LaunchResult } from "../host/launch-result.js";
import { launchShape } from "../profile/launch-shape.js";
import { formatNumber } from "../show/number-format.js";
import { STALL_REASONS, type StallReason } from "../timing/index.js";
import { countsByLine, type LineCounts } from "./line-counts.js";
import { type CodeLine, codeLines } from "./source-lines.js";

/** A stall reason with the share of all the launch's stall samples that it has at a line, 0 to 1. */
export interface LineStall {
  readonly reason: StallReason;
  readonly share: number;
}

export interface ProfiledLine extends LineCounts {
  /** Active lanes an instruction, in the mean, of 32. Exact. */
  readonly activeLanes: number | null;
  /** Share of the launch's stall samples, 0 to 1. Predicted; issues are no stalls. */
  readonly stallShare: number;
  /** The same by reason, the largest first. */
  readonly stalls: readonly LineStall[];
}

export interface LineProfile {
  readonly kernel: string;
  readonly device: string;
  /** Lines that have code, in the text's order. */
  readonly lines: readonly ProfiledLine[];
  /** The texts of the kernel and of the device functions it calls. */
  readonly sources: readonly { readonly name: string; readonly text: string }[];
}

const share: Shape = objectWith({ reason: string, share: finite });

export const profileShape: Shape = objectWith(
  {
    kernel: string,
    device: string,
    lines: listOf(
      objectWith({
        line: whole(0),
        text: string,
        function: string,
        warpInstructions: finite,
        share: finite,
        stallShare: finite,
        activeLanes: orNull(finite),
        conflictDegree: orNull(finite),
        sectorsPerRequest: orNull(finite),
        stalls: listOf(share),
      }),
    ),
    sources: listOf(objectWith({ name: string, text: string })),
  },
  "what lineProfile(launch) returns",
);

/** Lanes an instruction, and stall cycles by reason, of a line's instructions. */
function sumsOf({ rawCounters: raw, stallSamples }: LaunchResult, { instructions }: CodeLine) {
  let [executed, lanes] = [0, 0];
  const stalls = STALL_REASONS.map(() => 0);
  for (const { pc, issue } of instructions) {
    executed += (raw.executed[pc] ?? 0) * issue.length;
    lanes += (raw.activeLanes[pc] ?? 0) * issue.length;
    const cycles = stallSamples.byPc[pc];
    for (const [index, reason] of STALL_REASONS.entries()) {
      if (reason !== "selected") stalls[index]! += cycles?.[index] ?? 0;
    }
  }
  return { activeLanes: executed === 0 ? null : lanes / executed, stalls };
}

/**
 * The launch by the lines of its text.
 * @example
 * console.log(annotatedText(lineProfile(launch)));
 * display(lineHeatFigure(lineProfile(launch)));
 */
export function lineProfile(launch: LaunchResult): LineProfile {
  checkArgument("lineProfile", "launch", launch, launchShape);
  const sums = codeLines(launch.program).map((line) => sumsOf(launch, line));
  const all = sums.reduce((total, { stalls }) => total + stalls.reduce((sum, each) => sum + each, 0), 0);
  const lines = countsByLine(launch).map((counts, index): ProfiledLine => {
    const { activeLanes, stalls: cycles } = sums[index]!;
    const stalls = STALL_REASONS.map(
      (reason, at): LineStall => ({ reason, share: all === 0 ? 0 : (cycles[at] ?? 0) / all }),
    );
    return {
      ...counts,
      activeLanes,
      stallShare: stalls.reduce((total, { share }) => total + share, 0),
      stalls: stalls.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share),
    };
  });
  const profile = { kernel: launch.kernel, device: launch.device.name, lines, sources: launch.program.sources };
  return summarized(profile, annotatedText);
}

const WIDTH = 60;
/** Columns: line, share of instructions, share of stalls, active lanes, sectors a request, conflict degree. */
const COLUMNS = [4, 6, 6, 6, 6, 5] as const;
const HEADER = ["line", "inst%", "stal%", "lanes", "sect", "bank"] as const;
const TEXT_AT = COLUMNS.reduce((sum, width) => sum + width, 0) + 1;
/** A smaller share of the stalls has no row of its own. */
const LEAST_STALL = 0.02;
const MOST_REASONS = 3;

function cells(texts: readonly string[]): string {
  return texts.map((text, index) => text.padStart(COLUMNS[index] ?? 0)).join("");
}

function numberText(value: number | null, decimals: number): string {
  return value === null ? "" : formatNumber(value, { decimals });
}

/** Parts of a text, none longer than `width`; the later ones are indented. */
function wrapped(text: string, width: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const at = rest.slice(0, space).trim() === "" ? width : space;
    parts.push(rest.slice(0, at));
    rest = `  ${rest.slice(at).trimStart()}`;
  }
  return [...parts, rest];
}

function lineRows(text: string, number: number, line: ProfiledLine | undefined): readonly string[] {
  const numbers =
    line === undefined
      ? [String(number)]
      : [
          String(number),
          numberText(100 * line.share, 1),
          numberText(100 * line.stallShare, 1),
          numberText(line.activeLanes, 1),
          numberText(line.sectorsPerRequest, 1),
          numberText(line.conflictDegree, 1),
        ];
  const [first = "", ...others] = wrapped(text, WIDTH - TEXT_AT);
  const rows = [`${cells(numbers).padEnd(TEXT_AT)}${first}`, ...others.map((part) => " ".repeat(TEXT_AT) + part)];
  const reasons = (line?.stalls ?? []).filter(({ share }) => share >= LEAST_STALL).slice(0, MOST_REASONS);
  for (const [index, { reason, share }] of reasons.entries()) {
    const label = index === 0 ? "waits: " : "       ";
    rows.push(`       ${label}${reason} ${formatNumber(100 * share, { decimals: 0 })} %`);
  }
  return rows.map((row) => row.trimEnd());
}

/** The listing of every function of the launch, at most 60 columns wide. */
export function annotatedText(profile: LineProfile): string {
  checkArgument("annotatedText", "profile", profile, profileShape);
  const { kernel, device, lines, sources } = profile;
  const rows = [`${kernel} on ${device}`, "Counts are exact; stalls are predicted."];
  for (const source of sources) {
    const own = lines.filter((line) => line.function === source.name);
    if (own.length === 0) continue;
    const texts = source.text.split("\n").map((_, index) => writtenLine(source, index + 1) ?? "");
    const indents = texts
      .slice(1)
      .filter((text) => text.trim() !== "")
      .map((text) => text.length - text.trimStart().length);
    const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
    rows.push("", `${cells(HEADER).padEnd(TEXT_AT)}${source.name}`);
    for (const [index, text] of texts.entries()) {
      const shown = index === 0 ? text.trimStart() : text.slice(Math.min(indent, text.length));
      rows.push(
        ...lineRows(
          shown.replaceAll("\t", "  "),
          index + 1,
          own.find(({ line }) => line === index + 1),
        ),
      );
    }
  }
  return `${rows.flatMap((row) => wrapped(row, WIDTH)).join("\n")}\n`;
}
