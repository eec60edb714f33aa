/** What a verdict gives to paste is pasted behind the answer, as a learner does, and run by Node. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkExercise } from "../../src/course/exercises/check.js";
import { exercise, exerciseIds } from "../../src/course/exercises/exercise.js";
import { answerOfFile } from "../../src/node/grade/file-answer.js";
import { ts } from "../../src/node/typescript.js";

const root = join(import.meta.dirname, "../..");
/** Within the package, whose name the pasted text imports. */
const folder = mkdtempSync(join(root, "out-recipes-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The solution with the sum of each block made wrong by one in its elements, as text that Node runs. */
function wrongText(id: string): string {
  const marked = readFileSync(join(root, `labs/${id}/solution.ts`), "utf8");
  const text = marked.replace(/^ *\/\/(?:\|.*| BEGIN SOLUTION| STARTER| END SOLUTION)\n/gm, "");
  const wrong = text
    .replace(/(output\[blockIdx\.x\] = )(sum|sdata\[0\]|total);/, "$1$2 - 1;")
    .replace("output[0] = all;", "output[0] = all - 1;")
    .replace("atomicAdd(output, tid, all)", "atomicAdd(output, tid, all + 1)")
    .replace("atomicAdd(output, 0, total)", "atomicAdd(output, 0, total - 1)");
  if (wrong === text) throw new Error(`${id} has no output to be made wrong`);
  return wrong;
}

/** The file with the answer and the recipe behind it. */
function pasted(id: string): string {
  const text = wrongText(id);
  const verdict = checkExercise(id, answerOfFile(`${id}.ts`, text), { seed: 1, untilWrong: true });
  const look = verdict.checks.find((each) => each.look !== undefined)?.look ?? "";
  const file = join(folder, `${id}.mjs`);
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(file, ts.transpileModule(`${text}\n${look}\n`, { compilerOptions }).outputText);
  return file;
}

/** One process runs all of them, each with its lines of output. */
const RUN = `
  import { pathToFileURL } from "node:url";
  const lines = {};
  for (const file of process.argv.slice(1)) {
    const shown = [];
    console.log = (...values) => shown.push(values.map(String).join(" "));
    await import(pathToFileURL(file));
    lines[file] = shown;
  }
  process.stdout.write(JSON.stringify(lines));
`;

describe("a recipe", () => {
  const recipes = exerciseIds().map((id) => ({ id, file: pasted(id) }));
  const output = execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", RUN, ...recipes.map(({ file }) => file)],
    { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const shown = JSON.parse(output) as Readonly<Record<string, readonly string[]>>;

  test.each(recipes)("of $id runs as it is pasted, and shows the wrong sum beside the right one", ({ id, file }) => {
    const lines = shown[file] ?? [];
    const [, found, right] = /(-?\d+) right is (-?\d+)$/.exec(lines.at(-1) ?? "") ?? [];
    expect(Number(right)).toBeGreaterThanOrEqual(0);
    expect(Number(found)).not.toBe(Number(right));
    // A block is followed line by line, with its variables; sums of a whole grid come from its launch.
    if (exercise(id).sums === "block") expect(lines.some((line) => /^warp 0 .* \w+ -?\d+,-?\d+/.test(line))).toBe(true);
  });
});
