/**
 * Finds the lines of a compiled text in its source. A compiler keeps their order, drops blank lines, comments and types,
 * and prints the rest anew. Lines are compared by their words; a line that matches none has no place.
 */

/** Names, numbers and operators of a line, without what notebooks and bundlers put in front of outer names. */
function wordsOf(line: string): readonly string[] {
  const code = line.replace(/\/\/.*$/, "").replace(/\(0,\s*([\w$.]+)\)/g, "$1");
  const words = code.match(/[\w$]+|[=!<>+\-*/%&|^~?]+/g) ?? [];
  return words.filter((word) => !/^(exports|__\w+__|\w+_\d+)$/.test(word));
}

/** Words that the lines share, of the shorter line's and of both lines'. */
function sharesOf(a: readonly string[], b: readonly string[]): { readonly ofShorter: number; readonly ofBoth: number } {
  const [left, right] = [new Set(a), new Set(b)];
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  const shorter = Math.min(left.size, right.size);
  if (shorter === 0) return { ofShorter: 0, ofBoth: 0 };
  return { ofShorter: shared / shorter, ofBoth: shared / (left.size + right.size - shared) };
}

/** 0 where the lines cannot be the same; else more the more words they share. A line may be a part of the other. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const { ofShorter, ofBoth } = sharesOf(a, b);
  return ofShorter < CONTAINED || ofBoth < LEAST_SHARED ? 0 : ofShorter + ofBoth;
}

/** Share of the shorter line's words that the longer one must have. */
const CONTAINED = 0.75;
/** Share of both lines' words that must be common to them. */
const LEAST_SHARED = 0.3;
/** The same over all lines of a text: below it the text stands elsewhere, and what is like it is so by chance. */
const LEAST_SHARED_IN_ALL = 0.6;
/** Lines of the source that a text may span for each of its own. */
const SOURCE_LINES = 4;

/**
 * The 1-based source line of each line of `text`, which starts at or after index `from` of `source`. null unless every
 * line but the first that has words finds one, in order. Lines without any (a brace) follow the one before.
 */
export function alignLines(text: readonly string[], source: readonly string[], from: number): readonly number[] | null {
  const window = source.slice(from, from + SOURCE_LINES * text.length + 20).map(wordsOf);
  const telling = text.flatMap((line, index) => {
    const words = wordsOf(line);
    return index > 0 && words.length > 0 ? [{ index, words }] : [];
  });
  const matched = chain(
    telling.map(({ words }) => words),
    window,
  );
  if (matched === null) return null;
  const shared = telling.reduce((sum, { words }, k) => sum + sharesOf(words, window[matched[k] ?? 0] ?? []).ofBoth, 0);
  if (shared < LEAST_SHARED_IN_ALL * telling.length) return null;
  const known = new Map(telling.map(({ index }, k) => [index, from + 1 + (matched[k] ?? 0)]));
  let last = (known.get(telling[0]?.index ?? 0) ?? from + 1) - (telling[0]?.index ?? 0);
  return text.map((_, index) => {
    const next = telling.find((line) => line.index > index);
    const limit = next === undefined ? Number.POSITIVE_INFINITY : (known.get(next.index) ?? last);
    last = known.get(index) ?? Math.min(index === 0 ? last : last + 1, limit);
    return last;
  });
}

/** For each of `wanted` the index in `found`, never falling, with the greatest likeness in all; null where one has none. */
function chain(
  wanted: readonly (readonly string[])[],
  found: readonly (readonly string[])[],
): readonly number[] | null {
  if (wanted.length === 0) return null;
  let sums = new Float64Array(found.length);
  const choices: Int32Array[] = [];
  for (const words of wanted) {
    const next = new Float64Array(found.length).fill(Number.NEGATIVE_INFINITY);
    const choice = new Int32Array(found.length).fill(-1);
    for (let j = 0; j < found.length; j++) {
      // The best that ends here or before.
      if (j > 0) {
        next[j] = next[j - 1] ?? 0;
        choice[j] = choice[j - 1] ?? -1;
      }
      const alike = likeness(words, found[j] ?? []);
      const sum = alike === 0 ? Number.NEGATIVE_INFINITY : (sums[j] ?? 0) + alike;
      if (sum > (next[j] ?? 0)) {
        next[j] = sum;
        choice[j] = j;
      }
    }
    sums = next;
    choices.push(choice);
  }
  let at = found.length - 1;
  const result: number[] = [];
  for (const choice of choices.reverse()) {
    at = choice[at] ?? -1;
    if (at < 0) return null;
    result.push(at);
  }
  return result.reverse();
}
