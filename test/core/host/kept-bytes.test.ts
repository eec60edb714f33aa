/** A program that makes many kernels holds the texts of their names, and the programs of the latest. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const run = promisify(execFile);

async function keptBytes(kernels: number, names: "distinct" | "same", use: string): Promise<number> {
  const file = join(import.meta.dirname, "kept-bytes.mjs");
  const { stdout } = await run(process.execPath, ["--expose-gc", file, String(kernels), names, use]);
  return Number(stdout);
}

/** A kernel's text and its place take 3,000; a compiled kernel and its programs for two GPUs take 130,000. */
const BYTES_OF_A_KERNEL = 30_000;

describe("the bytes that stay after kernels", () => {
  test.each([
    ["distinct", "launch"],
    ["distinct", "child"],
  ] as const)("of %s names, each used by %s, do not grow with their number", async (names, use) => {
    const few = await keptBytes(40, names, use);
    const many = await keptBytes(90, names, use);
    expect((many - few) / 50).toBeLessThan(BYTES_OF_A_KERNEL);
  });
});
