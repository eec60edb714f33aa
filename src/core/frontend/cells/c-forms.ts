/**
 * Forms of C and CUDA C++ that no TypeScript parser takes, or takes for something else, each with the text to write in
 * its place. They are looked for in a text that does not compile, so that the answer comes before a parser's.
 */
import type { Span } from "../../base/errors.js";
import { absentWord } from "../text/absent-words.js";
import { codeAlone } from "../text/code-alone.js";

export interface CForm {
  readonly what: string;
  readonly cure: string;
  readonly span: Span;
}

/** What a form's match says, and the part of it to mark. */
interface Answer {
  readonly what: string;
  readonly cure: string;
  readonly marked: string;
}

/** `found` holds the match in the text as it was written. */
type Form = readonly [pattern: RegExp, answer: (found: readonly string[]) => Answer | null];

const BASE =
  "(?:(?:unsigned|signed|long|short)\\s+)*(?:unsigned|signed|int|float|double|char|bool|long|short|auto|void|half|__half|size_t|ptrdiff_t|uint|ulong|u?int(?:8|16|32|64)_t|dim3|(?:int|uint|float|double)[234])";
const QUALIFIER =
  "extern|static|volatile|register|const|inline|__shared__|__constant__|__device__|__global__|__host__|__forceinline__";
const NAME = "[A-Za-z_$][\\w$]*";

/** A first value, up to the next declarator or the end of the statement. */
const VALUE = "((?:\\((?:\\([^()]*\\)|[^()])*\\)|[^;,\\n()])*)";

const SCALARS: readonly (readonly [RegExp, string])[] = [
  [/^(float|half|__half)$/, "f32"],
  [/^double$/, "f64"],
  [/^(size_t|ulong|uint64_t|unsigned long.*)$/, "u64"],
  [/^(long.*|ptrdiff_t|int64_t|signed long.*)$/, "i64"],
  [/^(unsigned.*|uint|uint(8|16|32)_t)$/, "u32"],
  [/^bool$/, "bool"],
  [/^(int|uint|float|double)[24]$/, "$&"],
];

/** warplab's type for one of C's: i32 for int. */
export function typeForC(written: string): string {
  const type = written.trim().replace(/\s+/g, " ");
  const found = SCALARS.find(([form]) => form.test(type));
  return found === undefined ? "i32" : found[1].replace("$&", type);
}

/** Whether a name is a type of C's. */
export function isCType(name: string): boolean {
  return new RegExp(`^${BASE}$`).test(name);
}

/** A first value that shows its type: 0 of an int, f32(0) of a float. */
function firstValue(type: string, given: string): string {
  const value = given.trim() === "" ? "0" : given.trim();
  const plain = value.length > 40 ? "..." : value.replace(/(?<=\d\.?)[fFuUlL]+$/, "");
  const isPlain = type === "i32" || type === "bool" || plain.startsWith("make_");
  return isPlain ? plain : `${type}(${plain})`;
}

/** `[256]`, `[32][33]` as the lengths of shared() and local(). */
function lengthsOf(brackets: string): string {
  const each = [...brackets.matchAll(/\[([^\]]*)\]/g)].map(([, length = ""]) => length.trim());
  return each.length === 1 ? (each[0] ?? "") : `[${each.join(", ")}]`;
}

/** The parameters of a C function in the form of kernel(...). */
function parametersOf(list: string): string {
  const each = list.split(",").flatMap((one) => {
    const found = new RegExp(
      `(?:(?:const|volatile)\\s+)*(${BASE})\\s*(?:const\\s*)?([*&]*)\\s*(?:__restrict__\\s*)?(${NAME})`,
    ).exec(one);
    if (found === null) return [];
    const [, type = "", star = "", name = ""] = found;
    return [`${name}: ${star.includes("*") ? `ptr(${typeForC(type)})` : typeForC(type)}`];
  });
  return each.join(", ");
}

