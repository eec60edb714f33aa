import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Cell, Notebook } from "../../src/course/notebook/notebook.js";
import { readNotebook } from "../../src/node/notebook/notebook.js";
import { errataOf } from "../../src/node/site/errata.js";
import { frontFiles } from "../../src/node/site/front-page.js";
import { glossaryTerms, readGlossary } from "../../src/node/site/glossary.js";
import { anchorOf } from "../../src/node/site/markdown-page.js";
import { pageFacts } from "../../src/node/site/page-facts.js";
import { readSyllabus, writtenPages } from "../../src/node/site/syllabus.js";

const folder = join(import.meta.dirname, "../../notebooks");
const pages = writtenPages(readSyllabus(folder) ?? { title: "", about: "", parts: [] }).map((name) => ({
  name,
  notebook: readNotebook(join(folder, `${name}.ipynb`)),
}));

function notebook(...cells: Cell[]): Notebook {
  return { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
}
const text = (source: string): Cell => ({ cell_type: "markdown", metadata: {}, source });
const printing = (printed: string): Cell => ({
  cell_type: "code",
  metadata: {},
  source: "look()",
  execution_count: 1,
  outputs: [{ output_type: "stream", name: "stdout", text: printed }],
});

describe("the course's front page, glossary and errata", () => {
  test("are those that npm run notebooks writes", () => {
    const files = frontFiles(folder);
    for (const [name, made] of Object.entries(files ?? {})) {
      expect(readFileSync(join(folder, name), "utf8"), name).toBe(made);
    }
    expect(Object.keys(files ?? {})).toHaveLength(3);
  });

  test("name every notebook that is there, and each page says minutes, goals and what it needs before", () => {
    expect(pages.length).toBeGreaterThan(3);
    for (const { name, notebook: page } of pages) {
      const { minutes, goals, before, question } = pageFacts(name, page);
      expect(minutes, name).toBeGreaterThan(0);
      expect(goals.length, name).toBeGreaterThan(1);
      expect(before, name).not.toBe("");
      expect(question, name).not.toBe("");
    }
  });

  test("have terms that a page uses, each once", () => {
    const terms = glossaryTerms(readGlossary(folder), pages);
    expect(terms.filter(({ first }) => first === null).map(({ term }) => term)).toEqual([]);
    expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
  });
});

/** Headings, as the anchors that Jupyter gives them. */
function anchors(file: string): readonly string[] {
  const markdown = file.endsWith(".ipynb")
    ? readNotebook(file).cells.flatMap((cell) => (cell.cell_type === "markdown" ? [cell.source] : []))
    : [readFileSync(file, "utf8")];
  return markdown.flatMap((source) =>
    [...source.matchAll(/^#+\s+(.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)),
  );
}

describe("the links of the course's pages and texts", () => {
  const texts = [
    ...["README.md", "glossary.md", "errata.md"].map(
      (name) => [name, readFileSync(join(folder, name), "utf8")] as const,
    ),
    ...pages.map(({ name, notebook: { cells } }) => {
      const markdown = cells.flatMap((cell) => (cell.cell_type === "markdown" ? [cell.source] : []));
      return [`${name}.ipynb`, markdown.join("\n\n")] as const;
    }),
  ];

  test.each(texts)("of %s lead to files and headings that are there", (name, source) => {
    const prose = source.replace(/```.*?```/gs, "").replace(/`[^`\n]*`/g, "");
    for (const [, href = ""] of prose.matchAll(/\]\(([^)\s]+(?:\([^)]*\)[^)\s]*)?)\)/g)) {
      if (/^[a-z]+:/i.test(href)) continue;
      const [file = "", anchor] = href.split("#");
      const path = file === "" ? join(folder, name) : join(folder, file);
      expect(existsSync(path), `${name}: ${href}`).toBe(true);
      if (anchor !== undefined) expect(anchors(path), `${name}: ${href}`).toContain(decodeURIComponent(anchor));
    }
  });
});

describe("a page's facts", () => {
  const head = `# Lab 1: Adding

**The question.** How fast
can it be?

**After this page you can**

- add two numbers,
  quickly;
- tell why.

**Before:** [Lab 0](lab-0.ipynb). **Time:** 25 minutes; all of it.`;

  test("are read from its first cell", () => {
    expect(pageFacts("lab-1", notebook(text(head)))).toEqual({
      name: "lab-1",
      title: "Lab 1: Adding",
      question: "How fast can it be?",
      goals: ["add two numbers, quickly", "tell why"],
      before: "[Lab 0](lab-0.ipynb).",
      minutes: 25,
    });
  });

  test("are empty where it says nothing", () => {
    expect(pageFacts("x", notebook(printing("1")))).toEqual({
      name: "x",
      title: "x",
      question: "",
      goals: [],
      before: "",
      minutes: null,
    });
  });
});

describe("the errata", () => {
  test("have each claim under its heading, with what the cell before it printed", () => {
    const page = notebook(
      text("# A\n\n## Warps"),
      printing("3 warps\n"),
      text("Look.\n\n> **Put right.** The notes say\n> four.\n\nAnd on.\n\n## Later\n\n> **Put right.** Again."),
    );
    expect(errataOf("a", page)).toEqual([
      { page: "a", section: "Warps", text: "The notes say\nfour.", evidence: "```text\n3 warps\n```" },
      { page: "a", section: "Later", text: "Again.", evidence: "```text\n3 warps\n```" },
    ]);
  });
});

describe("the glossary", () => {
  const term = { term: "race", forms: ["races"], meaning: "two at once" };

  test("leads to the section that uses a term first, not to code or to a part of a word", () => {
    const one = notebook(text("# One\n\ntrace `x`\n\n```ts\nrace();\n```"));
    const two = notebook(text("# Two\n\n## Faults\n\nTwo Races here"), text("## More\n\na race"));
    const given = [
      { name: "one", notebook: one },
      { name: "two", notebook: two },
    ];
    expect(glossaryTerms([term], given)[0]?.first).toEqual({ page: "two", section: "Faults" });
    expect(glossaryTerms([term], given.slice(0, 1))[0]?.first).toBeNull();
  });
});

describe("a syllabus", () => {
  const other = mkdtempSync(join(tmpdir(), "warplab-syllabus-"));
  afterAll(() => rmSync(other, { recursive: true }));

  test("that is no JSON is refused with the file's name", () => {
    writeFileSync(join(other, "course.json"), '{ "title": "C" "parts": [] }');
    expect(() => readSyllabus(other)).toThrow(/course\.json cannot be read as JSON[\s\S]*missing comma/);
    rmSync(join(other, "course.json"));
  });

  test("that names a page without a notebook is refused, with the cure", () => {
    expect(readSyllabus(other)).toBeNull();
    const parts = [{ title: "P", about: "", pages: [{ name: "lab-9" }, { title: "Later", about: "soon" }] }];
    writeFileSync(join(other, "course.json"), JSON.stringify({ title: "C", about: "", parts }));
    expect(() => readSyllabus(other)).toThrow(
      /names the page lab-9, but there is no lab-9.ipynb[\s\S]*title and about/,
    );
  });
});
