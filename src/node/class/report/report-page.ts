/** The class's report as one page. */
import { barFigure } from "../../../core/show/figures/bar-figure.js";
import { escapeHtml } from "../../../core/show/output/html.js";
import { type SvgTheme, toSvg } from "../../../core/show/output/svg.js";
import { number } from "../../../course/exercises/finding.js";
import { counted } from "../../../course/exercises/source-line.js";
import { NOT_REACHED } from "../../../course/exercises/verdict.js";
import { LEAST_OWN, LEAST_SHARE } from "../similar/alike.js";
import type { CheckSummary, ClassReport, ExerciseSummary, Row } from "./class-report.js";
import { pointsText } from "./class-report.js";
import { pageHtml } from "./page-html.js";

/** Colours of the page's own style, which are others in the dark. */
const THEME: SvgTheme = { paper: "none", text: "var(--ink)", grid: "var(--line)", axisLine: "var(--faint)" };

const FIGURE_WIDTH = 480;
const MISTAKES_SHOWN = 5;
const PAIRS_SHOWN = 100;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function tableHtml(caption: string, heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((each) => `<th scope="col">${escapeHtml(each)}</th>`).join("");
  return `<table><caption>${escapeHtml(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody></table>`;
}

function distributionHtml({ exercise, outOf, distribution, students }: ExerciseSummary): string {
  const last = distribution.length - 1;
  const figure = barFigure({
    title: `Points of ${counted(students, "student")}`,
    subtitle: `${exercise}, out of ${number(outOf)}`,
    versions: distribution.map((_, n) => (n === last ? String(n) : `${n} or ${n}.5`)).reverse(),
    series: [{ name: "Students", values: [...distribution].reverse() }],
    axisTitle: "Students",
    format: { decimals: 0 },
    width: FIGURE_WIDTH,
  });
  return `<figure class="distribution">${toSvg(figure, THEME)}</figure>`;
}

function mistakesHtml({ mistakes }: CheckSummary): string {
  if (mistakes.length === 0) return "none";
  const shown = mistakes.slice(0, MISTAKES_SHOWN).map(({ count, sentence, example }) => {
    const words = count === 1 ? example.sentence : sentence;
    const of =
      count === 1
        ? `<div class="example">${escapeHtml(example.student)}</div>`
        : `<div class="example">${escapeHtml(example.student)}: ${escapeHtml(example.sentence)}</div>`;
    return `<li><strong>${count}×</strong> ${escapeHtml(words)}${of}</li>`;
  });
  const left = mistakes.slice(MISTAKES_SHOWN).reduce((sum, { count }) => sum + count, 0);
  const others = left === 0 ? "" : `<li>${counted(left, "submission")} with another reason: see the list below</li>`;
  return `<ol class="mistakes">${shown.join("")}${others}</ol>`;
}

function checkRow(check: CheckSummary, graded: number): string {
  const share = graded === 0 ? 0 : check.passed / graded;
  const words = graded === 0 ? "–" : `${check.passed} of ${graded} (${percent(share)})`;
  return `<tr><td data-name="Check"><code>${escapeHtml(check.check)}</code></td><td class="number" data-name="Points">${number(check.outOf)}</td>
<td class="number" data-name="Difficulty">${figure(check.difficulty)}</td><td class="number" data-name="Discrimination">${figure(check.discrimination)}</td>
<td data-name="Passed"><meter min="0" max="1" value="${share.toFixed(4)}" aria-label="${escapeHtml(check.check)}: ${escapeHtml(words)}"></meter> <span class="full">${words}</span></td>
<td data-name="Commonest mistakes">${mistakesHtml(check)}</td></tr>`;
}

const CHECK_HEADS = ["Check", "Points", "Difficulty", "Discrimination", "Passed", "Commonest mistakes"];

const figure = (value: number | null): string => (value === null ? "–" : value.toFixed(2));

const ALIKE_NOTE = `Names, formatting, comments, and the order of declarations do not count, nor does what the starter, the solution or many
students have. A pair is listed from ${percent(LEAST_SHARE)} on. Kernels this short are alike by chance, too: look at both files, and ask.`;

function alikeHtml({ alike }: ExerciseSummary): string {
  if (alike.length === 0) {
    return `<p>No two kernels share ${percent(LEAST_SHARE)} of ${LEAST_OWN} or more parts that are their own.</p>`;
  }
  const rows = alike
    .slice(0, PAIRS_SHOWN)
    .map(
      ({ students: [a, b], share, common }) =>
        `<tr><td class="student" data-name="Student">${escapeHtml(a)}</td><td class="student" data-name="Student">${escapeHtml(b)}</td><td data-name="Share">${percent(share)}</td><td data-name="Common parts">${common}</td></tr>`,
    );
  const all =
    alike.length > PAIRS_SHOWN ? ` These are the closest ${PAIRS_SHOWN} of ${alike.length}; --json has all.` : "";
  const heads = ["Student", "Student", "Share", "Common parts"];
  return `${tableHtml("Alike: look at them", heads, rows)}<p>${ALIKE_NOTE}${all}</p>`;
}

