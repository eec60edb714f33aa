/** The answer in a learner's .ts file: declarations alone, in their order. Any other statement is refused with its line. */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { WarplabError } from "../../core/base/errors.js";
import type { Callee } from "../../core/frontend/index.js";
import type { Answer } from "../../course/exercises/answer.js";
import { ts } from "../typescript.js";
import { boundFields, fieldOf, hostValue, type Scope } from "./host-value.js";
import { Refused } from "./refused.js";
import { SubmissionText } from "./submission-text.js";

const ALLOWED = "Leave imports from warplab, types, and const declarations of kernels, device functions and numbers.";

/** Adds the names of an import from warplab: the learner's name, and warplab's own. */
export function readImport(node: TypeScript.ImportDeclaration, text: SubmissionText, names: Map<string, string>): void {
  const from = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : "";
  if (from !== "warplab") text.refuse(node, `A grade imports from warplab alone, not from ${from}.`, ALLOWED);
  const bindings = node.importClause?.namedBindings;
  if (node.importClause?.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) {
    text.refuse(node, "Imports name what they take.", 'Write import { i32, kernel, ptr } from "warplab".');
  }
  for (const { name, propertyName } of bindings.elements) names.set(name.text, (propertyName ?? name).text);
}

class FileScope implements Scope {
  readonly callees: Map<string, Callee> = new Map();
  readonly values: Map<string, unknown> = new Map();
  readonly imports: Map<string, string> = new Map();
  exported: unknown;

  constructor(readonly text: SubmissionText) {}

  value(name: string): { readonly value: unknown } | undefined {
    return this.values.has(name) ? { value: this.values.get(name) } : undefined;
  }

  imported(name: string): string {
    return this.imports.get(name) ?? name;
  }

  #declare(list: TypeScript.VariableDeclarationList): void {
    for (const declaration of list.declarations) {
      const { initializer } = declaration;
      const fields = boundFields(declaration);
      if (initializer === undefined || fields === null) {
        this.text.refuse(declaration, "A declaration names one value.", ALLOWED);
      } else {
        const value = hostValue(initializer, this);
        for (const { own, field } of fields) {
          this.values.set(own, field === null ? value : fieldOf(value, field, declaration, this));
        }
      }
    }
  }

  read(statement: TypeScript.Statement): void {
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) return;
    if (ts.isEmptyStatement(statement)) return;
    if (ts.isImportDeclaration(statement)) readImport(statement, this.text, this.imports);
    else if (ts.isVariableStatement(statement)) this.#declare(statement.declarationList);
    else if (ts.isFunctionDeclaration(statement) && statement.name !== undefined && statement.body !== undefined) {
      this.values.set(statement.name.text, this.text.functionOf(statement));
    } else if (ts.isExportAssignment(statement)) this.exported = hostValue(statement.expression, this);
    else if (!isOwnExport(statement)) this.text.refuse(statement, "A grade does not run this statement.", ALLOWED);
  }
}

/** `export { answer }`, of this file. */
function isOwnExport(statement: TypeScript.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier === undefined;
}

/** The begin of a notebook as Jupyter writes it. */
const NOTEBOOK = /^\s*\{\s*"(cells|metadata|nbformat)"\s*:/;

/**
 * The answer of a file, as `checkExercise` takes it. A kernel that does not compile gives an answer that says so.
 * @throws Refused with the line, for text that is more than declarations
 */
export function answerOfFile(name: string, given: string): Answer {
  if (NOTEBOOK.test(given)) {
    throw new Refused({ what: `${name} holds a notebook.`, cure: "Hand it in with the ending .ipynb." });
  }
  const text = new SubmissionText(name, given);
  const scope = new FileScope(text);
  try {
    for (const statement of text.file.statements) scope.read(statement);
  } catch (problem) {
    if (!(problem instanceof WarplabError)) throw problem;
    return () => {
      throw problem;
    };
  }
  const module = Object.fromEntries(scope.values);
  const answer = module.answer ?? scope.exported;
  return answer === undefined ? module : { answer };
}
