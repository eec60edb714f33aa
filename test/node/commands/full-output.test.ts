/** A command whose output has no room ends with a sentence. Linux has a file that is always full. */
import { spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { expect, it } from "vitest";

it.skipIf(!existsSync("/dev/full"))(
  "A command with a full disk behind its output says so in one line, and fails",
  () => {
    const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
    const { status, stderr } = spawnSync(process.execPath, ["src/node/commands/tables.mjs", "--help"], {
      stdio: [...stdio],
      encoding: "utf8",
    });
    expect(stderr.trim().split("\n").at(-1)).toMatch(/^The disk is full: the command's output could not be written/);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(status).toBe(1);
  },
);
