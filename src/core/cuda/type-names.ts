/** C++ spelling of constants and names in CUDA text. */
import { isNarrow, type Narrow, type Scalar } from "../ir/types.js";
import { isHeaderName } from "./header-names.js";

/** A literal of the exact value and type; f32 with nine digits, which read back exactly. */
export function literal(type: Scalar | Narrow, value: number | bigint): string {
  if (type === "bool") return value ? "true" : "false";
  if (typeof value === "bigint") {
    if (type === "u64") return `${value}ull`;
    return value === -(2n ** 63n) ? "(-9223372036854775807ll - 1)" : `${value}ll`;
  }
  if (type === "i32" || isNarrow(type)) return value === -(2 ** 31) ? "(-2147483647 - 1)" : String(value);
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
    "unsigned using virtual void volatile wchar_t while xor main nullptr noexcept static_assert thread_local const_cast dynamic_cast " +
    "static_cast reinterpret_cast typeid char16_t char32_t and_eq or_eq xor_eq not_eq compl warpSize threadIdx blockIdx blockDim gridDim min max abs"
  ).split(" "),
);

/** A C identifier made of any text. */
function identifier(text: string): string {
  const cleaned = text.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  return cleaned === "" || /^[0-9]/.test(cleaned) ? `k_${cleaned}` : cleaned;
}

/** Gives every declared thing a name of its own: the learner's, changed where it would repeat or is C++'s or CUDA's. */
export class NameTable {
  readonly #used: Set<string>;
  readonly #scope: "global" | "local";
  /** Names that C++ or the headers have already, and what stands for them. */
  readonly changed: Map<string, string>;

  constructor(
    used: Iterable<string> = [],
    scope: "global" | "local" = "global",
    changed: Map<string, string> = new Map(),
  ) {
    this.#used = new Set(used);
    this.#scope = scope;
    this.changed = changed;
  }

  /** A table of a function's own scope: the outer names are taken there, the inner ones are free outside. */
  nested(): NameTable {
    return new NameTable(this.#used, "local", this.changed);
  }

  claim(wanted: string): string {
    const plain = identifier(wanted);
    const taken = RESERVED.has(plain) || isHeaderName(plain, this.#scope);
    const stem = taken ? `${plain}_` : plain;
    let name = stem;
    for (let count = 2; this.#used.has(name); count++) name = `${stem}_${count}`;
    this.#used.add(name);
    if (taken) this.changed.set(plain, name);
    return name;
  }
}
