/** The recipes of CONTRIBUTING.md are carried out in a copy of the project, as they are written, and their tests pass there. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const copy = mkdtempSync(join(tmpdir(), "warplab-contributing-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the recipes' tests need of the project; what is built is built in the copy. */
const COPIED = [
  "src",
  "test/setup",
  "test/core",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vitest.config.ts",
];
const RECIPE = /<!-- (file|before): (\S+)(?: "([^\n]*)")? -->\n```ts\n(.*?)```/gs;

it("the recipes for a metric and for a pass work as they are written", () => {
  for (const name of COPIED) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (file) => !file.endsWith("/dist") });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  const tests: string[] = [];
  for (const [, kind, file = "", quoted = "", text = ""] of page.matchAll(RECIPE)) {
    const path = join(copy, file);
    if (kind === "file") {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      if (file.endsWith(".test.ts")) tests.push(file);
      continue;
    }
    const line = quoted.replaceAll('\\"', '"');
    const before = readFileSync(path, "utf8");
    expect(before.split(`\n${line}`), `${file} has one line that begins with ${line}`).toHaveLength(2);
    writeFileSync(
      path,
      before.replace(`\n${line}`, () => `\n${text}${line}`),
    );
  }
  expect(tests).toHaveLength(2);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, "run", ...tests], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", WARPLAB_PREPARED: "" },
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/Tests\s+2 passed/);
});