function definition(maker: "kernel" | "device", name: string, list: string): Answer {
  const parameters = parametersOf(list);
  const names = [...parameters.matchAll(/(\w+):/g)].map(([, each]) => each).join(", ");
  const open = parameters === "" ? "{}" : `{ ${parameters} }`;
  return {
    what: `This is a function of CUDA C++, and the cell is TypeScript.`,
    cure: `Write const ${name} = ${maker}("${name}", ${open}, (${names === "" ? "" : `{ ${names} }`}) => { ... }); or keep it as it is, in const { ${name} } = cuda\`...\`;`,
    marked: name,
  };
}

function declaration(
  qualifiers: string,
  written: string,
  stars: string,
  name: string,
  rest: readonly string[],
): Answer {
  const [brackets = "", init = ""] = rest;
  const type = typeForC(written);
  const what = "A declaration begins with const or let here; its type is that of the first value.";
  const isShared = /__shared__/.test(qualifiers);
  if (isShared && /^\s*\[\s*\]/.test(brackets)) {
    const cure = `Write const ${name} = externShared(${type}); and give the launch its size, sharedBytes: 4 * block.`;
    return { what: "A shared array is made by a word here, not by a declaration.", cure, marked: "__shared__" };
  }
  if (isShared) {
    const made = brackets === "" ? `shared(${type}, 1)` : `shared(${type}, ${lengthsOf(brackets)})`;
    return {
      what: "A shared array is made by a word here, not by a declaration.",
      cure: `Write const ${name} = ${made};`,
      marked: "__shared__",
    };
  }
  if (written === "dim3") {
    return {
      what: "Sizes are numbers or lists of them here.",
      cure: "Write them into the launch: { grid: [4, 4], block: 128 }.",
      marked: written,
    };
  }
  if (brackets !== "") {
    const cure = `Write const ${name} = local(${type}, ${lengthsOf(brackets)}); and store its elements one by one.`;
    return { what: "A thread's own array is made by a word here, not by a declaration.", cure, marked: written };
  }
  if (stars.includes("*")) {
    return {
      what: "There are no pointers to declare here: an array has a name, and a part of it is another array.",
      cure: `Write const ${name} = input.subarray(k); for the array from element k on, and ${name}[i] for its elements.`,
      marked: written,
    };
  }
  const word = /\bconst\b/.test(qualifiers) ? "const" : "let";
  const value = written === "auto" ? init.trim() || "0" : firstValue(type, init);
  return {
    what,
    cure: `Write ${word} ${name} = ${type === "bool" && init === "" ? "false" : value};`,
    marked: written,
  };
}

const CASTS = new RegExp(
  `\\(\\s*(?:const\\s+)?(${BASE})\\s*(\\**)\\s*\\)\\s*(?=[\\w$(.+-])(\\(?[\\w$.]+(?:\\[[^\\]]*\\])?)`,
);

