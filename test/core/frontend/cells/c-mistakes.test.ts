/** Both places where cells run, tslab's notebooks and pages, answer a C programmer's mistakes before TypeScript does. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cForm } from "../../../../src/core/frontend/cells/c-forms.js";
import { NotebookOutputs } from "../../../../src/course/notebook/cell-outputs.js";
import { type Notebook, notebookText } from "../../../../src/course/notebook/notebook.js";
import { Session } from "../../../../src/live/cells/session.js";
import * as warplab from "../../../../src/live/index.js";
import { runNotebook } from "../../../../src/node/notebook/notebook-runner.js";
import { cellSites } from "../refusal-sites.js";
import { accepted, BEFORE, mistakes } from "./c-mistakes.js";

// Below the course, where a notebook finds the package.
const folder = mkdtempSync(join(import.meta.dirname, "../../../node/fixtures/c-mistakes-"));
afterAll(() => rmSync(folder, { recursive: true }));

const cells = [BEFORE, ...mistakes.flatMap(({ cell, cured }) => [cell, cured]), ...accepted.map(([, cell]) => cell)];

/** What each cell fails with, in a notebook; null where it ran to its end. */
async function inNotebook(): Promise<readonly (string | null)[]> {
  const notebook: Notebook = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: cells.map((source, index) => {
      return { cell_type: "code", id: `c${index}`, metadata: {}, execution_count: null, outputs: [], source } as const;
    }),
  };
  const path = join(folder, "mistakes.ipynb");
  writeFileSync(path, notebookText(notebook));
  const { failed } = await runNotebook(path, { allowErrors: true });
  const texts = new Map(failed.map(({ cell, failure }) => [cell - 1, failure.traceback.join("\n")]));
  return cells.map((_, index) => texts.get(index) ?? null);
}

/** The same on a page. */
async function onPage(): Promise<readonly (string | null)[]> {
  const session = new Session(new Map([["warplab", warplab]]));
  const outputs = new NotebookOutputs();
  const before = globalThis.console;
  globalThis.console = session.console as unknown as Console;
  try {
    const texts: (string | null)[] = [];
    for (const [index, source] of cells.entries()) {
      const failure = await session.run(source, index + 1, outputs.sink(index, index + 1));
      texts.push(failure === undefined ? null : failure.traceback.join("\n"));
    }
    return texts;
  } finally {
    globalThis.console = before;
  }
}

describe.each([
  ["a notebook", await inNotebook()],
  ["a page", await onPage()],
])("in %s", (_, failures) => {
  test("what the mistakes build on runs", () => expect(failures[0]).toBeNull());

  test.each(mistakes.map((mistake, index) => ({ ...mistake, index })))(
    "$name is told with its line and a cure, and the cure works",
    ({ index, cell, line, cure }) => {
      const text = failures[1 + 2 * index] ?? "";
      expect(text).toContain(cure);
      expect(text).not.toContain("TypeScript:");
      const quoted = cell.split("\n")[line - 1]?.trim() ?? "";
      // A line that TypeScript printed anew has its statements apart.
      expect(text).toMatch(/(?:line|cell) \[?\d+/);
      expect(text).toContain(quoted.slice(0, quoted.search(/[;{]/) + 1).trim());
      expect(failures[2 + 2 * index]).toBeNull();
    },
  );

  test.each(accepted.map(([name], index) => [name, index] as const))("%s is no mistake", (_name, index) => {
    expect(failures[1 + 2 * mistakes.length + index]).toBeNull();
  });
});

test("there are forty mistakes and more, and every form of C that is known is among them", () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(40);
  const cures = mistakes.flatMap(({ cell, cure }) => [cForm(cell)?.cure ?? "", cure]);
  const missing = cellSites().flatMap(({ firstLine, pieces }) =>
    pieces
      .filter((piece) => !cures.some((cure) => cure.includes(piece.trim())))
      .map((piece) => `${firstLine}: ${piece}`),
  );
  expect(missing).toEqual([]);
});
