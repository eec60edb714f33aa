/** A report in a notebook: the findings as a table, and the text of each kernel with the lines of its findings marked. */
import { editorLine } from "../base/errors.js";
import { writtenLine } from "../base/written-line.js";
import { type Table, table } from "../show/table.js";
import type { FindingPlace, SanitizerFinding } from "./finding.js";
import { plural } from "./report-text.js";
import type { ScheduleSearch } from "./schedules.js";

const MARK = { read: "reads", write: "writes", atomic: "updates", wait: "here" } as const;

function lineOf(place: FindingPlace | undefined): string {
  return place === undefined || place.line === null ? "" : String(place.line);
}

/** The lines say which access reads. */
function shortTitle(title: string): string {
  return title.replace(/^Race reported between .* of (__\w+__ memory) \((\w+)\)$/, "Race on $1, $2");
}

/** The search's lines as sentences, without those to copy. */
function searchNote({ lines }: ScheduleSearch): string {
  const sentences = lines.map((line) =>
    line
      .trim()
      .replace(/^SCHEDULES: /, "Schedules: ")
      .replace(/\.$/, ""),
  );
  return `${sentences.filter((line) => !line.startsWith("gpu.")).join(". ")}.`;
}

function findingsTable(findings: readonly SanitizerFinding[], search: ScheduleSearch | null): Table {
  const rows = findings.map(({ tool, severity, title, places, count }, index) => ({
    number: index + 1,
    tool,
    severity,
    title: shortTitle(title),
    line: lineOf(places[0]),
    other: lineOf(places[1]),
    count,
  }));
  return table({
    title: findings.length === 0 ? "sanitize: nothing found" : `sanitize: ${plural(findings.length, "finding")}`,
    columns: [
      { key: "number", title: "no." },
      { key: "tool", title: "tool" },
      { key: "severity" },
      { key: "title", title: "finding", align: "left" },
      { key: "line", title: "line", align: "right" },
      ...(rows.some(({ other }) => other !== "") ? [{ key: "other", title: "and line", align: "right" } as const] : []),
      { key: "count", title: "cases" },
    ],
    rows,
    note: search === null ? "" : searchNote(search),
  });
}

const NO_BREAK = "\u00a0";

/** The lines without what indents all of them; a table keeps the rest of the indentation only as such spaces. */
function indented(lines: readonly string[]): readonly string[] {
  const widthOf = (line: string): number => line.length - line.trimStart().length;
  const [, ...inner] = lines.filter((line) => line.trim() !== "").map(widthOf);
  const common = Math.min(...inner);
  return lines.map((line) => NO_BREAK.repeat(Math.max(0, widthOf(line) - common)) + line.trimStart());
}

interface MarkedPlace {
  readonly place: FindingPlace;
  /** The finding's, from 1. */
  readonly number: number;
}

/** "reads 1, 2; writes 2": the findings that a line is part of, by what the line does. */
function markOf(places: readonly MarkedPlace[]): string {
  const parts = Object.entries(MARK).flatMap(([does, word]) => {
    const numbers = new Set(places.filter(({ place }) => place.does === does).map(({ number }) => number));
    return numbers.size === 0 ? [] : [`${word} ${[...numbers].join(", ")}`];
  });
  return parts.join("; ");
}

/** The kernel's text, with the findings that each line is part of. */
function markedText(places: readonly MarkedPlace[]): Table | null {
  const [first] = places;
  const source = first?.place.source;
  if (first === undefined || source === null || source === undefined) return null;
  const texts = indented(
    source.text.split("\n").map((_, index) => (writtenLine(source, index + 1) ?? "").replaceAll("\t", "  ")),
  );
  const rows: { mark: string; line: number; text: string }[] = [];
  for (const [index, text] of texts.entries()) {
    const line = editorLine(source, index + 1);
    const before = rows.at(-1);
    // A compiler has parted a line of the learner's.
    if (before?.line === line) before.text += ` ${text.trimStart()}`;
    else rows.push({ mark: markOf(places.filter(({ place }) => place.line === line)), line, text });
  }
  return table({
    title: `${source.name}: lines of the findings`,
    columns: [
      { key: "mark", title: "finding", align: "left" },
      { key: "line", title: "line" },
      { key: "text", title: "text", align: "left" },
    ],
    rows,
  });
}

export function findingViews(findings: readonly SanitizerFinding[], search: ScheduleSearch | null): readonly Table[] {
  const bySource = new Map<string, MarkedPlace[]>();
  for (const [index, finding] of findings.entries()) {
    for (const place of finding.places) {
      const key = place.source?.text;
      if (key === undefined) continue;
      bySource.set(key, [...(bySource.get(key) ?? []), { place, number: index + 1 }]);
    }
  }
  const texts = [...bySource.values()].map(markedText).filter((each) => each !== null);
  return [findingsTable(findings, search), ...texts];
}
