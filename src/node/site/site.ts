/** The pages in out/: first of the notebooks as they are kept, then of each as it ran. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Notebook } from "../../course/notebook/notebook.js";
import { readNotebook, writeNotebook } from "../notebook/notebook.js";
import { removeParts, replaceFile } from "../setup/replace.js";
import { cleanHtml } from "./clean-html.js";
import { FRAMES_FOLDER } from "./content-policy.js";
import { type FrontFiles, frontFiles } from "./front-page.js";
import { indexPage, type PageFigure, type PageTable, type TableFile } from "./index-page.js";
import { markdownHtml } from "./markdown-page.js";
import { addressOf, notebookPage, notebookTitle, type PageLink } from "./notebook-page.js";
import { copyPageAssets } from "./page-assets.js";
import { pageFacts } from "./page-facts.js";
import { isPlotlyFigure, pageHtml } from "./page-frame.js";
import { EMBED_PAGE, embedNotebook, PLAY_PAGE, playNotebook } from "./play-page.js";
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

/** A file's data; undefined for one that is no JSON: a learner's own, or one of an older version. */
function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function isTable(value: unknown): value is TableFile {
  return typeof value === "object" && value !== null && Array.isArray((value as { rows?: unknown }).rows);
}

function readTables(folder: string): PageTable[] {
  const fragments = new Set(namesIn(folder, ".html"));
  const names = new Set([...fragments, ...namesIn(folder, ".json")]);
  return [...names].sort().flatMap((name): PageTable[] => {
    if (fragments.has(name)) return [{ name, content: cleanHtml(readFileSync(join(folder, `${name}.html`), "utf8")) }];
    const content = jsonOf(join(folder, `${name}.json`));
    return isTable(content) ? [{ name, content }] : [];
  });
}

function readFigures(folder: string): PageFigure[] {
  return namesIn(folder, ".json").flatMap((name) => {
    const figure = jsonOf(join(folder, `${name}.json`));
    return isPlotlyFigure(figure) ? [{ name, figure }] : [];
  });
}

/** Copies what notebooks refer to, such as pictures. A link is followed where it leads to a file of the folder. */
function copyOthers(source: string, target: string, top: string = realpathSync(source)): void {
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    if (entry.isDirectory()) {
      if (!/^(node_modules|\..*)$/.test(entry.name)) copyOthers(from, join(target, entry.name), top);
    } else if (!/\.(ipynb|md)$|^\./.test(entry.name) && isFileWithin(from, top)) {
      replaceFile(join(target, entry.name), readFileSync(from));
    }
  }
}

function isFileWithin(path: string, top: string): boolean {
  try {
    const file = realpathSync(path);
    return file.startsWith(top + sep) && statSync(file).isFile();
  } catch {
    // A link to nothing.
    return false;
  }
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

/** progress.json: run.js asks for it again and again, and the next run for what is of a run. */
interface ProgressFile {
  readonly ended: boolean;
  readonly pages: Readonly<Record<string, RunState>>;
  /** The notebooks whose files in out/ are those of a run, this one or one before. */
  readonly results: readonly string[];
}

/** A page says this before its notebook has run; run.js says more. */
const KEPT = "Shown as it is kept in the repository; it will be run.";
const RESULT = "Shown as an earlier run left it; it will be run.";

/** The notebooks in `folder` that an earlier run wrote. */
function earlierResults(out: string, names: Iterable<string>): ReadonlyMap<string, Notebook> {
  const { results } = (jsonOf(join(out, "progress.json")) ?? {}) as Partial<ProgressFile>;
  const known = new Set(Array.isArray(results) ? results : []);
  const found = new Map<string, Notebook>();
  for (const name of names) {
    if (!known.has(name)) continue;
    try {
      found.set(name, readNotebook(join(out, "notebooks", `${name}.ipynb`)));
    } catch {
      // It was removed, or is none: the kept one takes its place.
    }
  }
  return found;
}

/**
 * The pages of a run. A file in out/ is replaced whole, when its notebook has run and not before. An interruption
 * leaves what an earlier run wrote, and so does a run of other notebooks. Files that a reader put there stay.
 */
/** Links to files of the course's folder that are no pages: a site names them. */
function withoutFileLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\(\.\.\/([^)]*)\)/g, "$1 (`$2`)");
}

export class Site {
  readonly #out: string;
  readonly #source: string;
  readonly #notebooks: Map<string, Notebook>;
  readonly #states: Map<string, RunState> = new Map();
  readonly #results: Set<string>;
  #front: FrontFiles | null;
  #ended = false;

