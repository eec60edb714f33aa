/** How a number is written for a reader: fixed decimals or significant digits, thousands, a sign, a suffix. */

import {
  boolean,
  checkArgument,
  checkOptions,
  type Fields,
  fieldsOf,
  finite,
  optional,
  type Shape,
  shape,
  string,
  whole,
} from "../base/shape.js";

/** A number's written form, as data. With none of the fields a number is written as JavaScript writes it. */
export interface NumberFormat {
  /** Digits after the point. */
  readonly decimals?: number;
  /** Significant digits, trailing zeros dropped; not together with `decimals`. */
  readonly significant?: number;
  /** Commas between thousands. */
  readonly grouping?: boolean;
  /** A plus sign before positive numbers, for deviations. */
  readonly sign?: boolean;
  /** Factor applied before writing: 100 for a fraction shown in percent. */
  readonly scale?: number;
  /** Text after the number. */
  readonly suffix?: string;
}

const FORMAT: Fields<NumberFormat> = {
  decimals: optional(whole(0, 100)),
  significant: optional(whole(1, 100)),
  grouping: optional(boolean),
  sign: optional(boolean),
  scale: optional(finite),
  suffix: optional(string),
};
export const formatShape: Shape = fieldsOf(FORMAT);

const numeric: Shape = shape("a number", (value) => typeof value === "number" || typeof value === "bigint");

export const milliseconds: NumberFormat = { decimals: 3 };
export const gigabytesPerSecond: NumberFormat = { decimals: 2 };
export const times: NumberFormat = { decimals: 2, suffix: "×" };
/** A fraction of one shown in percent. */
export const percentOfOne: NumberFormat = { scale: 100, decimals: 1, suffix: " %" };
/** A number that is a percentage already, with its sign. */
export const signedPercent: NumberFormat = { decimals: 1, sign: true, suffix: " %" };
export const count: NumberFormat = { decimals: 0, grouping: true };

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const commas = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? commas : `${commas}.${fraction}`;
}

/** Writes `value` in the given form; "-0.00" is written "0.00". */
export function formatNumber(value: number | bigint, format: NumberFormat = {}): string {
  checkArgument("formatNumber", "value", value, numeric);
  checkOptions("formatNumber", format, FORMAT);
  const { decimals, significant, scale = 1, suffix = "" } = format;
  let text: string;
  if (typeof value === "bigint" && scale === 1) text = String(value);
  else {
    const scaled = Number(value) * scale;
    if (decimals !== undefined) text = scaled.toFixed(decimals);
    else if (significant !== undefined) text = String(Number(scaled.toPrecision(significant)));
    else text = String(scaled);
  }
  const negative = text.startsWith("-") && /[1-9]/.test(text);
  const magnitude = text.replace(/^-/, "");
  const plus = format.sign === true && /[1-9]/.test(magnitude) ? "+" : "";
  const body = format.grouping === true && !magnitude.includes("e") ? grouped(magnitude) : magnitude;
  return `${negative ? "-" : plus}${body}${suffix}`;
}

/** "2^24" for powers of two, else the number with commas. */
export function sizeText(n: number): string {
  const power = Math.log2(n);
  return Number.isInteger(power) && power >= 10 ? `2^${power}` : formatNumber(n, count);
}
