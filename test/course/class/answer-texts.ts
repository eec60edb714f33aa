/** The answers of test/labs/answers as files that learners hand in: each with what it needs of its file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { ts } from "../../../src/course/typescript.js";

export interface AnswerText {
  readonly kind: "right" | "wrong";
  readonly text: string;
}

const ARRAYS = `const sum = { input: ptr(i32), output: ptr(i32) };
const guardedSum = { ...sum, n: i32 };
`;

function imported(file: TypeScript.SourceFile): readonly string[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.getText(file).includes("frontend")) return [];
    const names = statement.importClause?.namedBindings;
    return names !== undefined && ts.isNamedImports(names) ? names.elements.map(({ name }) => name.text) : [];
  });
}

/** The values of fields `answer`, below a field `right` or `wrong`. */
function answersBelow(
  node: TypeScript.Node,
  file: TypeScript.SourceFile,
  kind: AnswerText["kind"],
): readonly AnswerText[] {
  const found: AnswerText[] = [];
  const visit = (inner: TypeScript.Node, now: AnswerText["kind"]): void => {
    if (ts.isPropertyAssignment(inner)) {
      const name = inner.name.getText(file);
      if (name === "answer") found.push({ kind: now, text: inner.initializer.getText(file) });
      else visit(inner.initializer, name === "right" || name === "wrong" ? name : now);
    } else ts.forEachChild(inner, (each) => visit(each, now));
  };
  visit(node, kind);
  return found;
}

/** All answers to an exercise, the right ones first. */
export function answerTexts(id: string): readonly AnswerText[] {
  const text = readFileSync(join(import.meta.dirname, `../../labs/answers/${id}.ts`), "utf8");
  const file = ts.createSourceFile(`${id}.ts`, text, ts.ScriptTarget.ES2022, true);
  const names = [...new Set([...imported(file), "i32", "kernel", "ptr"])].sort();
  const isAnswers = (statement: TypeScript.Statement): boolean =>
    /^export const answers\b/.test(statement.getText(file));
  const shared = file.statements.filter((each) => !ts.isImportDeclaration(each) && !isAnswers(each));
  const before = `import { ${names.join(", ")} } from "warplab";\n${ARRAYS}${shared.map((each) => each.getText(file)).join("\n")}\n`;
  return file.statements
    .filter(isAnswers)
    .flatMap((statement) => answersBelow(statement, file, "right"))
    .map((answer) => ({ kind: answer.kind, text: `${before}export const answer = ${answer.text};\n` }));
}
