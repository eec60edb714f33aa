/**
 * An array's contents as host code of a CUDA program: values written out, or a formula where there are too many of them.
 * Both sides compute a formula in integers or exact floats, so they hold the same bits.
 */
import { InputError } from "../base/errors.js";
import { mulberry32, unitFloat } from "../base/random-values.js";
import type { HostArray } from "../base/typed-array.js";
import { cudaName, isFloat, type Narrow, type Scalar } from "../ir/types.js";
import { literal } from "./type-names.js";

/** Values of one array. `seed` names the pseudo-random values that `lcgValues` gives. */
export type HostData =
  | { readonly values: HostArray }
  | { readonly constant: number | bigint; readonly length: number }
  | { readonly seed: number; readonly length: number };

/** Expected values up to this many are written out, one by one; of more the checksum is. */
export const MOST_VALUES_WRITTEN = 4096;
/** Input without a formula is written out up to here: nvcc takes such a table, and nothing else would do. */
export const MOST_INPUT_WRITTEN = 65536;
/** Seeds that are tried for data that a generator of the course may have made. */
const SEEDS_TRIED = 65536;

type Form =
  | { readonly kind: "constant"; readonly value: number | bigint }
  /** value[i] = start + step * i, in integers. */
  | { readonly kind: "progression"; readonly start: number | bigint; readonly step: number | bigint }
  /** value[i] = values[i % period]; all of them where the period is the length. */
  | { readonly kind: "table"; readonly values: readonly (number | bigint)[] }
  | { readonly kind: "lcg"; readonly seed: number }
  /** mulberry32's values, or as floats their upper 24 bits times 2^-24: what randomInts and randomFloats give. */
  | { readonly kind: "random"; readonly seed: number };

/** Multiplier and increment of Numerical Recipes' "quick and dirty" generator, modulo 2^32. */
const LCG_MULTIPLIER = 1664525;
const LCG_INCREMENT = 1013904223;

export function createHostArray(scalar: Scalar | Narrow, length: number): HostArray {
  switch (scalar) {
    case "i8":
      return new Int8Array(length);
    case "u8":
      return new Uint8Array(length);
    case "i16":
      return new Int16Array(length);
    case "u16":
      return new Uint16Array(length);
    case "i32":
      return new Int32Array(length);
    case "u32":
      return new Uint32Array(length);
    case "i64":
      return new BigInt64Array(length);
    case "u64":
      return new BigUint64Array(length);
    case "f32":
      return new Float32Array(length);
    case "f64":
      return new Float64Array(length);
    case "bool":
      throw new InputError({ what: "An array of bool does not exist.", cure: "Use u32 and the values 0 and 1." });
  }
}

/**
 * Pseudo-random values that a CUDA program can make too: state = state * 1664525 + 1013904223 (modulo 2^32) for each
 * element, from `seed`. Integers are the state's upper 8 bits, 0..255; floats its upper 24 bits times 2^-24, 0..1.
 */
export function lcgValues(scalar: Scalar | Narrow, length: number, seed: number): HostArray {
  const array = createHostArray(scalar, length);
  let state = seed >>> 0;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, LCG_MULTIPLIER) + LCG_INCREMENT) >>> 0;
    if (array instanceof Float32Array || array instanceof Float64Array) array[i] = (state >>> 8) * 2 ** -24;
    else if (array instanceof BigInt64Array || array instanceof BigUint64Array) array[i] = BigInt(state >>> 24);
    else array[i] = state >>> 24;
  }
  return array;
}

export function lengthOf(data: HostData): number {
  return "values" in data ? data.values.length : data.length;
}

/** Length of the shortest table whose repetition gives the values; Knuth, Morris and Pratt's failure function. */
function periodOf(values: HostArray, most: number): number | null {
  // A period of at most `most` shows in the first 2 * most values and must then hold for all.
  const head = Math.min(values.length, 2 * most + 1);
  const same = (a: number, b: number): boolean => Object.is(values[a], values[b]);
  const failure = new Int32Array(head + 1);
  failure[0] = -1;
  for (let i = 0, k = -1; i < head; i++) {
    while (k >= 0 && !same(i, k)) k = failure[k] ?? -1;
    failure[i + 1] = ++k;
  }
  const period = head - (failure[head] ?? 0);
  if (period > most) return null;
  for (let i = period; i < values.length; i++) if (!same(i, i - period)) return null;
  return period;
}

