/** Programs that start others, and are ended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { isRunning } from "../is-running.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-children-"));
afterAll(() => rmSync(folder, { recursive: true }));

const setup = join(import.meta.dirname, "../../../src/node/setup");

// The child starts one of its own, which ignores that its parent ends.
const PROGRAM = `
import { startChild } from ${JSON.stringify(pathToFileURL(join(setup, "children.mjs")).href)};
import { withLock } from ${JSON.stringify(pathToFileURL(join(setup, "lock.mjs")).href)};
const child = startChild("sh", ["-c", "sleep 86400 & echo $! $$; wait"], { stdio: ["ignore", "inherit", "inherit"] });
await withLock(process.argv[2], () => new Promise(() => {}));`;

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s to a command ends it by that signal, with its children, theirs, and its locks",
  async (signal) => {
    const [program, lock] = [join(folder, "program.mjs"), join(folder, `${signal}.lock`)];
    writeFileSync(program, PROGRAM);
    const command = spawn(process.execPath, [program, lock], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    command.stdout.on("data", (chunk) => {
      text += chunk;
    });
    while (!(text.includes("\n") && existsSync(lock))) await sleep(20);
    const pids = text.trim().split(" ").map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    command.kill(signal);
    expect(await once(command, "exit")).toEqual([null, signal]);
    while (pids.some(isRunning)) await sleep(20);
    expect(existsSync(lock)).toBe(false);
  },
);
