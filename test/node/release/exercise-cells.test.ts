/** nbgrader's metadata of the pages. Source of the expected checksums: `compute_checksum` of nbgrader 0.9.5, run on such cells. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { exerciseIds } from "../../../src/course/exercises/exercise.js";
import type { CodeCell, Notebook } from "../../../src/course/notebook/notebook.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { checkSource, exerciseCells, withExerciseCells } from "../../../src/node/release/exercise-cells.js";
import { nbgraderCell, nbgraderChecksum } from "../../../src/node/release/nbgrader-cell.js";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "notebooks");
const pages = readdirSync(folder).filter((name) => name.endsWith(".ipynb"));

interface Metadata {
  readonly grade: boolean;
  readonly grade_id: string;
  readonly points?: number;
}

const nbgraderOf = (notebook: Notebook): readonly (readonly [Metadata, CodeCell])[] =>
  notebook.cells.flatMap((cell) =>
    "nbgrader" in cell.metadata ? [[cell.metadata.nbgrader as Metadata, cell as CodeCell] as const] : [],
  );

function code(source: string, parts: Partial<CodeCell> = {}): CodeCell {
  return { cell_type: "code", id: "c1", metadata: {}, source, execution_count: 3, outputs: [], ...parts };
}

const notebook = (...cells: readonly CodeCell[]): Notebook => ({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
const text = (line: string): CodeCell["outputs"][number] => ({ output_type: "stream", name: "stdout", text: line });

describe("nbgrader's checksum", () => {
  it("is what nbgrader computes, of points as Python writes them and of text as UTF-8", () => {
    const source = 'const a = "ä";\nverdict.points;';
    const sum = (points: number): string => nbgraderChecksum(source, { kind: "check", gradeId: "x-check", points });
    expect(sum(2.5)).toBe("5ff1ee3959ae35407a030df9a6ebbecd");
    expect(sum(10)).toBe("e32eab8a34dd07127f969eb96784de45");
    expect(nbgraderChecksum(source, { kind: "answer", gradeId: "x-answer" })).toBe("d4311d0b12ab56318dff7781fec75485");
  });

  it("stands with the fields of schema 3, beside a cell's other metadata", () => {
    const cell = nbgraderCell(code("1", { metadata: { tags: ["a"] } }), { kind: "check", gradeId: "x", points: 3 });
    expect(cell.metadata).toEqual({
      tags: ["a"],
      nbgrader: {
        cell_type: "code",
        checksum: expect.stringMatching(/^[0-9a-f]{32}$/),
        grade: true,
        grade_id: "x",
        locked: true,
        points: 3,
        schema_version: 3,
        solution: false,
        task: false,
      },
    });
  });
});

describe.each(pages)("%s", (name) => {
  const page = readNotebook(join(folder, name));
  const id = exerciseIds().find((each) => name.startsWith(`${each}-`)) ?? "none";

  it("is kept with the metadata that its exercise's data ask for, checksums included", () => {
    expect(withExerciseCells(page)).toEqual(page);
  });

  it("has one answer and one check, side by side, with unique ids and the points of exercise.json", () => {
    const found = nbgraderOf(page);
    const { checks } = JSON.parse(readFileSync(join(root, "labs", id, "exercise.json"), "utf8")) as {
      readonly checks: readonly { readonly points: number }[];
    };
    const points = checks.reduce((sum, check) => sum + check.points, 0);
    expect(found.map(([{ grade, grade_id, points: given }]) => [grade, grade_id, given])).toEqual([
      [false, `${id}-answer`, undefined],
      [true, `${id}-check`, points],
    ]);
    expect(page.cells.indexOf(found[1]![1])).toBe(page.cells.indexOf(found[0]![1]) + 1);
    expect(new Set(page.cells.map((cell) => cell.id)).size).toBe(page.cells.length);
  });

  it("shows in its check the verdict, and as its value the points that nbgrader reads", () => {
    const [, check] = nbgraderOf(page)[1]!;
    const [shown, result, ...others] = check.outputs;
    expect([shown?.output_type, result?.output_type, others]).toEqual(["display_data", "execute_result", []]);
    const points = Number(result !== undefined && "data" in result ? result.data["text/plain"] : "none");
    const verdict = String(shown !== undefined && "data" in shown ? shown.data["text/plain"] : "");
    expect(verdict).toContain(`: ${points} of ${nbgraderOf(page)[1]![0].points} points`);
  });
});

describe("a cell with answer and check in one", () => {
  const one = [
    'import { checkExercise, min, verdictTable } from "warplab";',
    "",
    "// Not yet right.",
    'const answer = kernel("answer", {}, () => {});',
    "display(answer.toCuda());",
    'display(verdictTable(checkExercise("lab-28", answer)));',
  ].join("\n");

  it("is divided: the answer keeps the cell's id, the check takes its last output, other cells stay", () => {
    const before = code("1 + 1");
    const combined = code(one, { id: "c7", outputs: [text("cuda"), text("verdict")] });
    const { cells } = withExerciseCells(notebook(before, combined, code("2 + 2")));
    expect(cells).toHaveLength(4);
    expect([cells[0], cells[3]]).toEqual([before, code("2 + 2")]);
    expect(cells[1]).toMatchObject({ id: "c7", outputs: [text("cuda")], execution_count: 3 });
    expect(cells[1]?.source).toBe(
      'import { min } from "warplab";\n\n// Not yet right.\nconst answer = kernel("answer", {}, () => {});\ndisplay(answer.toCuda());',
    );
    expect(cells[2]).toMatchObject({ id: "c7-check", outputs: [text("verdict")], source: checkSource("lab-28") });
    expect(withExerciseCells(notebook(...(cells as CodeCell[])))).toEqual(notebook(...(cells as CodeCell[])));
  });

  it("needs an answer before its check, and one check only", () => {
    expect(() => withExerciseCells(notebook(code(checkSource("lab-28"))))).toThrow(/no cell with the answer/);
    const [check, answer] = [code(checkSource("lab-28")), code("const answer = 1;")];
    expect(() => withExerciseCells(notebook(answer, check, check))).toThrow(/twice/);
  });
});

test("a notebook without an exercise, or with one that the course does not have, is left as it is", () => {
  const other = notebook(code("1 + 1"));
  expect(withExerciseCells(other)).toBe(other);
  expect(exerciseCells(other)).toBeNull();
  const unknown = notebook(code("const answer = 1;"), code(checkSource("lab-99")));
  expect(withExerciseCells(unknown)).toBe(unknown);
});
