/** What instructors give beside the submissions, and the files that they get for it: each table's rules, and each refusal with its line. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ClassReport } from "../../../src/node/class/report/class-report.js";
import { itemAnalysis } from "../../../src/node/class/report/item-analysis.js";
import { type Files, filesIn, linesOf, quickStart, runQuick } from "./quick-class.js";

const CLASS: Files = {
  // Canvas: two attempts of one learner, and two learners of one name.
  "doejane_12346_66_lab-28.ts": "1 a",
  "doejane_LATE_12346_67_lab-28-1.ts": "2 a",
  "poezoe_12350_70_lab-28.ts": "3 z",
  "poezoe_12351_69_lab-28.ts": "4 y",
  "Max Moo_777_assignsubmission_file_/lab-28.ts": "3 m",
  "12345-67 - Bo Brown - Nov 27, 2026 1159 PM/lab-28.ts": "6 b",
  "12345-67 - Bo Brown - Nov 30, 2026 901 AM/lab-28.ts": "5 b",
  "stranger/lab-28.ts": "3 z",
};

const TABLES: Files = {
  "roster.csv": `student,name,email,canvas_id,sis_id,login,section
j1,"Doe, Jane",jane@x.org,12346,S1,jdoe,A
z1,Zoe Poe,z1@x.org,12350,S2,zpoe,A
z2,Zoe Poe,z2@x.org,12351,S3,zpoe2,A
m1,Max Moo,max@x.org,,S4,mmoo,B
b1,Bo Brown,bo@x.org,,S5,=bo,B
n1,Nick None,nick@x.org,,S6,nnone,B
`,
  "deadlines.csv": `exercise,student,due,late_days,percent_a_day
lab-28,,2026-11-27T23:59+01:00,2,25
lab-28,z1,2026-12-24T23:59+01:00,,
`,
  "submitted.csv": "student,exercise,submitted\nm1,lab-28,2026-11-29T00:00+01:00\n",
  "overrides.csv": 'student,exercise,points,reason\nn1,lab-28,7,"Ill; seen in person"\n',
};

let folder = "";
let out = "";
let report: ClassReport;
const read = (name: string): string => readFileSync(join(out, name), "utf8");

beforeAll(async () => {
  folder = filesIn(CLASS);
  out = filesIn(TABLES, `${folder}-grades`);
  const { code, out: json } = await runQuick(["--class", folder, "--free-days", "1", "--json"]);
  expect(code).toBe(0);
  report = JSON.parse(json) as ClassReport;
});

describe("a roster", () => {
  it("names the learners of Canvas, Moodle and Brightspace, of whom the last attempt counts, and has a row for nothing", () => {
    expect(report.rows.map(({ student, earned, status, file }) => [student, earned, status, file])).toEqual([
      ["b1", 7, "graded", "12345-67 - Bo Brown - Nov 30, 2026 901 AM/lab-28.ts"],
      ["j1", expect.any(Number), "graded", "doejane_LATE_12346_67_lab-28-1.ts"],
      ["m1", expect.any(Number), "graded", "Max Moo_777_assignsubmission_file_/lab-28.ts"],
      ["n1", 0, "missing", null],
      ["stranger", expect.any(Number), "graded", "stranger/lab-28.ts"],
      ["z1", expect.any(Number), "graded", "poezoe_12350_70_lab-28.ts"],
      ["z2", expect.any(Number), "graded", "poezoe_12351_69_lab-28.ts"],
    ]);
    expect(report.superseded.map(({ file }) => file)).toEqual([
      "12345-67 - Bo Brown - Nov 27, 2026 1159 PM/lab-28.ts",
      "doejane_12346_66_lab-28.ts",
    ]);
    expect(report.strangers).toEqual(["stranger"]);
  });
});

describe("deadlines", () => {
  const late = (student: string): readonly unknown[] => {
    const row = report.rows.find((each) => each.student === student)!;
    return [row.late?.days, row.late?.free, row.late?.factor, row.points / (row.earned || 1)];
  };

  it("count days begun, from the log, else from Brightspace's name, else from Canvas's mark, less the free days", () => {
    // Two days and nine hours after the deadline, one of them free: two are charged.
    expect(late("b1")).toEqual([3, 1, 0.5, 0.5]);
    // One minute more than a day.
    expect(late("m1")).toEqual([2, 1, 0.75, 0.75]);
    expect(late("j1")).toEqual([1, 1, 1, 1]);
    // An extension of one student; nothing says when that was.
    expect(late("z1")).toEqual([null, 0, 1, 1]);
    expect(report.rows.find(({ student }) => student === "z2")?.reason).toMatch(/Nothing says when it was handed in/);
  });

  it("take the files' own times where the command says so, and give nothing after the last late day", async () => {
    const own = filesIn({ "a/lab-28.ts": "6", "b/lab-28.ts": "6" });
    const deadline = "exercise,due,late_days,percent_a_day\nlab-28,2026-11-27T23:59Z,1,10\n";
    const table = join(filesIn({ "deadlines.csv": deadline }), "deadlines.csv");
    const at = (file: string, time: string): void => utimesSync(join(own, file), new Date(time), new Date(time));
    at("a/lab-28.ts", "2026-11-27T23:59Z");
    at("b/lab-28.ts", "2026-11-29T00:00Z");
    const { out: json } = await runQuick(["--class", own, "--deadlines", table, "--file-times", "--json"]);
    const rows = (JSON.parse(json) as ClassReport).rows.map(({ late: found, points }) => [found?.days, points]);
    expect(rows).toEqual([
      [0, 10],
      [2, 0],
    ]);
  });
});

describe("an override", () => {
  it("gives its points with the reason, beside what the checks gave, and a regrade keeps it", async () => {
    const row = (of: ClassReport): unknown => of.rows.find(({ student }) => student === "n1");
    expect(row(report)).toMatchObject({ points: 7, earned: 0, override: { points: 7, reason: "Ill; seen in person" } });
    filesIn({ "nnone/lab-28.ts": "2 n" }, folder);
    const again = await runQuick(["--class", folder, "--free-days", "1", "--json"], quickStart());
    expect(row(JSON.parse(again.out) as ClassReport)).toMatchObject({
      points: 7,
      earned: expect.toSatisfy((points: number) => points > 0),
      reason: expect.stringMatching(/^An instructor gives 7 points: Ill; seen in person\. Before: /),
    });
  });
});

describe("the files for gradebooks", () => {
  it("have the columns that Canvas's importer asks for, and the points that there are in the second line", () => {
    const [head, possible, jane, , , , , nick] = linesOf(out, "canvas.csv");
    expect(head).toBe("Student,ID,SIS User ID,SIS Login ID,Section,lab-28");
    expect(possible).toBe("    Points Possible,,,,,10");
    expect(jane).toMatch(/^"Doe, Jane",12346,S1,jdoe,A,\d/);
    expect(nick).toBe("Nick None,,S6,nnone,B,7");
    expect(read("canvas.csv")).toContain(`Bo Brown,,S5,'=bo,B,3.5`);
  });

  it("have Moodle's user fields, with points and feedback of each exercise, and Gradescope's of roster and gradebook", () => {
    const moodle = linesOf(out, "moodle.csv");
    expect(moodle[0]).toBe("ID number,Username,Email address,lab-28,lab-28 (Feedback)");
    expect(moodle[1]).toMatch(/^S1,jdoe,jane@x\.org,[\d.]+,"primitives: Line 3/);
    const gradescope = linesOf(out, "gradescope.csv");
    expect(gradescope[0]).toBe("First Name,Last Name,SID,Email,Sections,lab-28,lab-28 - Max Points");
    expect(gradescope[1]).toMatch(/^Jane,Doe,S1,jane@x\.org,A,[\d.]+,10$/);
    expect(gradescope).toHaveLength(7);
  });

  it("are without names, addresses, files and words of a learner in the anonymous one, under another salt another order", () => {
    const text = read("anonymous.csv");
    expect(text.split("\r\n")[1]).toMatch(/^[0-9a-f]{12},lab-28,/);
    for (const word of ["j1", "Jane", "x.org", "doejane", "Line 3", "stranger"]) expect(text).not.toContain(word);
    expect(linesOf(out, "anonymous.csv")).toHaveLength(8);
  });

  it("are a page for each learner without anybody else's name, and a table of whose it is", () => {
    const names = readdirSync(join(out, "feedback"));
    expect(names).toHaveLength(8);
    const list = linesOf(out, "feedback", "feedback.csv");
    expect(list[0]).toBe("student,email,points,out_of,file");
    const jane = list.find((line) => line.startsWith("j1,jane@x.org,"))!;
    const page = readFileSync(join(out, "feedback", jane.split(",").at(-1)!), "utf8");
    expect(page).toMatch(/1 day late\. 1 free day is used\. 100 % of/);
    expect(page).toContain("Line 3 (&lt;b&gt;2&lt;/b&gt;) it is.");
    for (const other of ["z1", "Poe", "stranger", "Brown"]) expect(page).not.toContain(other);
  });
});

describe("the report", () => {
  it("says how hard a check is, and whether it agrees with the others: against a correlation by hand", () => {
    const points = [
      [2, 1, 0],
      [2, 0, 1],
      [0, 0, 1],
      [2, 1, 1],
    ];
    expect(itemAnalysis(points, 0, 2)).toEqual({ difficulty: 0.75, discrimination: expect.closeTo(1 / 3, 12) });
    expect(itemAnalysis(points, 1, 1).difficulty).toBe(0.5);
    expect(itemAnalysis([[1], [1]], 0, 1)).toEqual({ difficulty: 1, discrimination: null });
    expect(itemAnalysis([], 0, 1)).toEqual({ difficulty: null, discrimination: null });
    const [first] = report.exercises[0]!.checks;
    expect(first).toMatchObject({ difficulty: 1, discrimination: null });
    expect(read("report.html")).toContain('<td class="number" data-name="Difficulty">1.00</td>');
  });

  it("lists byte-identical files, also where more than a tenth of the class has them, and what was given out as such", async () => {
    expect(report.exercises[0]?.identical).toEqual([{ students: ["stranger", "z1"], published: null }]);
    const starter = readFileSync(join(import.meta.dirname, "../../../labs/lab-28/starter.ts"), "utf8");
    const same = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`s${n}/lab-28.ts`, "3 same"]));
    const given = { "t1/lab-28.ts": starter, "t2/lab-28.ts": starter };
    const { out: json } = await runQuick(["--class", filesIn({ ...same, ...given, "u/lab-28.ts": "4" }), "--json"]);
    expect((JSON.parse(json) as ClassReport).exercises[0]?.identical).toEqual([
      { students: ["s0", "s1", "s2", "s3", "s4", "s5", "s6"], published: null },
      { students: ["t1", "t2"], published: "starter" },
    ]);
  });
});

describe("a table that is wrong", () => {
  const head = "student,name,email,canvas_id,sis_id,login,section\n";
  it.each([
    ["roster", "student,nickname\na,b\n", 'Line 1 of t.csv: there is no column "nickname".'],
    ["roster", "name\na\n", "Line 1 of t.csv: the column student is missing."],
    ["roster", "student,student\na,b\n", "Line 1 of t.csv: the column student is there twice."],
    ["roster", `${head}a,,,,,,\n\n"b\nb",,,,,,\nA,,,,,,\n`, "Line 6 of t.csv: the student A is in line 2, too."],
    ["roster", `${head}a,,,7,,,\nb,,,7,,,\n`, "Line 3 of t.csv: the canvas_id 7 is in line 2, too."],
    ["roster", `${head}a,,\n`, "Line 2 of t.csv: it has 3 fields, the first line has 7."],
    ["roster", `${head}"a,,,,,,\n`, "Line 2 of t.csv: a quote is not closed."],
    [
      "overrides",
      "student,exercise,points,reason\nanna,lab-28,3,r\nnobody,lab-28,3,r\n",
      "Line 3 of t.csv: there is no student nobody.",
    ],
    ["overrides", "student,exercise,points,reason\nanna,lab-27,3,r\n", "Line 2 of t.csv: anna has no row for lab-27."],
    [
      "overrides",
      "student,exercise,points,reason\nanna,lab-28,11,r\n",
      "Line 2 of t.csv: lab-28 has 10 points, not 11.",
    ],
    ["overrides", "student,exercise,points,reason\nanna,lab-28,x,r\n", 'Line 2 of t.csv: points are "x".'],
    ["overrides", "student,exercise,points,reason\nanna,lab-28,3,\n", "Line 2 of t.csv: the reason is missing."],
    ["overrides", "student,exercise,points,reason\na,b,3,r\na,b,4,r\n", "Line 3 of t.csv: line 2 is about the same."],
    ["deadlines", "exercise,due\nlab-28,2026-11-27 23:59\n", 'Line 2 of t.csv: "2026-11-27 23:59" is no time.'],
    ["deadlines", "exercise,due\nlab-99,2026-11-27 23:59Z\n", "Line 2 of t.csv: there is no exercise lab-99."],
    [
      "deadlines",
      "exercise,due,percent_a_day\nlab-28,2026-11-27 23:59Z,120\n",
      "Line 2 of t.csv: percent_a_day is 120.",
    ],
    ["deadlines", "exercise,student,due\nlab-28,x,2026-11-27 23:59Z\n", "Line 2 of t.csv: there is no student x."],
  ])("is refused with the line: %s %j", async (table, text, said) => {
    const own = filesIn({ "anna/lab-28.ts": "3" });
    const path = join(filesIn({ "t.csv": text }), "t.csv");
    const { code, error } = await runQuick(["--class", own, `--${table}`, path]);
    expect([code, error]).toEqual([2, expect.stringContaining(said)]);
  });

  it("is refused where it is not there, and read with semicolons and a byte order mark as spreadsheets write it", async () => {
    const own = filesIn({ "anna/lab-28.ts": "3" });
    const none = await runQuick(["--class", own, "--roster", join(own, "none.csv")]);
    expect([none.code, none.error]).toEqual([2, expect.stringMatching(/none\.csv cannot be read \(ENOENT\)/)]);
    writeFileSync(`${own}.csv`, "\ufeffStudent;Name\r\nanna;Doe, Anna\r\n");
    const { code, out: text } = await runQuick(["--class", own, "--roster", `${own}.csv`]);
    expect([code, text]).toEqual([0, expect.stringContaining("1 score: 1 graded, 0 refused")]);
    expect(linesOf(`${own}-grades`, "canvas.csv")[2]).toMatch(/^"Doe, Anna",,,,,/);
  });
});
