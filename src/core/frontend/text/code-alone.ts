/** A text of TypeScript or C in which comments, strings and templates are blanks; every other character stays in its place. */

/** Spaces for all but the ends of lines. */
export const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/**
 * A quote that no line closes is left, as C's own or a text that does not compile may have one. So is the mark between
 * digits of C++, as in 1'000'000.
 */
const PARTS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|(?<!\b\d[\da-fA-FxX']*)'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

export function codeAlone(text: string): string {
  return text.replace(PARTS, blank);
}
