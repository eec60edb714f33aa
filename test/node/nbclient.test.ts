/**
 * Notebooks through Jupyter's own client, where there is one; see test/DEVIATIONS.md for where there is none. It
 * runs the shortest notebook of the course, or all of them with WARPLAB_NOTEBOOKS=all, as .ci/run does.
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { Notebook } from "../../src/course/notebook/notebook.js";
import { readNotebook } from "../../src/node/notebook/notebook.js";
import { failuresToTheirEnd, goodCourse } from "./course-run.js";

const root = join(import.meta.dirname, "../..");
// Debian's packages belong to its own Python, which need not be the first on the PATH.
const pythons = ["/usr/bin/python3", "python3"];
const python = pythons.find((each) => spawnSync(each, ["-c", "import nbclient, jupyter_client"]).status === 0);
const passesOver = "nbclient is not installed here (Debian: apt-get install python3-nbclient): see test/DEVIATIONS.md";

/** Ends with this process, as its kernel then does. */
const EXECUTE = `
import os, sys, threading, time, nbclient, nbformat
parent = os.getppid()
def watch():
    while os.getppid() == parent: time.sleep(0.5)
    os._exit(1)
threading.Thread(target=watch, daemon=True).start()
source, target, folder, allow_errors = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
client = nbclient.NotebookClient(notebook, timeout=None, kernel_name="tslab", allow_errors=allow_errors == "yes",
                                 resources={"metadata": {"path": folder}})
client.execute()
nbformat.write(notebook, target)
`;

const out = mkdtempSync(join(tmpdir(), "warplab-nbclient-"));
afterAll(() => rmSync(out, { recursive: true }));

/** Runs a notebook with nbclient and the project's kernel; its text when that fails. `signal`: of the test's end. */
async function execute(
  folder: string,
  name: string,
  allowErrors: boolean,
  signal: AbortSignal,
): Promise<{ readonly notebook?: Notebook; readonly error: string }> {
  const target = join(out, name);
  const args = ["-c", EXECUTE, join(folder, name), target, folder, allowErrors ? "yes" : "no"];
  const env = { ...process.env, JUPYTER_PATH: join(root, "src/node/jupyter") };
  try {
    await promisify(execFile)(python ?? "", args, { cwd: folder, env, signal, maxBuffer: 2 ** 26 });
    return { notebook: readNotebook(target), error: "" };
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    return { error: stderr || message };
  }
}

function outputsOf(notebook: Notebook | undefined): unknown {
  return notebook?.cells.map((cell) => (cell.cell_type === "code" ? [cell.execution_count, cell.outputs] : []));
}

if (python === undefined) {
  console.log(`Passing over the tests with Jupyter's own client: ${passesOver}`);
  test("Jupyter's own client is passed over, and the reason is written down", () => {
    expect(readFileSync(join(root, "test/DEVIATIONS.md"), "utf8")).toContain("nbclient");
  });
}

// Without an own client there is nothing to describe: skipped tests would say less than the test above.
const describeIfInstalled = python === undefined ? (): void => {} : describe;

describeIfInstalled("Jupyter's own client with the project's kernel", () => {
  const fixtures = join(import.meta.dirname, "fixtures");

  test("gets the same outputs of sample.ipynb as the run with Node alone", async ({ signal }) => {
    const jupyter = await execute(fixtures, "sample.ipynb", true, signal);
    expect(jupyter.error).toBe("");
    const written = join((await goodCourse()).root, "out/notebooks/sample.ipynb");
    expect(outputsOf(jupyter.notebook)).toEqual(outputsOf(readNotebook(written)));
  });

  test("gets the same outputs of failures.ipynb, run to its end, as the run with Node alone", async ({ signal }) => {
    const jupyter = await execute(fixtures, "failures.ipynb", true, signal);
    expect(jupyter.error).toBe("");
    expect(outputsOf(jupyter.notebook)).toEqual(outputsOf((await failuresToTheirEnd()).notebook));
  });

  test("stops at the cell that fails, with the error's name and value", async ({ signal }) => {
    const { error } = await execute(fixtures, "failures.ipynb", false, signal);
    expect(error).toContain("CellExecutionError");
    expect(error).toContain("RangeError: negative: -3");
  });

  const course = join(root, "notebooks");
  const length = (name: string): number =>
    readNotebook(join(course, name)).cells.reduce((sum, { source }) => sum + source.length, 0);
  const names = readdirSync(course).filter((name) => name.endsWith(".ipynb"));
  const shortest = [...names].sort((a, b) => length(a) - length(b)).slice(0, 1);
  test.for(process.env.WARPLAB_NOTEBOOKS === "all" ? names : shortest)(
    "runs notebooks/%s without an error",
    async (name, { signal }) => {
      expect((await execute(course, name, false, signal)).error).toBe("");
    },
  );
});
