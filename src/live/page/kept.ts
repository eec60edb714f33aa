/** What the browser keeps for the reader. Where it keeps nothing (its storage is full or closed), the page says so once. */
import type { Points } from "../messages.js";

const EDITS = "warplab-edits:";
const POINTS = "warplab-points";
const DONE = "warplab-done";
const GUESSED = "warplab-guessed";
const LAST = "warplab-last";

function read<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** @returns whether it was kept */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

interface Edit {
  readonly text: string;
  /** The page's own text when the reader began: another one now is a newer version's. */
  readonly of: string;
  /** The reader's other texts, which a reset, a file or a link has replaced. */
  readonly others?: readonly string[];
}

/** The reader's own text of a page's cells, by their ids. */
export class KeptEdits {
  readonly #key: string | null;

  /** @param page null for one that keeps nothing */
  constructor(page: string | null) {
    this.#key = page === null ? null : EDITS + page;
  }

  /** Read anew each time: the same page may be open in another tab. */
  #all(): Record<string, Edit> {
    return this.#key === null ? {} : read<Record<string, Edit>>(this.#key, {});
  }

  of(cell: string): Edit | undefined {
    return this.#all()[cell];
  }

  /** @returns whether the browser could keep it */
  keep(cell: string, text: string, own: string, others: readonly string[]): boolean {
    const all = this.#all();
    if (text === own && others.length === 0) delete all[cell];
    else all[cell] = { text, of: text === own ? own : (all[cell]?.of ?? own), ...(others.length > 0 && { others }) };
    return this.#key === null || write(this.#key, all);
  }

  /** @param changed hears that another tab has changed a cell of the page */
  follow(changed: () => void): void {
    addEventListener("storage", ({ key }) => {
      if (key !== null && key === this.#key) changed();
    });
  }
}

export function keptPoints(): Readonly<Record<string, Points>> {
  return read<Record<string, Points>>(POINTS, {});
}

/** Keeps the most points that an exercise was given, and ticks its page off where they are all. */
export function keepPoints(points: Points, page: string): void {
  const before = keptPoints()[points.exercise];
  if (before !== undefined && before.points >= points.points && before.outOf === points.outOf) return;
  write(POINTS, { ...keptPoints(), [points.exercise]: points });
  if (points.points < points.outOf) return;
  write(DONE, [...new Set([...read<string[]>(DONE, []), `notebooks/${page}`])]);
}

/** Whether the reader has made the page's guesses. */
export function hasGuessed(page: string): boolean {
  return read<string[]>(GUESSED, []).includes(page);
}

export function keepGuessed(page: string): void {
  write(GUESSED, [...new Set([...read<string[]>(GUESSED, []), page])]);
}

/** The page that the reader was on: the front page leads back to it. */
export function keepLast(page: string, title: string): void {
  write(LAST, { href: `notebooks/${encodeURIComponent(page)}.html`, title });
}
