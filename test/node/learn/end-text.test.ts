/** The end of `npm run learn`, with the capstone alone; the truth is the scoreboard of the same file. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { endText } from "../../../src/node/learn/end-text.js";
import { LearnCourse } from "../../../src/node/learn/learn-course.js";
import { scoreboardOf } from "../../../src/node/scoreboard/scoreboard.js";
import { bestText } from "../../../src/node/scoreboard/scoreboard-text.js";

const folder = mkdtempSync(join(tmpdir(), "end-"));
afterAll(() => rmSync(folder, { recursive: true }));
const cache = join(folder, "out/scores.json");

class CapstoneAlone extends LearnCourse {
  override readonly exercises = new LearnCourse(folder).exercises.filter(({ id }) => id === "capstone");
}

it("shows the learner's kernels with their times, and the best try at the capstone with the way to all", async () => {
  const course = new CapstoneAlone(folder);
  const path = course.work.pathOf("capstone");
  copyFileSync(join(import.meta.dirname, "../../../labs/capstone/solution.ts"), path);
  const text = (await endText(course, 76, cache)).replace(/\s+/g, " ");
  // The ladder runs the starter with one block an SM, and the solution with its own threads.
  expect(text).toMatch(/where you began \(capstone\) 0\.\d+ [\d.]+ [\d.]+ % capstone 0\.\d+ [\d.]+ [\d.]+ %/);
  expect(text).toMatch(/Your fastest kernel, capstone, is predicted to be \d+\.\d times as fast/);
  const [capstone] = course.exercises;
  if (capstone === undefined) throw new Error("no capstone");
  const { spec, version } = capstone;
  const known = await scoreboardOf({ spec, version, path, cache, mostCommits: 1, onGrade: () => expect.fail("known") });
  expect(known.best?.score?.points).toBe(10);
  expect(text).toContain(`${bestText(known)} npm run learn -- scoreboard shows your tries by commit.`);
});
