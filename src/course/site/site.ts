/** The pages in out/: first of the notebooks as they are kept, then of each as it ran. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { type Notebook, writeNotebook } from "../notebook/notebook.js";
import { type FrontFiles, frontFiles } from "./front-page.js";
import { indexPage, type PageFigure, type PageTable, type TableFile } from "./index-page.js";
import { markdownHtml } from "./markdown-page.js";
import { notebookPage, notebookTitle, type PageLink } from "./notebook-page.js";
import { copyPageAssets } from "./page-assets.js";
import { isPlotlyFigure, pageHtml } from "./page-frame.js";
import { readSyllabus, writtenPages } from "./syllabus.js";

/** The names of the files in a folder with this ending, sorted, without it; none if there is no such folder. */
function namesIn(folder: string, ending: string): string[] {
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith(ending));
    return files.map((file) => basename(file, ending)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function readTables(folder: string): PageTable[] {
  const fragments = new Set(namesIn(folder, ".html"));
  const names = new Set([...fragments, ...namesIn(folder, ".json")]);
  return [...names].sort().map((name) => {
    if (fragments.has(name)) return { name, content: readFileSync(join(folder, `${name}.html`), "utf8") };
    const file = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as TableFile;
    return { name, content: file };
  });
}

function readFigures(folder: string): PageFigure[] {
  return namesIn(folder, ".json").map((name) => {
    const figure: unknown = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    if (!isPlotlyFigure(figure)) throw new Error(`${join(folder, name)}.json holds no plotly figure (no "data").`);
    return { name, figure };
  });
}

/** The notebooks of a folder: in the course's order, then those that it does not name. */
export function inCourseOrder(notebooks: string): readonly string[] {
  const names = namesIn(notebooks, ".ipynb");
  const syllabus = readSyllabus(notebooks);
  const ordered = syllabus === null ? [] : writtenPages(syllabus);
  return [...ordered, ...names.filter((name) => !ordered.includes(name))];
}

type RunState =
  | { readonly state: "waiting" | "ran" | "failed" }
  | { readonly state: "running"; readonly cell: number; readonly of: number };

/** A page says this before its notebook has run; run.js says more. */
const KEPT = "Shown as it is kept in the repository; it will be run.";

export class Site {
  readonly #out: string;
  readonly #source: string;
  readonly #notebooks: Map<string, Notebook>;
  readonly #states = new Map<string, RunState>();
  #front: FrontFiles | null;
  #ended = false;

  /**
   * Writes all pages from the notebooks as they are kept.
   * @param source the folder of notebooks
   * @param out the folder of the site
   * @param kept the notebooks by their names, in order
   * @param toRun those that will be run
   */
  constructor(source: string, out: string, kept: ReadonlyMap<string, Notebook>, toRun: Iterable<string> = kept.keys()) {
    this.#source = source;
    this.#out = out;
    this.#notebooks = new Map(kept);
    this.#front = frontFiles(source, kept);
    copyPageAssets(out);
    const target = join(out, "notebooks");
    mkdirSync(target, { recursive: true });
    const isOther = (path: string): boolean =>
      !/\.(ipynb|md)$|node_modules|\.ipynb_checkpoints/.test(relative(source, path));
    cpSync(source, target, { recursive: true, filter: isOther });
    for (const name of toRun) this.#states.set(name, { state: "waiting" });
    for (const name of kept.keys()) this.#writePage(name);
    this.#writeFront();
    this.#writeTexts();
    this.#writeProgress();
  }

  running(name: string, cell: number, of: number): void {
    this.#states.set(name, { state: "running", cell, of });
    this.#writeProgress();
  }

  ran(name: string, notebook: Notebook, failed: boolean): void {
    this.#notebooks.set(name, notebook);
    this.#states.set(name, { state: failed ? "failed" : "ran" });
    this.#writePage(name);
    this.#writeFront();
    this.#writeProgress();
  }

  /** All has run: the front page has the tables and figures of out/, and the errata the evidence of this run. */
  end(): void {
    this.#ended = true;
    this.#front = frontFiles(this.#source, this.#notebooks);
    this.#writeFront();
    this.#writeTexts();
    this.#writeProgress();
  }

  #links(): readonly PageLink[] {
    return [...this.#notebooks].map(([name, notebook]) => ({
      href: `${name}.html`,
      title: notebookTitle(notebook, name),
    }));
  }

  #writePage(name: string): void {
    const notebook = this.#notebooks.get(name);
    if (notebook === undefined) return;
    const links = this.#links();
    const at = [...this.#notebooks.keys()].indexOf(name);
    const [before, after] = [links[at - 1], links[at + 1]];
    const neighbours = [
      ...(before === undefined ? [] : [{ ...before, title: `← ${before.title}` }]),
      ...(after === undefined ? [] : [{ ...after, title: `${after.title} →` }]),
    ];
    const folder = join(this.#out, "notebooks");
    const state = this.#states.get(name)?.state === "waiting" ? KEPT : "";
    writeNotebook(join(folder, `${name}.ipynb`), notebook);
    writeFileSync(join(folder, `${name}.html`), notebookPage(notebook, name, neighbours, state));
  }

  #writeFront(): void {
    const ran = [...this.#states.values()].filter(({ state }) => state === "ran" || state === "failed").length;
    const page = indexPage({
      front: this.#front === null ? null : markdownHtml(this.#front["README.md"], "notebooks/"),
      state: this.#ended ? "" : `${ran} of ${this.#states.size} pages have been run.`,
      tables: readTables(join(this.#out, "tables")),
      figures: readFigures(join(this.#out, "plots")),
      notebooks: [...this.#notebooks].map(([name, notebook]) => ({
        href: `notebooks/${name}.html`,
        title: notebookTitle(notebook, name),
        failed: this.#states.get(name)?.state === "failed",
      })),
    });
    writeFileSync(join(this.#out, "index.html"), page);
  }

  #writeTexts(): void {
    const files = this.#front;
    if (files === null) return;
    for (const name of ["glossary", "errata"] as const) {
      const body = `<nav><a href="../index.html">Overview</a></nav>\n<main>\n${markdownHtml(files[`${name}.md`])}</main>`;
      const title = name === "glossary" ? "Glossary" : "Errata";
      writeFileSync(join(this.#out, "notebooks", `${name}.html`), pageHtml({ title, toRoot: "../", body }));
    }
  }

  /** run.js asks for it again and again. */
  #writeProgress(): void {
    const progress = { ended: this.#ended, pages: Object.fromEntries(this.#states) };
    writeFileSync(join(this.#out, "progress.json"), JSON.stringify(progress));
  }
}
