/** A report in a notebook: the findings as a table, and the text of each kernel with the lines of its findings marked. */
import { editorLine } from "../base/errors.js";
import { writtenLine } from "../base/written-line.js";
import { type Table, table } from "../show/table.js";
import type { FindingPlace, SanitizerFinding } from "./finding.js";
import type { ScheduleSearch } from "./schedules.js";

const MARK = { read: "reads", write: "writes", atomic: "updates", wait: "here" } as const;

function lineOf(place: FindingPlace | undefined): string {
  return place === undefined || place.line === null ? "" : String(place.line);
}

function findingsTable(findings: readonly SanitizerFinding[], search: ScheduleSearch | null): Table {
  const rows = findings.map(({ tool, severity, title, places, count }) => ({
    tool,
    severity,
    title: title.replace("Race reported between ", "Race: "),
    line: lineOf(places[0]),
    other: lineOf(places[1]),
    count,
  }));
  return table({
    title: findings.length === 0 ? "compute-sanitizer: nothing found" : "compute-sanitizer",
    columns: [
      { key: "tool", title: "tool" },
      { key: "severity", title: "" },
      { key: "title", title: "finding", align: "left" },
      { key: "line", title: "line", align: "right" },
      { key: "other", title: "and line", align: "right" },
      { key: "count", title: "cases" },
    ],
    rows,
    note: search?.lines.map((line) => line.trim()).join(" ") ?? "",
  });
}

/** The kernel's text, with the findings that each line is part of. */
function markedText(places: readonly { readonly place: FindingPlace; readonly number: number }[]): Table | null {
  const [first] = places;
  const source = first?.place.source;
  if (first === undefined || source === null || source === undefined) return null;
  const marks = new Map<number, string[]>();
  for (const { place, number } of places) {
    if (place.span === null) continue;
    const mark = `${number} ${MARK[place.does]}`;
    const known = marks.get(place.span.line) ?? [];
    if (!known.includes(mark)) known.push(mark);
    marks.set(place.span.line, known);
  }
  const rows = source.text.split("\n").map((_, index) => ({
    mark: (marks.get(index + 1) ?? []).join(", "),
    line: editorLine(source, index + 1),
    text: writtenLine(source, index + 1) ?? "",
  }));
  return table({
    title: `${first.place.kernel}: lines of the findings`,
    columns: [
      { key: "mark", title: "finding", align: "left" },
      { key: "line", title: "line" },
      { key: "text", title: "text", align: "left" },
    ],
    rows,
  });
}

export function findingViews(findings: readonly SanitizerFinding[], search: ScheduleSearch | null): readonly Table[] {
  const bySource = new Map<unknown, { place: FindingPlace; number: number }[]>();
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
