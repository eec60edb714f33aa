import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { type CodeCell, type Notebook, notebookText } from "../../../src/course/notebook/notebook.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { runNotebook } from "../../../src/node/notebook/notebook-runner.js";
import { failingCourse, failuresToTheirEnd, fixture, goodCourse } from "../course-run.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-runner-"));
afterAll(() => rmSync(folder, { recursive: true }));

function codeCells({ notebook }: { readonly notebook: Notebook }): CodeCell[] {
  return notebook.cells.filter((cell) => cell.cell_type === "code");
}

/** A notebook file of these code cells, outside of the course: nothing of it can be imported there. */
function notebookOf(...sources: string[]): string {
  const cells = sources.map((source, index) => {
    return { cell_type: "code", id: `c${index}`, metadata: {}, execution_count: null, outputs: [], source } as const;
  });
  const notebook: Notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
  const path = join(folder, `a b#${sources.length}-${sources.join().length}.ipynb`);
  writeFileSync(path, notebookText(notebook));
  return path;
}

/** A zombie has ended, too. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return existsSync(stat) && /\) Z /.test(readFileSync(stat, "utf8"));
  } catch {
    return true;
  }
}

describe("a kernel's error in a notebook", async () => {
  const run = await runNotebook(fixture("kernel-places"));
  const traceback = (cell: number): string => {
    const [output] = codeCells(run)[cell]?.outputs ?? [];
    return output?.output_type === "error" ? output.traceback.join("\n") : "";
  };

  test("at a launch names the line of the cell that holds the kernel, and the cell that launched it", () => {
    expect(traceback(2)).toContain("in kernel second, line 24 of cell [2]");
    expect(traceback(2)).toContain("24 |         a[tid + 100] = s[0];");
    expect(traceback(2).split("\n").at(-1)).toContain("in cell [3], line 2: gpu.launch(second,");
  });

  test("in its text names the line as the cell has it, comments and all", () => {
    expect(traceback(3)).toContain("in kernel bad, line 5 of cell [4]");
  });
});

describe("a notebook run with Node alone", async () => {
  // As `npm start` ran it and wrote it.
  const run = { notebook: readNotebook(join((await goodCourse()).root, "out/notebooks/sample.ipynb")) };
  const cells = codeCells(run);
  const outputs = cells.map((cell) => cell.outputs);

  test("numbers its cells in the order in which they ran", () => {
    expect(cells.map((cell) => cell.execution_count)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("has what a cell printed, and finds the package by its name", () => {
    expect(outputs[0]).toEqual([{ output_type: "stream", name: "stdout", text: "printed object\n" }]);
  });

  test("tells stderr and the value of the last expression from stdout", () => {
    expect(outputs[1]).toEqual([
      { output_type: "stream", name: "stderr", text: "warned\n" },
      { output_type: "execute_result", execution_count: 2, data: { "text/plain": "43" }, metadata: {} },
    ]);
  });

  test("waits for a promise at the top level", () => {
    expect(outputs[2]).toMatchObject([{ output_type: "execute_result", data: { "text/plain": "awaited" } }]);
  });

  test("has displays by their MIME type, the last state of one that a later cell updates", () => {
    expect(outputs[3]).toEqual([
      { output_type: "display_data", data: { "text/markdown": "**after**" }, metadata: {} },
      { output_type: "display_data", data: { "text/html": "<b>bold</b>" }, metadata: {} },
    ]);
    expect(outputs[4]).toEqual([]);
  });

  test("has a figure's bundle in all its forms", () => {
    const [display] = outputs[5] ?? [];
    const types = display?.output_type === "display_data" ? Object.keys(display.data) : [];
    expect(types).toEqual(["application/vnd.plotly.v1+json", "image/png", "text/plain"]);
  });

  test("keeps everything of the file that is not an output", () => {
    const before = readNotebook(fixture("sample"));
    const bare = (notebook: Notebook): unknown =>
      notebook.cells.map((cell) => ({ ...cell, outputs: [], execution_count: null }));
    expect(bare(run.notebook)).toEqual(bare(before));
    expect(run.notebook.metadata).toEqual(before.metadata);
  });
});

describe("a notebook with cells that fail, run to its end", async () => {
  const run = await failuresToTheirEnd();
  const errors = codeCells(run).map((cell) => cell.outputs.find((output) => output.output_type === "error"));

  test("reports each cell as it begins", () => {
    expect(run.seen).toEqual(["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"]);
  });

  test("names each failed cell by its place in the notebook", () => {
    expect(run.failed.map(({ cell }) => cell)).toEqual([2, 3, 4, 5, 6]);
  });

  test("says what was thrown, and the learner's own lines through the cells", () => {
    expect(errors[1]).toMatchObject({ ename: "RangeError", evalue: "negative: -3" });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the line that the learner wrote
    const line = "if (value < 0) throw new RangeError(`negative: ${value}`);";
    expect(errors[1]?.traceback).toEqual([
      "RangeError: negative: -3",
      `    in cell [1], line 3: ${line}`,
      "    in cell [2], line 6: checked(-3);",
    ]);
  });

  test("shows the line and the place that TypeScript objects to", () => {
    expect(errors[2]?.ename).toBe("TypeScriptError");
    expect(errors[2]?.traceback.join("\n")).toContain("2 | const s: string = n;\n  |       ^");
  });

  test("counts a promise that nobody waits for as the cell's failure", () => {
    expect(errors[3]).toMatchObject({ ename: "Error", evalue: "forgotten" });
  });

  test("keeps what a cell printed before it failed", () => {
    expect(codeCells(run)[4]?.outputs.map((output) => output.output_type)).toEqual(["stream", "error"]);
  });

  test("shows a thrown value that is no error", () => {
    expect(errors[4]).toMatchObject({ ename: "Thrown", evalue: "'a string'" });
  });
});

describe("a notebook run", () => {
  test("stops at the first cell that fails", async () => {
    const { root, said } = await failingCourse();
    const notebook = readNotebook(join(root, "out/notebooks/failures.ipynb"));
    expect(codeCells({ notebook }).map((cell) => cell.execution_count)).toEqual([1, 2, null, null, null, null]);
    expect(said.match(/failures\.ipynb, cell \d+ failed/g)).toEqual(["failures.ipynb, cell 2 failed"]);
  });

  test("goes on after a cell that is tagged to raise an exception, and does not count it as failed", async () => {
    const { root, said } = await goodCourse();
    const notebook = readNotebook(join(root, "out/notebooks/expected-failure.ipynb"));
    expect(codeCells({ notebook })[0]?.outputs).toMatchObject([{ output_type: "error", ename: "TypeError" }]);
    expect(codeCells({ notebook })[1]?.outputs).toMatchObject([{ data: { "text/plain": "went on" } }]);
    expect(said).not.toContain("failed");
  });

  test("survives a cell that ends the process, and keeps the outputs before it", async () => {
    const run = await runNotebook(fixture("exits"));
    expect(codeCells(run)[0]?.outputs).toMatchObject([{ text: "kept\n" }]);
    expect(run.failed).toMatchObject([{ cell: 2, failure: { ename: "KernelDied" } }]);
    expect(run.failed[0]?.failure.evalue).toContain("code 3");
  });

  test("ends a cell that never does, after the time that is allowed", async () => {
    // The time passes once the second cell has printed, however long the first one took.
    const printed = join(folder, "printed");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const onceItPrinted = (): void => {
        if (existsSync(printed)) vi.advanceTimersByTime(2000);
        else setImmediate(onceItPrinted);
      };
      const onCell = (position: number): void => {
        if (position === 2) onceItPrinted();
      };
      const source = `console.log("seen");
require("node:fs").writeFileSync(${JSON.stringify(printed)}, "");
for (;;) {}`;
      const run = await runNotebook(notebookOf("1", source), { cellLimitSeconds: 2, onCell });
      expect(run.failed).toMatchObject([{ cell: 2, failure: { ename: "KernelDied" } }]);
      expect(run.failed[0]?.failure.evalue).toContain("more than 2 s");
      expect(codeCells(run)[1]?.outputs).toMatchObject([{ text: "seen\n" }, { ename: "KernelDied" }]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("lets a cell's time begin before the cell is told", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const onCell = (): void => void vi.advanceTimersByTime(2000);
      const run = await runNotebook(notebookOf("await new Promise(() => {});"), { cellLimitSeconds: 2, onCell });
      expect(run.failed[0]?.failure.evalue).toContain("more than 2 s");
    } finally {
      vi.useRealTimers();
    }
  });

  test("keeps what a cell put out before it ended the process or hung, and its number", async () => {
    const run = await runNotebook(
      notebookOf('console.log("before");\n"value";', 'console.log("last");\nprocess.exit(0);'),
    );
    expect(codeCells(run)[1]).toMatchObject({
      execution_count: 2,
      outputs: [
        { output_type: "stream", text: "last\n" },
        { output_type: "error", ename: "KernelDied" },
      ],
    });
    expect(run.failed[0]?.failure.evalue).toContain("ended itself with code 0");
  });

  test("does not wait for a process that a cell leaves behind with its outputs open, and ends it", async () => {
    const source = `const child = require("node:child_process").spawn("sleep", ["86400"], { stdio: "inherit" });
console.log(child.pid);
child.unref();`;
    const run = await runNotebook(notebookOf(source));
    expect(run.failed).toEqual([]);
    const [output] = codeCells(run)[0]?.outputs ?? [];
    const pid = Number(output?.output_type === "stream" ? output.text : "");
    expect(pid).toBeGreaterThan(1);
    while (!hasEnded(pid)) await sleep(20);
  });

  test("takes no message of a cell for one of the runner: process.send is not there, and the descriptor asks for a word", async () => {
    const forged = '{ "kind": "done" }';
    const source = `const { writeSync } = require("node:fs");
console.log(typeof process.send);
for (const text of ['${forged}', 'word ${forged}', 'half a line']) writeSync(3, "\\n" + text);`;
    const run = await runNotebook(notebookOf(source, 'throw new Error("found");'));
    expect(codeCells(run)[0]?.outputs).toMatchObject([{ text: "undefined\n" }]);
    expect(run.failed).toMatchObject([{ cell: 2, failure: { evalue: "found" } }]);
  });

  test("ends a cell that puts out more than a page can hold", async () => {
    const source = 'const text = "x".repeat(2 ** 20);\nfor (;;) console.log(text);';
    const run = await runNotebook(notebookOf(source));
    expect(run.failed[0]?.failure.evalue).toContain("more than 64 MiB were put out");
    expect(codeCells(run)[0]?.outputs.at(-1)?.output_type).toBe("error");
  });

  test("shows what a process that is killed wrote past the notebook, as Node does when memory runs out", async () => {
    const write = 'require("node:fs").writeSync(2, "heap out of memory\\n");';
    const run = await runNotebook(
      notebookOf(`${write}\nprocess.kill(process.pid, "SIGKILL");\nawait new Promise(() => {});`),
    );
    expect(run.failed[0]?.failure.evalue).toContain("SIGKILL");
    expect(run.failed[0]?.failure.traceback).toContain("heap out of memory");
  });

  test("says where the package is not found how to get it", async () => {
    const run = await runNotebook(notebookOf('import { Gpu } from "warplab";\nnew Gpu();'));
    const said = run.failed[0]?.failure.traceback.join("\n");
    expect(said).toContain(`npm install "${realpathSync(join(import.meta.dirname, "../../../src"))}"`);
    expect(said).toContain("Open the notebook in the course's folder");
  });

  test("refuses a file that is no notebook, by its name", async () => {
    await expect(runNotebook(join(import.meta.dirname, "notebook-runner.test.ts"))).rejects.toThrow(
      /notebook-runner\.test\.ts cannot be read as a notebook/,
    );
  });
});
