/** The learner's tries; the truth for a score is `npm run grade` on the same text. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exercise } from "../../../src/course/exercises/exercise.js";
import { startGrade } from "../../../src/node/grade/grade-run.js";
import { exerciseOfFile, type Scoreboard, scoreboardOf, type Try } from "../../../src/node/scoreboard/scoreboard.js";
import { bestText, scoreboardFigure, scoreboardText } from "../../../src/node/scoreboard/scoreboard-text.js";

const course = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "tries-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "lab-25.ts");
const cache = join(folder, "out/scores.json");
const git = (...args: readonly string[]): void => {
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.org", ...args], {
    cwd: folder,
    stdio: "ignore",
  });
};

async function board(graded: number[] = [], more: object = {}): Promise<Scoreboard> {
  const onGrade = (done: number): number => graded.push(done);
  return scoreboardOf({ spec: exercise("lab-25"), version: "1", path, cache, mostCommits: 50, onGrade, ...more });
}

describe("a scoreboard of commits", () => {
  it("grades each text once, keeps the scores, and marks the best", async () => {
    git("init", "-q");
    copyFileSync(join(course, "labs/lab-25/starter.ts"), path);
    git("add", "lab-25.ts");
    git("commit", "-q", "-m", "begun");
    copyFileSync(join(course, "labs/lab-25/solution.ts"), path);
    git("commit", "-q", "-a", "-m", "done");
    writeFileSync(path, "const answer = ;\n");
    git("commit", "-q", "-a", "-m", "broken");
    copyFileSync(join(course, "labs/lab-25/starter.ts"), path);

    const graded: number[] = [];
    const { tries, best } = await board(graded);
    expect(graded).toHaveLength(4);
    const grade = await startGrade({ exercise: "lab-25", path, seed: "text" }).grade;
    const points = grade.kind === "verdict" ? grade.verdict.points : null;
    expect(tries.map(({ commit, score }) => [commit?.message ?? "now", score?.points])).toEqual([
      ["begun", points],
      ["done", 10],
      ["broken", 0],
      ["now", points],
    ]);
    expect(best?.commit?.message).toBe("done");
    expect(tries[2]?.score?.reason).toMatch(/^This is no TypeScript: .* Line 1: const answer = ;/);
    expect(readFileSync(path, "utf8")).toBe(readFileSync(join(course, "labs/lab-25/starter.ts"), "utf8"));

    const again: number[] = [];
    expect(await board(again)).toMatchObject({ best: { commit: { message: "done" } } });
    expect(again).toEqual([]);
    expect(readdirSync(join(folder, "out"))).toEqual(["scores.json"]);
  });

  it("grades anew for another version of the exercise, and leaves unknown commits out where only known ones are asked for", async () => {
    const graded: number[] = [];
    const { tries } = await board(graded, { version: "2", knownOnly: true });
    expect(graded).toHaveLength(1);
    expect(tries.map(({ score }) => score === null)).toEqual([false, true, true, false]);
  });

  it("begins a broken file of scores anew, and does without one that cannot be written", async () => {
    writeFileSync(cache, '{"a": {"points": "many"}, ');
    writeFileSync(path, "const answer = 1;\n");
    expect((await board([], { knownOnly: true })).tries.at(-1)?.score).toMatchObject({
      points: 0,
      outOf: 10,
      passed: false,
    });
    expect(Object.keys(JSON.parse(readFileSync(cache, "utf8"))).length).toBeGreaterThan(0);
    const nowhere = await board([], { cache: join(path, "scores.json"), mostCommits: 1, knownOnly: true });
    expect(nowhere.tries.map(({ score }) => score?.points)).toEqual([undefined, 0]);
    expect(existsSync(join(path, "scores.json"))).toBe(false);
  });

  it("refuses a file that is not there, with the way to one", async () => {
    await expect(board([], { path: join(folder, "lab-26.ts") })).rejects.toThrow(/There is no file .*npm run learn/s);
    await expect(board([], { path: folder })).rejects.toThrow(/is a folder\.\s.*Name a file of it/s);
  });
});

describe("a scoreboard for a terminal", () => {
  const spec = exercise("capstone");
  const commit = {
    hash: "1234567890".repeat(4),
    date: "2026-11-26T09:37:53+00:00",
    message: "m",
    isMerge: false,
    blob: "b",
  };
  const tried = (h200: number, v100: number, points: number, own: Try["commit"] = commit): Try => ({
    commit: own,
    score: { points, outOf: 10, passed: false, shares: { h200, v100 }, reason: null },
  });
  const failed: Try = {
    commit: { ...commit, isMerge: true, message: "A message that goes on for longer than a column" },
    score: { points: 0, outOf: 10, passed: false, shares: {}, reason: "The sum is wrong." },
  };
  const [low, high] = [tried(0.341, 0.884, 5), tried(0.567, 0.889, 10, null)];
  const shown: Scoreboard = { spec, tries: [low, failed, high], best: high, notes: ["A note."] };

  it("has shares of both GPUs, points, the best, reasons and notes, within its width", () => {
    const text = scoreboardText(shown, 78);
    expect(text).toMatch(/1234567 +2026-11-26 09:37 +m +34\.1 % +88\.4 % +5\/10/);
    expect(text).toMatch(/now +the file as it is +56\.7 % +88\.9 % +10\/10 +best/);
    expect(text).toMatch(/\(merge\) A message[\s\S]*– +– +0\/10/);
    expect(text).toContain("1234567: The sum is wrong.\nA note.\n");
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(78);
  });

  it("says the best try in a sentence, and nothing where there is none", () => {
    const sentence =
      "Your best capstone is the file as it is: 10 of 10 points, 56.7 % on H200, 88.9 % on V100 (predicted).";
    expect(bestText(shown)).toBe(sentence);
    expect(bestText({ ...shown, best: low })).toContain("is 1234567 of 2026-11-26: 5 of 10 points");
    expect(bestText({ ...shown, best: null })).toBe("");
  });

  it("draws the shares over the tries, one without shares left out; nothing for a single one", () => {
    const alt = scoreboardFigure(shown)?.alt ?? "";
    expect(alt).toContain("NVIDIA H200: 1: 34.1, 3: 56.7");
    expect(scoreboardFigure({ ...shown, tries: [high, failed] })).toBeNull();
  });

  it("is of the exercise that the file is named after, of the capstone for any other", () => {
    const ids = ["capstone", "lab-28"];
    const named = ["/a/lab-28.ts", "/a/lab-28-fast.ts", "/a/mine.ts"].map((file) => exerciseOfFile(file, ids));
    expect(named).toEqual(["lab-28", "lab-28", "capstone"]);
  });
});
