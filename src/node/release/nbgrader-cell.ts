/**
 * nbgrader's metadata of a cell, schema 3. Sources: nbgrader 0.9.5, docs contributor_guide/metadata.rst and
 * `compute_checksum` of nbgrader/utils.py.
 */
import { createHash } from "node:crypto";
import type { CodeCell } from "../../course/notebook/notebook.js";

/** A cell's role for nbgrader: the learner's answer, or the check that gives the points. */
export type CellRole =
  | { readonly kind: "answer"; readonly gradeId: string }
  | { readonly kind: "check"; readonly gradeId: string; readonly points: number };

/** `str(float(points))` of Python. */
function pythonFloat(points: number): string {
  return Number.isInteger(points) ? `${points}.0` : String(points);
}

/** By it nbgrader finds that a check has been changed, and that an answer has not. */
export function nbgraderChecksum(source: string, role: CellRole): string {
  const check = role.kind === "check";
  const [grade, solution, locked] = check ? ["True", "False", "True"] : ["False", "True", "False"];
  const points = role.kind === "check" ? pythonFloat(role.points) : "";
  const text = `${source}code${grade}${solution}${locked}${role.gradeId}${points}`;
  return createHash("md5").update(text).digest("hex");
}

/** The cell with nbgrader's metadata; its other metadata stay. */
export function nbgraderCell(cell: CodeCell, role: CellRole): CodeCell {
  const check = role.kind === "check";
  const nbgrader = {
    cell_type: "code",
    checksum: nbgraderChecksum(cell.source, role),
    grade: check,
    grade_id: role.gradeId,
    locked: check,
    ...(role.kind === "check" ? { points: role.points } : {}),
    schema_version: 3,
    solution: !check,
    task: false,
  };
  return { ...cell, metadata: { ...cell.metadata, nbgrader } };
}