function identicalHtml({ identical }: ExerciseSummary): string {
  if (identical.length === 0) return "<p>No two students have handed in the same bytes.</p>";
  const items = identical.map(({ students, published }) => {
    const words = published === null ? "" : ` (the ${published} as it was given out)`;
    return `<li>${counted(students.length, "student")}${words}: ${students.map(escapeHtml).join(", ")}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

function exerciseHtml(summary: ExerciseSummary): string {
  const { exercise, title, students, mean, median, outOf, graded, checks } = summary;
  const centre =
    mean === null || median === null
      ? ""
      : ` Mean ${number(mean)}, median ${number(median)} of ${number(outOf)} points.`;
  const rows = checks.map((check) => checkRow(check, graded));
  return `<section id="${escapeHtml(exercise)}"><h2>${escapeHtml(exercise)}: ${escapeHtml(title)}</h2>
<p>${counted(students, "student")}, ${graded} with a verdict of the checks.${centre}</p>
${distributionHtml(summary)}
<h3>Checks</h3>
${tableHtml("Passed, and why not", CHECK_HEADS, rows)}
<p>Difficulty is the mean part of a check's points: 1 where all have them. Discrimination is the correlation with the points of the other
checks: below 0.2, a check tells little about a learner.</p>
<h3>Identical files</h3>
${identicalHtml(summary)}
<h3>Alike</h3>
${alikeHtml(summary)}
</section>`;
}

function rowHtml(row: Row): string {
  const { student, exercise, status, reason, file, checks } = row;
  const list = checks
    .filter(({ passed }) => !passed)
    .map((check) => {
      const reached = check.waits === true ? `${NOT_REACHED}, ` : "";
      const points = `${reached}${number(check.points)} of ${number(check.outOf)}`;
      return `<div><code>${escapeHtml(check.check)}</code> ${points}: ${escapeHtml(check.sentence)}</div>`;
    });
  const reasons = list.length === 0 ? escapeHtml(reason) : list.join("");
  const place = file === null ? "" : `<div class="example">${escapeHtml(file)}</div>`;
  return `<tr class="status-${status}"><td class="student" data-name="Student">${escapeHtml(student)}</td><td class="full" data-name="Exercise">${escapeHtml(exercise ?? "–")}</td><td class="full" data-name="Points">${pointsText(row)}</td><td data-name="Status">${status}</td><td class="reason" data-name="Reason">${reasons}${place}</td></tr>`;
}

const ROW_HEADS = ["Student", "Exercise", "Points", "Status", "Reason"];

function listHtml({ rows, superseded, passed, sameButForCase, strangers }: ClassReport): string {
  const parts = [
    `<section id="submissions"><h2>Submissions</h2>
${tableHtml("By student", ROW_HEADS, rows.map(rowHtml))}
</section>`,
  ];
  if (superseded.length > 0) {
    parts.push(`<section id="superseded"><h2>Files that do not count</h2>
<p>Their students have handed in several files for an exercise. The last one by name counts; these were graded as well.</p>
${tableHtml("Not counted", ROW_HEADS, superseded.map(rowHtml))}
</section>`);
  }
  if (sameButForCase.length > 0) {
    const items = sameButForCase.map((group) => `<li>${group.map(escapeHtml).join(", ")}</li>`);
    parts.push(`<section id="case"><h2>Names that differ in capital letters alone</h2>
<p>They are graded as different students.</p><ul>${items.join("")}</ul></section>`);
  }
  if (strangers.length > 0) {
    const items = strangers.map((student) => `<li>${escapeHtml(student)}</li>`);
    parts.push(`<section id="strangers"><h2>Not on the roster</h2><ul>${items.join("")}</ul></section>`);
  }
  if (passed.length > 0) {
    const items = passed.map(
      ({ path, why }) =>
        `<tr><td class="reason" data-name="File or folder">${escapeHtml(path)}</td><td data-name="Why">${escapeHtml(why)}</td></tr>`,
    );
    parts.push(`<section id="passed-over"><h2>Passed over</h2>
${tableHtml("Not graded", ["File or folder", "Why"], items)}
</section>`);
  }
  return parts.join("\n");
}

/** The whole page. Texts of submissions are escaped. */
export function reportPage(report: ClassReport): string {
  const students = new Set(report.rows.map(({ student }) => student)).size;
  const links = report.exercises.map(
    ({ exercise }) => `<a href="#${escapeHtml(exercise)}">${escapeHtml(exercise)}</a>`,
  );
  const nav = `<nav>${[...links, '<a href="#submissions">Submissions</a>'].join("\n")}</nav>`;
  const body = `<h1>Grades of ${escapeHtml(report.folder)}</h1>
<p>${counted(students, "student")}, ${counted(report.rows.length, "score")}. Points follow from the file alone, except where a limit of time or
memory has ended a check: such a score is marked as <em>stopped</em>.</p>
${report.exercises.map(exerciseHtml).join("\n")}
${listHtml(report)}`;
  return pageHtml(`Grades of ${report.folder}`, nav, body);
}
