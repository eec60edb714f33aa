/**
 * Kernels of the microbenchmarks, read from the CUDA C++ text that was measured. A text also holds the host's part, and
 * templates. The kernel is taken out with the device functions that it calls; template arguments replace parameters.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCuda } from "../../../core/frontend/cuda/read-cuda.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import { courseRoot } from "../../../node/course-root.js";
import { REFERENCE } from "../measured-table.js";

/** A template's argument: a type's name or a value. */
export type TemplateArgument = string | number;

interface FunctionText {
  readonly name: string;
  /** Names of the template's parameters. */
  readonly template: readonly string[];
  /** Everything after the template's head. */
  readonly text: string;
}

/** Replaces whole words. */
function replaceWords(text: string, words: ReadonlyMap<string, string>): string {
  return words.size === 0 ? text : text.replace(/[A-Za-z_]\w*/g, (word) => words.get(word) ?? word);
}

/** The text with macros and type names replaced; macros that read the clock become empty, as they only measure. */
function plainText(text: string): string {
  const macros = new Map<string, string>();
  const types = new Map<string, string>();
  const code = text
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "")
    .replace(/^[ \t]*#(?!pragma)(?:[^\n\\]|\\\n|\\)*/gm, (directive) => {
      const [, name, body = ""] = /^#define\s+(\w+)(?!\w|\()\s*([\s\S]*)/.exec(directive.trim()) ?? [];
      if (name !== undefined) macros.set(name, /clock/.test(body) ? "" : body.replace(/\\\n/g, "\n"));
      return "";
    })
    .replace(/typedef\s+([^;]*?)\s*(\w+)\s*;/g, (_, type: string, name: string) => {
      types.set(name, type);
      return "";
    });
  return replaceWords(replaceWords(code, macros), types)
    .replace(/\basm volatile\(\s*""[^;]*;/g, "")
    .replace(/__launch_bounds__\([^)]*\)/g, "");
}

/** All functions of the device, in the order of the text. */
function functionsOf(text: string): readonly FunctionText[] {
  const functions: FunctionText[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === "{") depth++;
    else if (c === "}") depth--;
    if (depth > 0 || (c !== "}" && c !== ";")) continue;
    const found = functionIn(text.slice(from, at + 1).trim());
    if (found !== null) functions.push(found);
    from = at + 1;
  }
  return functions;
}

function functionIn(text: string): FunctionText | null {
  const [, template = "", head = "", name = ""] = /^(?:template\s*<([^>]*)>)?([^({;]*?)(\w+)\s*\(/.exec(text) ?? [];
  if (!/__(global|device)__/.test(head)) return null;
  const parameters = template.split(",").map((each) => each.split("=")[0]?.trim().split(/\s+/).at(-1) ?? "");
  return {
    name,
    template: template.trim() === "" ? [] : parameters,
    text: text.slice(template === "" ? 0 : text.indexOf(">") + 1),
  };
}

const firstParameter = ({ text }: FunctionText): string => /\(\s*(?:const\s+)?(\w+)/.exec(text)?.[1] ?? "";

/** Adds to `made` the texts of the device functions that a function calls, then its own. */
function instance(
  functions: readonly FunctionText[],
  asked: FunctionText,
  name: string,
  args: readonly TemplateArgument[],
  made: Map<string, string>,
): void {
  const values = new Map(asked.template.map((parameter, index) => [parameter, String(args[index])]));
  const calls = /\b([A-Za-z_]\w*)\s*(?:<([\w\s,]*)>)?\s*(?=\()/g;
  const open = asked.text.indexOf("{");
  const body = replaceWords(asked.text.slice(open), values).replace(calls, (call, called: string, given = "") => {
    const named = functions.filter((each) => each.name === called);
    // Several functions share a name: the one for the caller's type.
    const callee = named.length > 1 ? named.find((each) => args.includes(firstParameter(each))) : named[0];
    if (callee === undefined) return call;
    const own = (given as string).split(",").flatMap((each) => each.trim() || []);
    const ownName = [called, ...own].join("_").replace(/\W/g, "_");
    if (!made.has(ownName)) instance(functions, callee, ownName, own, made);
    return ownName;
  });
  const head = replaceWords(asked.text.slice(0, open), values).replace(new RegExp(`\\b${asked.name}\\b`), name);
  made.set(name, `${head}${body}`);
}

const texts = new Map<string, readonly FunctionText[]>();
const kernels = new Map<string, KernelIr>();

/**
 * The kernel `name` of a text below test/reference, with its template's arguments; read once.
 * @throws Error where the text holds no such kernel, or a word that the reader does not know.
 */
export function kernelOfText(file: string, name: string, ...args: readonly TemplateArgument[]): KernelIr {
  const key = [file, name, ...args].join(" ");
  const known = kernels.get(key);
  if (known !== undefined) return known;
  const functions =
    texts.get(file) ?? functionsOf(plainText(readFileSync(join(courseRoot(), REFERENCE, file), "utf8")));
  texts.set(file, functions);
  const asked = functions.find((each) => each.name === name && each.text.includes("__global__"));
  if (asked === undefined) throw new Error(`${REFERENCE}/${file} has no kernel ${name}`);
  const made = new Map<string, string>();
  instance(functions, asked, name, args, made);
  const kernel = readCuda([...made.values()].join("\n"), file).get(name);
  if (kernel === undefined) throw new Error(`${REFERENCE}/${file}: ${name} was not read`);
  kernels.set(key, kernel);
  return kernel;
}
