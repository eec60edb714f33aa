/**
 * What an editor completes within cuda`...`: keywords, and what the compiler's own header declares. The names of parameters and
 * the comments are those of the package's words.
 */
import { RUNTIME } from "../../core/frontend/cuda-cpp/headers/runtime.js";
import { cudaKeywords } from "../site/highlight.js";
import type { PackageWord } from "./package-word.js";

/** The header's lines behind its macros with parameters, which stand for one declaration a type. */
function withoutMacros(header: string): string {
  const macros = new Map<string, (given: readonly string[]) => string>();
  const expand = (text: string): string =>
    text.replace(/\b(\w+)\(([^()]*)\)/g, (all, name: string, given: string) => {
      const macro = macros.get(name);
      return macro === undefined ? all : expand(macro(given.split(",").map((each) => each.trim())));
    });
  const lines: string[] = [];
  for (const line of header.replace(/\\\n/g, "").split("\n")) {
    const [, name, parameters = "", body = ""] = /^#define (\w+)\(([^)]*)\) (.*)$/.exec(line) ?? [];
    if (name === undefined) lines.push(expand(line));
    else {
      macros.set(name, (given) =>
        parameters
          .split(/,\s*/)
          .reduce((text, each, at) => text.replace(RegExp(`(##)?\\b${each}\\b(##)?`, "g"), given[at] ?? ""), body),
      );
    }
  }
  return lines.join("\n");
}

const CUDA = "CUDA C++";
const FUNCTION = /\b(?:__D|extern __W|static inline __W|extern "C" __device__) ([\w ]+?[ *]+)(\w+)\(([^()]*)\)/g;
/** A parameter's type alone. */
const BARE = /^(const )?((un)?signed (char|int|short|long long|long)|long long|\w+)\**( = .*)?$/;
const VARIABLE = /\bextern (const) __device__ (\w+ )(\w+);/g;
const STRUCT = /\bstruct (?:__attribute__\S+ )?(\w+\d)(?: (\{[^{}]*\}))?/g;
const QUALIFIER = /^#define (__[a-z]+(?:_[a-z]+)*__)/gm;

/** @param words the package's, whose names are CUDA's own where CUDA has them */
export function cudaWords(words: readonly PackageWord[]): readonly PackageWord[] {
  const known = new Map(words.filter(({ of }) => of === undefined).map((word) => [word.name, word]));
  /** The comment of a word of the same name, or of the one that says which of CUDA's it stands for. */
  const aboutOf = (name: string): string =>
    (known.get(name) ?? words.find(({ about }) => about.includes(`CUDA's \`${name}`)))?.about ?? "";
  const found = new Map<string, PackageWord>();
  const add = (name: string, signature: string): void => {
    if (/^__(warplab|builtin|device_builtin)|^cuda/.test(name)) return;
    const before = found.get(name);
    const also = before === undefined || before.signature.includes("\n") ? "" : "\nand for other types";
    found.set(name, {
      name,
      kind: "cuda",
      of: CUDA,
      signature: (before?.signature ?? signature) + also,
      about: aboutOf(name),
    });
  };
  for (const name of new Set(cudaKeywords)) add(name, name);
  for (const [, name = ""] of RUNTIME.matchAll(QUALIFIER)) if (!found.has(name)) add(name, name);
  const header = withoutMacros(RUNTIME);
  for (const [, type = "", name = "", given = ""] of header.matchAll(FUNCTION)) {
    const types = given === "" ? [] : given.split(/,\s*/);
    const names = [...(known.get(name)?.signature ?? "").matchAll(/(\w+)\??: /g)].map(([, each]) => each);
    // A place of an array is one argument in C++.
    if (names[1] === "index") names.splice(0, 2, "address");
    // The header names some itself.
    const isBare = types.every((each) => BARE.test(each));
    const parameters =
      isBare && names.length === types.length
        ? types.map((each, at) => each.replace(/(?= =|$)/, ` ${names[at]}`))
        : types;
    add(name, `${type}${name}(${parameters.join(", ")})`);
  }
  for (const [, qualifier, type, name = ""] of header.matchAll(VARIABLE)) add(name, `${qualifier} ${type}${name}`);
  for (const [, name = "", fields = ""] of header.matchAll(STRUCT)) add(name, `struct ${name} ${fields}`.trim());
  return [...found.values()];
}
