/**
 * The released notebook under nbgrader's rules: its kernel by name, in a folder outside the course, and the points that
 * nbgrader counts with the shipped settings. Jupyter's own client runs it, where there is one.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { exerciseIds } from "../../../src/course/exercises/exercise.js";
import type { CodeCell, Notebook, Output } from "../../../src/course/notebook/notebook.js";
import { installKernel } from "../../../src/node/jupyter/install-kernel.js";
import { checkSource } from "../../../src/node/release/exercise-cells.js";
import { releaseFiles } from "../../../src/node/release/release-command.js";

const root = join(import.meta.dirname, "../../..");
const pythons = ["/usr/bin/python3", "python3"];
const python = pythons.find((each) => spawnSync(each, ["-c", "import nbclient, jupyter_client"]).status === 0);

const folder = mkdtempSync(join(tmpdir(), "warplab-nbgrader-"));
afterAll(() => rmSync(folder, { recursive: true }));

const EXECUTE = `
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(notebook, timeout=200, allow_errors=True, resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[1])
`;

interface Graded {
  readonly real: boolean;
  readonly points: readonly (readonly [number | null, number | null])[];
  readonly releases: readonly string[];
  readonly steps: readonly string[];
}

function graded(cells: readonly object[], sources: readonly string[]): Graded {
  const input = JSON.stringify({ config: join(root, "labs/teaching/nbgrader_config.py"), cells, sources });
  const text = execFileSync(python ?? "", [join(import.meta.dirname, "grade_cells.py")], { input, encoding: "utf8" });
  return JSON.parse(text) as Graded;
}

const POINTS = 10;

function checkCell(outputs: readonly Output[], more: object = {}, source: string = checkSource("lab-28")): object {
  const nbgrader = { grade: true, solution: false, locked: true, grade_id: "lab-28-check", points: POINTS };
  return { cell_type: "code", execution_count: 1, metadata: { nbgrader, ...more }, source, outputs };
}

const result = (text: string): Output => ({
  output_type: "execute_result",
  execution_count: 1,
  data: { "text/plain": text },
  metadata: {},
});
const table: Output = { output_type: "display_data", data: { "text/plain": "table" }, metadata: {} };
const error: Output = { output_type: "error", ename: "TypeError", evalue: "no", traceback: [] };
const warning: Output = { output_type: "stream", name: "stderr", text: "a warning" };

const joined = (source: unknown): string => (Array.isArray(source) ? source.join("") : String(source));

function releasedPage(step: "source" | "release", id: string): Notebook {
  const [text = "{}"] = [...releaseFiles(id)].flatMap(([path, each]) =>
    path.startsWith(step) && path.endsWith(".ipynb") ? [each] : [],
  );
  return JSON.parse(text) as Notebook;
}

function answerIn(notebook: Notebook): string {
  const isAnswer = ({ metadata }: Notebook["cells"][number]): boolean =>
    (metadata.nbgrader as { readonly solution?: boolean } | undefined)?.solution === true;
  return joined(notebook.cells.find(isAnswer)?.source);
}

if (python === undefined) {
  console.log("Passing over nbgrader's rules: nbclient is not installed here, see test/DEVIATIONS.md");
  test("nbgrader's rules are passed over, and the reason is written down", () => {
    expect(readFileSync(join(root, "test/DEVIATIONS.md"), "utf8")).toContain("nbclient");
  });
}
const describeIfInstalled = python === undefined ? (): void => {} : describe;

describeIfInstalled("nbgrader with the shipped settings", () => {
  it("runs a released page by its kernel's name, outside the course, to the starter's points", () => {
    const prefix = join(folder, "environment");
    installKernel({ prefix });
    const page = releasedPage("release", "lab-28");
    // The exercise needs the page's imports, not its figures.
    const code = page.cells.filter((cell): cell is CodeCell => cell.cell_type === "code");
    const imports = code.slice(0, -2).map((cell) => {
      const found = joined(cell.source).match(/^import \{.*?\} from "warplab";$/gms) ?? [];
      return { ...cell, source: found.join("\n") };
    });
    const path = join(folder, "student", "lab-28.ipynb");
    mkdirSync(join(folder, "student"));
    writeFileSync(path, JSON.stringify({ ...page, cells: [...imports, ...code.slice(-2)] }));
    execFileSync(python ?? "", ["-c", EXECUTE, path, join(folder, "student")], {
      env: { ...process.env, JUPYTER_PATH: join(prefix, "share/jupyter"), NBGRADER_EXECUTION: "autograde" },
    });
    const ran = JSON.parse(readFileSync(path, "utf8")) as Notebook;
    const check = ran.cells.at(-1) as CodeCell;
    expect(check.outputs.map(({ output_type }) => output_type)).toEqual(["display_data", "execute_result"]);
    const kept = JSON.parse(readFileSync(join(root, "notebooks/lab-28-last-warp-unrolled.ipynb"), "utf8")) as Notebook;
    const keptCheck = kept.cells.filter((cell) => cell.cell_type === "code").at(-1) as CodeCell;
    const keptResult = keptCheck.outputs[1];
    const wanted = Number(keptResult !== undefined && "data" in keptResult ? keptResult.data["text/plain"] : "none");
    expect(graded([{ ...check, source: joined(check.source) }], []).points).toEqual([[wanted, null]]);
  });

  it("counts 0 where the check has no number of points, which nbgrader alone would take for all of them", () => {
    const cases: readonly (readonly [string, object, number, number?])[] = [
      ["a verdict", checkCell([table, result("4.5")]), 4.5],
      ["all points", checkCell([table, result("10")]), 10],
      ["an error", checkCell([error]), 0],
      ["a warning on stderr", checkCell([warning, table, result("10")]), 0],
      ["never run", checkCell([], { unguarded: true }), 0, 10],
      ["cut off after its table", checkCell([table], { unguarded: true }), 0, 10],
      ["not a number", checkCell([result("nan")], { unguarded: true }), 0, 10],
      ["below nothing", checkCell([result("-1")], { unguarded: true }), 0, 10],
      ["a text", checkCell([result("all")], { unguarded: true }), 0, 10],
      ["more than there are", checkCell([result("11")]), 0],
      ["infinite", checkCell([result("inf")]), 0],
      ["a teacher's own check without a result", checkCell([], {}, "assert(answer > 3)"), 10],
    ];
    const { points } = graded(
      cases.map(([, cell]) => cell),
      [],
    );
    expect(points.map(([given, alone], at) => [cases[at]?.[0], given, alone])).toEqual(
      cases.map(([name, , given, alone = null]) => [name, given, alone]),
    );
  });

  it("looks for the verdict right after the cells have run, and leaves each starter as npm run release does", () => {
    const ids = exerciseIds();
    const { releases, steps } = graded(
      [],
      ids.map((id) => answerIn(releasedPage("source", id))),
    );
    expect(releases).toEqual(ids.map((id) => answerIn(releasedPage("release", id))));
    expect(steps.slice(0, 2)).toEqual(["ExecuteToTheEnd", "RequireVerdict"]);
  });
});
