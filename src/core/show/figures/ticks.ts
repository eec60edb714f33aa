/** Tick positions at whole numbers of a step, and their labels, for linear and logarithmic axes. */
import { formatNumber } from "../number-format.js";

export interface Ticks {
  readonly values: readonly number[];
  readonly texts: readonly string[];
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Commas from 10,000 on: 1024 is read as a word. */
function plain(value: number): string {
  return formatNumber(Number(value.toPrecision(6)), { grouping: Math.abs(value) >= 10_000 });
}

/** A tick's label: thousands in commas; from 2^14 a power of two as such, as sizes of arrays are spoken of. */
export function tickText(value: number): string {
  const exponent = Math.log2(Math.abs(value));
  if (Number.isInteger(exponent) && exponent >= 14) {
    return `2${[...String(exponent)].map((digit) => SUPERSCRIPTS[Number(digit)]).join("")}`;
  }
  return plain(value);
}

/** The step 1, 2 or 5 times a power of ten that gives at most `most` steps over `span`. */
function niceStep(span: number, most: number): number {
  const power = 10 ** Math.floor(Math.log10(span / most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= most + 1e-9) ?? 10 * power;
}

/** Ticks from `from` to `to`, at most `most` steps, on multiples of a step of 1, 2 or 5 times a power of ten. */
export function linearTicks(from: number, to: number, most = 8): Ticks {
  const step = niceStep(to - from, most);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const values = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { values, texts: values.map(plain) };
}

/** Ticks from `from` to `to` on multiples of a power of two from 32 up, for numbers of threads or bytes. */
export function warpTicks(from: number, to: number, most = 10): Ticks {
  let step = 32;
  while ((to - from) / step > most) step *= 2;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  const values = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { values, texts: values.map(plain) };
}

/** Ticks at powers of ten, with 2 and 5 between where the axis spans few decades, evenly spaced ones where under one. */
export function logTicks(from: number, to: number): Ticks {
  const [low, high] = [Math.log10(from), Math.log10(to)];
  const factors = high - low <= 3.2 ? [1, 2, 5] : [1];
  const values: number[] = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const factor of factors) {
      const value = Number((factor * 10 ** power).toPrecision(3));
      if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) values.push(value);
    }
  }
  return values.length < 3 ? linearTicks(from, to, 6) : { values, texts: values.map(plain) };
}

/** Ticks at the given values themselves. */
export function ticksAt(values: readonly number[]): Ticks {
  return { values, texts: values.map(tickText) };
}
