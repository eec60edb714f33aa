/** The workbench's links, its frame for other pages, and its examples. A link's text runs when the reader says so. */
import type { CellView } from "./cell-view.js";
import { namesCuda } from "./compiler.js";
import type { LivePage } from "./live-page.js";
import { linkOf, textsOf } from "./shared-link.js";

type Say = LivePage["say"];

/** A browser may not let a page write there. */
async function copy(text: string): Promise<boolean> {
  const written = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return (await written) ?? false;
}

const addressWith = (page: string, link: string): string => new URL(page + link, location.href).href;

async function share(page: LivePage, say: Say): Promise<void> {
  const link = await linkOf(page.cells.map(({ text }) => text));
  history.replaceState(null, "", link);
  const copied = await copy(location.href);
  say(`The page's address now holds the text of its cells${copied ? ", and is copied" : ""}.`, false);
}

/** Shows what stands in a teacher's own page to have these cells there. */
async function embed(page: LivePage, snippet: HTMLTextAreaElement, say: Say): Promise<void> {
  const address = addressWith("embed.html", await linkOf(page.cells.map(({ text }) => text)));
  snippet.value = `<iframe src="${address}" title="A kernel to run" width="100%" height="520" loading="lazy"></iframe>`;
  snippet.hidden = false;
  snippet.select();
  const copied = await copy(snippet.value);
  say(
    `Put this text into your page${copied ? "; it is copied" : ""}. A reader runs and changes the cells there.`,
    false,
  );
}

export function addSharing(
  page: LivePage,
  bar: HTMLElement,
  add: (text: string, act: () => void) => HTMLButtonElement,
  say: Say,
): void {
  const snippet = document.createElement("textarea");
  snippet.readOnly = true;
  snippet.hidden = true;
  snippet.rows = 3;
  snippet.setAttribute("aria-label", "Text of the frame for your own page");
  add("Share", () => share(page, say));
  add("Embed", () => embed(page, snippet, say));
  bar.append(snippet);
}

interface Example {
  readonly title: string;
  readonly texts: readonly string[];
  /** The first text with its kernel in CUDA C++. */
  readonly cuda: string;
}

const LANGUAGES = ["TypeScript", "CUDA C++"] as const;

/** Texts of an example in a language. */
function textsIn(language: string, { texts, cuda }: Example): readonly string[] {
  return language === "CUDA C++" ? [cuda, ...texts.slice(1)] : texts;
}

function list(label: string, ...options: readonly HTMLOptionElement[]): HTMLSelectElement {
  const element = document.createElement("select");
  element.setAttribute("aria-label", label);
  element.append(...options);
  return element;
}

/**
 * Examples, and the language of their kernels. The reader's own texts stay: "Undo" brings them back.
 * @returns shows the language of the cells' texts
 */
export function addExamples(page: LivePage, bar: HTMLElement, edited: (cell: CellView) => void): () => void {
  const examples = JSON.parse(document.querySelector("#examples")?.textContent ?? "[]") as readonly Example[];
  const titles = list("Examples", new Option("Examples", ""), ...examples.map(({ title }) => new Option(title)));
  const language = list("Language of kernels", ...LANGUAGES.map((name) => new Option(name)));
  language.className = "main";
  const show = (example: Example | undefined): void => {
    if (example === undefined) return;
    const texts = textsIn(language.value, example);
    for (const [index, cell] of page.cells.entries()) {
      cell.replace(texts[index] ?? "");
      edited(cell);
    }
  };
  titles.addEventListener("change", () => {
    const chosen = examples.find(({ title }) => title === titles.value);
    titles.value = "";
    show(chosen);
  });
  language.addEventListener("change", () => {
    const first = page.cells[0]?.text;
    const shown = examples.find(({ texts, cuda }) => first === texts[0] || first === cuda) ?? examples[0];
    show(shown);
    const own = first === shown?.texts[0] || first === shown?.cuda ? "" : " Undo has your text.";
    page.say(`An example in ${language.value} stands here now.${own}`, false);
  });
  bar.firstElementChild?.append(titles, language);
  const tell = (): void => {
    language.value = LANGUAGES[page.cells.some(({ text }) => namesCuda(text)) ? 1 : 0];
  };
  tell();
  return tell;
}

/** From a frame to a page that has room. */
export function linkToWorkbench(): HTMLElement {
  const link = document.createElement("a");
  link.href = addressWith("play.html", location.hash);
  link.target = "_blank";
  link.textContent = "Open on a page of its own";
  return link;
}

/** Shows the texts of the address; they are run when the reader says so. */
export async function takeShared(
  page: LivePage,
  isFrame: boolean,
  replaced: (cell: CellView) => void,
  say: Say,
): Promise<void> {
  try {
    const texts = await textsOf(location.hash);
    if (texts === null) return;
    for (const [index, cell] of page.cells.entries()) {
      cell.replace(texts[index] ?? "");
      replaced(cell);
      // In a frame there is no place for cells without a text.
      cell.section.hidden = isFrame && cell.text.trim() === "";
    }
    const more = texts.length - page.cells.length;
    const left = more > 0 ? ` It holds ${more} more than this page has.` : "";
    say(`These cells came with the link. Read them, and run them if you like.${left}`, false);
  } catch (problem) {
    say((problem as Error).message, false);
  }
}