const forms: readonly Form[] = [
  [
    new RegExp(
      `(?<![\\w$])(__global__|__device__)(?:\\s+(?:${QUALIFIER}))*\\s+${BASE}\\s*[*&]*\\s*(${NAME})\\s*\\(([^)]*)`,
    ),
    ([, qualifier = "", name = "", list = ""]) =>
      definition(qualifier === "__global__" ? "kernel" : "device", name, list),
  ],
  [
    /(?<![\w$.])template\s*<([^>]*)>/,
    ([, list = ""]) => {
      const name = /(\w+)\s*$/.exec(list.split(",")[0] ?? "")?.[1] ?? "BLOCK";
      return {
        what: "A template's parameters are constants of the kernel here.",
        cure: `Write kernel("name", { ... }, { ${name}: 256 }, ({ ... }, { ${name} }) => { ... }); and sum.with({ ${name}: 512 }) for another instance.`,
        marked: "template",
      };
    },
  ],
  [
    new RegExp(`(?<![\\w$.])(?<!${NAME}\\s)void\\s+(${NAME})\\s*\\(([^)]*)\\)\\s*\\{`),
    ([, name = "", list = ""]) => definition("device", name, list),
  ],
  [
    new RegExp(`(?<![\\w$.])((?:(?:${QUALIFIER})\\s+)*)(${BASE})\\s+(${NAME})\\s*\\(([^)]*)\\)\\s*\\{`),
    ([, , , name = "", list = ""]) => definition("device", name, list),
  ],
  [
    new RegExp(
      `(?<![\\w$.])((?:(?:${QUALIFIER})\\s+)*)(${BASE})(?:\\s+|\\s*(?=[*&]))(?:const\\s+)?([*&]*)\\s*(?:__restrict__\\s+)?(?!(?:of|in|as|instanceof)\\b)(${NAME})\\s*((?:\\[[^\\]]*\\]\\s*)*)(?:=${VALUE}|(?=[;,(\\n]))`,
    ),
    ([, qualifiers = "", type = "", stars = "", name = "", ...rest]) =>
      declaration(qualifiers, type, stars, name, rest),
  ],
  [
    /(?<![\w$.])(0[xX][\da-fA-F]+|\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?)(?<=[\d.a-fA-F])(?:([fF])|([uU]?[lL]{0,2}))(?![\w$])/,
    ([whole = "", digits = "", float, integer = ""]) => {
      if (float === undefined && integer === "") return null;
      const type = float !== undefined ? "f32" : /l/i.test(integer) ? (/u/i.test(integer) ? "u64" : "i64") : "u32";
      const plain = float === undefined || digits.includes(".") ? digits : `${digits}.0`;
      return {
        what: `Numbers have no suffix here: ${whole} is C.`,
        cure: float !== undefined ? `Write ${plain}, which is an f32, or f32(${digits}).` : `Write ${type}(${digits}).`,
        marked: whole,
      };
    },
  ],
  [
    new RegExp(
      `(?<![\\w$.])((?:__)?atomic\\w+)\\s*\\(\\s*&\\s*(${NAME})\\s*(?:\\[([^\\]]*)\\])?\\s*,([^;]*?)\\)\\s*;?`,
    ),
    ([, call = "", array = "", index = "0", values = ""]) => ({
      what: "There is no & for an address here: an atomic takes the array, the index and the value.",
      cure: `Write ${call}(${array}, ${index},${values});`,
      marked: "&",
    }),
  ],
  [
    /(?<![\w$.])(cuda[A-Z]\w*)\s*\(/,
    ([, name = ""]) => {
      const found = absentWord(name);
      if (found === undefined) return null;
      const cure = found.cure.replace(/^Leave it to the host[:,] /, "Write ");
      return { what: `${name} belongs to CUDA's runtime, which the host does not call here.`, cure, marked: name };
    },
  ],
  [
    new RegExp(`(?<=[(,=]\\s*)&\\s*(${NAME})\\s*(?:\\[([^\\]]*)\\])?`),
    ([whole = "", array = "", index]) => ({
      what: "There is no & for an address here: a part of an array is an array.",
      cure: `Write ${index === undefined ? array : `${array}.subarray(${index})`}.`,
      marked: whole,
    }),
  ],
  [
    new RegExp(`(?<=(?:[=(,;{}]|\\breturn|^)\\s*)\\*\\s*(?:(${NAME})|\\(\\s*(${NAME})\\s*\\+([^)]*)\\))`),
    ([whole = "", array, base, offset = ""]) => ({
      what: "There is no * to follow a pointer here: an array is indexed.",
      cure: `Write ${array === undefined ? `${base}[${offset.trim()}]` : `${array}[0]`}.`,
      marked: whole,
    }),
  ],
  [
    new RegExp(`([\\w$)\\]]+)\\s*->\\s*(${NAME})`),
    ([whole = "", left = "", right = ""]) => ({
      what: "There is no -> here.",
      cure: `Write ${left}.${right} for a member, ${left}[0].${right} for one of an array's first element.`,
      marked: whole,
    }),
  ],
  [
    CASTS,
    ([whole = "", type = "", stars = "", value = ""]) => {
      const operand = value.startsWith("(") ? "x" : value;
      return {
        what: "A conversion is a call here.",
        cure:
          stars === ""
            ? `Write ${typeForC(type)}(${operand}).`
            : "Write asVector(input, float4) for an array as vectors; other arrays keep their type.",
        marked: whole,
      };
    },
  ],
  [
    /(?<![\w$.])(\w+)\s*::\s*(\w+)/,
    ([whole = "", space = "", name = ""]) => ({
      what: "There are no namespaces here.",
      cure: absentWord(space)?.cure ?? `Write ${name} by itself.`,
      marked: whole,
    }),
  ],
  [
    new RegExp(`(${NAME})\\s*<<<\\s*([^>]*?)\\s*>>>`),
    ([whole = "", name = "", sizes = ""]) => {
      const [grid = "1", block = "128", shared] = sizes.split(/,(?![^(]*\))/).map((each) => each.trim());
      const bytes = shared === undefined ? "" : `, sharedBytes: ${shared}`;
      return {
        what: "There is no <<< >>> here: a launch is a call.",
        cure: `Write gpu.launch(${name}, { grid: ${grid}, block: ${block}${bytes} }, { ...arguments by name }); in a kernel launch(${name}, ...).`,
        marked: whole,
      };
    },
  ],
  [
    /(?<=^\s*)#\s*(\w+)[ \t]*([\w<."]*)[ \t]*([^\n]*)/m,
    ([, directive = "", first = "", rest = ""]) => ({
      what: "There is no preprocessor here.",
      cure:
        directive === "pragma"
          ? "Write it behind //, as // #pragma unroll, or unroll(); as the loop's first statement."
          : directive === "define"
            ? `Write it as a constant of the kernel: kernel("name", { ... }, { ${first}: ${rest.trim() || "1"} }, ({ ... }, { ${first} }) => { ... }).`
            : directive === "include"
              ? 'Leave it out: import { kernel, ptr, i32 } from "warplab" has the words.'
              : "Leave it out: what a constant of the kernel rules out is not compiled.",
      marked: `#${directive}`,
    }),
  ],
  [
    new RegExp(`(?<![\\w$.])(struct|union|typedef|goto|namespace)\\s+(${NAME})`),
    ([whole = "", word = ""]) => ({
      what: `There is no ${word} here.`,
      cure:
        word === "goto"
          ? "Leave the loop by a flag: let done = false; for (...; !done && ...; ...)."
          : word === "typedef"
            ? "Leave it out: write the type's name, i32 or f32, where it is used."
            : "Use an array for each field, or a vector of two or four numbers: int2, float4.",
      marked: whole,
    }),
  ],
];

/** A type after a variable's name, which TypeScript's erasure would pass over. */
const annotation: Form = [
  new RegExp(
    `(?<![\\w$.])((?:const|let|var))\\s+(${NAME})\\s*:\\s*(${BASE}|[iuf](?:32|64)|half)(?![\\w$.<])(?:\\s*=${VALUE})?`,
  ),
  ([, word = "", name = "", written = "", init = ""]) => {
    const type = /^[iuf](32|64)$/.test(written) ? written : typeForC(written);
    return {
      what: `A kernel's variable has the type of its first value; ${written} after its name says nothing.`,
      cure: `Write ${word} ${name} = ${firstValue(type, init)};`,
      marked: written,
    };
  },
];

function spanAt(text: string, offset: number, length: number): Span {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1)?.length ?? 0, length };
}

function firstOf(list: readonly Form[], text: string): CForm | null {
  const code = codeAlone(text);
  let first: { readonly at: number; readonly form: CForm } | null = null;
  for (const [pattern, answer] of list) {
    for (const match of code.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))) {
      if (first !== null && match.index >= first.at) break;
      const found = answer([...match]);
      if (found === null) continue;
      const within = Math.max(0, match[0].indexOf(found.marked));
      const { what, cure, marked } = found;
      first = { at: match.index, form: { what, cure, span: spanAt(text, match.index + within, marked.length) } };
      break;
    }
  }
  return first?.form ?? null;
}

/** The first form of C in a text that is no TypeScript, or that TypeScript objects to; null where there is none. */
export function cForm(text: string): CForm | null {
  return firstOf([...forms, annotation], text);
}

/** The first variable with a number's type after its name, in a text that declares no such type itself. */
export function typedVariable(text: string): CForm | null {
  return /(?<![\w$.])(?:type|interface|class)\s+(?:[iuf](?:32|64)|int|float|double|bool|half)\b/.test(text)
    ? null
    : firstOf([annotation], text);
}
