/**
 * What is known of the values of variables at a point of a kernel: of each, in which iteration of each loop around it was
 * computed, and which variable's value at the start of the iteration it is a copy of.
 */

/** Where a value is, seen from the loop that it was computed in. */
export const INSIDE = 0;
export const BEHIND_END = 1;
export const BEHIND_BREAK = 2;
export type Where = 0 | 1 | 2;

/** What stands between the loop and the assignment. */
export const THROUGH_IF = 1;
export const THROUGH_SWITCH = 2;
export const THROUGH_LOOP = 4;
export const THROUGH_CALL = 8;

/** `age`: iterations since it was computed; 3 counts for more. */
export interface Origin {
  readonly loop: number;
  readonly where: Where;
  readonly age: number;
  /** A continue brought it to a later iteration or to the loop's end. */
  readonly continued: boolean;
  readonly through: number;
}

export const OLDEST = 3;

export const BY_LIST = 1;
export const BY_COPY = 2;

/** The value that `name` had at the start of an iteration, copied by lists or one by one. */
export interface Copy {
  readonly loop: number;
  readonly name: string;
  readonly by: number;
}

export interface Known {
  readonly origins: ReadonlyMap<number, Origin>;
  readonly copies: ReadonlyMap<string, Copy>;
}

export const NOTHING: Known = { origins: new Map(), copies: new Map() };

export function originKey({ loop, where, age, continued, through }: Origin): number {
  return (((loop * 3 + where) * 4 + age) * 2 + (continued ? 1 : 0)) * 16 + through;
}

const copyKey = ({ loop, name, by }: Copy): string => `${loop} ${name} ${by}`;

export function knownOf(origins: Iterable<Origin>, copies: Iterable<Copy>): Known {
  return {
    origins: new Map([...origins].map((origin) => [originKey(origin), origin])),
    copies: new Map([...copies].map((copy) => [copyKey(copy), copy])),
  };
}

/** By variable. */
export type State = ReadonlyMap<string, Known>;

/** null: control does not come there. */
export type Reached = State | null;

export function join(...states: readonly Reached[]): Reached {
  const here = states.filter((state) => state !== null);
  const [first, ...rest] = here;
  if (first === undefined || rest.length === 0) return first ?? null;
  const joined = new Map(first);
  for (const state of rest) {
    for (const [name, known] of state) {
      const before = joined.get(name);
      if (before === known) continue;
      if (before === undefined) joined.set(name, known);
      else {
        joined.set(name, {
          origins: new Map([...before.origins, ...known.origins]),
          copies: new Map([...before.copies, ...known.copies]),
        });
      }
    }
  }
  return joined;
}

export function mapped(state: Reached, change: (known: Known, name: string) => Known): Reached {
  return state === null ? null : new Map([...state].map(([name, known]) => [name, change(known, name)]));
}

export function sizeOf(state: Reached): number {
  let size = 0;
  for (const { origins, copies } of state?.values() ?? []) size += origins.size + copies.size;
  return state === null ? -1 : size;
}
