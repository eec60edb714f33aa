/** Scores without names, files, and learners' own words, for those who are not to know whose they are. */
import { createHmac } from "node:crypto";
import type { ClassReport } from "./class-report.js";
import { checkColumns, csvText } from "./grades-csv.js";
import { mistakeOf } from "./mistakes.js";

/** Only who has the salt can tell whose it is. */
function pseudonym(salt: string, student: string): string {
  return createHmac("sha256", salt).update(student).digest("hex").slice(0, 12);
}

/** One row a learner and exercise, in the order of pseudonyms. */
export function anonymousCsv(report: ClassReport, salt: string): string {
  const { checks, pointsOf } = checkColumns(report);
  const records = report.rows.map((row) => {
    const failed = row.checks.find(({ passed }) => !passed);
    return {
      learner: pseudonym(salt, row.student),
      exercise: row.exercise,
      points: row.points,
      out_of: row.outOf,
      ...pointsOf(row),
      status: row.status,
      days_late: row.late?.days ?? null,
      mistake: failed === undefined ? null : `${failed.check}: ${mistakeOf(failed.sentence)}`,
    };
  });
  const order = ({ learner, exercise }: (typeof records)[number]): string => `${learner} ${exercise ?? ""}`;
  records.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const keys = ["learner", "exercise", "points", "out_of", ...checks, "status", "days_late", "mistake"];
  return csvText(keys, records);
}
