/** Colours TypeScript on a page: comments, texts, numbers and keywords, found by one pass over the text. */
import { escapeHtml } from "../../show/output/html.js";

const KEYWORDS: string =
  "abstract as async await break case catch class const continue default delete do else enum export extends false " +
  "finally for from function if implements import in instanceof interface let new null of private protected public " +
  "readonly return satisfies static super switch this throw true try type typeof undefined var void while yield";

/** In the order in which they are tried at each place; the name of each is the style's class. */
const TOKEN: RegExp = new RegExp(
  [
    "(?<comment>//[^\\n]*|/\\*[^]*?\\*/)",
    "(?<string>\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'|`(?:\\\\[^]|[^`\\\\])*`)",
    "(?<number>(?<![\\w$])(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d*)?(?:[eE][+-]?\\d+)?)n?)",
    `(?<keyword>(?<![\\w$.])(?:${KEYWORDS.replaceAll(" ", "|")})(?![\\w$]))`,
  ].join("|"),
  "g",
);

const CLASSES: Readonly<Record<string, string>> = {
  comment: "comment",
  string: "string",
  number: "number-literal",
  keyword: "keyword",
};

/** The text as HTML for inside a `<pre>`, with a `<span class>` around each coloured part. */
export function highlightTypeScript(text: string): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [""];
    html += `${escapeHtml(text.slice(end, match.index))}<span class="${CLASSES[kind]}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}
