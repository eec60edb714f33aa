/**
 * A page as a teacher hands it out, in nbgrader's two forms. `source` has a solution in the answer's cell, between markers, with
 * the starter as comments; `release` has the starter, as the page does. nbgrader_config.py makes the second of the first.
 */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { InputError } from "../../core/base/errors.js";
import type { Cell, CodeCell, Notebook } from "../../course/notebook/notebook.js";
import { ts } from "../typescript.js";
import { exerciseCells, parsedCell } from "./exercise-cells.js";
import { nbgraderChecksum } from "./nbgrader-cell.js";

const FOLDED = /<details><summary>A solution<\/summary>\s*```ts\n(.*?)```.*?<\/details>\s*/s;
/** A link to another page of the course. */
const PAGE_LINK = /\]\(((?:lab|day)-\d+|capstone)(-[\w-]+\.ipynb)/g;
const OTHER_LINK = /\[([^\]]+)\]\((?:README|glossary|errata)\.md(?:#[\w-]*)?\)/g;

/** The names that a statement declares. */
function declared(statement: TypeScript.Statement): readonly string[] {
  if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

/** The answer's cell with a solution in the place of what that declares anew. */
export function withSolution(starter: string, solution: string): string {
  const names = new Set(parsedCell(solution).statements.flatMap(declared));
  const file = parsedCell(starter);
  const replaced = file.statements.filter((each) => declared(each).some((name) => names.has(name)));
  const [first] = replaced;
  const last = replaced.at(-1);
  const between = file.statements.filter(
    (each) => first !== undefined && each.pos >= first.pos && each.end <= last!.end,
  );
  if (first === undefined || last === undefined || between.length !== replaced.length) {
    throw new InputError({
      what: "The solution of a page does not declare anew what its answer's cell declares side by side.",
      cure: "Declare the answer, and what the solution changes, one after the other.",
    });
  }
  const start = first.getStart(file);
  const lines = starter.slice(start, last.end).split("\n");
  return [
    `${starter.slice(0, start)}// BEGIN SOLUTION`,
    solution.trim(),
    "// STARTER",
    ...lines.map((line) => `//|${line}`),
    `// END SOLUTION${starter.slice(last.end)}`,
  ].join("\n");
}

/** nbgrader's students have each assignment in a folder of its own, side by side. */
function withLinks(text: string): string {
  return text.replace(PAGE_LINK, "](../$1/$1$2").replace(OTHER_LINK, "$1");
}

interface Parts {
  readonly notebook: Notebook;
  readonly at: number;
  readonly id: string;
  readonly solution: string;
}

function partsOf(notebook: Notebook): Parts {
  const found = exerciseCells(notebook);
  const prose = notebook.cells.flatMap((cell) => (cell.cell_type === "markdown" ? [cell.source] : [])).join("\n");
  const solution = FOLDED.exec(prose)?.[1];
  if (found === null || solution === undefined) {
    throw new InputError({
      what: "The notebook has no exercise, or none with a folded solution.",
      cure: 'Give it a cell with checkExercise, and a text with "<details><summary>A solution</summary>".',
    });
  }
  return { notebook, solution, ...found };
}

function withoutOutputs(cell: CodeCell): CodeCell {
  return { ...cell, outputs: [], execution_count: null };
}

/** The page without its folded solution, its exercise's cells as `change` has them. */
function handedOut({ notebook, at }: Parts, change: (cell: CodeCell, isCheck: boolean) => CodeCell): Notebook {
  const cells = notebook.cells.map((cell, index): Cell => {
    if (cell.cell_type !== "code") return { ...cell, source: withLinks(cell.source.replace(FOLDED, "")) };
    return index === at || index === at + 1 ? change(withoutOutputs(cell), index > at) : cell;
  });
  return { ...notebook, cells };
}

/** The teacher's form, for nbgrader's source/. */
export function sourceNotebook(notebook: Notebook): Notebook {
  const parts = partsOf(notebook);
  return handedOut(parts, (cell, isCheck) => {
    if (isCheck) return cell;
    const source = withSolution(cell.source, parts.solution);
    const gradeId = `${parts.id}-answer`;
    const nbgrader = {
      ...(cell.metadata.nbgrader as object),
      checksum: nbgraderChecksum(source, { kind: "answer", gradeId }),
    };
    return { ...cell, source, metadata: { ...cell.metadata, nbgrader } };
  });
}

/** The learner's form, for nbgrader's release/: nobody deletes the two cells, and nobody edits the check. */
export function releaseNotebook(notebook: Notebook): Notebook {
  return handedOut(partsOf(notebook), (cell, isCheck) => ({
    ...cell,
    metadata: { ...cell.metadata, deletable: false, ...(isCheck ? { editable: false } : {}) },
  }));
}
