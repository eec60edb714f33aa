/** The words of a CUDA C++ text one after the other, with the names in force and the types that words name. */

import type { SourceText, Span } from "../../base/errors.js";
import type { DeviceFunction, LocalArray, SharedArray, Variable } from "../../ir/ir.js";
import type { Scalar, Type, VectorType } from "../../ir/types.js";
import type { Token } from "./lexer.js";
import { type CudaSymbol, type FunctionText, scalarIn } from "./symbols.js";

export abstract class WordReader {
  protected readonly tokens: readonly Token[];
  protected readonly source: SourceText;
  protected readonly functions: ReadonlyMap<string, FunctionText>;
  protected at = 0;
  protected scopes: Map<string, CudaSymbol>[] = [new Map()];
  protected readonly variables: Variable[] = [];
  protected readonly shared: SharedArray[] = [];
  protected readonly local: LocalArray[] = [];
  protected readonly compiled: DeviceFunction[] = [];
  protected readonly compiledIndex: Map<string, number> = new Map();

  constructor(tokens: readonly Token[], source: SourceText, functions: ReadonlyMap<string, FunctionText>) {
    this.tokens = tokens;
    this.source = source;
    this.functions = functions;
  }

  protected get token(): Token {
    return this.tokens[this.at]!;
  }
  protected next(): Token {
    return this.tokens[this.at++]!;
  }
  protected is(text: string): boolean {
    return this.token.text === text && this.token.kind !== "string";
  }
  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }
  protected expect(text: string): Token {
    if (!this.is(text)) throw this.error(`"${text}" expected, "${this.token.text}" found`);
    return this.next();
  }
  protected error(what: string): Error {
    return new Error(
      `${what} in line ${this.token.span.line}: ${this.source.text.split("\n")[this.token.span.line - 1] ?? ""}`,
    );
  }

  protected define(name: string, symbol: CudaSymbol): void {
    this.scopes.at(-1)!.set(name, symbol);
  }
  protected lookup(name: string): CudaSymbol {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i]!.get(name);
      if (found !== undefined) return found;
    }
    throw this.error(`unknown name ${name}`);
  }

  protected static readonly TYPE_WORDS: ReadonlySet<string> = new Set([
    "const",
    "volatile",
    "unsigned",
    "signed",
    "int",
    "uint",
    "float",
    "double",
    "bool",
    "long",
    "void",
    "size_t",
    "uint32_t",
    "int2",
    "int4",
    "uint2",
    "uint4",
    "float2",
    "float4",
    "double2",
    "__shared__",
    "static",
    "extern",
    "register",
  ]);
  protected typeAhead(): boolean {
    return this.token.kind === "name" && WordReader.TYPE_WORDS.has(this.token.text);
  }
  protected typeWords(): { readonly element: Scalar | VectorType; readonly words: readonly string[] } {
    const words: string[] = [];
    while (this.typeAhead()) words.push(this.next().text);
    const vector = words.find((word) => /^(int|uint|float|double)[24]$/.test(word));
    if (vector === undefined) return { element: scalarIn(words), words };
    const scalar = scalarIn([vector.slice(0, -1)]);
    return { element: { scalar, lanes: vector.endsWith("2") ? 2 : 4 }, words };
  }
  protected stars(): boolean {
    let pointer = false;
    while (this.accept("*")) pointer = true;
    while (this.accept("__restrict__") || this.accept("const")) pointer = pointer && true;
    return pointer;
  }
  protected parameter(): { readonly type: Type; readonly name: string } {
    const { element, words } = this.typeWords();
    const pointer = this.stars();
    const name = this.next().text;
    if (!pointer) return { type: element, name };
    if (element === "bool") throw this.error("a pointer to bools");
    return { type: { pointer: element, space: "global", volatile: words.includes("volatile") }, name };
  }

  protected variable(name: string, type: Type, span: Span): number {
    this.variables.push({ name, type, mutable: true, span });
    return this.variables.length - 1;
  }
}