function progression(values: HostArray): Form | null {
  const [start, second] = [values[0], values[1]];
  if (start === undefined || second === undefined) return null;
  if (typeof start === "bigint" || typeof second === "bigint") {
    const step = BigInt(second) - BigInt(start);
    for (let i = 0; i < values.length; i++) if (values[i] !== BigInt(start) + step * BigInt(i)) return null;
    return { kind: "progression", start, step };
  }
  const step = second - start;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(step)) return null;
  for (let i = 0; i < values.length; i++) if (values[i] !== start + step * i) return null;
  return { kind: "progression", start, step };
}

function formOf(name: string, data: HostData): Form {
  if ("seed" in data) return { kind: "lcg", seed: data.seed >>> 0 };
  if ("constant" in data) return { kind: "constant", value: data.constant };
  const { values } = data;
  const form = describe(values, MOST_INPUT_WRITTEN);
  if (form !== null) return form;
  throw new InputError({
    what: `${name} has ${values.length} values that follow no formula, too many to write into a CUDA program.`,
    cure: `Give it values with a formula (constant, counting, repeating, randomInts(n, seed) or randomFloats(n, seed)), or at most ${MOST_INPUT_WRITTEN} values.`,
  });
}

/** The seed in 0 .. SEEDS_TRIED - 1 from which mulberry32 gives the values; null where there is none. */
function randomSeed(values: HostArray): number | null {
  const isFloat = values instanceof Float32Array;
  if (!isFloat && !(values instanceof Int32Array)) return null;
  const made = (bits: number): number => (isFloat ? unitFloat(bits) : bits);
  for (let seed = 0; seed < SEEDS_TRIED; seed++) {
    if (made(mulberry32(1, seed)[0] ?? 0) !== values[0] || made(mulberry32(2, seed)[1] ?? 0) !== values[1]) continue;
    if (mulberry32(values.length, seed).every((bits, i) => made(bits) === values[i])) return seed;
  }
  return null;
}

/** A table has `most` values at the most. */
function describe(values: HostArray, most: number): Form | null {
  const period = periodOf(values, most);
  const first = values[0];
  if (period === 1 && first !== undefined) return { kind: "constant", value: first };
  if (values.length > 16 || period === null) {
    const found = progression(values);
    if (found !== null) return found;
    const seed = period === null || period === values.length ? randomSeed(values) : null;
    if (seed !== null) return { kind: "random", seed };
  }
  return period === null ? null : { kind: "table", values: Array.from(values.subarray(0, period) as Int32Array) };
}

function tableText(name: string, scalar: Scalar | Narrow, values: readonly (number | bigint)[]): string {
  const lines: string[] = [];
  let line = " ";
  for (const value of values) {
    const text = ` ${literal(scalar, value)},`;
    if (line.length + text.length > 110) {
      lines.push(line);
      line = " ";
    }
    line += text;
  }
  lines.push(line);
  return `static const ${cudaName(scalar)} ${name}[] = {\n${lines.join("\n")}\n};\n`;
}

/** Host code: `globals` before main, `fill` sets `host[0..length-1]`. */
export interface FillText {
  readonly globals: string;
  readonly fill: string;
}

