/** A learner's TypeScript as a syntax tree, and refusals that name its lines. It is parsed, never run. */
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { cForm } from "../../core/frontend/cells/c-forms.js";
import { WrittenFunction } from "../../core/frontend/index.js";
import { eraseTypes } from "../erase-types.js";
import { ts } from "../typescript.js";
import { Refused, type RefusedLine } from "./refused.js";

/** A line that is longer is no kernel's, and would fill a report. */
const MOST_COLUMNS = 1000;

/** A sentence quotes so much of a line. */
const QUOTED = 120;

/** TypeScript keeps a parsed file's syntax errors in a field that its types leave out. */
interface WithDiagnostics {
  readonly parseDiagnostics: readonly TypeScript.DiagnosticWithLocation[];
}

export class SubmissionText {
  readonly file: TypeScript.SourceFile;
  readonly #lines: readonly string[];

  /**
   * @param where the text stands, as a reader knows it: `my-kernel.ts`
   * @throws Refused for text that is no TypeScript, and for lines of more than 1000 characters
   */
  constructor(
    readonly where: string,
    given: string,
  ) {
    const text = given.replace(/^\ufeff/, "").replace(/\r\n?|[\u2028\u2029]/g, "\n");
    this.#lines = text.split("\n");
    const long = this.#lines.findIndex((line) => line.length > MOST_COLUMNS);
    if (long >= 0) {
      throw new Refused({
        what: `A line has ${this.#lines[long]?.length} characters.`,
        cure: `Break it into lines of at most ${MOST_COLUMNS}.`,
        at: this.#at(long),
      });
    }
    this.file = ts.createSourceFile("submission.ts", text, ts.ScriptTarget.ES2022, true);
    const [problem] = (this.file as unknown as WithDiagnostics).parseDiagnostics;
    if (problem === undefined) return;
    const form = cForm(text);
    if (form !== null) throw new Refused({ what: form.what, cure: form.cure, at: this.#at(form.span.line - 1) });
    throw new Refused({
      what: `This is no TypeScript: ${ts.flattenDiagnosticMessageText(problem.messageText, " ").replace(/\.$/, "")}.`,
      cure: "Put right the line, or the one before it.",
      at: this.#at(this.#lineAt(problem.start) - 1),
    });
  }

  #lineAt(position: number): number {
    return this.file.getLineAndCharacterOfPosition(Math.min(position, this.file.text.length)).line + 1;
  }

  #at(index: number): RefusedLine {
    const line = (this.#lines[index] ?? "").trim();
    const text = line.length > QUOTED ? `${line.slice(0, QUOTED)} ...` : line;
    return { where: this.where, line: index + 1, text };
  }

  /** The line that a node begins on, from 1. */
  lineOf(node: TypeScript.Node): number {
    return this.#lineAt(node.getStart(this.file));
  }

  /** Refuses what a grade does not run or cannot read. */
  refuse(node: TypeScript.Node, what: string, cure: string): never {
    throw new Refused({ what, cure, at: this.#at(this.lineOf(node) - 1) });
  }

  /** A function as text, with the line of each of its lines. */
  functionOf(node: TypeScript.Node): WrittenFunction {
    const text = eraseTypes(node, this.file);
    const first = this.lineOf(node);
    return new WrittenFunction(text, { where: this.where, lines: text.split("\n").map((_, index) => first + index) });
  }
}
