/**
 * Checks what a package shows to a notebook, with the compiler and the settings that tslab uses in its cells
 * (tslab 1.0.22, dist/converter.js): TypeScript 5.0.4, not strict, Node10 resolution, ES2022 without DOM.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

// The compiler is a dependency of tslab's; its own types are those of tslab's typings.
import type * as TypeScript from "@tslab/typescript-for-tslab";

const fromTslab = createRequire(createRequire(import.meta.url).resolve("tslab"));
export const ts: typeof TypeScript = fromTslab("@tslab/typescript-for-tslab");

export interface CheckedPackage {
  /** The compiler's messages about the package's declarations and the import itself. */
  readonly complaints: readonly string[];
  /** Where a name that the package exports has the type `any`, as a path: "launch(options).timeMs". */
  readonly anyTypes: readonly string[];
  readonly exportedNames: readonly string[];
}

function complaintText(diagnostic: TypeScript.Diagnostic): string {
  const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
  return `${diagnostic.file?.fileName ?? ""}:${line + 1}: ${text}`;
}

/** Finds `any` in a type's own parts, in those of its members, and in what its functions take and return. */
class AnySearch {
  readonly found: string[] = [];
  readonly #seen = new Set<TypeScript.Type>();

  constructor(
    private readonly checker: TypeScript.TypeChecker,
    private readonly place: TypeScript.Node,
    private readonly isOwnFile: (path: string) => boolean,
  ) {}

  visit(type: TypeScript.Type, path: string): void {
    if ((type.flags & ts.TypeFlags.Any) !== 0) {
      this.found.push(path);
      return;
    }
    if (this.#seen.has(type)) return;
    this.#seen.add(type);
    if (type.isUnionOrIntersection()) for (const part of type.types) this.visit(part, path);
    if ((type.flags & ts.TypeFlags.Object) !== 0) {
      for (const argument of this.checker.getTypeArguments(type as TypeScript.TypeReference)) {
        this.visit(argument, `${path}<>`);
      }
    }
    // The members of Float32Array or Promise belong to the library.
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      if (!this.#isOwn(signature.declaration)) continue;
      for (const parameter of signature.getParameters()) this.#visitMember(parameter, `${path}(${parameter.name})`);
      this.visit(signature.getReturnType(), `${path}()`);
    }
    for (const index of this.checker.getIndexInfosOfType(type)) {
      if (this.#isOwn(index.declaration)) this.visit(index.type, `${path}[]`);
    }
    for (const property of type.getProperties()) {
      // A declaration file has this one name for all private fields.
      if (property.name.endsWith("#private")) continue;
      if (property.declarations?.some((each) => this.#isOwn(each)))
        this.#visitMember(property, `${path}.${property.name}`);
    }
  }

  #isOwn(declaration: TypeScript.Declaration | undefined): boolean {
    return declaration !== undefined && this.isOwnFile(declaration.getSourceFile().fileName);
  }

  #visitMember(symbol: TypeScript.Symbol, path: string): void {
    this.visit(this.checker.getTypeOfSymbolAtLocation(symbol, this.place), path);
  }
}

/** Files of packages and of the compilation, which stay as they are: read, parsed and bound once for all programs. */
const known: Map<string, TypeScript.SourceFile | undefined> = new Map();
const isFixed = (path: string): boolean => /[\\/](node_modules|\.cache[\\/]builds)[\\/]/.test(path);

/** tslab's settings, with `files` laid over those on the disk. */
function programOf(entry: string, files: ReadonlyMap<string, string>): TypeScript.Program {
  const options: TypeScript.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    esModuleInterop: true,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    experimentalDecorators: true,
    resolveJsonModule: true,
    // tslab leaves declarations unchecked, and shows `any` for what it cannot read; here that is to be found.
    skipLibCheck: false,
    noEmit: true,
    typeRoots: [join(import.meta.dirname, "../../node_modules/@types")],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = files.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, language, true);
    if (!isFixed(path)) return getSourceFile(path, language, ...rest);
    if (!known.has(path)) known.set(path, getSourceFile(path, language, ...rest));
    return known.get(path);
  };
  return ts.createProgram([entry], options, host);
}

/** The compiler's messages about a cell with this text, in a notebook in `folder`. */
export function cellComplaints(folder: string, text: string): readonly string[] {
  const entry = join(folder, "__cell__.ts");
  const program = programOf(entry, new Map([[entry, text]]));
  const cell = program.getSourceFile(entry);
  return [...program.getSyntacticDiagnostics(cell), ...program.getSemanticDiagnostics(cell)].map(complaintText);
}

/**
 * Checks `import * as package from "<specifier>"` as a notebook in `folder` would see it.
 * @param declarations files to lay over those on the disk, by absolute path
 */
export function checkPackage(
  folder: string,
  specifier: string,
  declarations: ReadonlyMap<string, string> = new Map(),
): CheckedPackage {
  const entry = join(folder, "__check__.ts");
  const files = new Map([...declarations, [entry, `import * as shown from "${specifier}";\nexport default shown;\n`]]);
  const program = programOf(entry, files);
  const isOwnFile = (path: string): boolean => files.has(path) || /[\\/]\.cache[\\/]builds[\\/]/.test(path);
  const own = program.getSourceFiles().filter(({ fileName }) => isOwnFile(fileName));
  const complaints = own.flatMap((file) =>
    [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(complaintText),
  );

  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const clause = source?.statements[0];
  if (source === undefined || clause === undefined || !ts.isImportDeclaration(clause)) throw new Error("no import");
  const module = checker.getSymbolAtLocation(clause.moduleSpecifier);
  const names = module === undefined ? [] : checker.getExportsOfModule(module);
  const search = new AnySearch(checker, source, isOwnFile);
  for (const name of names) {
    const symbol = (name.flags & ts.SymbolFlags.Alias) === 0 ? name : checker.getAliasedSymbol(name);
    if ((symbol.flags & ts.SymbolFlags.Value) !== 0) {
      search.visit(checker.getTypeOfSymbolAtLocation(symbol, source), name.name);
    }
    if ((symbol.flags & ts.SymbolFlags.Type) !== 0) search.visit(checker.getDeclaredTypeOfSymbol(symbol), name.name);
    // A re-export of what does not exist has neither.
    if ((symbol.flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Type | ts.SymbolFlags.Namespace)) === 0) {
      search.found.push(name.name);
    }
  }
  return { complaints, anyTypes: search.found, exportedNames: names.map(({ name }) => name) };
}
