/** The types of C++ as the reader needs them, read from clang's way to write them. */

export type CScalar = "bool" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64";

export type CType =
  | { readonly kind: "void" }
  | { readonly kind: "scalar"; readonly scalar: CScalar; readonly volatile?: true }
  | { readonly kind: "pointer"; readonly to: CType }
  | { readonly kind: "reference"; readonly to: CType }
  | { readonly kind: "array"; readonly of: CType; readonly length: number | null }
  | { readonly kind: "record"; readonly name: string; readonly volatile?: true }
  | { readonly kind: "function"; readonly returns: CType }
  | { readonly kind: "unknown"; readonly text: string };

const WORDS: Readonly<Record<string, CScalar>> = {
  bool: "bool",
  char: "i8",
  "signed char": "i8",
  "unsigned char": "u8",
  short: "i16",
  "unsigned short": "u16",
  int: "i32",
  "unsigned int": "u32",
  long: "i64",
  "unsigned long": "u64",
  "long long": "i64",
  "unsigned long long": "u64",
  float: "f32",
  double: "f64",
  wchar_t: "i32",
  char16_t: "u16",
  char32_t: "u32",
  size_t: "u64",
  ptrdiff_t: "i64",
  __size_t: "u64",
  __ptrdiff_t: "i64",
  int8_t: "i8",
  int16_t: "i16",
  int32_t: "i32",
  int64_t: "i64",
  uint8_t: "u8",
  uint16_t: "u16",
  uint32_t: "u32",
  uint64_t: "u64",
  uchar: "u8",
  ushort: "u16",
  uint: "u32",
  ulong: "u64",
  intptr_t: "i64",
  uintptr_t: "u64",
  clock_t: "i64",
  time_t: "i64",
  cudaError_t: "i32",
  cudaError: "i32",
};

/** Splits a type's text into words, `*`, `&`, brackets; a word holds its namespaces and template arguments. */
function tokens(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length) {
    const c = text[at] ?? "";
    if (/\s/.test(c)) {
      at++;
      continue;
    }
    if (/[A-Za-z_:0-9]/.test(c)) {
      let end = at;
      let depth = 0;
      while (end < text.length) {
        const d = text[end] ?? "";
        if (d === "<") depth++;
        if (depth === 0 && !/[A-Za-z_:0-9<]/.test(d)) break;
        if (d === ">") depth--;
        end++;
      }
      found.push(text.slice(at, end));
      at = end;
      continue;
    }
    if (text.startsWith("(anonymous", at) || text.startsWith("(unnamed", at) || text.startsWith("(lambda", at)) {
      const end = text.indexOf(")", at);
      found.push(text.slice(at, end + 1));
      at = end + 1;
      continue;
    }
    found.push(c);
    at++;
  }
  return found;
}

const IGNORED = new Set([
  "const",
  "__restrict",
  "__restrict__",
  "restrict",
  "struct",
  "class",
  "enum",
  "union",
  "typename",
]);

/** The meaning of a name that is no word of C++; undefined for a record. */
export type NameMeaning = (name: string) => CType | undefined;

function closing(list: readonly string[], open: number): number {
  let depth = 0;
  for (let i = open; i < list.length; i++) {
    if (list[i] === "(") depth++;
    if (list[i] === ")" && --depth === 0) return i;
  }
  return list.length;
}

function base(words: readonly string[], meaning: NameMeaning): CType {
  const own = words.filter((word) => !IGNORED.has(word) && word !== "volatile");
  const text = own.join(" ");
  const volatile = words.includes("volatile") ? ({ volatile: true } as const) : {};
  if (text === "void") return { kind: "void" };
  const scalar = WORDS[text] ?? WORDS[text.replace(/^std::/, "")];
  if (scalar !== undefined) return { kind: "scalar", scalar, ...volatile };
  if (/\((unnamed|anonymous) enum\b/.test(text)) return { kind: "scalar", scalar: "i32", ...volatile };
  if (own.length === 0 || text.includes("<dependent type>")) return { kind: "unknown", text };
  const known = meaning(text);
  if (known === undefined) return { kind: "record", name: text, ...volatile };
  return known.kind === "scalar" || known.kind === "record" ? { ...known, ...volatile } : known;
}

function declared(list: readonly string[], of: CType): CType {
  let type = of;
  let at = 0;
  while (at < list.length) {
    const token = list[at] ?? "";
    if (token === "*") type = { kind: "pointer", to: type };
    else if (token === "&") type = type.kind === "reference" ? type : { kind: "reference", to: type };
    else if (!IGNORED.has(token) && token !== "volatile") break;
    at++;
  }
  if (list[at] === "(") {
    const close = closing(list, at);
    const inside = list.slice(at + 1, close);
    if (inside[0] === "*" || inside[0] === "&") return declared(inside, suffixed(list.slice(close + 1), type));
  }
  return suffixed(list.slice(at), type);
}

function suffixed(list: readonly string[], of: CType): CType {
  if (list[0] === "(") return { kind: "function", returns: of };
  if (list[0] !== "[") return of;
  const close = list.indexOf("]");
  const length = list.slice(1, close).join("");
  const inner = suffixed(list.slice(close + 1), of);
  return { kind: "array", of: inner, length: /^\d+$/.test(length) ? Number(length) : null };
}

/** Reads a type as clang prints it, such as `const float (&)[4]`. */
export function parseType(text: string, meaning: NameMeaning): CType {
  const list = tokens(text);
  const end = list.findIndex((token) => ["*", "&", "(", "["].includes(token));
  const head = end < 0 ? list : list.slice(0, end);
  return declared(end < 0 ? [] : list.slice(end), base(head, meaning));
}

export function isVolatile(type: CType): boolean {
  if (type.kind === "array") return isVolatile(type.of);
  return (type.kind === "scalar" || type.kind === "record") && type.volatile === true;
}
