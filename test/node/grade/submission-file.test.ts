/** Files that are handed in may be anything: a link, a folder, a hundred megabytes, no text. */
import {
  chmodSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { gradeHere } from "../../../src/node/grade/grade.js";
import { Refused } from "../../../src/node/grade/refused.js";
import { readSubmission } from "../../../src/node/grade/submission-file.js";

const folder = mkdtempSync(join(tmpdir(), "submission-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array, bytes?: number): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  // A sparse file: it has a length, and takes no room.
  if (bytes !== undefined) ftruncateSync(openSync(path, "r+"), bytes);
  return path;
}

function refusal(path: string): string {
  try {
    readSubmission(path);
  } catch (problem) {
    expect(problem).toBeInstanceOf(Refused);
    return (problem as Refused).message;
  }
  throw new Error("the file was not refused");
}

it("reads a file's text, whatever its folder", () => {
  expect(readSubmission(file("mine.ts", "const a = 1;\n"))).toEqual({
    kind: "file",
    name: "mine.ts",
    text: "const a = 1;\n",
  });
});

it("refuses links, folders, files that are not there, and other kinds of file", () => {
  symlinkSync(file("real.ts", "const a = 1;"), join(folder, "link.ts"));
  mkdirSync(join(folder, "folder.ts"));
  expect(refusal(join(folder, "link.ts"))).toMatch(
    /link\.ts is a link to another file\. Cure: Hand in the file itself/,
  );
  expect(refusal(join(folder, "folder.ts"))).toMatch(/folder\.ts is no file/);
  expect(refusal(join(folder, "none.ts"))).toMatch(/There is no file .*none\.ts/);
  expect(refusal(file("mine.js", "x"))).toMatch(/neither a TypeScript file nor a notebook/);
});

it("refuses files and notebooks of 100 MB, and says what is read", () => {
  expect(refusal(file("large.ts", "", 100 * 10 ** 6))).toMatch(/has 95\.4 MiB; 256 KiB are read/);
  expect(refusal(file("large.ipynb", "", 100 * 10 ** 6))).toMatch(
    /has 95\.4 MiB; 64\.0 MiB are read.*Clear the notebook's/,
  );
});

it("refuses a file that the reader has no permission for", () => {
  const path = file("secret.ts", "x");
  chmodSync(path, 0);
  // A superuser may read all: it is nobody for a moment.
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, 0o755);
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(refusal(path)).toMatch(/secret\.ts cannot be read: the permission to read it is missing/);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

it("refuses bytes that are no text", () => {
  expect(refusal(file("latin.ts", new Uint8Array([0x2f, 0x2f, 0xe4])))).toMatch(/no text in UTF-8/);
  expect(refusal(file("binary.ts", "a\0b"))).toMatch(/no text in UTF-8/);
});

it("refuses what is nested more deeply than it can be read", () => {
  const deep = Array.from({ length: 100 }, () => "(".repeat(900)).join("\n");
  const grade = gradeHere({ exercise: "lab-28", path: file("deep.ts", `const a = ${deep}`), seed: 1 });
  expect(grade).toMatchObject({ kind: "refused", what: expect.stringContaining("nested too deeply") });
});
