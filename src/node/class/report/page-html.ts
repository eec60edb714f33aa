/** A page of a class that needs no other file and no network. It prints, and reads on a phone and in the dark. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { escapeHtml } from "../../../core/show/output/html.js";
import { courseRoot } from "../../course-root.js";

const STYLE = `
main table { width: 100%; }
td { white-space: normal; }
.distribution svg { max-width: 100%; height: auto; }
.distribution { margin: 1rem 0; }
meter { width: 7rem; max-width: 100%; vertical-align: middle; }
ol.mistakes { margin: 0.2rem 0; padding-left: 1.2rem; }
.example { color: var(--faint); font-size: 0.88rem; overflow-wrap: anywhere; }
.reason, .student { overflow-wrap: anywhere; }
td.student { min-width: 9rem; }
.full { white-space: nowrap; }
.status-stopped, .status-refused, .status-missing { background: var(--warn-panel); }
@media (max-width: 40rem) {
  main table, main tbody, main tr, main td { display: block; }
  main caption { display: block; }
  main thead { position: absolute; left: -100rem; }
  main tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  main td, main td.number { border: none; padding: 0.1rem 0; text-align: left; }
  main td[data-name]::before { content: attr(data-name) ": "; color: var(--faint); }
}
@media print {
  meter { border: 1px solid #000; }
  main:not(.wide) table { break-inside: auto; }
  main tr { break-inside: avoid; }
}
`;

let courseStyle: string | null = null;

/** The page's policy lets nothing run or load. @param body escaped */
export function pageHtml(title: string, nav: string, body: string): string {
  courseStyle ??= readFileSync(join(courseRoot(), "src/node/site/page/style.css"), "utf8");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>
${courseStyle}${STYLE}</style>
</head>
<body>
${nav}
<main>
${body}
</main>
<footer>warplab: kernels were compiled and simulated; no submission was run. Times behind speed-up checks are predicted.</footer>
</body>
</html>
`;
}
