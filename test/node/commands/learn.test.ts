/** `npm run learn` on files: once, as in CI, and watching. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { toText } from "../../../src/core/show/output/plain-text.js";
import { hasClang } from "../../../src/node/clang/clang.js";
import { type LearnIo, runLearn } from "../../../src/node/commands/learn-command.js";
import { type LadderStep, ladderSteps, ladderTable } from "../../../src/node/learn/own-ladder.js";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "learn-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(work: string, ...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  let [out, error] = ["", ""];
  const io: LearnIo = {
    write: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    width: () => 60,
    isTerminal: false,
    keys: { listen: () => () => {} },
    work: join(folder, work),
    out: join(folder, "out"),
    file: (path) => join(folder, path),
  };
  const code = await runLearn(args, io);
  return { code, out, error };
}

it("checks the next exercise once outside of a terminal, with 1 until it is passed", async () => {
  const first = await run("once");
  expect(first.code).toBe(1);
  expect(first.out).toMatch(/^Made .*lab-25\.ts\.\nlab-25: /);
  expect(first.out).toMatch(/FAIL {2}0 of 2 +conflict-degree\n {2}line \d+ \(if \(index < blockDim\.x\)/);
  for (const line of first.out.split("\n").slice(1)) expect(line.length).toBeLessThanOrEqual(60);
  copyFileSync(join(root, "labs/lab-25/solution.ts"), join(folder, "once/lab-25.ts"));
  expect((await run("once")).code).toBe(0);
  const { code, out } = await run("once", "list");
  expect(code).toBe(0);
  expect(out).toMatch(/^passed +10\/10 {2}lab-25 .*\nnow +lab-26/);
});

it("gives hints by level and by exercise, and begins an exercise anew without losing the file", async () => {
  expect((await run("hints", "hint", "lab-28")).out).toContain("Hint 1 of 3");
  expect((await run("hints", "hint", "lab-28")).out).toContain("Hint 2 of 3");
  expect((await run("hints", "hint", "1", "lab-28")).out).not.toContain("Hint 2 of 3");
  mkdirSync(join(folder, "hints"), { recursive: true });
  copyFileSync(join(root, "labs/lab-28/solution.ts"), join(folder, "hints/lab-28.ts"));
  expect((await run("hints", "reset", "lab-28")).out).toContain("lab-28.1.ts");
  const solution = readFileSync(join(root, "labs/lab-28/solution.ts"), "utf8");
  expect(readFileSync(join(folder, "hints/lab-28.1.ts"), "utf8")).toBe(solution);
});

it.runIf(hasClang())("hands out files in CUDA C++ once they are asked for, and keeps to them", async () => {
  const first = await run("cuda", "--language", "cuda");
  expect(first.code).toBe(1);
  expect(first.out).toMatch(/^Made .*lab-25\.cu\.\nlab-25: /);
  expect(first.out).toMatch(/FAIL {2}0 of 2 +conflict-degree\n {2}line \d+ \(if \(index < blockDim\.x\)/);
  expect(first.out).toContain("This is the starter, unchanged.");
  expect(readFileSync(join(folder, "cuda/lab-25.cu"), "utf8")).toMatch(/^\/\*\*\n \* lab-25: /);
  await run("cuda", "reset", "lab-28");
  expect(existsSync(join(folder, "cuda/lab-28.cu"))).toBe(true);
  await run("cuda", "reset", "lab-28", "--language", "typescript");
  expect(existsSync(join(folder, "cuda/lab-28.ts"))).toBe(true);
  const wrong = await run("cuda", "--language", "python");
  expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining("typescript, cuda")]);
});

it("refuses what it does not know, and makes nothing then", async () => {
  for (const [args, said] of [
    [["lab-82"], /There is no exercise "lab-82"\.\n/],
    [["hint", "4"], /There is no hint 4\.\nGive a level from 1 to 3/],
    [["wash", "up"], /does not know "wash up"/],
    [["--watch", "--once"], /exclude each other/],
    [["--colour"], /--colour/],
  ] as const) {
    const { code, out, error } = await run("none", ...args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toMatch(said);
  }
  expect(existsSync(join(folder, "none"))).toBe(false);
});

it("watches: a save is checked, passing leads on, a key ends it", async () => {
  const command = join(root, "src/node/commands/learn.mjs");
  const child = spawn(process.execPath, [command, "--watch", "--work", join(folder, "watched")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let out = "";
  const closed = new Promise<number | null>((done) => child.on("close", done));
  const until = (text: string): Promise<void> =>
    new Promise((done) => {
      const look = (): void => {
        if (!out.includes(text)) return;
        child.stdout.off("data", look);
        done();
      };
      child.stdout.on("data", look);
      look();
    });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  await until("q quit");
  copyFileSync(join(root, "labs/lab-25/solution.ts"), join(folder, "watched/lab-25.ts"));
  await until("lab-25 is passed.");
  await until("lab-26.ts ...");
  child.stdin.write("q");
  expect(await closed).toBe(0);
});

it("ends with the predicted times of the learner's own kernels; one that is wrong or missing has none", () => {
  const file = (id: string, name: string): string => join(root, "labs", id, `${name}.ts`);
  const entries = [
    { id: "lab-25", path: file("lab-25", "starter"), name: "began" },
    { id: "lab-28", path: file("lab-28", "solution"), name: "lab-28" },
    { id: "day-37", path: file("day-37", "starter"), name: "wrong" },
    { id: "lab-30", path: join(folder, "none.ts"), name: "missing" },
  ];
  const steps = ladderSteps(entries, 2 ** 18);
  const [began, last, wrong, missing] = steps.map(({ predictedMs }: LadderStep) => predictedMs);
  expect(last).toBeLessThan(began ?? 0);
  expect([wrong, missing]).toEqual([null, null]);
  expect(toText(ladderTable(steps, 2 ** 18))).toMatch(/Predicted ms/);
});

it("shows the tries at an exercise by commit, and how to keep them where git has none", async () => {
  mkdirSync(join(folder, "board"), { recursive: true });
  copyFileSync(join(root, "labs/lab-25/solution.ts"), join(folder, "board/lab-25.ts"));
  const { code, out } = await run("board", "scoreboard", "board/lab-25.ts");
  expect(code).toBe(0);
  expect(out).toMatch(/now +the file as it is +10\/10 +best/);
  expect(out.replace(/\s+/g, " ")).toContain("git does not track lab-25.ts.");
  for (const [args, said] of [
    [["scoreboard", "none.ts"], /There is no file/],
    [["scoreboard", "a", "b"], /does not know "scoreboard a b"/],
    [["scoreboard", "--last", "0"], /--last is 0/],
  ] as const) {
    const refused = await run("board", ...args);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.error).toMatch(said);
  }
});
