/**
 * The device's printf: C's conversions with flags, width and precision, as CUDA formats them on the host. Sources:
 * CUDA C++ Programming Guide, "Formatted Output"; an H200's output, test/reference/values/printf.txt. Unknown
 * conversions are printed as they stand, and so is `%.*f`, as there.
 */
import type { Scalar } from "../../ir/types.js";

const CONVERSION = /%([-+ #0]*)(\*|\d+)?(?:\.(\d*))?(hh|h|ll|l|j|z|t|L)?([diouxXeEfFgGaAcspn%])/g;

/** The widest field, and the most digits; the compiler refuses more. */
const MOST_COLUMNS = 4096;

/** `values[i]` is a bigint where `types[i]` is i64 or u64. Missing values print as 0. */
export function formatPrintf(format: string, values: readonly (number | bigint)[], types: readonly Scalar[]): string {
  let next = 0;
  return format.replace(CONVERSION, (whole, flags: string, width, precision, length, conversion: string) => {
    if (conversion === "%") return "%";
    let minus = flags.includes("-");
    let columns = 0;
    if (width === "*") {
      columns = Number(asInteger(values[next] ?? 0, types[next] ?? "i32", 32));
      next++;
      if (columns < 0) minus = true;
      columns = Math.abs(columns);
    } else if (width !== undefined) columns = Number(width);
    const digits = precision === undefined ? null : Math.min(Number(precision), MOST_COLUMNS);
    const value = values[next] ?? 0;
    const type = types[next] ?? "i32";
    next++;
    if (conversion === "n") return whole;
    const text = convertOne(value, type, conversion, flags, digits, length ?? "");
    return pad(text, Math.min(columns, MOST_COLUMNS), minus, flags.includes("0") && zeroPads(text, conversion, digits));
  });
}

function zeroPads(text: string, conversion: string, digits: number | null): boolean {
  if (/inf|nan/i.test(text) || "csp".includes(conversion)) return false;
  return !("diouxX".includes(conversion) && digits !== null);
}

function pad(text: string, columns: number, minus: boolean, zeros: boolean): string {
  if (text.length >= columns) return text;
  if (minus) return text.padEnd(columns);
  if (!zeros) return text.padStart(columns);
  const prefix = /^[-+ ]?(0[xX])?/.exec(text)?.[0] ?? "";
  return prefix + text.slice(prefix.length).padStart(columns - prefix.length, "0");
}

function convertOne(
  value: number | bigint,
  type: Scalar,
  conversion: string,
  flags: string,
  digits: number | null,
  length: string,
): string {
  switch (conversion) {
    case "d":
    case "i": {
      const integer = BigInt.asIntN(bits(length), asInteger(value, type, 64));
      return sign(integer < 0n, flags) + minimumDigits((integer < 0n ? -integer : integer).toString(), digits);
    }
    case "u":
      return minimumDigits(BigInt.asUintN(bits(length), asInteger(value, type, 64)).toString(), digits);
    case "o":
    case "x":
    case "X":
      return radix(BigInt.asUintN(bits(length), asInteger(value, type, 64)), conversion, flags, digits);
    case "c":
      return String.fromCharCode(Number(asInteger(value, type, 32) & 0xffn));
    case "p":
      return `0x${BigInt.asUintN(64, asInteger(value, type, 64)).toString(16)}`;
    case "s":
      return "(null)";
    default:
      return float(asDouble(value, type), conversion, flags, digits);
  }
}

function bits(length: string): number {
  const table: Record<string, number> = { hh: 8, h: 16, "": 32, L: 64 };
  return table[length] ?? 64;
}

/** The argument's slot read as an integer: a float passes its double's bits, as C's varargs do. */
function asInteger(value: number | bigint, type: Scalar, width: number): bigint {
  if (typeof value === "bigint") return BigInt.asIntN(width, value);
  if (type !== "f32" && type !== "f64") return BigInt(value);
  return BigInt.asIntN(width, new BigInt64Array(new Float64Array([value]).buffer)[0] ?? 0n);
}

/** The argument's slot read as a double: an integer passes its bits. */
function asDouble(value: number | bigint, type: Scalar): number {
  if (typeof value === "number" && (type === "f32" || type === "f64")) return value;
  return new Float64Array(new BigInt64Array([BigInt(value)]).buffer)[0] ?? 0;
}

function sign(negative: boolean, flags: string): string {
  if (negative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function minimumDigits(text: string, digits: number | null): string {
  if (digits === 0 && text === "0") return "";
  return text.padStart(digits ?? 0, "0");
}

function radix(value: bigint, conversion: string, flags: string, digits: number | null): string {
  const text = minimumDigits(value.toString(conversion === "o" ? 8 : 16), digits);
  if (conversion === "o") return flags.includes("#") && !text.startsWith("0") ? `0${text}` : text;
  const prefixed = flags.includes("#") && value !== 0n ? `0x${text}` : text;
  return conversion === "X" ? prefixed.toUpperCase() : prefixed;
}

function float(value: number, conversion: string, flags: string, digits: number | null): string {
  const lower = conversion.toLowerCase();
  const negative = value < 0 || Object.is(value, -0);
  const magnitude = Math.abs(value);
  let text: string;
  if (Number.isNaN(value)) text = "nan";
  else if (magnitude === Number.POSITIVE_INFINITY) text = "inf";
  else if (lower === "f") text = fixed(magnitude, digits ?? 6);
  else if (lower === "e") text = exponential(magnitude, digits ?? 6);
  else if (lower === "a") text = hexadecimal(magnitude);
  else text = general(magnitude, digits ?? 6, flags.includes("#"));
  if (flags.includes("#") && digits === 0 && !text.includes(".")) text += ".";
  return sign(negative, flags) + (conversion === lower ? text : text.toUpperCase());
}

/** Exact decimal digits, ties to even as the C library rounds: JavaScript's toFixed rounds exactly up to 100 digits. */
function fixed(value: number, digits: number): string {
  if (value < 1e21 && digits <= 100) {
    const text = value.toFixed(digits);
    return tieToEven(value, text, digits);
  }
  return withPoint(scaledInteger(value, digits), digits);
}

/** `scaled` / 10^`digits`. */
function withPoint(scaled: bigint, digits: number): string {
  const text = scaled.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The whole number nearest to `value` * 10^`power`, ties to even. */
function scaledInteger(value: number, power: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const biased = (all >> 52n) & 0x7ffn;
  const mantissa = (all & 0xfffffffffffffn) | (biased === 0n ? 0n : 1n << 52n);
  const exponent = (biased === 0n ? 1n : biased) - 1075n;
  let above = mantissa * (power > 0 ? 10n ** BigInt(power) : 1n);
  let below = power < 0 ? 10n ** BigInt(-power) : 1n;
  if (exponent > 0n) above <<= exponent;
  else below <<= -exponent;
  const down = above / below;
  const twice = 2n * (above % below);
  const up = twice > below || (twice === below && (down & 1n) === 1n);
  return up ? down + 1n : down;
}

/** toFixed rounds an exact tie up; C rounds it to the even digit. */
function tieToEven(value: number, text: string, digits: number): string {
  const twice = value * 2 * 10 ** digits;
  if (digits > 15 || !Number.isInteger(twice) || twice % 2 === 0 || twice / (2 * 10 ** digits) !== value) return text;
  const down = (twice - 1) / 2;
  if (!Number.isSafeInteger(twice) || !exactTie(value, digits, twice)) return text;
  const even = down % 2 === 0 ? down : down + 1;
  const plain = even.toString().padStart(digits + 1, "0");
  return digits === 0 ? plain : `${plain.slice(0, -digits)}.${plain.slice(-digits)}`;
}

/** value is exactly twice / (2 * 10^digits): only if it has few enough binary places. */
function exactTie(value: number, digits: number, twice: number): boolean {
  const places = 60;
  const scaled = value * 2 ** places;
  if (!Number.isFinite(scaled) || !Number.isInteger(scaled)) return false;
  return BigInt(scaled) * 2n * 10n ** BigInt(digits) === BigInt(twice) << BigInt(places);
}

function exponential(value: number, digits: number): string {
  const text = digits <= 100 ? value.toExponential(digits) : longExponential(value, digits);
  const [mantissa = "", exponent = "+0"] = text.split("e");
  return `${mantissa}e${exponent[0] ?? "+"}${exponent.slice(1).padStart(2, "0")}`;
}

/** More digits than JavaScript writes. */
function longExponential(value: number, digits: number): string {
  const power = value === 0 ? 0 : Number(value.toExponential(20).split("e")[1]);
  // Rounding may make one digit more.
  const rounded = scaledInteger(value, digits - power);
  const over = rounded.toString().length > digits + 1;
  const text = withPoint(over ? scaledInteger(value, digits - power - 1) : rounded, digits);
  const exponent = over ? power + 1 : power;
  return `${text}e${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

function general(value: number, digits: number, keepZeros: boolean): string {
  const significant = Math.max(1, digits);
  const scientific = exponential(value, significant - 1);
  const exponent = value === 0 ? 0 : Number(scientific.split("e")[1]);
  if (exponent >= -4 && exponent < significant) {
    const text = fixed(value, significant - 1 - exponent);
    return keepZeros || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
  }
  if (keepZeros) return scientific;
  return scientific.replace(/\.?0+e/, "e");
}

function hexadecimal(value: number): string {
  if (value === 0) return "0x0p+0";
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const all = view.getBigUint64(0);
  const biased = Number(all >> 52n);
  const fraction = (all & 0xfffffffffffffn).toString(16).padStart(13, "0").replace(/0+$/, "");
  const power = biased === 0 ? -1022 : biased - 1023;
  return `0x${biased === 0 ? 0 : 1}${fraction === "" ? "" : `.${fraction}`}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
