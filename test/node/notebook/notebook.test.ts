import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import { expectsError, notebookText } from "../../../src/course/notebook/notebook.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { notebookPage } from "../../../src/node/site/notebook-page.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-notebook-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): ReturnType<typeof readNotebook> {
  const path = join(folder, "n.ipynb");
  writeFileSync(path, text);
  return readNotebook(path);
}

test("a kept notebook is written as it was read", () => {
  const path = join(import.meta.dirname, "../../../notebooks/lab-25-interleaved-addressing.ipynb");
  expect(notebookText(readNotebook(path))).toBe(readFileSync(path, "utf8"));
});

test("a notebook whose fields are missing or null is read, and makes a page", () => {
  const cells = [
    { cell_type: "code", id: "a", source: "1", outputs: null, execution_count: null },
    {
      cell_type: "code",
      source: null,
      outputs: [null, { output_type: "stream", text: ["x"] }, { output_type: "error" }],
    },
    { cell_type: "code", metadata: null, outputs: [{ output_type: "display_data", data: null }] },
    { cell_type: "markdown", metadata: [], source: ["# Title\n", "text"], id: 5 },
  ];
  const notebook = read(JSON.stringify({ nbformat: 4, cells }));
  expect(notebook.metadata).toEqual({});
  expect(notebook.cells.map(({ metadata }) => metadata)).toEqual([{}, {}, {}, {}]);
  expect(notebook.cells.map(expectsError)).toEqual([false, false, false, false]);
  expect(notebook.cells[1]).toMatchObject({
    outputs: [
      { output_type: "stream", name: "stdout", text: "x" },
      { output_type: "error", ename: "", evalue: "", traceback: [] },
    ],
  });
  expect(notebookPage(notebook, "n", {})).toContain("<h1");
});

test.each([
  ["text", "cannot be read as a notebook"],
  ["null", "is not a notebook of nbformat 4"],
  ['{"nbformat":3,"worksheets":[]}', "is not a notebook of nbformat 4"],
  ['{"nbformat":4,"cells":{}}', "is not a notebook of nbformat 4"],
  ['{"nbformat":4,"cells":[null]}', "cell 1 is no code, markdown or raw cell"],
  ['{"nbformat":4,"cells":[{"cell_type":"heading"}]}', "cell 1 is no code, markdown or raw cell"],
])("%s is refused in a sentence", (text, why) => {
  expect(() => read(text)).toThrow(InputError);
  expect(() => read(text)).toThrow(why);
});
