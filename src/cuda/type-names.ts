/** C++ spelling of constants and names in CUDA text. */
import type { Scalar } from "../ir/types.js";

/** A literal of the exact value and type; f32 with nine digits, which read back exactly. */
export function literal(type: Scalar, value: number | bigint): string {
  if (type === "bool") return value ? "true" : "false";
  if (typeof value === "bigint") {
    if (type === "u64") return `${value}ull`;
    return value === -(2n ** 63n) ? "(-9223372036854775807ll - 1)" : `${value}ll`;
  }
  if (type === "i32") return value === -(2 ** 31) ? "(-2147483647 - 1)" : String(value);
  if (type === "u32") return `${value >>> 0}u`;
  if (Number.isNaN(value)) return type === "f32" ? "NAN" : "((double)NAN)";
  // C's INFINITY is a float: beside a double it would call the wrong overload.
  if (!Number.isFinite(value)) return `${value < 0 ? "-" : ""}${type === "f32" ? "INFINITY" : "((double)INFINITY)"}`;
  const digits = type === "f32" && value !== 0 ? Number(value.toPrecision(9)) : value;
  const text = Object.is(digits, -0) ? "-0" : String(digits);
  const point = /[.e]/.test(text) ? text : `${text}.0`;
  return type === "f32" ? `${point}f` : point;
}

const RESERVED: ReadonlySet<string> = new Set(
  (
    "alignas alignof and asm auto bitand bitor bool break case catch char class const constexpr continue decltype default delete do double " +
    "else enum explicit export extern false float for friend goto if inline int long mutable namespace new not operator or private " +
    "protected public register return short signed sizeof static struct switch template this throw true try typedef typename union " +
    "unsigned using virtual void volatile wchar_t while xor main warpSize threadIdx blockIdx blockDim gridDim min max abs"
  ).split(" "),
);

/** A C identifier made of any text, distinct from C++'s words. */
export function identifier(text: string): string {
  const cleaned = text.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  const name = cleaned === "" || /^[0-9]/.test(cleaned) ? `k_${cleaned}` : cleaned;
  return RESERVED.has(name) ? `${name}_` : name;
}

/** Gives every declared thing a name of its own: the learner's, with a number where it would repeat. */
export class NameTable {
  readonly #used: Set<string>;

  constructor(used: Iterable<string> = []) {
    this.#used = new Set(used);
  }

  /** A table of an inner scope: the outer names are taken there, the inner ones are free outside. */
  nested(): NameTable {
    return new NameTable(this.#used);
  }

  claim(wanted: string): string {
    const stem = identifier(wanted);
    let name = stem;
    for (let count = 2; this.#used.has(name); count++) name = `${stem}_${count}`;
    this.#used.add(name);
    return name;
  }
}
