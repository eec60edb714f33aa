/**
 * The values that a public call accepts, as data: a test of a value, with words for the cure. Callers that no type checker has seen give
 * anything at all, such as misspelt options, other libraries' objects, or proxies that throw.
 */
import { InputError } from "./errors.js";
import { nearest } from "./nearest.js";
import { shown } from "./shown.js";

/** A value's fault, and the cure. `what` follows the name of the call. */
interface Problem {
  readonly what: string;
  readonly cure: string;
}

export interface Shape {
  /** Names the accepted values: follows "Give". */
  readonly words: string;
  /** `at`: where the value stands, such as `series[0].values`. Null where it is accepted. */
  problem(value: unknown, at: string): Problem | null;
  /** Whether the value may be left out. */
  readonly optional?: true;
}

/** A shape for each field of T: a field that is added to an interface and not here does not compile. */
export type Fields<T> = { readonly [K in keyof T]-?: Shape };

function wrong(value: unknown, at: string, words: string): Problem {
  return { what: value === undefined ? `${at} is missing` : `${at} is ${shown(value)}`, cure: `Give ${words}.` };
}

/** A shape by its test. */
export function shape(words: string, accepts: (value: unknown) => boolean): Shape {
  return { words, problem: (value, at) => (passes(accepts, value) ? null : wrong(value, at, words)) };
}

/** A proxy may throw whatever it is asked. */
function passes(accepts: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return accepts(value);
  } catch {
    return false;
  }
}

