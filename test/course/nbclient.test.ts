/** Notebooks through Jupyter's own client, where there is one; see test/DEVIATIONS.md for where there is none. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Notebook, readNotebook } from "../../src/course/notebook.js";
import { runNotebook } from "../../src/course/notebook-runner.js";

const root = join(import.meta.dirname, "../..");
// Debian's packages belong to its own Python, which need not be the first on the PATH.
const pythons = ["/usr/bin/python3", "python3"];
const python = pythons.find((each) => spawnSync(each, ["-c", "import nbclient, jupyter_client"]).status === 0);
const passesOver = "nbclient is not installed here (Debian: apt-get install python3-nbclient): see test/DEVIATIONS.md";

const EXECUTE = `
import sys, nbclient, nbformat
source, target, folder, allow_errors = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="tslab", allow_errors=allow_errors == "yes",
                                 resources={"metadata": {"path": folder}})
client.execute()
nbformat.write(notebook, target)
`;

const out = mkdtempSync(join(tmpdir(), "warplab-nbclient-"));
afterAll(() => rmSync(out, { recursive: true }));

/** Runs a notebook with nbclient and the project's kernel; its text when that fails. */
function execute(
  folder: string,
  name: string,
  allowErrors: boolean,
): { readonly notebook?: Notebook; readonly error: string } {
  const target = join(out, name);
  const run = spawnSync(python ?? "", ["-c", EXECUTE, join(folder, name), target, folder, allowErrors ? "yes" : "no"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, JUPYTER_PATH: join(root, "src/course/jupyter") },
  });
  return run.status === 0 ? { notebook: readNotebook(target), error: "" } : { error: run.stderr };
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

  test.each(["sample.ipynb", "failures.ipynb"])(
    "gets the same outputs of %s as the run with Node alone",
    async (name) => {
      const jupyter = execute(fixtures, name, true);
      expect(jupyter.error).toBe("");
      const { notebook } = await runNotebook(join(fixtures, name), { allowErrors: true });
      expect(outputsOf(jupyter.notebook)).toEqual(outputsOf(notebook));
    },
  );

  test("stops at the cell that fails, with the error's name and value", () => {
    const { error } = execute(fixtures, "failures.ipynb", false);
    expect(error).toContain("CellExecutionError");
    expect(error).toContain("RangeError: negative: -3");
  });

  const notebooks = readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"));
  for (const name of notebooks) {
    test(`runs notebooks/${name} without an error`, () => {
      expect(execute(join(root, "notebooks"), name, false).error).toBe("");
    });
  }
});
