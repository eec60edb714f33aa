import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Notebook } from "../../src/course/notebook/notebook.js";

interface Measured {
  readonly rows: readonly {
    readonly kernel: string;
    readonly right: boolean;
    readonly found: Readonly<Record<string, string>>;
  }[];
}

const root = join(import.meta.dirname, "../..");

/** "racecheck: warnings", "memcheck" or "nothing", as the page says it. */
function foundText(found: Readonly<Record<string, string>>): string {
  const texts = Object.entries(found).map(([tool, what]) => (what.includes("(0 errors") ? `${tool}: warnings` : tool));
  return texts.join(", ") || "nothing";
}

test("Day 46's table says of NVIDIA's tools what was measured on an H200", () => {
  const page = JSON.parse(readFileSync(join(root, "notebooks/day-46-races-masks-barriers.ipynb"), "utf8")) as Notebook;
  const { rows } = JSON.parse(readFileSync(join(root, "test/reference/sanitizers/faults.json"), "utf8")) as Measured;
  const text = page.cells.flatMap(({ source }) => source).join("");
  const written = [...text.matchAll(/^\| ([^|]+) \| (right|wrong) \| ([^|]+) \| [^|]+ \|$/gm)];
  expect(
    written.map(([, kernel = "", sum, tools]) => [
      kernel.replaceAll("`", "").replace(/, output not set$/, ""),
      sum,
      tools,
    ]),
  ).toEqual(rows.map(({ kernel, right, found }) => [kernel, right ? "right" : "wrong", foundText(found)]));
});
