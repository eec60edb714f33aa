import { describe, expect, test } from "vitest";
import type { Cell, MimeBundle, Notebook } from "../../src/course/notebook/notebook.js";
import { highlightCuda, highlightTypeScript } from "../../src/course/site/highlight.js";
import { indexPage } from "../../src/course/site/index-page.js";
import { notebookPage, notebookTitle } from "../../src/course/site/notebook-page.js";

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

const page = (...cells: Cell[]): string => notebookPage(notebook(...cells), "lab-25", []);

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
    expect(html).toContain('<script src="../assets/plotly.js"></script>');
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
});
