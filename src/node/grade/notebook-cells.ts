/**
 * The code cells of a notebook's JSON. Their texts alone are made; outputs are passed over, however large they are. The
 * notebook may come from anybody: its names become no names of objects here.
 */
import { Refused } from "./refused.js";

export interface CodeCell {
  /** Its number among all cells, from 1. */
  readonly number: number;
  readonly source: string;
}

/** Jupyter's own notebooks have a dozen levels. */
const DEEPEST = 200;

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Thrown for a text that is no JSON. */
class NoJson extends Error {
  constructor(readonly what: string = "it is no JSON") {
    super(what);
  }
}

/** Reads a JSON text from its begin to its end, and makes values of the parts alone that are asked for. */
class JsonReader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The next sign after blanks; it is not passed over. */
  peek(): string {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
    return this.text[this.at] ?? "";
  }

  private take(sign: string): void {
    if (this.peek() !== sign) throw new NoJson();
    this.at += 1;
  }

  end(): void {
    if (this.peek() !== "") throw new NoJson();
  }

  /** The text of a string with its quotes and escapes. */
  private rawString(): string {
    this.take('"');
    const begin = this.at;
    for (let from = begin; ; ) {
      const quote = this.text.indexOf('"', from);
      if (quote < 0) throw new NoJson();
      let slashes = 0;
      while (quote - slashes > from && this.text[quote - slashes - 1] === "\\") slashes++;
      from = quote + 1;
      if (slashes % 2 === 1) continue;
      this.at = from;
      return this.text.slice(begin - 1, from);
    }
  }

  string(): string {
    try {
      return JSON.parse(this.rawString()) as string;
    } catch {
      throw new NoJson();
    }
  }

  /** A number, true, false or null, as it stands. */
  scalar(): string {
    this.peek();
    SCALAR.lastIndex = this.at;
    const [found] = SCALAR.exec(this.text) ?? [];
    if (found === undefined) throw new NoJson();
    this.at += found.length;
    return found;
  }

  /** `each` reads the value of a field. */
  object(each: (name: string) => void): void {
    this.take("{");
    if (this.peek() !== "}") {
      for (;;) {
        const name = this.string();
        this.take(":");
        each(name);
        if (this.peek() !== ",") break;
        this.take(",");
      }
    }
    this.take("}");
  }

  /** `each` reads an element. */
  array(each: () => void): void {
    this.take("[");
    if (this.peek() !== "]") {
      for (;;) {
        each();
        if (this.peek() !== ",") break;
        this.take(",");
      }
    }
    this.take("]");
  }

  /** Passes over a value. */
  skip(depth = 0): void {
    if (depth > DEEPEST) throw new NoJson(`its JSON has more than ${DEEPEST} levels`);
    const sign = this.peek();
    if (sign === "{") this.object(() => this.skip(depth + 1));
    else if (sign === "[") this.array(() => this.skip(depth + 1));
    else if (sign === '"') this.rawString();
    else this.scalar();
  }

  skipped(): null {
    this.skip();
    return null;
  }

  /** A text, or a list of texts put together; null for any other value, which is passed over. */
  joined(): string | null {
    const sign = this.peek();
    if (sign === '"') return this.string();
    if (sign !== "[") return this.skipped();
    let text: string | null = "";
    this.array(() => {
      if (this.peek() === '"') {
        const line = this.string();
        if (text !== null) text += line;
      } else {
        text = null;
        this.skip();
      }
    });
    return text;
  }
}

function cellSource(json: JsonReader): string | null {
  let kind: string | null = null;
  let source: string | null = null;
  if (json.peek() !== "{") {
    json.skip();
    return null;
  }
  // As JSON.parse has it, the last field of a name counts.
  json.object((name) => {
    if (name === "cell_type") kind = json.peek() === '"' ? json.string() : json.skipped();
    else if (name === "source") source = json.joined();
    else json.skip();
  });
  return kind === "code" ? source : null;
}

/** null where the text is JSON, and no notebook. */
function readCells(json: JsonReader): readonly CodeCell[] | null {
  if (json.peek() !== "{") {
    json.skip();
    json.end();
    return null;
  }
  let format = "";
  let cells: CodeCell[] | null = null;
  json.object((name) => {
    if (name === "nbformat" && !/["{[]/.test(json.peek())) {
      format = json.scalar();
    } else if (name === "cells" && json.peek() === "[") {
      const found: CodeCell[] = [];
      let number = 0;
      json.array(() => {
        number += 1;
        const source = cellSource(json);
        if (source !== null) found.push({ number, source });
      });
      cells = found;
    } else {
      if (name === "nbformat") format = "";
      if (name === "cells") cells = null;
      json.skip();
    }
  });
  json.end();
  return Number(format) === 4 ? cells : null;
}

/**
 * The code cells; whatever else a notebook holds does not count.
 * @throws Refused for a text that is no notebook of nbformat 4
 */
export function codeCells(name: string, text: string): readonly CodeCell[] {
  const cure = "Hand in the file as Jupyter saves it (.ipynb).";
  let cells: readonly CodeCell[] | null;
  try {
    cells = readCells(new JsonReader(text));
  } catch (problem) {
    if (!(problem instanceof NoJson)) throw problem;
    throw new Refused({ what: `${name} is no notebook: ${problem.what}.`, cure });
  }
  if (cells === null) throw new Refused({ what: `${name} is no notebook of nbformat 4.`, cure });
  return cells;
}

const HANDED_IN = /\bcheckExercise\s*\(\s*(["'`])([\w-]{1,40})\1/g;

/** The exercises that code cells hand in, by the text of their calls. */
export function handedInExercises(cells: readonly CodeCell[]): readonly string[] {
  const found = cells.flatMap(({ source }) => [...source.matchAll(HANDED_IN)].map(([, , id = ""]) => id));
  return [...new Set(found)];
}
