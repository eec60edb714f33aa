/** The values of a cell that a reader changes by a field, a slider or a list, on texts as the pages have them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gpusOf, guessesOf, literalOf, predictionOf, sizesOf, withLiteral } from "../../../src/live/cells/literals.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";

const CELL = `import { predict } from "warplab";

const guess = predict({
  // neighbours against owners
  // over 2^24 ints
  timesAsFast: 1.0,
  divides: false,
  lanes: -3, // of 32
});`;

test("guesses have the comment above them as their question", () => {
  const found = guessesOf(CELL).map(({ name, question, value }) => [name, question, value]);
  expect(found).toEqual([
    ["timesAsFast", "neighbours against owners over 2^24 ints", 1],
    ["divides", "", false],
    ["lanes", "", -3],
  ]);
  expect(guessesOf("const other = predict(values);")).toEqual([]);
});

test("a new value changes its own place and no other", () => {
  const [first, second] = guessesOf(CELL);
  expect(withLiteral(CELL, first!, literalOf(2.5))).toBe(CELL.replace("1.0", "2.5"));
  expect(withLiteral(CELL, second!, literalOf(true))).toBe(CELL.replace("false", "true"));
});

test("each page's prediction is read whole, and one of its cells compares it", () => {
  const folder = join(import.meta.dirname, "../../../notebooks");
  const pages = readdirSync(folder).filter((file) => file.endsWith(".ipynb"));
  for (const page of pages) {
    const sources = readNotebook(join(folder, page)).cells.flatMap((cell) =>
      cell.cell_type === "code" ? [cell.source] : [],
    );
    const asks = sources.find((source) => predictionOf(source) !== null) ?? "";
    const names = [...asks.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    expect([page, guessesOf(asks).map(({ name }) => name)]).toEqual([page, names]);
    expect([page, names.length > 0]).toEqual([page, true]);
    expect([page, sources.some((source) => source.includes(`${predictionOf(asks)}.compare(`))]).toEqual([page, true]);
  }
});

test("sizes slide through powers of two, or through their neighbours", () => {
  const text =
    "const block = 256;\nconst n = 2 ** 18;\n  const inner = 4;\nconst width = 20;\nconst big = 16_700_001;\nlet at = 1;";
  expect(sizesOf(text).map(({ name, value }) => [name, value])).toEqual([
    ["block", 256],
    ["n", 2 ** 18],
    ["width", 20],
  ]);
  const [block, n, width] = sizesOf(text).map(({ values }) => values);
  expect([block?.[0], block?.[5], block?.at(-1)]).toEqual([1, 32, 1024]);
  expect(n?.at(-1)).toBe(2 ** 20);
  expect([width?.[0], width?.at(-1)]).toEqual([1, 40]);
  expect(withLiteral(text, sizesOf(text)[1]!, literalOf(2 ** 19))).toBe(text.replace("2 ** 18", "2 ** 19"));
});

test("GPUs are those that a cell names", () => {
  const text = 'const gpu = new Gpu("v100");\nconst other = new Gpu(name);';
  expect(gpusOf(text).map(({ value }) => value)).toEqual(["v100"]);
  expect(withLiteral(text, gpusOf(text)[0]!, "h200")).toBe(text.replace("v100", "h200"));
});
