/**
 * The two cells of a page's exercise. nbgrader gives points by program only to a cell that the learner does not write.
 * The answer stands in one cell, the check in the next. A page that an author wrote with both in one cell is divided.
 */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { InputError } from "../../core/base/errors.js";
import { exercise, exerciseIds } from "../../course/exercises/exercise.js";
import { pointsOf } from "../../course/exercises/spec.js";
import type { Cell, CodeCell, Notebook } from "../../course/notebook/notebook.js";
import { ts } from "../typescript.js";
import { nbgraderCell } from "./nbgrader-cell.js";

export interface ExerciseCells {
  /** The exercise's id. */
  readonly id: string;
  /** The place of the answer's cell among the notebook's cells; the check is the next cell. */
  readonly at: number;
}

/** Words that only the check needs. */
const CHECK_WORDS = new Set(["checkExercise", "verdictTable"]);

/** The text of a check's cell. Its last value is a number of points, as nbgrader reads partial credit. */
export function checkSource(id: string): string {
  return `import { checkExercise, verdictTable } from "warplab";

const verdict = checkExercise("${id}", answer);
display(verdictTable(verdict));
verdict.points; // The points that nbgrader counts.`;
}

/** A cell as TypeScript reads it. */
export const parsedCell = (source: string): TypeScript.SourceFile =>
  ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);

/** The exercise that a cell's text checks; null for other cells. */
function checkedIn(source: string): string | null {
  return /\bcheckExercise\("([\w-]+)", answer\b/.exec(source)?.[1] ?? null;
}

function isCheckCell(cell: Cell): boolean {
  return cell.cell_type === "code" && checkedIn(cell.source) !== null;
}

/** Whether a statement of the cell is part of the check. */
function isCheck(statement: TypeScript.Statement, file: TypeScript.SourceFile): boolean {
  const text = statement.getText(file);
  return checkedIn(text) !== null || /^(display\(verdictTable\(verdict\)\)|verdict\.points);?$/.test(text);
}

/** The import without the check's words, as text; "" where nothing is left. */
function importWithout(node: TypeScript.ImportDeclaration, file: TypeScript.SourceFile): string {
  const bindings = node.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return node.getText(file);
  const names = bindings.elements.map((each) => each.getText(file));
  const kept = names.filter((name) => !CHECK_WORDS.has(name));
  if (kept.length === names.length) return node.getText(file);
  return kept.length === 0 ? "" : `import { ${kept.join(", ")} } from ${node.moduleSpecifier.getText(file)};`;
}

/** The cell's text without its check; "" where it holds nothing else. Comments go with the statement after them. */
function answerSource(source: string): string {
  const file = parsedCell(source);
  let text = "";
  for (const statement of file.statements) {
    if (isCheck(statement, file)) continue;
    const whole = statement.getFullText(file);
    if (ts.isImportDeclaration(statement)) {
      text += whole.replace(statement.getText(file), () => importWithout(statement, file));
    } else text += whole;
  }
  return text.trim();
}

function refuse(id: string, what: string): never {
  throw new InputError({
    what: `The page of ${id}: ${what}`,
    cure: `Write const answer = ... in one cell and checkExercise("${id}", answer) in the next. Nothing else checks it.`,
  });
}

function codeCell(notebook: Notebook, at: number): CodeCell | null {
  const cell = notebook.cells[at];
  return cell?.cell_type === "code" ? cell : null;
}

/** Its answer's cell and its check, made of one cell. The check takes the last output, its verdict. */
function divided(cell: CodeCell, id: string): readonly CodeCell[] {
  const verdict = cell.outputs.slice(-1);
  return [
    { ...cell, source: answerSource(cell.source), outputs: cell.outputs.slice(0, -1) },
    {
      ...cell,
      ...(cell.id === undefined ? {} : { id: `${cell.id}-check` }),
      source: checkSource(id),
      outputs: verdict,
      execution_count: cell.execution_count === null ? null : cell.execution_count + 1,
    },
  ];
}

/** Where the exercise is; null for a notebook without one. */
export function exerciseCells(notebook: Notebook): ExerciseCells | null {
  const at = notebook.cells.findIndex(isCheckCell);
  const id = checkedIn(notebook.cells[at]?.source ?? "");
  return id === null ? null : { id, at: at - 1 };
}

/**
 * The notebook with its exercise in two cells that nbgrader knows. Other notebooks are given back as they are.
 * @throws InputError for an exercise that the course does not have, or cells that are neither of the two
 */
export function withExerciseCells(notebook: Notebook): Notebook {
  const found = exerciseCells(notebook);
  if (found === null || !exerciseIds().includes(found.id)) return notebook;
  const { id, at } = found;
  const check = codeCell(notebook, at + 1)!;
  const rest = answerSource(check.source);
  const cells = [...notebook.cells];
  if (rest !== "") cells.splice(at + 1, 1, ...divided(check, id));
  const answerAt = rest === "" ? at : at + 1;
  const answer = codeCell({ ...notebook, cells }, answerAt);
  if (answer === null || !/\banswer\b/.test(answer.source))
    refuse(id, "no cell with the answer stands before its check.");
  if (cells.filter(isCheckCell).length > 1) refuse(id, "it checks the answer twice.");
  const points = pointsOf(exercise(id));
  cells[answerAt] = nbgraderCell(answer, { kind: "answer", gradeId: `${id}-answer` });
  const kept = cells[answerAt + 1] as CodeCell;
  const written = { ...kept, source: checkSource(id) };
  cells[answerAt + 1] = nbgraderCell(written, { kind: "check", gradeId: `${id}-check`, points });
  return { ...notebook, cells };
}
