/** The values of a cell's text that a reader changes without typing: guesses, sizes and GPUs. */

/** A literal of the text. */
interface Place {
  readonly from: number;
  readonly to: number;
}

export interface GuessLiteral extends Place {
  readonly name: string;
  /** The comment above it: the question. */
  readonly question: string;
  readonly value: number | boolean;
}

/** `const block = 256;` at the begin of a line. */
export interface SizeLiteral extends Place {
  readonly name: string;
  readonly value: number;
  /** Values that a slider goes through. */
  readonly values: readonly number[];
}

/** `new Gpu("v100")` */
export interface GpuLiteral extends Place {
  readonly value: string;
}

/** Larger numbers are no sizes that a reader slides. */
const MOST = 2 ** 24;

/** The guesses of a cell that predicts: `predict({ timesAsFast: 1.0, ... })`. */
export function guessesOf(source: string): readonly GuessLiteral[] {
  const call = /\bpredict\(\{([^}]*)\}\)/.exec(source);
  if (call === null) return [];
  const start = call.index + call[0].indexOf("{") + 1;
  const line =
    /((?:^[ \t]*\/\/.*\n)*)([ \t]*(\w+):[ \t]*)(-?\d[\d_.]*(?:e-?\d+)?|true|false)[ \t]*,?[ \t]*(?:\/\/.*)?$/gm;
  return [...call[1]!.matchAll(line)].map((found) => {
    const [, above = "", before = "", name = "", literal = ""] = found;
    const from = start + found.index + above.length + before.length;
    const question = above.replace(/^[ \t]*\/\/[ \t]?/gm, "").replace(/\s+/g, " ");
    const value = literal === "true" || (literal !== "false" && Number(literal.replaceAll("_", "")));
    return { name, question: question.trim(), value, from, to: from + literal.length };
  });
}

/** Powers of two stay powers of two; another number has its neighbours. */
function valuesAround(value: number): readonly number[] {
  const exponent = Math.log2(value);
  if (Number.isInteger(exponent) && value > 1) {
    const most = Math.min(Math.log2(MOST), Math.max(10, exponent + 2));
    return Array.from({ length: most + 1 }, (_, each) => 2 ** each);
  }
  return Array.from({ length: 2 * value }, (_, each) => each + 1);
}

/** The sizes that a cell declares. */
export function sizesOf(source: string): readonly SizeLiteral[] {
  const declaration = /^((?:export )?const (\w+) = )(2 \*\* \d+|\d[\d_]*);/gm;
  return [...source.matchAll(declaration)].flatMap((found) => {
    const [, before = "", name = "", literal = ""] = found;
    const power = /^2 \*\* (\d+)$/.exec(literal)?.[1];
    const value = power === undefined ? Number(literal.replaceAll("_", "")) : 2 ** Number(power);
    if (value < 1 || value > MOST || (value > 1024 && !Number.isInteger(Math.log2(value)))) return [];
    const from = found.index + before.length;
    return [{ name, value, values: valuesAround(value), from, to: from + literal.length }];
  });
}

/** The GPUs that a cell names. */
export function gpusOf(source: string): readonly GpuLiteral[] {
  return [...source.matchAll(/\bnew Gpu\("([\w-]+)"\)/g)].map((found) => {
    const from = found.index + 'new Gpu("'.length;
    return { value: found[1]!, from, to: from + found[1]!.length };
  });
}

/** The text with another literal in that place. */
export function withLiteral(source: string, { from, to }: Place, literal: string): string {
  return source.slice(0, from) + literal + source.slice(to);
}

/** The text of a value: a large power of two as one. */
export function literalOf(value: number | boolean): string {
  const exponent = typeof value === "number" && value > 4096 ? Math.log2(value) : Number.NaN;
  return Number.isInteger(exponent) ? `2 ** ${exponent}` : String(value);
}

/** The name of a cell's prediction: `guess` in `const guess = predict(...)`. */
export function predictionOf(source: string): string | null {
  return /^(?:export )?const (\w+) = predict\(/m.exec(source)?.[1] ?? null;
}
