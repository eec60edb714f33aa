/**
 * The reader of CUDA C++ text into the IR. Measured kernels are read from the very text that nvcc compiled, so that
 * simulated and measured figures belong to one kernel. It reads the part of the language that those kernels use; all else
 * is an error. Not public yet: its errors are for whoever writes such kernels.
 */

import type { SourceText } from "../../base/errors.js";
import type { KernelIr, Param } from "../../ir/ir.js";
import { isPointer } from "../../ir/types.js";
import { type Token, tokenize } from "./lexer.js";
import { StatementReader } from "./statements.js";
import { type FunctionText, scalarIn } from "./symbols.js";

/** All kernels of a text by name: its `__global__` functions, templates left out. */
export function readCuda(text: string, name = "probes.cu"): ReadonlyMap<string, KernelIr> {
  const source: SourceText = { name, text, firstLine: 1 };
  const tokens = tokenize(text);
  const functions = findFunctions(tokens);
  const kernels = new Map<string, KernelIr>();
  for (const fn of functions.values()) {
    if (fn.kernel && fn.template.length === 0) kernels.set(fn.name, new Reader(tokens, source, functions).kernel(fn));
  }
  return kernels;
}

function findFunctions(tokens: readonly Token[]): Map<string, FunctionText> {
  const functions = new Map<string, FunctionText>();
  let depth = 0;
  let from = 0;
  tokens.forEach((token, i) => {
    if (token.text === "{") {
      if (depth === 0 && tokens[i - 1]?.text === ")") {
        const head = tokens.slice(from, i);
        const open = head.findIndex(
          (item, j) => item.text === "(" && head[j - 1]?.kind === "name" && head[j - 1]!.text !== "__launch_bounds__",
        );
        const fnName = head[open - 1]!.text;
        const template: string[] = [];
        const end = head.findIndex((item) => item.text === ">");
        if (head[0]?.text === "template") {
          for (let j = 2; j < end; j++)
            if (head[j + 1]?.text === "," || head[j + 1]?.text === ">") template.push(head[j]!.text);
        }
        const texts = head.map((item) => item.text);
        functions.set(fnName, {
          name: fnName,
          template,
          start: from + open,
          returns:
            texts.includes("void") && texts.indexOf("void") < open
              ? "void"
              : scalarIn(texts.slice(template.length > 0 ? end + 1 : 0, open - 1)),
          kernel: texts.includes("__global__"),
        });
      }
      depth++;
    } else if (token.text === "}") {
      depth--;
      if (depth === 0) from = i + 1;
    } else if (token.text === ";" && depth === 0) from = i + 1;
  });
  return functions;
}

class Reader extends StatementReader {
  kernel(fn: FunctionText): KernelIr {
    this.at = fn.start;
    const params: Param[] = [];
    this.expect("(");
    while (!this.accept(")")) {
      const { type, name } = this.parameter();
      const index = params.length;
      if (isPointer(type)) {
        params.push({ name, kind: "pointer", type });
        this.define(name, { kind: "pointer", root: { kind: "param", index }, type, dims: [] });
      } else if (typeof type === "string") {
        params.push({ name, kind: "scalar", type });
        this.define(name, { kind: "param", index, type });
      } else throw this.error("a vector parameter");
      this.accept(",");
    }
    const body = this.block();
    return {
      name: fn.name,
      source: this.source,
      params,
      constants: [],
      variables: this.variables,
      sharedArrays: this.shared,
      localArrays: this.local,
      functions: this.compiled,
      body,
      warnings: [],
    };
  }
}
