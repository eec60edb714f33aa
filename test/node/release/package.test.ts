import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "warplab-installed-"));
const installed = join(folder, "node_modules/warplab");
const version = (JSON.parse(readFileSync(join(root, "src/package.json"), "utf8")) as { version: string }).version;

/** What npm would bring from its registry; tslab stays out, for it is optional. */
const DEPENDENCIES = [
  "acorn",
  "ajv",
  "dejavu-fonts-ttf",
  "@resvg",
  "fast-deep-equal",
  "fast-uri",
  "json-schema-traverse",
];

beforeAll(() => {
  execFileSync(process.execPath, ["src/node/release/package.mjs"], { cwd: root, stdio: "ignore" });
  mkdirSync(installed, { recursive: true });
  const archive = join(root, `out/warplab-${version}.tgz`);
  execFileSync("tar", ["-xzf", archive, "-C", installed, "--strip-components=1"]);
  for (const name of DEPENDENCIES) {
    if (existsSync(join(root, "node_modules", name))) {
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    }
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Node in the folder of a user who has no clone. */
function node(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
}

test("the archive runs the example of its README in an empty folder", () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(installed, "README.md"), "utf8"))!;
  writeFileSync(join(folder, "example.mjs"), example!);
  expect(node("example.mjs")).toMatch(/^2 0\.\d+ \d+\n$/);
});

test("the archive brings the command, the exercises and the published tables", () => {
  writeFileSync(
    join(folder, "course.mjs"),
    'import { exerciseIds, exercise, publishedTable } from "warplab";\nconsole.log(exerciseIds().length, exercise("lab-28").id, publishedTable("lab-28").id);',
  );
  const labs = readdirSync(join(root, "labs")).filter((id) => existsSync(join(root, "labs", id, "exercise.json")));
  expect(node("course.mjs")).toBe(`${labs.length} lab-28 lab-28\n`);
  expect(node(join(installed, "node/commands/warplab.mjs"), "nvprof", "example.mjs")).toContain("double");
});

test("an entry point gives the same objects as the whole package, and the course finds its files alone", () => {
  writeFileSync(
    join(folder, "parts.mjs"),
    `import { publishedTable } from "warplab/course";
import * as show from "warplab/show";
import * as profile from "warplab/profile";
import * as sanitize from "warplab/sanitize";
console.log(publishedTable("lab-28").id);
const whole = await import("warplab");
for (const part of [show, profile, sanitize]) {
  const names = Object.keys(part);
  console.log(names.length > 0 && names.every((name) => whole[name] === part[name]));
}`,
  );
  expect(node("parts.mjs")).toBe("lab-28\ntrue\ntrue\ntrue\n");
});

test("without tslab a TypeScript program is refused with what to install", () => {
  writeFileSync(join(folder, "program.ts"), "const one: number = 1;");
  const run = (): string => node(join(installed, "node/commands/warplab.mjs"), "nvprof", "program.ts");
  expect(run).toThrow(/npm install tslab/);
});
