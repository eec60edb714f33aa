import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runRelease } from "../../../src/node/release/release-command.js";
import { writeRelease } from "../../../src/node/release/release-folder.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-release-"));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), "utf8");

function release(...args: readonly string[]): { readonly code: number; readonly said: string } {
  let said = "";
  const code = runRelease(args, {
    say: (text) => {
      said += text;
    },
    error: (text) => {
      said += text;
    },
    place: (path) => join(folder, path),
  });
  return { code, said };
}

test("writes nbgrader's folders and its settings, and an update leaves alone and names what the teacher changed", () => {
  expect(release("lab-26", "--out", "course")).toMatchObject({ code: 0, said: expect.stringMatching(/5 of 5 files/) });
  const page = "lab-26/lab-26-sequential-addressing.ipynb";
  for (const path of ["nbgrader_config.py", `source/${page}`, `release/${page}`, "release/lab-26/lab-26.ts"]) {
    expect(existsSync(join(folder, "course", path)), path).toBe(true);
  }
  expect(release("lab-26", "--out", "course")).toMatchObject({ code: 0, said: expect.stringMatching(/0 of 5 files/) });
  const own = "# mine\n";
  writeFileSync(join(folder, "course/nbgrader_config.py"), own);
  const { code, said } = release("lab-26", "lab-27", "--out", "course");
  expect([code, said]).toEqual([1, expect.stringMatching(/4 of 9 files written.*nbgrader_config\.py is not as/s)]);
  expect(read("course/nbgrader_config.py")).toBe(own);
});

test("says which exercises there are, and refuses options that it does not know", () => {
  expect(release("lab-99", "--out", "none")).toEqual({ code: 2, said: expect.stringContaining("lab-25, lab-26") });
  expect(release("--uot", "none")).toEqual({ code: 2, said: expect.stringMatching(/--uot.*npm run release/s) });
  expect(existsSync(join(folder, "none"))).toBe(false);
});

test("replaces its own file with a newer text, and no file that was there before, nor one under a lost record", () => {
  const where = join(folder, "own");
  const write = (...files: readonly (readonly [string, string])[]) => [...writeRelease(where, new Map(files)).values()];
  expect(write(["a/b.txt", "1"])).toEqual(["written"]);
  expect(write(["a/b.txt", "2"])).toEqual(["written"]);
  expect(read("own/a/b.txt")).toBe("2");
  writeFileSync(join(where, "c.txt"), "theirs");
  expect(write(["a/b.txt", "2"], ["c.txt", "ours"])).toEqual(["as it was", "kept"]);
  writeFileSync(join(where, ".warplab-release.json"), "{");
  expect(write(["a/b.txt", "3"])).toEqual(["kept"]);
  expect([read("own/a/b.txt"), read("own/c.txt")]).toEqual(["2", "theirs"]);
});
