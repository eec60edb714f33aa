/** `npm run grade -- --class`: every submission ends with a score and a reason, whatever it is and whenever the run is ended. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkExercise } from "../../../src/course/exercises/check.js";
import type { Verdict } from "../../../src/course/exercises/verdict.js";
import { hasClang } from "../../../src/node/clang/clang.js";
import { answerRequest } from "../../../src/node/class/class-check.js";
import { runClass } from "../../../src/node/class/class-command.js";
import type { StartCheck } from "../../../src/node/class/class-run.js";
import type { ClassReport, Row } from "../../../src/node/class/report/class-report.js";
import { runGrade } from "../../../src/node/commands/grade-command.js";
import type { Limits } from "../../../src/node/grade/limited-child.js";
import { readSubmissionBytes, sha256Of } from "../../../src/node/grade/submission-file.js";
import { processMark } from "../../../src/node/setup/lock.mjs";

const root = join(import.meta.dirname, "../../..");
const base = mkdtempSync(join(tmpdir(), "class-command-"));
afterAll(() => rmSync(base, { recursive: true }));

const SOLUTION = readFileSync(join(root, "labs/lab-28/solution.ts"), "utf8");
let folders = 0;

function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = join(base, `class-${++folders}`);
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Checks in this process, which takes no second to start. */
const here: StartCheck = (request) => ({
  output: Promise.resolve(JSON.stringify(answerRequest(request))),
  cancel: () => {},
});

it.runIf(hasClang())("grades files in CUDA C++ beside those in TypeScript", async () => {
  const right = readFileSync(join(root, "labs/lab-28/solution.cu"), "utf8");
  const folder = folderOf({
    "anna/lab-28.cu": right,
    "ben/lab-28.cu": right.replace("s = 16", "s = 8"),
    "cem/lab-28.cu": readFileSync(join(root, "labs/lab-28/starter.cu"), "utf8"),
  });
  const { rows } = await report(["--class", folder, "lab-28"]);
  expect(rows.map(({ student, points }) => [student, points])).toEqual([
    ["anna", 10],
    ["ben", 0],
    ["cem", 0],
  ]);
  expect(rows[1]?.reason).toContain("sums 64 of its 128 ones");
  expect(rows[2]?.reason).toContain("This is the starter, unchanged.");
});

const nothing: Verdict = checkExercise("lab-28", null, { seed: 1 });

/** Gives every file the same points, at once, and counts the checks. */
function quick(): { readonly start: StartCheck; readonly checked: string[] } {
  const checked: string[] = [];
  const start: StartCheck = (request, limits) => {
    if (request.kind === "grade") checked.push(request.path.split("/").slice(-2).join("/"));
    if (request.kind === "given") return here(request, limits);
    const sha256 = sha256Of(readSubmissionBytes(request.path));
    const grade = { kind: "verdict", verdict: nothing };
    return { output: Promise.resolve(JSON.stringify({ sha256, fingerprint: null, grade })), cancel: () => {} };
  };
  return { start, checked };
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function run(args: readonly string[], start: StartCheck = here): Promise<Ran> {
  let [out, error] = ["", ""];
  const code = await runClass(args, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    file: (path) => path,
    start,
  });
  return { code, out, error };
}

async function report(args: readonly string[], start: StartCheck = here): Promise<ClassReport> {
  const { code, out, error } = await run([...args, "--json"], start);
  expect([code, error]).toEqual([0, expect.any(String)]);
  return JSON.parse(out) as ClassReport;
}

/** student, points and status. */
const scores = ({ rows }: ClassReport): readonly (readonly [string, number, string])[] =>
  rows.map(({ student, points, status }) => [student, points, status] as const);

const linesOf = (folder: string): readonly string[] =>
  readFileSync(join(`${folder}-grades`, "results.jsonl"), "utf8")
    .split("\n")
    .slice(1, -1);

function notebook(sources: readonly string[], outputs: unknown = []): string {
  return JSON.stringify({
    nbformat: 4,
    cells: sources.map((source) => ({ cell_type: "code", source, outputs })),
  });
}

const cellOf = (text: string): string => `${text.replace("export const", "const")}\ncheckExercise("lab-28", answer);`;

