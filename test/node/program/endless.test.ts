import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCudaProgram } from "../../../src/dist/node/commands/program/run-command.js";

it("stops a program whose host does not end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "warplab-endless-"));
  try {
    const file = join(folder, "loop.cu");
    writeFileSync(file, "int main() { volatile int x = 1; while (x) x = x + 2; }");
    expect(await runCudaProgram(["--device", "v100", "--time-limit", "1", file])).toBe(124);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
