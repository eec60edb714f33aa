/** `npm run grade`: points with reasons, exit codes, Exercism's JSON, and limits from outside. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exercise } from "../../../src/course/exercises/exercise.js";
import { runGrade } from "../../../src/node/commands/grade-command.js";
import { gradeHere } from "../../../src/node/grade/grade.js";
import { startGrade } from "../../../src/node/grade/grade-run.js";
import { type ExercismResult, exercismResult, exitCodeOf, gradeText } from "../../../src/node/grade/report.js";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "grade-"));
afterAll(() => rmSync(folder, { recursive: true }));

const spec = exercise("lab-28");
const solution = join(root, "labs/lab-28/solution.ts");

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The solution with one line changed. */
function changed(name: string, from: string, to: string): string {
  const text = readFileSync(solution, "utf8");
  expect(text).toContain(from);
  return file(name, text.replace(from, to));
}

async function run(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  let [out, error] = ["", ""];
  const code = await runGrade(args, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    width: 60,
    file: (path) => path,
  });
  return { code, out, error };
}

it("gives a right answer all points, on the command line, with exit code 0 and only the grade on stdout", () => {
  const command = join(root, "src/node/commands/grade.mjs");
  const { status, stdout } = spawnSync(process.execPath, [command, "lab-28", "solution.ts", "--json"], {
    cwd: join(root, "labs/lab-28"),
    encoding: "utf8",
  });
  const result = JSON.parse(stdout) as ExercismResult;
  expect(status).toBe(0);
  expect(result).toMatchObject({ version: 3, status: "pass", message: null, points: 10, out_of: 10 });
  expect(result.tests.map(({ name, status, message }) => [name, status, message])).toEqual(
    spec.checks.map(({ kind }) => [kind, "pass", null]),
  );
});

it("names the learner's line in 60 columns, gives the same score again, and ends with 1", async () => {
  // The loop ends one step early.
  const path = changed("early.ts", "s > 32; s >>= 1", "s > 64; s >>= 1");
  const { code, out } = await run("lab-28", path);
  expect(code).toBe(1);
  for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  expect(out).toMatch(/^lab-28: The last warp in registers\nFAIL {2}[\d.]+ of 3 +result\n/);
  expect(out).toMatch(/blocks of (256|512|1024)\s+threads/);
  const again = gradeHere({ exercise: "lab-28", path, seed: "text" });
  expect(gradeText(spec, again, 60)).toBe(out);
});

describe("a grade without all points", () => {
  it("has the line of an endless loop, as its warps have a limit of steps", () => {
    const path = changed("endless.ts", "s > 32; s >>= 1", "s > 32; s >>= 0");
    const grade = gradeHere({ exercise: "lab-28", path, seed: 1 });
    const line =
      readFileSync(path, "utf8")
        .split("\n")
        .findIndex((text) => text.includes(">>= 0")) + 1;
    expect(gradeText(spec, grade, 1000)).toContain(
      `At line ${line} (for (let s = blockDim.x >> 1; s > 32; s >>= 0) {)`,
    );
    expect(exercismResult(spec, grade)).toMatchObject({ status: "fail", message: null });
    expect(exitCodeOf(grade)).toBe(1);
  });

  it("is an error in Exercism's words where the kernel does not compile", () => {
    const grade = gradeHere({
      exercise: "lab-28",
      path: changed("typo.ts", "externShared(i32)", "shard(i32)"),
      seed: 1,
    });
    const result = exercismResult(spec, grade);
    expect(result).toMatchObject({ status: "error", points: 0, out_of: 10 });
    expect(result.message).toMatch(/cannot be compiled|no kernel to check/);
    expect(exitCodeOf(grade)).toBe(1);
  });
});

describe("a file that cannot be graded", () => {
  it("ends with 2 and the line, and its text cannot steer the terminal", async () => {
    const path = file("hostile.ts", "// first\nprocess.exit(0); // \u001b[2J\u202e");
    const { code, out } = await run("lab-28", path);
    expect(code).toBe(2);
    expect(out).toContain("Line 2 of hostile.ts: process.exit(0); // \ufffd[2J\ufffd");
    expect(out).toContain("0 of 10 points");
    expect(JSON.parse((await run("lab-28", path, "--json")).out)).toMatchObject({
      status: "error",
      tests: [],
      points: 0,
      out_of: 10,
    });
  });

  it("is not looked at where the command is wrong: exit code 2 and the cure on stderr", async () => {
    for (const [args, said] of [
      [["lab-28"], /Name an exercise and one file/],
      [["lab-99", solution], /There is no exercise "lab-99"/],
      [["lab-28", solution, "--seed", "x"], /--seed is x\.\nGive a whole number from 0 on\./],
      [["lab-28", solution, "--time", "0"], /--time is 0\.\n/],
      [["lab-28", solution, "--wrong"], /--wrong/],
    ] as const) {
      const { code, out, error } = await run(...args);
      expect([code, out]).toEqual([2, ""]);
      expect(error).toMatch(said);
    }
    expect(await run("--help")).toMatchObject({ code: 0, error: "" });
  });
});

describe("a check in its process", () => {
  const request = { exercise: "lab-28", path: solution, seed: 1 } as const;

  it("is ended where it takes longer than it may", async () => {
    const grade = await startGrade(request, { timeMs: 1, memoryBytes: 2 ** 30 }).grade;
    expect(grade).toMatchObject({ kind: "stopped", what: "The check took more than 0.001 s." });
    expect(exitCodeOf(grade)).toBe(1);
  });

  it("is ended where it takes more memory than it may", async () => {
    const grade = await startGrade(request, { timeMs: 600_000, memoryBytes: 2 ** 20 }).grade;
    expect(grade).toMatchObject({ kind: "stopped", what: "The check took more than 1 MiB of memory." });
  });

  it("is ended where it is cancelled", async () => {
    const running = startGrade(request);
    running.cancel();
    expect(await running.grade).toMatchObject({ kind: "stopped", what: "The check was cancelled." });
  });
});
