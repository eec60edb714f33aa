/**
 * The answer in a learner's notebook: the kernel that its exercise cell gives to `checkExercise`. Names in it mean what that
 * cell and those before declare. No cell is run.
 */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { WarplabError } from "../../core/base/errors.js";
import type { Callee } from "../../core/frontend/index.js";
import type { Answer } from "../../course/exercises/answer.js";
import { ts } from "../typescript.js";
import { boundFields, fieldOf, hostValue, type Scope } from "./host-value.js";
import { type CodeCell, codeCells } from "./notebook-cells.js";
import { Refused } from "./refused.js";
import { SubmissionText } from "./submission-text.js";

/** The call `checkExercise("lab-28", ...)` in a cell. */
function checkCall(file: TypeScript.SourceFile, id: string): TypeScript.CallExpression | null {
  const visit = (node: TypeScript.Node): TypeScript.CallExpression | undefined => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "checkExercise") {
      const [exercise] = node.arguments;
      if (exercise !== undefined && ts.isStringLiteralLike(exercise) && exercise.text === id) return node;
    }
    return ts.forEachChild(node, visit);
  };
  return visit(file) ?? null;
}

interface Declared {
  readonly text: SubmissionText;
  readonly initializer: TypeScript.Expression | null;
  /** The one field of the initializer's value that the name has. */
  readonly field: string | null;
  /** A function declaration, which is text. */
  readonly written: TypeScript.FunctionDeclaration | null;
  /** The callees that were defined before it. */
  readonly callees: Map<string, Callee>;
  state: "open" | "busy" | { readonly value: unknown };
}

/** Names mean what the last cell before has declared them to be. */
class NotebookScope implements Scope {
  callees: Map<string, Callee> = new Map();
  /** The last cell that is no TypeScript: it may be the one that was to declare a missing name. */
  unread: Refused | null = null;
  readonly #declared = new Map<string, Declared>();
  readonly #imports = new Map<string, string>();

  constructor(public text: SubmissionText) {}

  value(name: string, node: TypeScript.Node): { readonly value: unknown } | undefined {
    const declared = this.#declared.get(name);
    if (declared === undefined) {
      if (this.unread !== null && name === "answer") throw this.unread;
      return undefined;
    }
    if (declared.state === "busy") return this.text.refuse(node, `${name} is declared by itself.`, "Name a value.");
    if (declared.state !== "open") return declared.state;
    declared.state = "busy";
    const { text, callees } = this;
    this.text = declared.text;
    this.callees = declared.callees;
    try {
      const { initializer, written, field } = declared;
      const whole = initializer === null ? declared.text.functionOf(written!) : hostValue(initializer, this);
      const value = field === null ? whole : fieldOf(whole, field, initializer!, this);
      declared.state = { value };
      return { value };
    } finally {
      this.text = text;
      this.callees = callees;
      if (declared.state === "busy") declared.state = "open";
    }
  }

  imported(name: string): string {
    return this.#imports.get(name) ?? name;
  }

  /** Takes the declarations of a cell. Kernels and device functions are made at once, as others name them. */
  read(text: SubmissionText): void {
    for (const statement of text.file.statements) {
      if (ts.isImportDeclaration(statement)) this.#import(statement);
      else if (ts.isFunctionDeclaration(statement) && statement.name !== undefined && statement.body !== undefined) {
        this.#declared.set(statement.name.text, {
          text,
          initializer: null,
          field: null,
          written: statement,
          callees: this.callees,
          state: "open",
        });
      } else if (ts.isVariableStatement(statement)) {
        for (const declaration of statement.declarationList.declarations) {
          const { name, initializer } = declaration;
          const fields = boundFields(declaration);
          if (initializer === undefined || fields === null) continue;
          const isCallee = this.#isCallee(initializer);
          // A function of the GPU is added to those of all that follows; all else is made later, with those of now.
          const callees = isCallee ? this.callees : new Map(this.callees);
          for (const { own, field } of fields) {
            this.#declared.set(own, { text, initializer, field, written: null, callees, state: "open" });
          }
          if (isCallee && ts.isIdentifier(name)) this.#tried(name);
        }
      }
    }
  }

  #import(node: TypeScript.ImportDeclaration): void {
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return;
    for (const { name, propertyName } of bindings.elements) {
      this.#imports.set(name.text, (propertyName ?? name).text);
      this.#declared.delete(name.text);
    }
  }

  /** Kernels call device functions and launch kernels by their names. */
  #isCallee(node: TypeScript.Expression): boolean {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return false;
    return ["device", "kernel"].includes(this.imported(node.expression.text));
  }

  /** A function that cannot be made is missed only where the answer calls or launches it. */
  #tried(name: TypeScript.Identifier): void {
    try {
      this.value(name.text, name);
    } catch (problem) {
      if (!(problem instanceof Refused || problem instanceof WarplabError)) throw problem;
    }
  }
}

/** The cell's text, or why it is no TypeScript, as a cell that the answer does not need may be. */
function parsed(name: string, { number, source }: CodeCell): SubmissionText | Refused {
  try {
    return new SubmissionText(`${name}, cell ${number}`, source);
  } catch (problem) {
    if (problem instanceof Refused) return problem;
    throw problem;
  }
}

/** The last cell that hands the exercise in, with all before it. */
function exerciseCells(name: string, id: string, cells: readonly CodeCell[]): readonly CodeCell[] {
  const wanted = `checkExercise("${id}", answer)`;
  const handingIn = cells.filter(({ source }) => source.includes("checkExercise") && source.includes(id));
  const last = handingIn.at(-1);
  if (last !== undefined) return cells.slice(0, cells.indexOf(last) + 1);
  throw new Refused({
    what: `${name} has no cell that calls ${wanted}.`,
    cure: `Keep the notebook's exercise cell, with its call of ${wanted}.`,
  });
}

/**
 * The answer of a notebook, as `checkExercise` takes it. A kernel that does not compile gives an answer that says so.
 * @throws Refused with the cell and the line
 */
export function answerOfNotebook(name: string, json: string, id: string): Answer {
  const cells = exerciseCells(name, id, codeCells(name, json));
  const last = cells.at(-1)!;
  const text = new SubmissionText(`${name}, cell ${last.number}`, last.source);
  const call = checkCall(text.file, id);
  const handedIn = call?.arguments[1];
  if (call === null || handedIn === undefined) {
    throw new Refused({
      what: `Cell ${last.number} of ${name} hands nothing in.`,
      cure: `Call checkExercise("${id}", answer) there.`,
    });
  }
  const scope = new NotebookScope(text);
  for (const cell of cells.slice(0, -1)) {
    const earlier = parsed(name, cell);
    if (earlier instanceof Refused) {
      scope.unread = earlier;
      continue;
    }
    scope.text = earlier;
    scope.read(earlier);
  }
  scope.text = text;
  try {
    scope.read(text);
    return { answer: hostValue(handedIn, scope) };
  } catch (problem) {
    if (!(problem instanceof WarplabError)) throw problem;
    return () => {
      throw problem;
    };
  }
}
