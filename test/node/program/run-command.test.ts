import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCudaProgram } from "../../../src/dist/node/commands/program/run-command.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "warplab-command-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it("stops a program whose host does not end", async () => {
  const file = written("loop.cu", "int main() { volatile int x = 1; while (x) x = x + 2; }");
  expect(await runCudaProgram(["--device", "v100", "--time-limit", "1", file])).toBe(124);
});

it("takes the source files behind the first for parts of the program, and the rest, or what follows --, for its arguments", async () => {
  const main = written("main.cu", "int more();\nint main(int count, char**) { return 10 * count + more(); }");
  const other = written("other.cpp", "int more() { return 3; }");
  expect(await runCudaProgram([main, other, "5", main])).toBe(33);
  expect(await runCudaProgram([main, other, "--", main])).toBe(23);
});