  /**
   * Writes all pages: from an earlier run's results where there are some, or from the notebooks as they are kept.
   * @param source the folder of notebooks
   * @param out the folder of the site
   * @param kept the notebooks by their names, in order
   * @param toRun those that will be run
   */
  constructor(source: string, out: string, kept: ReadonlyMap<string, Notebook>, toRun: Iterable<string> = kept.keys()) {
    this.#source = source;
    this.#out = out;
    const target = join(out, "notebooks");
    mkdirSync(target, { recursive: true });
    for (const folder of [out, target]) removeParts(folder);
    const results = earlierResults(out, kept.keys());
    this.#results = new Set(results.keys());
    this.#notebooks = new Map([...kept, ...results]);
    this.#front = frontFiles(source, this.#notebooks);
    copyPageAssets(out);
    copyOthers(source, target);
    for (const name of toRun) this.#states.set(name, { state: "waiting" });
    for (const name of kept.keys()) this.#writePage(name);
    if (!kept.has(PLAY_PAGE)) {
      this.#writeNotebook(PLAY_PAGE, playNotebook);
      replaceFile(join(target, `${PLAY_PAGE}.html`), notebookPage(playNotebook, PLAY_PAGE, { role: "workbench" }));
      replaceFile(join(target, `${EMBED_PAGE}.html`), notebookPage(embedNotebook, EMBED_PAGE, { role: "frame" }));
    }
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
    this.#results.add(name);
    this.#writeNotebook(name, notebook);
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
      href: addressOf(name, "html"),
      title: notebookTitle(notebook, name),
    }));
  }

  #writeNotebook(name: string, notebook: Notebook): void {
    writeNotebook(join(this.#out, "notebooks", `${name}.ipynb`), notebook);
  }

  #writePage(name: string): void {
    const notebook = this.#notebooks.get(name);
    if (notebook === undefined) return;
    const links = this.#links();
    const at = [...this.#notebooks.keys()].indexOf(name);
    const folder = join(this.#out, "notebooks");
    const isResult = this.#results.has(name);
    if (!isResult) this.#writeNotebook(name, notebook);
    const waits = this.#states.get(name)?.state === "waiting";
    let frames = 0;
    const page = notebookPage(notebook, name, {
      before: links[at - 1],
      after: links[at + 1],
      state: waits ? (isResult ? RESULT : KEPT) : "",
      addFrame: (text) => {
        const frame = `${name}-${++frames}`;
        mkdirSync(join(folder, FRAMES_FOLDER), { recursive: true });
        replaceFile(join(folder, FRAMES_FOLDER, `${frame}.html`), text);
        return `${FRAMES_FOLDER}/${addressOf(frame, "html")}`;
      },
    });
    replaceFile(join(folder, `${name}.html`), page);
  }

  #writeFront(): void {
    const ran = [...this.#states.values()].filter(({ state }) => state === "ran" || state === "failed").length;
    const page = indexPage({
      front: this.#front === null ? null : markdownHtml(this.#front["README.md"], "notebooks/"),
      state: this.#ended ? "" : `${ran} of ${this.#states.size} pages have been run.`,
      tables: readTables(join(this.#out, "tables")),
      figures: readFigures(join(this.#out, "plots")),
      notebooks: [...this.#notebooks].map(([name, notebook]) => ({
        href: `notebooks/${addressOf(name, "html")}`,
        title: notebookTitle(notebook, name),
        about: pageFacts(name, notebook).question,
        failed: this.#states.get(name)?.state === "failed",
      })),
    });
    replaceFile(join(this.#out, "index.html"), page);
  }

  #writeTexts(): void {
    const files = this.#front;
    if (files === null) return;
    const instructors = join(this.#source, "INSTRUCTORS.md");
    const texts = [
      { name: "glossary", title: "Glossary", text: files["glossary.md"] },
      { name: "errata", title: "Errata", text: files["errata.md"] },
      ...(existsSync(instructors)
        ? [{ name: "INSTRUCTORS", title: "For instructors", text: withoutFileLinks(readFileSync(instructors, "utf8")) }]
        : []),
    ];
    for (const { name, title, text } of texts) {
      const body = `<nav aria-label="Pages"><a href="../index.html">Overview</a></nav>\n<main>\n${markdownHtml(text)}</main>`;
      replaceFile(join(this.#out, "notebooks", `${name}.html`), pageHtml({ title, toRoot: "../", body }));
    }
  }

  #writeProgress(): void {
    const progress: ProgressFile = {
      ended: this.#ended,
      pages: Object.fromEntries(this.#states),
      results: [...this.#results],
    };
    replaceFile(join(this.#out, "progress.json"), JSON.stringify(progress));
  }
}
