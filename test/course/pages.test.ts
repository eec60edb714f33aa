import { describe, expect, test } from "vitest";
import type { Cell, MimeBundle, Notebook } from "../../src/course/notebook/notebook.js";
import { highlightCuda, highlightTypeScript } from "../../src/node/site/highlight.js";
import { indexPage } from "../../src/node/site/index-page.js";
import { notebookPage, notebookTitle } from "../../src/node/site/notebook-page.js";

function notebook(...cells: Cell[]): Notebook {
  return { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
}

function text(source: string): Cell {
  return { cell_type: "markdown", metadata: {}, source };
}

function displaying(data: MimeBundle): Cell {
  const output = { output_type: "display_data", data, metadata: {} } as const;
  return { cell_type: "code", metadata: {}, source: "show()", execution_count: 3, outputs: [output] };
}

const page = (...cells: Cell[]): string => notebookPage(notebook(...cells), "lab-25");

describe("a notebook's page", () => {
  test("has its first heading as title", () => {
    expect(notebookTitle(notebook(text("intro"), text("# Lab 25: `interleaved`\n\ntext")), "lab-25")).toBe(
      "Lab 25: interleaved",
    );
  });

  test("links to the other notebooks' pages, and leaves addresses elsewhere alone", () => {
    const html = page(text("[a](lab-26.ipynb#top) [b](https://example.org/x.ipynb)"));
    expect(html).toContain('<a href="lab-26.html#top">');
    expect(html).toContain('<a href="https://example.org/x.ipynb">');
  });

  test("gives headings the anchors that Jupyter gives them", () => {
    expect(page(text("## Bank conflicts"))).toContain('<h2 id="Bank-conflicts">');
  });

  test("shows a cell's number, its code and what it printed, as text", () => {
    const html = page({
      cell_type: "code",
      metadata: {},
      source: "a < b",
      execution_count: 7,
      outputs: [{ output_type: "stream", name: "stdout", text: "\u001b[31m<red>\u001b[0m & more" }],
    });
    expect(html).toContain("[7]");
    expect(html).toContain("a &lt; b");
    expect(html).toContain('<pre class="stream stdout"><span class="ansi-red-fg">&lt;red&gt;</span> &amp; more</pre>');
  });

  test("does not break the lines of a printed text that has columns", () => {
    const printing = (printed: string): string =>
      page({
        cell_type: "code",
        metadata: {},
        source: "look()",
        execution_count: 1,
        outputs: [{ output_type: "stream", name: "stdout", text: printed }],
      });
    const report = ["Time    Calls    Name", " 1us        2    sum", " 3us        4    max"].join("\n");
    expect(printing(report)).toContain('<pre class="stream stdout columns">');
    const long = report.replaceAll("    ", " ".repeat(60));
    expect(printing(long)).toContain('<pre class="stream stdout columns long">');
    expect(printing("one sentence\n    and an indented one\nand a third")).toContain('<pre class="stream stdout">');
  });

  test("colours the CUDA C++ that a cell prints, and no other text", () => {
    const printing = (printed: string): string =>
      page({
        cell_type: "code",
        metadata: {},
        source: "look()",
        execution_count: 1,
        outputs: [{ output_type: "stream", name: "stdout", text: printed }],
      });
    const keyword = (word: string): string => `<span class="hljs-keyword">${word}</span>`;
    expect(printing('extern "C" __global__ void sum(int* data) {\n  return;\n}\n')).toContain(keyword("return"));
    expect(printing("return to sender")).not.toContain(keyword("return"));
  });

  test("closes what a cell's metadata hides: its code, its output, or all of it", () => {
    const hiding = (metadata: Readonly<Record<string, unknown>>): string =>
      page({ ...displaying({ "text/plain": "found" }), metadata });
    expect(hiding({})).not.toContain("<details>");
    expect(hiding({ jupyter: { source_hidden: true } })).toMatch(/<summary>Show the code<.*<\/details>.*found/s);
    expect(hiding({ tags: ["hide-output"] })).toMatch(/show.*<summary>Show the output<.*found<.*<\/details>/s);
    expect(hiding({ tags: ["hide-cell"], jupyter: { source_hidden: true } })).toMatch(
      /<summary>Show the cell<.*show.*found<.*<\/details>/s,
    );
  });

  test("draws a figure with plotly, and keeps its picture for readers without scripts", () => {
    const figure = { data: [{ type: "bar", name: "</script>" }], layout: {} };
    const html = page(
      displaying({ "application/vnd.plotly.v1+json": figure, "image/png": "UE5H", "text/plain": "two bars" }),
    );
    expect(html).toContain('<img alt="two bars" src="data:image/png;base64,UE5H">');
    const json = /<script type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    expect(JSON.parse(json)).toEqual(figure);
    expect(html).toContain('<script src="../assets/plotly.js" defer></script>');
  });

  test("does not load plotly where no figure is", () => {
    expect(page(text("no figure"))).not.toContain("plotly.js");
  });

  test("prefers HTML to a picture, and a picture to text", () => {
    expect(page(displaying({ "text/html": "<b>1</b>", "image/png": "UE5H", "text/plain": "1" }))).toContain("<b>1</b>");
    expect(page(displaying({ "image/png": "UE5H", "text/plain": "1" }))).toContain('<img alt="1"');
  });

  test("says of an output that it cannot show what type it has", () => {
    expect(page(displaying({ "application/x-unknown": "?" }))).toContain("(output of type application/x-unknown)");
  });

  test("shows the traceback of an error", () => {
    const error = { output_type: "error", ename: "E", evalue: "v", traceback: ["E: v", "  in cell [1]"] } as const;
    const html = page({ cell_type: "code", metadata: {}, source: "x", execution_count: 1, outputs: [error] });
    expect(html).toContain('<pre class="failure">E: v\n  in cell [1]</pre>');
  });
});

/** Each would run, load or cover something on a page that shows it as it is. */
const HOSTILE = [
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  '<a href="javascript:alert(1)">click</a>',
  '<a href="data:text/html,<script>alert(1)</script>">click</a>',
  '<iframe src="https://evil.example"></iframe>',
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  '<form action="https://evil.example"><button>go</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/x.css">',
  '<style>body { background: url("https://evil.example") }</style>',
  '<p style="position:fixed;top:0;background:url(https://evil.example)">over all</p>',
  '<img src="https://evil.example/seen.png">',
  '<img name="querySelector" src="data:image/png;base64,UE5H">',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  "<details ontoggle=alert(1) open><summary>s</summary></details>",
];
const RUNS =
  /<script(?![ >](src="\.\.\/assets|type="application\/json"))|\son\w+=|javascript:|evil\.example[^<]*["')]|<(form|base|iframe|style|svg|math)[\s>]|position:|\sname="query/i;

describe("a stranger's notebook on a page", () => {
  test.each(HOSTILE)("runs and loads nothing by its text or its outputs: %s", (html) => {
    const shown = page(text(`before ${html} after\n\n${html}`), displaying({ "text/html": html, "text/plain": html }));
    expect(shown.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")).not.toMatch(RUNS);
    const alone = page(displaying({ "text/markdown": html }), displaying({ "image/png": `UE5H" onerror="alert(1)` }));
    expect(alone).not.toMatch(/\son\w+=/);
  });

  test.each([
    ["its heading", page(text("# <img src=x onerror=alert(1)>"))],
    ["its file's name", notebookPage(notebook(text("x")), '"><img src=x onerror=alert(1)>#?%41')],
    [
      "its neighbour's title",
      notebookPage(notebook(), "x", { after: { href: "y", title: "<img src=x onerror=alert(1)>" } }),
    ],
    ["the text of a figure", page(displaying({ "image/png": "UE5H", "text/plain": '"><img src=x onerror=alert(1)>' }))],
    ["what it prints", page(displaying({ "text/plain": "<img src=x onerror=alert(1)>" }))],
  ])("has %s shown as text", (_, html) => {
    expect(html).not.toMatch(/<img src=x/);
  });

  test("keeps what is harmless: tables, folded parts, pictures of its own, links", () => {
    const html = page(
      displaying({ "text/html": '<table class="t"><tr><td style="text-align:right" colspan="2">1</td></tr></table>' }),
      text("<details><summary>Hint</summary>\n\nx\n\n</details>\n\n![warp](pictures/warp.svg) <https://example.org/>"),
    );
    for (const part of [
      '<td style="text-align:right" colspan="2">1</td>',
      "<details><summary>Hint</summary>",
      '<img src="pictures/warp.svg" alt="warp" />',
      '<a href="https://example.org/">',
    ]) {
      expect(html).toContain(part);
    }
  });

  test("draws with scripts of its own in a frame that has no origin", () => {
    const frames: string[] = [];
    const addFrame = (frame: string): string => `frames/${frames.push(frame)}.html`;
    const plot = "<div id=plot></div><script>draw()</script>";
    const html = notebookPage(notebook(displaying({ "text/html": plot, "text/plain": "a plot" })), "x", { addFrame });
    expect(html).toContain('sandbox="allow-scripts" src="frames/1.html" title="a plot"></iframe>');
    expect(html).not.toContain("draw()");
    expect(frames[0]).toContain(plot);
    expect(html).toContain("assets/frames.js");
  });
});

test("a page ends with a link to the next one", () => {
  const after = { href: "lab-26.html", title: "Lab 26" };
  expect(notebookPage(notebook(text("x")), "lab-25", { after })).toMatch(
    /<\/main>\s*<nav class="next"[^>]*>.*<a href="lab-26\.html">Lab 26 →<\/a><\/nav>/,
  );
});

describe("TypeScript on a page", () => {
  test("has its keywords, texts, numbers and comments marked", () => {
    const html = highlightTypeScript('const a = "if" + 0xff; // 1');
    expect(html).toContain('<span class="hljs-keyword">const</span>');
    expect(html).toContain('<span class="hljs-string">&quot;if&quot;</span>');
    expect(html).toContain('<span class="hljs-number">0xff</span>');
    expect(html).toContain('<span class="hljs-comment">// 1</span>');
  });

  test("loses no character", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    const code = "for (let i = 0; i < n; i += 1) { s += `a${i}b`; } /* end\n of it */ 'unclosed";
    const shown = highlightTypeScript(code).replace(/<[^>]*>/g, "");
    const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#x27": "'" };
    expect(shown.replace(/&([^;]+);/g, (_, name: string) => entities[name] ?? "?")).toBe(code);
  });
});

describe("CUDA C++ on a page", () => {
  test.each(["__global__", "__device__", "__shared__", "__forceinline__"])("has %s marked as a keyword", (word) => {
    expect(highlightCuda(`${word} int a;`)).toContain(`<span class="hljs-keyword">${word}</span>`);
    expect(highlightCuda("f(a);")).not.toContain("built_in");
    expect(highlightCuda(`extern "C" ${word} void f(int* a) {}`)).toContain(
      `<span class="hljs-keyword">${word}</span>`,
    );
  });
});

describe("the first page", () => {
  const empty = { tables: [], figures: [], notebooks: [] };

  test("shows a table's data with titles, units and its note", () => {
    const content = {
      title: "Lab 28",
      note: "Simulated.",
      columns: [
        { key: "version", title: "Version", unit: "" },
        { key: "timeMs", title: "Kernel time", unit: "ms" },
      ],
      rows: [
        { version: "lab25", timeMs: 0.24412 },
        { version: "lab26", timeMs: null },
      ],
    };
    const html = indexPage({ ...empty, tables: [{ name: "lab28", content }] });
    expect(html).toContain("<caption>Lab 28</caption>");
    expect(html).toContain('<th scope="col" class="number">Kernel time (ms)</th>');
    expect(html).toContain('<tr><td>lab25</td><td class="number">0.2441</td></tr>');
    expect(html).toContain('<tr><td>lab26</td><td class="number">–</td></tr>');
    expect(html).toContain("Simulated.");
  });

  test("shows a ready table as it is", () => {
    const html = indexPage({ ...empty, tables: [{ name: "x", content: "<table>ready</table>" }] });
    expect(html).toContain("<table>ready</table>");
  });

  test("marks the notebook in which a cell failed", () => {
    const notebooks = [{ href: "notebooks/a.html", title: "A & B", failed: true }];
    const html = indexPage({ ...empty, notebooks });
    expect(html).toContain('<a href="notebooks/a.html">A &amp; B</a> <strong class="failed">a cell failed</strong>');
  });

  test("says of a page that no course describes what it asks", () => {
    const notebooks = [{ href: "notebooks/a.html", title: "A", about: "How *fast*?", failed: false }];
    expect(indexPage({ ...empty, notebooks })).toContain('<a href="notebooks/a.html">A</a><br>How fast?</li>');
  });
});
