/** Values as nvprof writes them: "62.50%", "914.26GB/s", "0.997765", "131072". Five digits of a scaled unit. */
import type { MetricUnit } from "./metric-spec.js";

/** Five significant digits, trailing zeros kept. */
function fiveDigits(value: number): string {
  const digits = Math.max(1, Math.floor(Math.log10(Math.max(1, Math.abs(value)))) + 1);
  return value.toFixed(Math.max(0, 5 - digits));
}

function scaled(value: number, units: readonly (readonly [name: string, factor: number])[]): string {
  const [name, factor] = units.find((unit) => Math.abs(value) >= unit[1]) ?? units.at(-1) ?? ["", 1];
  return `${fiveDigits(value / factor)}${name}`;
}

const RATES = [
  ["TB/s", 1e12],
  ["GB/s", 1e9],
  ["MB/s", 1e6],
  ["KB/s", 1e3],
  ["B/s", 1],
] as const;
/** nvprof's sizes are powers of 1024, its rates powers of 1000. */
const SIZES = [
  ["GB", 1024 ** 3],
  ["MB", 1024 ** 2],
  ["KB", 1024],
] as const;
const TIMES = [
  ["s", 1],
  ["ms", 1e-3],
  ["us", 1e-6],
] as const;

/** "65.536us", "1.2032ms", "896ns". */
export function timeText(seconds: number): string {
  if (seconds < 1e-6) return `${Math.round(seconds * 1e9)}ns`;
  return scaled(seconds, TIMES);
}

/** "256B", "4.0000KB", "64.000MB". */
export function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes}B` : scaled(bytes, SIZES);
}

export function rateText(bytesPerSecond: number): string {
  return scaled(bytesPerSecond, RATES);
}

/** "1.3458e+03": C's exponents have two digits. */
function exponential(value: number): string {
  return value.toExponential(4).replace(/e([+-])(\d)$/, "e$10$2");
}

function countText(value: number): string {
  return value < 1e10 ? String(Math.round(value)) : exponential(value);
}

/** The value of a metric in nvprof's form; "n/a" for none. */
export function valueText(value: number | null, unit: MetricUnit): string {
  if (value === null) return "n/a";
  switch (unit) {
    case "percent":
      return `${value.toFixed(2)}%`;
    case "ratio":
      return Math.abs(value) >= 1000 ? exponential(value) : value.toFixed(6);
    case "bytes/s":
      return rateText(value);
    default:
      return countText(value);
  }
}
