/// <reference path="./sanitize-html.d.ts" />
/**
 * HTML that a notebook brings, made safe to stand on a page: no script, no style sheet, no form, no address that runs.
 * HTML that needs scripts of its own stands in a frame without an origin.
 */
import sanitizeHtml, { type IOptions } from "sanitize-html";
import { framePolicy, withoutHeaderOnly } from "./content-policy.js";

/** Colours, borders and spaces: nothing that covers the page, and nothing that loads. */
const VALUE = [/^(?!.*(url|expression|image|attr|var)\s*\()[\w\s#%.,()/'"+-]*$/i];
const SIDES = ["", "-bottom", "-left", "-right", "-top"];
const STYLES = [
  ...["background-color", "border-collapse", "border-color", "border-radius", "border-spacing", "color"],
  ...["font-family", "font-size", "font-style", "font-weight", "height", "line-height", "max-width", "min-width"],
  ...["text-align", "text-decoration", "vertical-align", "white-space", "width"],
  ...["border", "margin", "padding"].flatMap((name) => SIDES.map((side) => name + side)),
];

const EVERYWHERE = ["align", "aria-*", "class", "dir", "id", "lang", "role", "style", "title", "valign"];

const OPTIONS: IOptions = {
  allowedTags: [...sanitizeHtml.defaults.allowedTags, "img", "details", "summary", "del", "ins", "meter", "progress"],
  allowedAttributes: {
    "*": EVERYWHERE,
    a: ["href", "rel"],
    col: ["span", "width"],
    details: ["open"],
    img: ["alt", "height", "src", "width"],
    meter: ["high", "low", "max", "min", "optimum", "value"],
    ol: ["start", "reversed"],
    progress: ["max", "value"],
    td: ["colspan", "rowspan"],
    th: ["abbr", "colspan", "rowspan", "scope"],
  },
  allowedSchemes: ["http", "https", "mailto"],
  // A page loads nothing from elsewhere.
  allowedSchemesByTag: { img: ["data"] },
  allowProtocolRelative: false,
  allowedStyles: { "*": Object.fromEntries(STYLES.map((name) => [name, VALUE])) },
};

/** @returns the same HTML without what runs, loads from elsewhere, or covers the page */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}

/** Whether the HTML draws or runs something that a page cannot take over: it may do so in a frame alone. */
export function needsFrame(html: string): boolean {
  return /<(script|svg|style|canvas|iframe|video|audio|math|form|input|button|select)[\s>/]/i.test(html);
}

/** Tells the page how high the frame is; frames.js hears it. */
const TELL_HEIGHT = `new ResizeObserver(() => {
  parent.postMessage({ frameHeight: document.documentElement.offsetHeight }, "*");
}).observe(document.documentElement);`;

const STYLE = ":root{color-scheme:light}html{background:#fff}body{margin:0;font:16px/1.5 system-ui,sans-serif}";

/** A page of its own for such HTML. It may run scripts, but has no origin: it reaches neither the site nor its memory. */
export function framePage(html: string, title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${withoutHeaderOnly(framePolicy())}">
<title>${sanitizeHtml(title, { allowedTags: [], allowedAttributes: {} })}</title>
<style>${STYLE}</style>
<script>${TELL_HEIGHT}</script>
</head>
<body>
${html}
</body>
</html>
`;
}
