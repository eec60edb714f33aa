/** The functions of the language that compute a value from values, with their types: what random kernels call. */
import type { Type } from "./tree.js";

export interface LanguageFunction {
  /** All mean the same. */
  readonly names: readonly [string, ...string[]];
  readonly args: readonly Type[];
  readonly result: Type;
  /** false: a GPU gives it to within an error bound only. */
  readonly exact: boolean;
  /** The bits of a NaN in its arguments would show in the result. */
  readonly showsNan: boolean;
}

const FLOATS = ["f32", "f64"] as const;
const INTEGERS = ["i32", "u32", "i64", "u64"] as const;

function entry(text: string, args: readonly Type[], result: Type, exact = true, showsNan = false): LanguageFunction {
  const [first = "", ...rest] = text.split(" ");
  return { names: [first, ...rest], args, result, exact, showsNan };
}

const repeated = (t: Type, count: number): readonly Type[] => new Array<Type>(count).fill(t);

/** In f32 and f64 by their arguments; `f` names their f32 forms. */
function ofFloats(names: string, count: number, exact: boolean, showsNan = false): readonly LanguageFunction[] {
  return names
    .split(" ")
    .flatMap((name) =>
      FLOATS.map((t) => entry(t === "f32" ? `${name} ${name}f` : name, repeated(t, count), t, exact, showsNan)),
    );
}

function conversions(): readonly LanguageFunction[] {
  const integers = { int: "i32", uint: "u32", ll: "i64", ull: "u64" } as const;
  const floats = { float: "f32", double: "f64" } as const;
  return Object.entries(floats).flatMap(([from, source]) =>
    Object.entries(integers).flatMap(([to, target]) =>
      ["rn", "rz", "rd", "ru"].map((rounding) => entry(`__${from}2${to}_${rounding}`, [source], target)),
    ),
  );
}

const two = (names: string): string =>
  names
    .split(" ")
    .flatMap((name) => [name, `__${name}`])
    .join(" ");

export const FUNCTIONS: readonly LanguageFunction[] = [
  ...ofFloats("sqrt floor ceil trunc rint nearbyint round rcp", 1, true),
  ...ofFloats("fmod fdim", 2, true),
  ...ofFloats("copysign", 2, true, true),
  ...ofFloats("fma", 3, true),
  ...ofFloats("rsqrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan", 1, false),
  ...ofFloats("sinh cosh tanh asinh acosh atanh cbrt sinpi cospi", 1, false),
  ...ofFloats("pow atan2 hypot", 2, false),
  ...FLOATS.flatMap((t) => [
    entry(t === "f32" ? "fabs fabsf abs" : "fabs abs", [t], t),
    entry(t === "f32" ? "fmin fminf min" : "fmin min", [t, t], t),
    entry(t === "f32" ? "fmax fmaxf max" : "fmax max", [t, t], t),
    ...["isnan", "isinf", "isfinite"].map((name) => entry(name, [t], "bool")),
    entry("signbit", [t], "bool", true, true),
  ]),
  entry("saturate __saturatef", ["f32"], "f32"),
  ...["__expf", "__exp10f", "__logf", "__log2f", "__log10f", "__sinf", "__cosf", "__tanf"].map((name) =>
    entry(name, ["f32"], "f32", false),
  ),
  entry("__powf", ["f32", "f32"], "f32", false),
  entry("__fdividef fdividef", ["f32", "f32"], "f32", false),
  ...["add", "sub", "mul", "div"].flatMap((op) => [
    entry(`__f${op}_rn`, ["f32", "f32"], "f32"),
    entry(`__d${op}_rn`, ["f64", "f64"], "f64"),
  ]),
  entry("__frcp_rn", ["f32"], "f32"),
  entry("__drcp_rn", ["f64"], "f64"),
  entry("__fsqrt_rn", ["f32"], "f32"),
  entry("__dsqrt_rn", ["f64"], "f64"),
  entry("__fmaf_rn", ["f32", "f32", "f32"], "f32"),
  entry("__fma_rn", ["f64", "f64", "f64"], "f64"),
  ...conversions(),
  ...INTEGERS.flatMap((t) => [
    entry("min", [t, t], t),
    entry("max", [t, t], t),
    entry(t === "i32" ? "mulhi __mulhi" : "mulhi", [t, t], t),
  ]),
  entry("abs", ["i32"], "i32"),
  entry("abs", ["i64"], "i64"),
  entry(two("popc"), ["u32"], "i32"),
  entry(two("popcll"), ["u64"], "i32"),
  entry(two("ffs"), ["i32"], "i32"),
  entry(two("ffsll"), ["i64"], "i32"),
  entry(two("clz"), ["i32"], "i32"),
  entry(two("clzll"), ["i64"], "i32"),
  entry(two("brev"), ["u32"], "u32"),
  entry(two("brevll"), ["u64"], "u64"),
  entry(two("byte_perm"), ["u32", "u32", "u32"], "u32"),
  entry(two("umulhi"), ["u32", "u32"], "u32"),
  entry(two("mul64hi"), ["i64", "i64"], "i64"),
  entry(two("umul64hi"), ["u64", "u64"], "u64"),
  entry(two("mul24"), ["i32", "i32"], "i32"),
  entry(two("umul24"), ["u32", "u32"], "u32"),
  ...["l", "r", "lc", "rc"].map((form) => entry(two(`funnelshift_${form}`), ["u32", "u32", "u32"], "u32")),
  entry(two("float_as_int"), ["f32"], "i32", true, true),
  entry(two("float_as_uint"), ["f32"], "u32", true, true),
  entry(two("int_as_float"), ["i32"], "f32"),
  entry(two("uint_as_float"), ["u32"], "f32"),
  entry(two("double_as_longlong"), ["f64"], "i64", true, true),
  entry(two("longlong_as_double"), ["i64"], "f64"),
];

const byName = new Map<string, readonly LanguageFunction[]>();
for (const fn of FUNCTIONS) for (const name of fn.names) byName.set(name, [...(byName.get(name) ?? []), fn]);

/** All functions of that name: one for each type that it takes. */
export function functionsNamed(name: string): readonly LanguageFunction[] {
  return byName.get(name) ?? [];
}
