import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { isRunning } from "./is-running.js";

const dist = join(import.meta.dirname, "../../src/dist/node");
const folder = mkdtempSync(join(tmpdir(), "warplab-parents-"));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The number that a program prints first. */
async function printed({ stdout }: ChildProcess): Promise<number> {
  let text = "";
  for await (const chunk of stdout ?? []) {
    text += chunk;
    if (text.includes("\n")) return Number(text);
  }
  throw new Error("The program printed nothing.");
}

/** A program that starts another one, prints that one's process when it begins, and waits for ever. */
function parentOf(child: string, ...args: string[]): ChildProcess {
  const text = `
    const stdio = ["ignore", "inherit", "inherit", "pipe"];
    const child = require("node:child_process").spawn(process.execPath, ${JSON.stringify([child, ...args])}, { stdio });
    child.stdio[3].write("word\\n");
    child.stdio[3].on("data", (text) => { if (String(text).includes("begin")) console.log(child.pid); });
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, [program("parent.cjs", text)], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Kills the parent alone and waits for its child's end; the test's own limit ends the wait. */
async function endsWithItsParent(parent: ChildProcess): Promise<void> {
  const child = await printed(parent);
  expect(isRunning(child)).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  while (isRunning(child)) await sleep(50);
}

describe("a process that ends with its parent", () => {
  it("does so when the parent is killed, though a loop keeps it busy for ever", async () => {
    const watch = pathToFileURL(join(dist, "parent-watch.js")).href;
    const text = `
      import { writeSync } from "node:fs";
      import { endWithParent } from ${JSON.stringify(watch)};
      endWithParent();
      writeSync(3, "begin");
      for (;;);`;
    await endsWithItsParent(parentOf(program("busy.mjs", text)));
  });

  it("is the one that runs a notebook, in a cell that never ends", async () => {
    const source = "for (;;) {}";
    const cell = { cell_type: "code", id: "a", metadata: {}, execution_count: null, outputs: [], source };
    const notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] };
    const file = program("endless.ipynb", JSON.stringify(notebook));
    await endsWithItsParent(parentOf(join(dist, "notebook/notebook-child.js"), file));
  });
});
