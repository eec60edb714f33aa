import { describe, expect, test } from "vitest";
import type { Cell, MimeBundle, Notebook, Output } from "../../../src/course/notebook/notebook.js";
import { changedOutputs } from "../../../src/node/notebook/kept-outputs.js";

function notebook(...outputs: (readonly Output[] | null)[]): Notebook {
  const cells = outputs.map(
    (each, index): Cell => ({
      cell_type: "code",
      id: `cell-${index + 1}`,
      metadata: {},
      source: "run()",
      execution_count: each === null ? null : index + 1,
      outputs: each ?? [],
    }),
  );
  return { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
}
const printed = (text: string): Output => ({ output_type: "stream", name: "stdout", text });
const shown = (data: MimeBundle): Output => ({ output_type: "display_data", data, metadata: {} });

describe("kept outputs", () => {
  test("are those of a run that puts out the same", () => {
    const same = [printed("sum 3\n"), shown({ "text/plain": "a", "text/html": "<b>" })];
    expect(changedOutputs(notebook(same), notebook(same))).toEqual([]);
  });

  test("differ by a line that is named", () => {
    expect(changedOutputs(notebook([], [printed("sum\n3\n")]), notebook([], [printed("sum\n4\n")]))).toEqual([
      'cell 2 (cell-2): output 1: "3" is now "4"',
    ]);
    expect(changedOutputs(notebook([printed("a\n")]), notebook([printed("a\nb\n")]))).toEqual([
      'cell 1 (cell-1): output 1: "" is now "b"',
    ]);
  });

  test("differ by a figure whose text is the same, but not by its pixels or by a check's seed", () => {
    const figure = (y: number, png: string): Output =>
      shown({ "text/plain": "times", "image/png": png, "application/vnd.plotly.v1+json": { data: [{ y: [y] }] } });
    expect(changedOutputs(notebook([figure(1, "AA")]), notebook([figure(1, "BB")]))).toEqual([]);
    expect(changedOutputs(notebook([figure(1, "AA")]), notebook([figure(2, "AA")]))).toHaveLength(1);
    const note = (seed: number): Output => shown({ "text/plain": `{ seed: ${seed} } repeats these` });
    expect(changedOutputs(notebook([note(7)]), notebook([note(8)]))).toEqual([]);
  });

  test("are missing, or a cell's run is", () => {
    expect(changedOutputs(notebook(null), notebook([]))).toEqual(["cell 1 (cell-1): has no outputs of a run"]);
    expect(changedOutputs(notebook([]), notebook(null))).toEqual(["cell 1 (cell-1): was not run"]);
    expect(changedOutputs(notebook([]), notebook([printed("x")]))).toEqual([
      "cell 1 (cell-1): puts out 1 things instead of 0",
    ]);
  });
});