/** A kernel that does not compile takes no launches. */
const TYPO = SOLUTION.replace("externShared(i32)", "shard(i32)");

describe("bad submissions", () => {
  const folder = folderOf({
    "right.ts": SOLUTION,
    "bom.ts": `\ufeff${SOLUTION}`,
    "syntax.ts": SOLUTION.replace("kernel(", "kernel(("),
    "endless.ts": SOLUTION.replace(/s >>= 1/g, "s >>= 0"),
    "renamed.ts": SOLUTION.replace("const answer", "const mine"),
    "empty.ts": "",
    "utf16.ts": Buffer.from(SOLUTION, "utf16le"),
    "prototype.ts": `const a = { __proto__: { answer: 1 } };\n${SOLUTION}`,
    "constructor.ts": SOLUTION.replace("const answer", "const constructor"),
    "hostile.ts": `process.exit(0); // </td><script>alert(1)</script>\n${SOLUTION}`,
    "missing.ipynb": notebook(["const a = 1;"]),
    "extra.ipynb": notebook(["this is no TypeScript", "process.exit(1);", cellOf(TYPO), "while (true) {}"]),
    "output.ipynb": notebook([cellOf(SOLUTION)], [{ output_type: "stream", text: "x".repeat(10_000_000) }]),
    "json.ipynb": `{"__proto__": {"cells": []}, "nbformat": 4, "constructor": 1, ${notebook([cellOf(TYPO)]).slice(1)}`,
    "directory.ts/x": "",
    '=cmd|"a", b\n.ts': TYPO,
  });
  symlinkSync(join(folder, "right.ts"), join(folder, "symlink.ts"));
  writeFileSync(join(folder, "huge.ts"), "");
  truncateSync(join(folder, "huge.ts"), 100_000_000);

  it("end with a score and a reason each, and stop no other one", async () => {
    const found = await report(["--class", folder, "lab-28"]);
    type Expected = readonly [status: Row["status"], points: number, reason: RegExp];
    const full: Expected = ["graded", 10, /^All checks pass\.$/];
    const typo: Expected = ["graded", 0, /no kernel to check: .*shard/];
    const expected = new Map<string, Expected>([
      ['=cmd|"a", b', typo],
      ["bom", full],
      ["constructor", ["graded", 0, /no kernel named answer, but constructor/]],
      ["directory", ["refused", 0, /directory\.ts is no file/]],
      ["empty", ["graded", 0, /is no kernel/]],
      ["endless", ["graded", 0, /an endless loop.*At line \d+ \(for \(let s = 16; s > 0; s >>= 0\)/]],
      ["extra", typo],
      ["hostile", ["refused", 0, /Line 1 of hostile\.ts: process\.exit\(0\)/]],
      ["huge", ["refused", 0, /has 95\.4 MiB; 256 KiB are read/]],
      ["json", typo],
      ["missing", ["refused", 0, /no cell that calls checkExercise\("lab-28", answer\)/]],
      ["output", full],
      ["prototype", ["refused", 0, /prototype is set.*Line 1 of prototype\.ts/]],
      ["renamed", ["graded", 0, /no kernel named answer, but mine/]],
      ["right", full],
      ["symlink", ["refused", 0, /symlink\.ts is a link/]],
      ["syntax", ["refused", 0, /no TypeScript.*Line \d+ of syntax\.ts/]],
      ["utf16", ["refused", 0, /no text in UTF-8/]],
    ]);
    expect(found.rows.map(({ student }) => student)).toEqual([...expected.keys()].sort());
    for (const row of found.rows) {
      const [status, points, reason] = expected.get(row.student)!;
      expect([row.student, row.status, row.points]).toEqual([row.student, status, points]);
      expect(row.reason).toMatch(reason);
    }
    const { checks } = found.rows.find(({ student }) => student === "right")!;
    // One draw for all: right answers get the same figures, whatever else their texts hold.
    expect(found.rows.find(({ student }) => student === "output")?.checks).toEqual(checks);
  });

  it("stand in a CSV that no spreadsheet takes for formulas, and in a page that runs and loads nothing", () => {
    const csv = readFileSync(join(`${folder}-grades`, "grades.csv"), "utf8");
    expect(csv.split("\r\n")[0]).toBe(
      "student,exercise,points,out_of,result,hazards,primitives,additions,barriers,shared-requests,status,reason,file",
    );
    expect(csv).toContain(`\r\n"'=cmd|""a"", b",lab-28,0,10,0,${Array(5).fill("not reached").join()},graded,`);
    expect(csv).toContain(`,"'=cmd|""a"", b .ts"\r\n`);
    expect(csv.split("\r\n")).toHaveLength(20);
    const page = readFileSync(join(`${folder}-grades`, "report.html"), "utf8");
    expect(page).toContain("&lt;script&gt;alert(1)");
    expect(page).not.toMatch(/<script|\son\w+=|src=|url\(|https?:\/\/(?!www\.w3\.org)/);
    expect(page).toMatch(/<svg[^>]* role="img" aria-label="Bar chart of Students\. 10: 3; /);
  });

  it("are not checked again, and have the same scores in any number of jobs", async () => {
    const none: StartCheck = () => {
      throw new Error("nothing is to be checked");
    };
    const again = await report(["--class", folder, "lab-28", "--jobs", "3"], none);
    const [once, thrice] = await Promise.all([
      report(["--class", folder, "lab-28", "--jobs", "1", "--out", join(base, "one")], quick().start),
      report(["--class", folder, "lab-28", "--jobs", "3", "--out", join(base, "three")], quick().start),
    ]);
    expect(scores(again).filter(([, points]) => points === 10)).toHaveLength(3);
    expect(thrice).toEqual(once);
  });
});

describe("a run that goes on", () => {
  it("grades what has changed, and nothing else", async () => {
    const folder = folderOf({ "anna/lab-28.ts": "1", "ben/lab-28.ts": "2", "cleo/lab-28.ts": "3" });
    const { start, checked } = quick();
    await report(["--class", folder], start);
    expect(checked.sort()).toEqual(["anna/lab-28.ts", "ben/lab-28.ts", "cleo/lab-28.ts"]);
    writeFileSync(join(folder, "ben/lab-28.ts"), "22");
    rmSync(join(folder, "cleo"), { recursive: true });
    const again = quick();
    const { rows } = await report(["--class", folder], again.start);
    expect(again.checked).toEqual(["ben/lab-28.ts"]);
    expect(rows.map(({ student }) => student)).toEqual(["anna", "ben"]);
  });

  it("loses no whole line, wherever the last one is cut, and counts no student twice", async () => {
    const folder = folderOf({ "anna/lab-28.ts": "1", "ben/lab-28.ts": "2" });
    const whole = await report(["--class", folder, "--jobs", "1"], quick().start);
    const path = join(`${folder}-grades`, "results.jsonl");
    const text = readFileSync(path, "utf8");
    const [header = "", first = "", second = ""] = text.split("\n");
    const [one, two] = [header.length + 1, header.length + first.length + 2];
    for (const length of [0, 1, header.length, one, one + 1, two - 2, two - 1, two, two + 9, two + second.length]) {
      writeFileSync(path, text.slice(0, length));
      const { start, checked } = quick();
      expect(await report(["--class", folder, "--jobs", "1"], start)).toEqual(whole);
      expect([length, checked.length]).toEqual([length, length < two ? 2 : 1]);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
  });

  it("passes over lines that are none of its own", async () => {
    const folder = folderOf({ "anna/lab-28.ts": "1" });
    await report(["--class", folder], quick().start);
    appendFileSync(join(`${folder}-grades`, "results.jsonl"), 'null\n{"kind":"x"}\nno JSON\n');
    const { start, checked } = quick();
    await report(["--class", folder], start);
    expect(checked).toEqual([]);
  });

  it("grades the file that it finds, where it is changed meanwhile; a removed one has no points, and no line", async () => {
    const folder = folderOf({ "anna/lab-28.ts": "1", "ben/lab-28.ts": "2" });
    const { start, checked } = quick();
    const meddling: StartCheck = (request, limits) => {
      if (checked.length === 0) {
        unlinkSync(join(folder, "anna/lab-28.ts"));
        writeFileSync(join(folder, "ben/lab-28.ts"), "changed");
      }
      checked.push("");
      return request.kind === "grade" ? here(request, limits) : start(request, limits);
    };
    const { rows } = await report(["--class", folder, "--jobs", "1"], meddling);
    expect(rows.map(({ student, status, reason }) => [student, status, reason])).toEqual([
      ["anna", "refused", expect.stringMatching(/removed while the class was graded/)],
      ["ben", "refused", expect.stringMatching(/does not run this statement/)],
    ]);
    expect(linesOf(folder)).toHaveLength(1);
    expect(linesOf(folder)[0]).toContain('"path":"ben/lab-28.ts"');
    const next = quick();
    await report(["--class", folder], next.start);
    expect(next.checked).toEqual([]);
  });
});

describe("a check that a limit ends", () => {
  const late = { kind: "stopped", by: "time", what: "The check took more than 60 s.", cure: "Shorter." };

  /** Ends the checks of `slow` as it is told, the first time and later. */
  function slow(ends: readonly (object | null)[]): { readonly start: StartCheck; readonly limits: Limits[] } {
    const limits: Limits[] = [];
    const { start } = quick();
    return {
      limits,
      start: (request, given) => {
        if (request.kind === "given" || !request.path.includes("slow")) return start(request, given);
        const end = ends[limits.length] ?? null;
        limits.push(given);
        if (end === null) return start(request, given);
        return { output: Promise.resolve(end) as Promise<never>, cancel: () => {} };
      },
    };
  }

  it("runs once more at the end, alone, with four times the time and twice the memory, and may yet have its points", async () => {
    const folder = folderOf({ "slow/lab-28.ts": "1", "zoe/lab-28.ts": "2" });
    const { start, limits } = slow([late, null]);
    const { rows } = await report(["--class", folder, "--time", "10", "--memory", "300"], start);
    expect(rows.map(({ status }) => status)).toEqual(["graded", "graded"]);
    expect(limits.map(({ timeMs, memoryBytes }) => [timeMs, memoryBytes / 2 ** 20])).toEqual([
      [10_000, 300],
      [40_000, 600],
    ]);
    // It is the last one of the file, after those that ran beside it.
    expect(linesOf(folder).map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
      "zoe/lab-28.ts",
      "slow/lab-28.ts",
    ]);
  });

  it("is marked in the reason where it ends so twice, and checked again by --retry alone", async () => {
    const folder = folderOf({ "slow/lab-28.ts": "1" });
    const { start } = slow([late, late]);
    const [row] = (await report(["--class", folder], start)).rows;
    expect(row).toMatchObject({ status: "stopped", points: 0 });
    expect(row?.reason).toBe("The check took more than 60 s. This depends on the machine; --retry checks it again.");
    const again = quick();
    expect(scores(await report(["--class", folder], again.start))).toEqual([["slow", 0, "stopped"]]);
    expect(again.checked).toEqual([]);
    expect(scores(await report(["--class", folder, "--retry"], again.start))).toEqual([["slow", 0, "graded"]]);
    expect(scores(await report(["--class", folder, "--retry"], quick().start))).toEqual([["slow", 0, "graded"]]);
    expect(again.checked).toEqual(["slow/lab-28.ts"]);
  });

  it("is no score where a signal ended it: the next run checks it again", async () => {
    const folder = folderOf({ "slow/lab-28.ts": "1", "zoe/lab-28.ts": "2" });
    const killed = { ...late, by: "killed" };
    const { code, out } = await run(["--class", folder], slow([killed, killed]).start);
    expect([code, out]).toEqual([1, expect.stringContaining("1 graded, 0 refused, 1 stopped")]);
    expect(linesOf(folder)).toHaveLength(1);
    const again = quick();
    await report(["--class", folder], again.start);
    expect(again.checked).toEqual(["slow/lab-28.ts"]);
  });
});

describe("the folder of results", () => {
  const folder = folderOf({ "anna/lab-28.ts": "1" });

  it("is none that holds other files, and none among the submissions", async () => {
    const other = folderOf({ "mine.txt": "keep" });
    for (const [out, said] of [
      [other, /holds files that are no results of a class/],
      [join(folder, "grades"), /lies among the submissions/],
      [folder, /lies among the submissions/],
      [join(other, "mine.txt"), /is no folder/],
    ] as const) {
      const { code, error } = await run(["--class", folder, "--out", out], quick().start);
      expect([code, error]).toEqual([2, expect.stringMatching(said)]);
    }
    expect(existsSync(join(folder, "grades"))).toBe(false);
    expect(readFileSync(join(other, "mine.txt"), "utf8")).toBe("keep");
  });

  it("belongs to one run at a time; the lock of a run that was killed is taken over", async () => {
    const out = join(base, "locked");
    mkdirSync(out);
    const lock = join(out, "run.lock");
    // This process runs; no process has the other mark.
    writeFileSync(lock, JSON.stringify({ ...processMark(process.ppid) }));
    const refused = await run(["--class", folder, "--out", out], quick().start);
    expect([refused.code, refused.error]).toEqual([2, expect.stringMatching(/Another run grades into/)]);
    writeFileSync(lock, JSON.stringify({ ...processMark(), begun: "0" }));
    expect((await run(["--class", folder, "--out", out], quick().start)).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
  });
});

describe("the command", () => {
  it("says in 60 columns how the class has done, and how far it is", async () => {
    const folder = folderOf({ "anna/lab-28.ts": SOLUTION, "ben/lab-28.ts": "", "ben/notes.md": "x" });
    const { out, error } = await run(["--class", folder]);
    expect(out).toMatch(/^lab-28: The last warp in registers\n2 students: mean 5, median 5 of 10\n/);
    expect(out).toContain("    10  ######################## 1\n");
    expect(out).toContain("  50 %  hazards\n");
    expect(out).toContain("2 scores: 2 graded, 0 refused, 0 stopped, 0 missing, 1\npassed over.\n");
    const lines = out.split("\n").filter((line) => !line.startsWith(base));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(error).toMatch(/^0 of 2\n(.*\n)*2 of 2\n$/);
  });

  it("grades a teacher's own exercise, named by its folder; a kind of check for two GPUs has two columns", async () => {
    const own = join(folderOf({}), "two-sums");
    const spec = JSON.parse(readFileSync(join(root, "labs/lab-28/exercise.json"), "utf8"));
    const bandwidth = { kind: "bandwidth", points: 2 };
    const checks = [
      { kind: "result", points: 3 },
      { ...bandwidth, gpu: "v100", steps: [{ share: 0.001, points: 2 }] },
      { ...bandwidth, gpu: "h200", steps: [{ share: 0.999, points: 2 }] },
    ];
    mkdirSync(own);
    writeFileSync(join(own, "exercise.json"), JSON.stringify({ ...spec, id: "two-sums", checks, starterPoints: 0 }));
    for (const name of ["solution.ts", "starter.ts"]) writeFileSync(join(own, name), SOLUTION);
    const folder = folderOf({ "anna.ts": SOLUTION });
    const { rows, exercises } = await report(["--class", folder, own]);
    expect(rows.map(({ student, exercise, points }) => [student, exercise, points])).toEqual([["anna", "two-sums", 5]]);
    expect(exercises.map(({ exercise }) => exercise)).toEqual(["two-sums"]);
    const [head, line] = readFileSync(join(`${folder}-grades`, "grades.csv"), "utf8").split(/\r?\n/);
    expect(head).toBe("student,exercise,points,out_of,result,bandwidth v100,bandwidth h200,status,reason,file");
    expect(line).toMatch(/^anna,two-sums,5,7,3,2,0,graded,/);
  });

  it("refuses options and folders that are wrong, and tells its usage", async () => {
    const folder = folderOf({});
    for (const [args, said] of [
      [["--class", join(base, "nowhere")], /There is no folder/],
      [["--class", folder, "lab-99"], /There is no exercise "lab-99"/],
      [["--class", folder, "--jobs", "0"], /--jobs is 0\.\nGive a whole number from 1 to 256/],
      [["--class", folder, "--seed", "1"], /--seed/],
    ] as const) {
      const { code, error } = await run(args);
      expect([code, error]).toEqual([2, expect.stringMatching(said)]);
    }
    const said = { out: "", error: "" };
    const output = { out: (text: string) => (said.out += text), error: (text: string) => (said.error += text) };
    const code = await runGrade(["--class", ".", "--help"], { ...output, width: 60, file: (path) => path });
    expect([code, said.error]).toEqual([0, ""]);
    for (const line of said.out.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });
});
