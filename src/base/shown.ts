/** Any value that a caller has given, for a message: never throws, and never long. */
import { InputError } from "./errors.js";

const MOST_CHARACTERS = 100;

export function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}

function textOf(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return JSON.stringify(value.slice(0, MOST_CHARACTERS + 1));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  try {
    return JSON.stringify(value) ?? "an object";
  } catch {
    return "an object";
  }
}

/** The name of an object's class; of one without prototype "object". */
export function className(value: object): string {
  const made: unknown = value.constructor;
  return typeof made === "function" && made.name !== "" ? made.name : "object";
}

/** For callers that no type checker has seen. @throws InputError where `options` is no object. */
export function checkObject(call: string, options: unknown, cure: string): void {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return;
  throw new InputError({ what: `${call} was given ${shown(options)} for its options.`, cure });
}
