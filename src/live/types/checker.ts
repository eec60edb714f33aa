/**
 * Types of a page's cells while they are written. A cell is a module: it exports what it declares, and imports what the cells
 * above it have declared last. Both stand behind its text, so that places stay.
 */
import ts from "typescript-for-pages";

/** What the checker objects to: a part of a cell's text, and why. */
export interface TypeMark {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

export interface TypedName {
  readonly name: string;
  readonly kind: string;
}

/** The folders of the files that the checker is given: TypeScript's own declarations, and the package's. */
const LIBRARY = "/lib/";
const PACKAGE = "/warplab/";

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2022.d.ts"],
  types: [],
  // As tslab has it: a parameter needs no type, and what may be null is the reader's to know.
  strict: false,
  noEmit: true,
  skipLibCheck: true,
  paths: { warplab: [`${PACKAGE}live/index.d.ts`] },
};

/** What a worker has beside the language. */
const GLOBALS = `
declare const console: Record<"log" | "info" | "debug" | "dir" | "table" | "error" | "warn" | "trace" | "assert", (...values: any[]) => void>;
declare const performance: { now(): number };
declare function setTimeout(call: (...given: any[]) => void, milliseconds?: number, ...given: any[]): number;
declare function clearTimeout(timer?: number): void;
declare function setInterval(call: (...given: any[]) => void, milliseconds?: number, ...given: any[]): number;
declare function clearInterval(timer?: number): void;
declare function queueMicrotask(call: () => void): void;
declare function structuredClone<T>(value: T): T;
`;

function namesOf(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((each) => (ts.isOmittedExpression(each) ? [] : namesOf(each.name)));
}

/** What a statement declares, and whether it exports it itself. */
function declared(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name));
  }
  if (ts.isImportDeclaration(statement)) {
    const { name, namedBindings } = statement.importClause ?? {};
    const named =
      namedBindings === undefined ? [] : ts.isNamespaceImport(namedBindings) ? [namedBindings] : namedBindings.elements;
    return [...(name === undefined ? [] : [name]), ...named.map((each) => each.name)].map(({ text }) => text);
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

const fileOf = (cell: number): string => `/cells/cell-${cell}.ts`;

export class TypeChecker {
  readonly #files: Map<string, string>;
  readonly #versions: Map<string, number> = new Map();
  readonly #service: ts.LanguageService;
  #texts: readonly string[] = [];

  /** @param files declarations by their paths, below LIBRARY and PACKAGE */
  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map([...Object.entries(files), ["/globals.d.ts", GLOBALS]]);
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => ["/globals.d.ts", ...this.#texts.map((_, at) => fileOf(at))],
      getScriptVersion: (file) => String(this.#versions.get(file) ?? 0),
      getScriptSnapshot: (file) => {
        const text = this.#files.get(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => "/",
      getCompilationSettings: () => OPTIONS,
      getDefaultLibFileName: () => `${LIBRARY}lib.es2022.d.ts`,
      fileExists: (file) => this.#files.has(file),
      readFile: (file) => this.#files.get(file),
    });
  }

  /** Takes the cells' texts as they stand. */
  #take(texts: readonly string[]): void {
    this.#texts = texts;
    const last = new Map<string, number>();
    for (const [at, text] of texts.entries()) {
      const { statements } = ts.createSourceFile(fileOf(at), text, ts.ScriptTarget.ES2022);
      const own = new Set(statements.flatMap(declared));
      const exported = new Set(statements.filter(isExported).flatMap(declared));
      const lines = [`export { ${[...own].filter((name) => !exported.has(name)).join(", ")} };`];
      for (const [name, cell] of last) if (!own.has(name)) lines.push(`import { ${name} } from "./cell-${cell}";`);
      for (const name of own) last.set(name, at);
      const whole = `${text}\n;${lines.join("\n")}\n`;
      const file = fileOf(at);
      if (this.#files.get(file) === whole) continue;
      this.#files.set(file, whole);
      this.#versions.set(file, (this.#versions.get(file) ?? 0) + 1);
    }
  }

  /** What the checker objects to in each cell. */
  marks(texts: readonly string[]): readonly (readonly TypeMark[])[] {
    this.#take(texts);
    return texts.map((text, at) => {
      const file = fileOf(at);
      const found = [...this.#service.getSyntacticDiagnostics(file), ...this.#service.getSemanticDiagnostics(file)];
      return found.flatMap(({ start = 0, length = 1, messageText }) => {
        // Of what stands behind the cell's text, which may not have come to its end.
        if (start > text.length) return [];
        const what = ts.flattenDiagnosticMessageText(messageText, "\n").split("\n").slice(0, 2).join(" ");
        const to = Math.min(text.length, start + Math.max(1, length));
        return [{ from: Math.min(start, to), to, line: text.slice(0, start).split("\n").length, what }];
      });
    });
  }

  /** The names that can stand behind a dot at a place. */
  members(texts: readonly string[], cell: number, position: number): readonly TypedName[] {
    this.#take(texts);
    const found = this.#service.getCompletionsAtPosition(fileOf(cell), position, {});
    if (found?.isMemberCompletion !== true) return [];
    return found.entries.map(({ name, kind }) => ({ name, kind }));
  }

  /** The declaration of the name at a place, as TypeScript writes it; null where there is none. */
  typeAt(texts: readonly string[], cell: number, position: number): string | null {
    this.#take(texts);
    const found = this.#service.getQuickInfoAtPosition(fileOf(cell), position);
    return found === undefined ? null : ts.displayPartsToString(found.displayParts);
  }
}
