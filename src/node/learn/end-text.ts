/** The end, for a learner who has passed all exercises: their own kernels, from where they began to the last one. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { toText, wrap } from "../../core/show/output/plain-text.js";
import { courseRoot } from "../course-root.js";
import { GRADE_LIMITS, startLimited } from "../grade/limited-child.js";
import { scoreboardOf } from "../scoreboard/scoreboard.js";
import { bestText } from "../scoreboard/scoreboard-text.js";
import type { LearnCourse } from "./learn-course.js";
import { type LadderEntry, type LadderStep, ladderTable } from "./own-ladder.js";

/** The first exercise's starter, then the learner's files. */
function entriesOf({ exercises, work }: LearnCourse): readonly LadderEntry[] {
  const [first] = exercises;
  const own = exercises.map(({ id }) => ({ id, path: work.foundPath(id), name: id }));
  if (first === undefined) return own;
  const began = join(courseRoot(), "labs", first.id, "starter.ts");
  return [{ id: first.id, path: began, name: `where you began (${first.id})` }, ...own];
}

/** How much faster the fastest kernel is than the first. */
function gainText(steps: readonly LadderStep[]): string {
  const [first, ...own] = steps;
  const timed = own.flatMap(({ name, predictedMs: ms }) => (ms === null ? [] : [{ name, ms }]));
  const [fastest] = timed.sort((a, b) => a.ms - b.ms);
  if (fastest === undefined || first?.predictedMs == null) return "";
  const times = (first.predictedMs / fastest.ms).toFixed(1);
  return `Your fastest kernel, ${fastest.name}, is predicted to be ${times} times as fast as the one you began with.`;
}

/** Commits that are looked at; those that no scoreboard has scored yet are left out. */
const MOST_COMMITS = 200;

/** The best try at the capstone, with the way to all of them. */
async function capstoneText({ exercises, work }: LearnCourse, cache: string): Promise<string> {
  const capstone = exercises.find(({ id }) => id === "capstone");
  const path = work.foundPath("capstone");
  if (capstone === undefined || !existsSync(path)) return "";
  const { spec, version } = capstone;
  const board = await scoreboardOf({ spec, version, path, cache, mostCommits: MOST_COMMITS, knownOnly: true });
  const all = "npm run learn -- scoreboard shows your tries by commit.";
  return `${bestText(board)} ${all}`.trim();
}

/**
 * Runs the learner's kernels, which takes some seconds.
 * @param cache the file of scores that are known
 */
export async function endText(course: LearnCourse, width: number, cache: string): Promise<string> {
  const request = { entries: entriesOf(course) };
  const result = await startLimited("node/learn/ladder-child.js", request, GRADE_LIMITS).output;
  const head = wrap(`All ${course.exercises.length} exercises are passed. These are your own kernels:`, width);
  if (typeof result !== "string") return `${[...head, ...wrap(result.what, width)].join("\n")}\n`;
  const steps = JSON.parse(result) as readonly LadderStep[];
  const next = "What an update adds comes next by itself; npm run learn -- list shows all.";
  const texts = [gainText(steps), await capstoneText(course, cache), next]
    .filter((text) => text !== "")
    .flatMap((text) => wrap(text, width));
  return `${head.join("\n")}\n\n${toText(ladderTable(steps), { width })}\n${texts.join("\n")}\n`;
}
