import fc from "fast-check";
import markdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../../../../src/core/show/output/markdown.js";
import { table } from "../../../../src/core/show/table.js";

const textOf = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** The cells' texts as markdown-it renders them. */
function rendered(markdown: string): readonly string[] {
  const html = markdownIt({ html: true }).render(markdown);
  return [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => textOf(cell));
}

const cellOf = (text: string) => table({ columns: [{ key: "a" }, { key: "b" }], rows: [{ a: text, b: "end" }] });

describe("Markdown of a table", () => {
  it.each([
    "a|b",
    "a\\|b",
    "ends with \\",
    "*bold* _em_ `code` ~~old~~",
    "[link](x) ![image](y)",
    "<b>tag</b> &amp; &lt;",
    "reduce<512>(a & b)",
    "$x^2$",
    "# no heading",
    "- no list",
    "__shfl_down_sync",
  ])("renders the cell %j as it was given", (text) => {
    expect(rendered(toMarkdown(cellOf(text)))).toEqual([text, "end"]);
  });

  it("renders any one-line text as it was given", () => {
    const marks = fc.string({ unit: fc.constantFrom(..."\\`*_{}[]()<>&#|~$!:+-.a1 ") });
    fc.assert(
      fc.property(fc.oneof(marks, fc.string()), (given) => {
        const text = given.replace(/\s+/g, " ").trim();
        expect(rendered(toMarkdown(cellOf(text)))).toEqual([text, "end"]);
      }),
    );
  });

  it("keeps a line break of a cell inside the cell", () => {
    expect(rendered(toMarkdown(cellOf("one\ntwo")))).toEqual(["one<br>two", "end"]);
  });

  it("lines up numeric columns on the right", () => {
    const made = table({ columns: [{ key: "v" }, { key: "n", unit: "ms" }], rows: [{ v: "x", n: 1 }] });
    expect(toMarkdown(made)).toBe("| v | n (ms) |\n| :--- | ---: |\n| x | 1 |\n");
  });

  it("keeps title and note apart from the table", () => {
    const html = markdownIt().render(
      toMarkdown(table({ title: "T_1_", note: "1. from [3]", columns: [{ key: "v" }], rows: [{ v: 1 }] })),
    );
    expect(html).toMatch(/^<p><strong>T_1_<\/strong><\/p>\n<table>/);
    expect(html).toMatch(/<\/table>\n<p>1\. from \[3\]<\/p>\n$/);
  });

  it("never has $ that MathJax could pair", () => {
    expect(toMarkdown(cellOf("$a$ and $$b$$"))).not.toContain("$");
  });
});
