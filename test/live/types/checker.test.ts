/** Types of cells, as an editor on a page shows them. */
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TypeChecker } from "../../../src/live/types/checker.js";
import { typeFiles } from "../../../src/node/live/type-files.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { inCourseOrder } from "../../../src/node/site/site.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const course = join(root, "notebooks");
const checker = new TypeChecker(typeFiles(realpathSync(join(root, "src/dist"))));

test("of every page's cells have nothing to object to", () => {
  for (const name of inCourseOrder(course)) {
    const { cells } = readNotebook(join(course, `${name}.ipynb`));
    const texts = cells.filter(({ cell_type }) => cell_type === "code").map(({ source }) => source);
    expect([name, checker.marks(texts).flat()]).toEqual([name, []]);
  }
});

test("are those of the cells above, of which the last to declare a name counts", () => {
  const texts = [
    "let a = 1;",
    'let a = "text";\na.length',
    "a.missing",
    'import { Gpu } from "warplab";',
    "new Gpu(7);",
  ];
  const [first, second, third, fourth, fifth] = checker.marks(texts);
  expect([first, second, fourth]).toEqual([[], [], []]);
  const what = "Property 'missing' does not exist on type 'string'.";
  expect(third).toEqual([{ from: 2, to: 9, line: 1, what }]);
  expect(fifth?.map(({ line, from }) => [line, from])).toEqual([[1, 8]]);
});

test("tell the members behind a dot, and the declaration of a name", () => {
  const texts = ['import { Gpu } from "warplab";\nconst gpu = new Gpu("v100");', "gpu."];
  const names = checker.members(texts, 1, 4).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["launch", "upload", "alloc"]));
  expect(names).not.toContain("console");
  expect(checker.typeAt(texts, 0, texts[0]!.indexOf("gpu"))).toBe("const gpu: Gpu");
});
