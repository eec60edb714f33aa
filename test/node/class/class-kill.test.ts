/** A class run that is killed, with all that it has started, at any moment: nothing is lost, and nothing is counted twice. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const base = mkdtempSync(join(tmpdir(), "class-kill-"));
afterAll(() => rmSync(base, { recursive: true }));

const STUDENTS = 12;

function classFolder(name: string, students: number, text: (student: number) => string): string {
  const folder = join(base, name);
  for (let n = 0; n < students; n++) {
    mkdirSync(join(folder, `student-${n}`), { recursive: true });
    writeFileSync(join(folder, `student-${n}`, "lab-28.ts"), text(n));
  }
  return folder;
}

const resultsOf = (out: string): readonly { readonly path: string }[] => {
  const file = join(out, "results.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(1, -1);
  return lines
    .map((line) => JSON.parse(line) as { kind: string; path: string })
    .filter(({ kind }) => kind === "result");
};

/** Starts a command as a group of its own, kills all of it at the moment that is asked for, and waits for its end. */
async function killed(args: readonly string[], moment: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: "ignore" });
  const ended = once(child, "exit");
  await Promise.race([moment(), ended]);
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
  await ended;
}

it("loses no score and counts none twice, killed at random moments until it is done", async () => {
  const folder = classFolder("fast", STUDENTS, (n) => `// ${n}`);
  const dist = realpathSync(join(root, "src/dist"));
  const program = join(import.meta.dirname, "fast-class.mjs");
  const [whole, broken] = [join(base, "whole"), join(base, "broken")];
  const commandOf = (out: string): readonly string[] => [program, dist, folder, out, `${out}.checks`];
  expect(spawnSync(process.execPath, commandOf(whole)).status).toBe(0);

  const seed = 38;
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  let finished: readonly string[] = [];
  for (let kills = 0; kills < 3; kills++) {
    // So many more results, and a moment that no clock has to keep.
    const wanted = Math.min(STUDENTS, finished.length + Math.floor(random() * 5));
    const pause = random() * 60;
    await killed(commandOf(broken), async () => {
      while (resultsOf(broken).length < wanted) await sleep(5);
      await sleep(pause);
    });
    const now = resultsOf(broken).map(({ path }) => path);
    // All earlier lines are there, in their order, and no path twice.
    expect([`seed ${seed}`, now.slice(0, finished.length)]).toEqual([`seed ${seed}`, finished]);
    expect(new Set(now).size).toBe(now.length);
    finished = now;
  }
  const { status, stderr } = spawnSync(process.execPath, commandOf(broken), { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, expect.stringContaining(`${STUDENTS} of ${STUDENTS}`)]);
  for (const name of ["grades.csv", "report.html"]) {
    expect(readFileSync(join(broken, name), "utf8")).toBe(readFileSync(join(whole, name), "utf8"));
  }
  expect(new Set(resultsOf(broken).map(({ path }) => path)).size).toBe(STUDENTS);
  expect(resultsOf(broken)).toHaveLength(STUDENTS);
  // Only what was in its two processes when it was killed has been checked again.
  const checks = readFileSync(`${broken}.checks`, "utf8").length;
  expect(checks).toBeLessThanOrEqual(STUDENTS + 2 * 3);
});

it("keeps the scores so far where it is interrupted, says so, and leaves no lock", async () => {
  const folder = classFolder("interrupted", STUDENTS, (n) => `// ${n}`);
  const out = join(base, "interrupted-out");
  const program = join(import.meta.dirname, "fast-class.mjs");
  const args = [program, realpathSync(join(root, "src/dist")), folder, out, join(base, "interrupted.checks")];
  const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "close");
  while (resultsOf(out).length < 2 && child.exitCode === null) await sleep(5);
  process.kill(-child.pid!, "SIGINT");
  expect((await ended)[1]).toBe("SIGINT");
  expect(said).toMatch(/^Interrupted\. All scores so far are kept: start it again to go on\.$/m);
  expect(existsSync(join(out, "run.lock"))).toBe(false);
  const kept = resultsOf(out);
  expect(kept.length).toBeGreaterThanOrEqual(2);
  expect(kept.length).toBeLessThan(STUDENTS);
  expect(JSON.stringify(kept)).not.toContain("stopped");
});

it("goes on as the command does, with its own child processes, which end with it", async () => {
  const text = readFileSync(join(root, "labs/lab-28/solution.ts"), "utf8");
  // A kernel that does not compile takes no launches.
  const typo = text.replace("externShared(i32)", "shard(i32)");
  const texts = ["process.exit(0);", typo, `${typo}// Another one.`];
  const folder = classFolder("real", texts.length, (n) => texts[n]!);
  const command = join(root, "src/node/commands/grade.mjs");
  const args = [command, "--class", folder, "--jobs", "1"];
  await killed(args, async () => {
    while (resultsOf(`${folder}-grades`).length < 1) await sleep(20);
  });
  const before = resultsOf(`${folder}-grades`);
  expect(before.length).toBeLessThan(texts.length);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, expect.stringContaining(`(${before.length} known)`)]);
  expect(stdout).toContain("3 scores: 2 graded, 1 refused, 0 stopped, 0 missing.");
  expect(stdout).toContain("3 students: mean 0, median 0 of 10");
  expect(resultsOf(`${folder}-grades`).slice(0, before.length)).toEqual(before);
});
