/** A text of TypeScript or C in which comments, strings and templates are blanks; every other character stays in its place. */

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** A quote that no line closes is left, as C's own or a text that does not compile may have one. */
const PARTS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

export function codeAlone(text: string): string {
  return text.replace(PARTS, blank);
}
