/** Lines of source in each room of src stay within test/line-budget.json, which says why: growth is decided, not drifted into. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const src = join(import.meta.dirname, "../src");
const BUDGET = JSON.parse(readFileSync(join(import.meta.dirname, "line-budget.json"), "utf8")) as Readonly<
  Record<string, { readonly lines: number; readonly why: string }>
>;

/** core and tools have rooms of their own; what lies beside them counts as one. */
function roomOf(file: string): string {
  const [first = "", second = "", ...rest] = file.split("/");
  if (second === "") return ".";
  return (first === "core" || first === "tools") && rest.length > 0 ? `${first}/${second}` : first;
}

test("each room of src has at most the lines that it is given, and is given no more than a tenth beyond", () => {
  const lines = new Map<string, number>();
  for (const path of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    const file = path.replaceAll("\\", "/");
    if (!/\.(ts|mjs)$/.test(file) || /^(dist|node_modules)\//.test(file)) continue;
    const room = roomOf(file);
    lines.set(room, (lines.get(room) ?? 0) + readFileSync(join(src, file), "utf8").split("\n").length - 1);
  }
  expect([...lines.keys()].sort()).toEqual(Object.keys(BUDGET).sort());
  const off = [...lines].filter(([room, count]) => {
    const { lines: most = 0, why = "" } = BUDGET[room] ?? {};
    return count > most || most > 1.1 * count + 100 || why === "";
  });
  expect(off).toEqual([]);
});
