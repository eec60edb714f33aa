/** Sentences of checks that say the same of different kernels: those without lines and numbers. */

/** Where a bracketed part that begins at `from` ends; the text's end where its brackets do not close. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** `line 9 (sdata[tid] += sdata[tid + s];)` becomes `a line`, with all that is quoted of it. */
function withoutLines(text: string): string {
  let rest = text;
  let out = "";
  for (let found = LINE.exec(rest); found !== null; found = LINE.exec(rest)) {
    const end = found.index + found[0].length;
    out += `${rest.slice(0, found.index)}${out === "" && found.index === 0 ? "A" : "a"} line`;
    rest = rest.slice(rest[end - 1] === "(" ? closing(rest, end - 1) : end);
  }
  return out + rest;
}

const LINE = /\bline \d+(?: of \w+)?(?: \()?/;

/** The launch that was looked at, and how many others were right, differ where the mistake is the same. */
const PLACES = [
  / \(\d+ of \d+ launches right\.\)$/,
  /^With \d+ elements? and blocks of \d+ threads?[^:]*: /,
  /^With \d+ blocks? of \d+ threads?: /,
  / \(block \d+ of \d+, \d+ threads?\)(?=\.?$)/,
];

/** The sentence without what is the learner's own: lines, numbers and places. */
export function mistakeOf(sentence: string): string {
  const said = PLACES.reduce((text, place) => text.replace(place, ""), sentence);
  return withoutLines(said)
    .replace(/\b0x[\da-f]+\b|-?\d[\d,.]*(?<=\d)(?:e[+-]?\d+)?/g, "#")
    .replace(/\s+/g, " ")
    .trim();
}

export interface Mistake {
  readonly count: number;
  readonly sentence: string;
  /** The first student's own sentence. */
  readonly example: { readonly student: string; readonly sentence: string };
}

/** The commonest first. @param found sentences of failed checks, by student */
export function mistakesOf(
  found: readonly { readonly student: string; readonly sentence: string }[],
): readonly Mistake[] {
  const groups = new Map<string, { count: number; readonly example: Mistake["example"] }>();
  for (const example of found) {
    const sentence = mistakeOf(example.sentence);
    const group = groups.get(sentence);
    if (group === undefined) groups.set(sentence, { count: 1, example });
    else group.count += 1;
  }
  return [...groups]
    .map(([sentence, group]) => ({ sentence, ...group }))
    .sort((a, b) => b.count - a.count || (a.sentence < b.sentence ? -1 : 1));
}
