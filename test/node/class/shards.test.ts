/** A class in parts on several machines: together their results are those of one run, to the byte. */
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processMark } from "../../../src/node/setup/lock.mjs";
import { filesIn, quickStart, runQuick } from "./quick-class.js";

const STUDENTS = 23;
const files = Object.fromEntries(
  Array.from({ length: STUDENTS }, (_, n) => [
    [`s${n}/lab-28.ts`, `${n % 6} own${n}`],
    [`s${n}/lab-27.ts`, `${n % 4} own${n}`],
  ]).flat(),
) as Record<string, string>;
const folder = filesIn({
  ...files,
  // Copies with other bytes, which lie in different shards.
  "s1/lab-28.ts": "4 copied",
  "s2/lab-28.ts": "4  copied",
  "s3/lab-28.ts": "no/kernel",
  "s4/lab-26.ts/x": "a folder",
  "s5/lab-28 (2).ts": "6 later",
});
const roster = `student\n${Array.from({ length: STUDENTS + 1 }, (_, n) => `s${n}`).join("\n")}\n`;
const salt = ["--salt", "one salt"];

function outOf(name: string): string {
  return filesIn({ "roster.csv": roster }, `${folder}-${name}`);
}

/** All files of the results with their contents, but for the shards'. */
function contents(out: string): ReadonlyMap<string, string> {
  const names = readdirSync(out, { recursive: true, encoding: "utf8" });
  const own = names.filter((name) => !name.startsWith("shard-") && statSync(join(out, name)).isFile());
  return new Map(own.sort().map((name) => [name, readFileSync(join(out, name), "utf8")]));
}

const shard = (out: string, index: number, count: number, checked: string[] = []) =>
  runQuick(
    ["--class", folder, "--out", out, ...salt, "--shard", `${index}/${count}`, "--jobs", "1"],
    quickStart(checked),
  );
const merge = (out: string, checked: string[] = []) =>
  runQuick(["--class", folder, "--out", out, ...salt, "--merge", "--jobs", "1"], quickStart(checked));

const [one, three] = [outOf("one"), outOf("three")];
const whole = await runQuick(["--class", folder, "--out", one, ...salt, "--jobs", "1"]);
const checked: string[] = [];
for (const index of [3, 1, 2]) expect((await shard(three, index, 3, checked)).code).toBe(0);
const checkedByShards = [...checked];
const merged = await merge(three, checked);

describe("shards, merged", () => {
  it("give the same files as one run to the byte, with pairs that are alike across shards, and check nothing twice", () => {
    expect([whole.code, merged.code]).toEqual([0, 0]);
    expect(checked).toEqual(checkedByShards);
    expect(new Set(checked).size).toBe(checked.length);
    const [left, right] = [contents(one), contents(three)];
    expect([...right.keys()]).toEqual([...left.keys()]);
    expect(right).toEqual(left);
    expect(left.get("report.html")).toContain(
      '<td class="student" data-name="Student">s1</td><td class="student" data-name="Student">s2</td>',
    );
    const counts = [1, 2, 3].map((index) => {
      const lines = readFileSync(join(three, `shard-${index}-of-3/results.jsonl`), "utf8")
        .trimEnd()
        .split("\n");
      return lines.filter((line) => line.includes('"kind":"result"')).length;
    });
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it("are refused where one is missing, of another division, not ended, or still runs", async () => {
    const out = outOf("refused");
    expect(await merge(out)).toMatchObject({ code: 2, error: expect.stringMatching(/has no shards/) });
    cpSync(join(three, "shard-1-of-3"), join(out, "shard-1-of-3"), { recursive: true });
    expect(await merge(out)).toMatchObject({ code: 2, error: expect.stringMatching(/has no shard 2, 3 of 3/) });
    for (const index of [2, 3]) {
      cpSync(join(three, `shard-${index}-of-3`), join(out, `shard-${index}-of-3`), { recursive: true });
    }
    const path = join(out, "shard-2-of-3/results.jsonl");
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, `${lines.slice(0, -2).join("\n")}\n`);
    expect(await merge(out)).toMatchObject({
      code: 2,
      error: expect.stringMatching(/Shard 2 of 3 has no result of s\d+\/lab-2[78].* yet\.\n.*--shard 2\/3 again/s),
    });
    // Started again, it checks the lost one alone.
    const again: string[] = [];
    await shard(out, 2, 3, again);
    expect(again).toHaveLength(1);
    expect((await merge(out)).code).toBe(0);
    expect(contents(out)).toEqual(contents(one));
    cpSync(join(three, "shard-1-of-3"), join(out, "shard-1-of-4"), { recursive: true });
    expect(await merge(out)).toMatchObject({ code: 2, error: expect.stringMatching(/divisions into 3 and 4/) });
    rmSync(join(out, "shard-1-of-4"), { recursive: true });
    writeFileSync(join(out, "shard-1-of-3/run.lock"), JSON.stringify(processMark(process.ppid)));
    expect(await merge(out)).toMatchObject({ code: 2, error: expect.stringMatching(/A run works in .*shard-1-of-3/) });
  });

  it("are refused with the line where another version has graded a file, or it is another one now", async () => {
    const out = outOf("versions");
    for (const index of [1, 2, 3]) {
      cpSync(join(three, `shard-${index}-of-3`), join(out, `shard-${index}-of-3`), { recursive: true });
    }
    const path = join(out, "shard-2-of-3/results.jsonl");
    const text = readFileSync(path, "utf8");
    const lines = text.split("\n");
    const old = lines[3]!.replace(/"version":"[^"]+"/, '"version":"older"');
    expect(old).not.toBe(lines[3]);
    writeFileSync(path, [...lines.slice(0, 3), old, ...lines.slice(4)].join("\n"));
    expect(await merge(out)).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^Line 4 of shard-2-of-3\/results\.jsonl: s\S+ was graded by another version/),
    });
    writeFileSync(
      path,
      [...lines.slice(0, 3), lines[3]!.replace(/"sha256":"[^"]+"/, '"sha256":"0"'), ...lines.slice(4)].join("\n"),
    );
    expect((await merge(out)).error).toMatch(/^Line 4 of shard-2-of-3\/results\.jsonl: s\S+ is not the file any more/);
    writeFileSync(path, text);
    appendFileSync(path, "no JSON\n");
    expect((await merge(out)).code).toBe(0);
    const other = await runQuick(["--class", folder, "--out", out, "--salt", "another", "--merge"]);
    expect([other.code, other.error]).toEqual([2, expect.stringMatching(/drawn from another salt/)]);
  });

  it("have a salt in common without an option, and refuse what is no shard", async () => {
    const out = outOf("salts");
    for (const index of [1, 2]) {
      const args = ["--class", folder, "--out", out, "--shard", `${index}/2`];
      expect((await runQuick(args)).code).toBe(0);
    }
    expect((await runQuick(["--class", folder, "--out", out, "--merge"])).code).toBe(0);
    for (const text of ["0/3", "4/3", "1", "1/x", "1/99999"]) {
      const { code, error } = await runQuick(["--class", folder, "--out", out, "--shard", text]);
      expect([text, code, error]).toEqual([text, 2, expect.stringContaining(`--shard is ${text}.`)]);
    }
    const both = await runQuick(["--class", folder, "--out", out, "--shard", "1/2", "--merge"]);
    expect([both.code, both.error]).toEqual([2, expect.stringMatching(/are two commands/)]);
  });
});
