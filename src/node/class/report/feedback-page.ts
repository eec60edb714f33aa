/** A page for each learner: their points, what each check found, and what was changed, without anybody else's. */
import { createHash } from "node:crypto";
import { escapeHtml } from "../../../core/show/output/html.js";
import { number } from "../../../course/exercises/finding.js";
import { counted } from "../../../course/exercises/source-line.js";
import type { Learner } from "../tables/roster.js";
import { type ClassReport, pointsText, type Row } from "./class-report.js";
import { csvText, textCell } from "./grades-csv.js";
import { pageHtml } from "./page-html.js";

function checkHtml({ check, passed, waits, points, outOf, sentence }: Row["checks"][number]): string {
  const state = passed ? "passed" : waits === true ? "not reached" : "failed";
  return `<tr><td data-name="Check"><code>${escapeHtml(check)}</code></td><td class="full" data-name="Points">${number(points)} of ${number(outOf)}</td><td data-name="State">${state}</td><td class="reason" data-name="Found">${escapeHtml(sentence)}</td></tr>`;
}

function lateHtml({ late, earned }: Row): string {
  if (late === null || late.days === 0) return "";
  if (late.days === null) return "<p>Nothing says when it was handed in. It counts as on time.</p>";
  const free = late.free === 0 ? "" : ` ${counted(late.free, "free day")} ${late.free === 1 ? "is" : "are"} used.`;
  return `<p>It is ${counted(late.days, "day")} late.${free} ${number(late.factor * 100)} % of ${number(earned)} points count.</p>`;
}

function rowHtml(row: Row): string {
  const { exercise, file, reason, checks, override } = row;
  const said = override === null ? "" : `<p>An instructor gives these points: ${escapeHtml(override.reason)}</p>`;
  const found =
    checks.length === 0
      ? `<p>${escapeHtml(reason)}</p>`
      : `<table><thead><tr><th scope="col">Check</th><th scope="col">Points</th><th scope="col">State</th><th scope="col">Found</th></tr></thead>
<tbody>${checks.map(checkHtml).join("\n")}</tbody></table>`;
  return `<section><h2>${escapeHtml(exercise ?? "No exercise")}: ${pointsText(row)} points</h2>
${file === null ? "" : `<p class="example">${escapeHtml(file)}</p>`}${said}${lateHtml(row)}
${found}
</section>`;
}

/** A name that every system takes, and no other student's. */
function fileName(student: string): string {
  const plain = student.replace(/[^A-Za-z0-9._-]+/g, "_").slice(0, 60);
  return `${plain}-${createHash("sha256").update(student).digest("hex").slice(0, 8)}.html`;
}

/** Whether a file's name is that of a page, also of an earlier run. */
export function isFeedback(name: string): boolean {
  return /-[0-9a-f]{8}\.html$/.test(name);
}

/**
 * The pages by their names, and a table of whose they are, for a mail merge.
 * @param learners of the roster; empty without one
 */
export function feedbackPages(report: ClassReport, learners: readonly Learner[]): ReadonlyMap<string, string> {
  const byStudent = new Map<string, Row[]>();
  for (const row of report.rows) byStudent.set(row.student, [...(byStudent.get(row.student) ?? []), row]);
  const emails = new Map(learners.map(({ student, email }) => [student, email]));
  const files = new Map<string, string>();
  const list = [...byStudent].map(([student, rows]) => {
    const file = fileName(student);
    const points = rows.reduce((sum, row) => sum + row.points, 0);
    const outOf = rows.reduce((sum, row) => sum + (row.outOf ?? 0), 0);
    const body = `<h1>${escapeHtml(student)}</h1>
<p>${number(points)} of ${number(outOf)} points.</p>
${rows.map(rowHtml).join("\n")}`;
    files.set(file, pageHtml(`Feedback for ${student}`, "", body));
    return { student: textCell(student), email: textCell(emails.get(student) ?? ""), points, out_of: outOf, file };
  });
  return files.set("feedback.csv", csvText(["student", "email", "points", "out_of", "file"], list));
}
