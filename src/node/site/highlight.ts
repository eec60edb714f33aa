/** Colours TypeScript and CUDA C++ on a page; style.css has the colours. */
import hljs from "highlight.js/lib/core";
import cpp from "highlight.js/lib/languages/cpp";
import typescript from "highlight.js/lib/languages/typescript";

const CUDA_KEYWORDS = [
  "__global__",
  "__device__",
  "__host__",
  "__shared__",
  "__constant__",
  "__forceinline__",
  "__align__",
  "__restrict__",
];

const { keyword = [], type = [], literal = [] } = cpp(hljs).keywords as Readonly<Record<string, readonly string[]>>;
/** Those of C++, its types and CUDA's qualifiers; the grammar weighs some, behind a bar. */
export const cudaKeywords: readonly string[] = [...CUDA_KEYWORDS, ...keyword, ...type, ...literal].map((each) =>
  each.replace(/\|.*/, ""),
);

hljs.registerLanguage("typescript", typescript);
hljs.registerLanguage("cuda", (core) => {
  const language = cpp(core);
  const { keyword, ...others } = language.keywords as Readonly<Record<string, readonly string[]>>;
  // The grammar's inner modes hold the same object of keywords, so its list is added to in place.
  Object.assign(language.keywords as object, { ...others, keyword: [...(keyword ?? []), ...CUDA_KEYWORDS] });
  // The grammar would show calls of functions as if they were built into the language.
  return { ...language, classNameAliases: {} };
});

/** @returns the text as HTML for inside a `<pre>` */
export function highlightTypeScript(text: string): string {
  return hljs.highlight(text, { language: "typescript" }).value;
}

/** @returns the text as HTML for inside a `<pre>` */
export function highlightCuda(text: string): string {
  return hljs.highlight(text, { language: "cuda" }).value;
}

/** Whether an output is the CUDA C++ that `kernel.toCuda()` or `toCudaProgram()` writes. */
export function isCuda(text: string): boolean {
  return /^(?:extern "C" )?__(?:global|device)__ /m.test(text);
}