export const anything: Shape = shape("any value", () => true);
export const string: Shape = shape("a text", (value) => typeof value === "string");
export const boolean: Shape = shape("true or false", (value) => typeof value === "boolean");
export const finite: Shape = shape("a finite number", Number.isFinite);
export const positive: Shape = shape("a finite number above 0", (value) => Number.isFinite(value) && Number(value) > 0);
export const amount: Shape = shape("a finite number from 0", (value) => Number.isFinite(value) && Number(value) >= 0);
export const callable: Shape = shape("a function", (value) => typeof value === "function");
/** An object whose fields are somebody else's to check. */
export const object: Shape = shape("an object", isObject);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): Shape {
  const words = `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`;
  return shape(words, (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most);
}

export const seed: Shape = shape("a whole number", Number.isSafeInteger);

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function guess(name: unknown, known: readonly string[]): string {
  if (typeof name !== "string") return "";
  const begins = (other: string): boolean => name.length > 2 && (other.startsWith(name) || name.startsWith(other));
  const near = nearest(name, known) ?? known.find(begins) ?? null;
  return near === null ? "" : `Did you mean ${near}? `;
}

/** One of some words. */
export function oneOf(...names: readonly string[]): Shape {
  const words = joined(names.map((name) => JSON.stringify(name)));
  return {
    words,
    problem(value, at) {
      if (names.some((name) => name === value)) return null;
      const { what, cure } = wrong(value, at, words);
      return { what, cure: `${guess(value, names)}${cure}` };
    },
  };
}

export function optional(of: Shape): Shape {
  return {
    words: `${of.words}, or leave it out`,
    problem: (value, at) => (value === undefined ? null : of.problem(value, at)),
    optional: true,
  };
}

export function orNull(of: Shape): Shape {
  return { words: `${of.words}, or null`, problem: (value, at) => (value === null ? null : of.problem(value, at)) };
}

/** The last shape's problem is told, with the words of all. */
export function either(...shapes: readonly Shape[]): Shape {
  const words = joined(shapes.map((each) => each.words));
  return {
    words,
    problem(value, at) {
      const problems = shapes.map((each) => each.problem(value, at));
      if (problems.includes(null)) return null;
      // A problem further inside tells more, and so does a guess at a misspelt word.
      const more = problems.find(
        (problem) => problem?.what.startsWith(`${at}.`) || problem?.cure.startsWith("Did you mean"),
      );
      return more ?? wrong(value, at, words);
    },
  };
}

/** A list, every place of which has the shape. */
export function listOf(of: Shape, least: number = 0): Shape {
  const words = `a list of ${of.words}${least > 0 ? `, at least ${least}` : ""}`;
  return {
    words,
    problem(value, at) {
      if (!Array.isArray(value) || value.length < least) return wrong(value, at, words);
      for (let index = 0; index < value.length; index++) {
        const problem = of.problem(value[index], `${at}[${index}]`);
        if (problem !== null) return problem;
      }
      return null;
    },
  };
}

/** Any names, whose values have the shape. */
export function recordOf(of: Shape): Shape {
  const words = `an object of ${of.words}`;
  return {
    words,
    problem(value, at) {
      if (!isObject(value)) return wrong(value, at, words);
      for (const [name, each] of Object.entries(value)) {
        const problem = of.problem(each, `${at}.${name}`);
        if (problem !== null) return problem;
      }
      return null;
    },
  };
}

function written(fields: Readonly<Record<string, Shape>>): string {
  return `{ ${Object.entries(fields)
    .map(([name, each]) => (each.optional === true ? `${name}?` : name))
    .join(", ")} }`;
}

function fieldsProblem(fields: Readonly<Record<string, Shape>>, value: object, at: string): Problem | null {
  for (const [name, each] of Object.entries(fields)) {
    const problem = each.problem(
      (value as Readonly<Record<string, unknown>>)[name],
      at === "" ? name : `${at}.${name}`,
    );
    if (problem !== null) return problem;
  }
  return null;
}

/** An object with these fields, and others that nobody reads. */
export function objectWith(
  fields: Readonly<Record<string, Shape>>,
  words: string = `an object ${written(fields)}`,
): Shape {
  return {
    words,
    problem: (value, at) => (isObject(value) ? fieldsProblem(fields, value, at) : wrong(value, at, words)),
  };
}

/** An object with these fields and no others: a misspelt one is refused. */
export function fieldsOf<T>(fields: Fields<T>, words?: string): Shape {
  const known: Readonly<Record<string, Shape>> = fields;
  const names = Object.keys(known);
  const all = words ?? written(known);
  return {
    words: all,
    problem(value, at) {
      if (!isObject(value)) return wrong(value, at, all);
      for (const name of Object.keys(value)) {
        if (Object.hasOwn(known, name)) continue;
        const where = at === "" ? `there is no option ${name}` : `${at} has no field ${name}`;
        return { what: where, cure: `${guess(name, names)}It takes ${names.join(", ")}.` };
      }
      return fieldsProblem(known, value, at);
    },
  };
}

function problemOf(of: Shape, value: unknown, at: string, name: string): Problem | null {
  try {
    return of.problem(value, at);
  } catch {
    return { what: `${name} cannot be read: it throws when it is asked for its fields`, cure: `Give ${of.words}.` };
  }
}

/**
 * @param call as the caller writes it, such as `gpu.alloc`
 * @param name the parameter's
 * @throws InputError that names the call, the argument, what was given and what is accepted
 */
export function checkArgument(call: string, name: string, value: unknown, of: Shape): void {
  const problem = problemOf(of, value, name, name);
  if (problem !== null) throw new InputError({ what: `${call}: ${problem.what}.`, cure: problem.cure });
}

/**
 * Checks a call's options: a misspelt name or a wrong value is refused.
 * @throws InputError
 */
export function checkOptions<T>(call: string, options: unknown, fields: Fields<T>): void {
  if (!isObject(options)) {
    throw new InputError({
      what: `${call} was given ${shown(options)} for its options.`,
      cure: `It takes ${written(fields)}${Object.values<Shape>(fields).every((each) => each.optional === true) ? ", or nothing" : ""}.`,
    });
  }
  const problem = problemOf(fieldsOf(fields), options, "", "its argument of options");
  if (problem !== null) throw new InputError({ what: `${call}: ${problem.what}.`, cure: problem.cure });
}