/** @throws InputError where there are too many values and no formula is found. */
export function fillText(name: string, host: string, data: HostData, scalar: Scalar | Narrow): FillText {
  const form = formOf(name, data);
  const type = cudaName(scalar);
  const head = `for (size_t i = 0; i < ${host}.size(); i++)`;
  switch (form.kind) {
    case "constant":
      return { globals: "", fill: `${head} ${host}[i] = ${literal(scalar, form.value)};` };
    case "progression": {
      const whole = !isFloat(scalar as Scalar);
      const count = whole ? "(long long)i" : "(double)i";
      const number = (value: number | bigint): string => `${value}${count === "(double)i" ? ".0" : "ll"}`;
      return {
        globals: "",
        fill: `${head} ${host}[i] = (${type})(${number(form.start)} + ${number(form.step)} * ${count});`,
      };
    }
    case "table": {
      const table = `${host}_table`;
      const repeats = form.values.length < lengthOf(data);
      const globals = tableText(table, scalar, form.values);
      return { globals, fill: `${head} ${host}[i] = ${table}[${repeats ? `i % ${form.values.length}` : "i"}];` };
    }
    case "random": {
      const value = scalar === "f32" ? "(float)((mixed >> 8) * (1.0 / 16777216.0))" : "(int)mixed";
      const steps = [
        "state += 0x6d2b79f5u;",
        "unsigned int mixed = (state ^ (state >> 15)) * (1u | state);",
        "mixed = (mixed + (mixed ^ (mixed >> 7)) * (61u | mixed)) ^ mixed;",
        "mixed ^= mixed >> 14;",
        `${host}[i] = ${value};`,
      ];
      return {
        globals: "",
        fill: `{\n    unsigned int state = ${form.seed}u;\n    ${head} {\n      ${steps.join("\n      ")}\n    }\n  }`,
      };
    }
    case "lcg": {
      const isFloat = scalar === "f32" || scalar === "f64";
      const value = isFloat ? `(${type})((state >> 8) * (1.0 / 16777216.0))` : `(${type})(state >> 24)`;
      const step = `state = state * ${LCG_MULTIPLIER}u + ${LCG_INCREMENT}u;`;
      return {
        globals: "",
        fill: `{\n    unsigned int state = ${form.seed}u;\n    ${head} {\n      ${step}\n      ${host}[i] = ${value};\n    }\n  }`,
      };
    }
  }
}

/** Host code that makes the expected values, or null where they would have to be written out and are too many. */
export function expectedText(host: string, values: HostArray, scalar: Scalar | Narrow): FillText | null {
  return describe(values, MOST_VALUES_WRITTEN) === null ? null : fillText(host, host, { values }, scalar);
}

/** FNV-1a, 64 bits, of the bytes in memory; a NaN counts as 0x7fc00000 or 0x7ff8000000000000. */
export function checksum(values: HostArray): bigint {
  const copy = values.slice();
  if (copy instanceof Float32Array) {
    const bits = new Uint32Array(copy.buffer);
    for (let i = 0; i < copy.length; i++) if (Number.isNaN(copy[i])) bits[i] = 0x7fc00000;
  } else if (copy instanceof Float64Array) {
    const bits = new BigUint64Array(copy.buffer);
    for (let i = 0; i < copy.length; i++) if (Number.isNaN(copy[i])) bits[i] = 0x7ff8000000000000n;
  }
  return fnv1a(new Uint8Array(copy.buffer));
}

/** hash = (hash ^ byte) * 0x100000001b3 modulo 2^64, in four 16-bit limbs: BigInt would take a second a megabyte. */
function fnv1a(bytes: Uint8Array): bigint {
  let [a, b, c, d] = [0x2325, 0x8422, 0x9ce4, 0xcbf2]; // 0xcbf29ce484222325, low limb first
  for (let i = 0; i < bytes.length; i++) {
    a ^= bytes[i] ?? 0;
    // The prime is 2^40 + 0x1b3: limbs move up by two and a half, and each is multiplied by 0x1b3.
    const a2 = a * 0x1b3;
    const b2 = b * 0x1b3 + (a2 >>> 16);
    const c2 = c * 0x1b3 + ((a << 8) & 0xffff) + (b2 >>> 16);
    const d2 = d * 0x1b3 + (((b << 8) | (a >>> 8)) & 0xffff) + (c2 >>> 16);
    a = a2 & 0xffff;
    b = b2 & 0xffff;
    c = c2 & 0xffff;
    d = d2 & 0xffff;
  }
  return (BigInt(d) << 48n) | (BigInt(c) << 32n) | (BigInt(b) << 16n) | BigInt(a);
}
