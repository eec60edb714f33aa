/** Findings in compute-sanitizer's wording and order: each with its lines, the summary last. */
import { wrap } from "../show/output/plain-text.js";
import type { FindingPlace, SanitizerFinding, SanitizerTool } from "./finding.js";

const BAR = "=========";

const ACCESS: Readonly<Record<FindingPlace["does"], string>> = {
  read: "Read access",
  write: "Write access",
  atomic: "Atomic access",
  wait: "Wait",
};

function triple(values: readonly number[]): string {
  return `(${values.join(",")})`;
}

/** `reduce in sum.ts:12`, with the line's text. */
export function placeLine({ kernel, line, file, text }: FindingPlace): string {
  if (line === null) return kernel;
  const where = file === null ? `line ${line}` : `${file}:${line}`;
  return `${kernel} in ${where}${text === "" ? "" : `: ${text}`}`;
}

function threadLine({ block, thread }: FindingPlace): string | null {
  return block === null || thread === null ? null : `by thread ${triple(thread)} in block ${triple(block)}`;
}

/** A page of the course is so many characters wide, less the bar and the indentation. */
const WIDTH = 76;

function further(details: readonly string[], cure: string): readonly string[] {
  return [...details, cure].flatMap((line) => wrap(line, WIDTH)).map((line) => `    ${line}`);
}

const SEVERITY = { error: "Error", warning: "Warning", note: "Note" } as const;

function raceLines({ severity, places, details, count, cure, title }: SanitizerFinding): readonly string[] {
  const [first, second] = places;
  if (first === undefined || second === undefined) return [title];
  const kind = /\((\w+)\)$/.exec(title)?.[1] ?? "";
  return [
    `${SEVERITY[severity]}: Race reported between ${ACCESS[first.does]} at ${placeLine(first)}`,
    `    and ${ACCESS[second.does]} at ${placeLine(second)} [${count} ${count === 1 ? "hazard" : "hazards"}, ${kind}]`,
    ...further(details, cure),
  ];
}

function otherLines({ title, places, details, count, cure, severity }: SanitizerFinding): readonly string[] {
  const lines = [severity === "error" ? title : `${SEVERITY[severity]}: ${title}`];
  for (const place of places) {
    lines.push(`    at ${placeLine(place)}`);
    const by = threadLine(place);
    if (by !== null) lines.push(count > 1 ? `    ${by}, and ${count - 1} more` : `    ${by}`);
  }
  return [...lines, ...further(details, cure)];
}

function findingLines(finding: SanitizerFinding): readonly string[] {
  return finding.tool === "racecheck" ? raceLines(finding) : otherLines(finding);
}

function count(findings: readonly SanitizerFinding[], severity: SanitizerFinding["severity"]): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

export function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function summary(tool: SanitizerTool, findings: readonly SanitizerFinding[]): string {
  const errors = count(findings, "error");
  const warnings = count(findings, "warning");
  const notes = count(findings, "note");
  const further = notes === 0 ? "" : `, ${plural(notes, "note")}`;
  if (tool === "racecheck") {
    const hazards = plural(findings.length, "hazard");
    return `RACECHECK SUMMARY: ${hazards} displayed (${plural(errors, "error")}, ${plural(warnings, "warning")}${further})`;
  }
  return `ERROR SUMMARY: ${plural(errors, "error")}${warnings === 0 ? "" : `, ${plural(warnings, "warning")}`}${further}`;
}

/** A line to copy stays whole. */
function searchLines(line: string): readonly string[] {
  if (line.trimStart().startsWith("gpu.")) return [line];
  const indent = line.slice(0, line.length - line.trimStart().length);
  return wrap(line.trimStart(), WIDTH).map((part) => indent + part);
}

/** One part a tool, as `compute-sanitizer --tool` would print them one after the other. */
export function reportText(
  tools: readonly SanitizerTool[],
  findings: readonly SanitizerFinding[],
  further: readonly string[],
): string {
  const lines: string[] = [];
  for (const tool of tools) {
    const own = findings.filter((finding) => finding.tool === tool);
    lines.push(`${BAR} COMPUTE-SANITIZER --tool ${tool}`);
    for (const finding of own) lines.push(...findingLines(finding).map((line) => `${BAR} ${line}`), BAR);
    lines.push(`${BAR} ${summary(tool, own)}`);
  }
  return [...lines, ...further.flatMap(searchLines).map((line) => `${BAR} ${line}`)].join("\n");
}
