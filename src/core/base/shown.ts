/** Any value that a caller has given, for a message: never throws, and never long. */
import { extentOf, typedArrayName } from "./typed-array.js";

const MOST_CHARACTERS = 100;

export function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}

/** Objects within objects, and places of each, that a message has. */
const DEEPEST = 3;
const MOST_PLACES = 20;

function textOf(value: unknown, depth: number = 0): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return JSON.stringify(value.slice(0, MOST_CHARACTERS + 1));
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (depth > DEEPEST) return "...";
  try {
    if (typedArrayName(value) !== undefined) return `${described(value)} of ${extentOf(value).length} values`;
    const all = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([, { enumerable }]) => enumerable);
    const parts = all.slice(0, MOST_PLACES).map(([name, place]) => {
      // A getter may take seconds.
      const text = "value" in place ? textOf(place.value, depth + 1) : "...";
      return Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`;
    });
    const more = all.length > MOST_PLACES ? ",..." : "";
    return Array.isArray(value) ? `[${parts.join(",")}${more}]` : `{${parts.join(",")}${more}}`;
  } catch {
    return "an object";
  }
}

/** The name of an object's class; of one without prototype "object". */
function className(value: object): string {
  try {
    const made: unknown = value.constructor;
    return typeof made === "function" && made.name !== "" ? made.name : "object";
  } catch {
    return "object";
  }
}

/** A value by its kind, for a message; never the contents of an array. */
export function described(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    const name = className(value);
    return `${/^[AEIOUo]/.test(name) ? "an" : "a"} ${name}`;
  }
  if (typeof value === "string") return "a string";
  return shown(value);
}
