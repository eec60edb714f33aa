/** Makes a page live: each code cell becomes an editor whose cell runs in the browser. */
import { Answers } from "./answers.js";
import { CellControls } from "./cell-controls.js";
import { type CellActions, CellView } from "./cell-view.js";
import { downloadNotebook } from "./download.js";
import type { CellEditor, EditorKeys } from "./editor/cell-editor.js";
import { foldHints, pointsLine } from "./hints.js";
import { KeptEdits, keepLast } from "./kept.js";
import { LivePage } from "./live-page.js";
import { chooseFile, openFile, takeDropped } from "./opening.js";
import { addExamples, addSharing, linkToWorkbench, takeShared } from "./sharing.js";
import { PageTypes } from "./types.js";

/** The scripts' own folder, from wherever the page lies. */
const FOLDER = new URL(".", document.querySelector<HTMLScriptElement>('script[src$="live/main.js"]')!.src).href;

function liveBar(): {
  readonly bar: HTMLElement;
  add(text: string, act: () => void): HTMLButtonElement;
  say(text: string, busy: boolean): void;
} {
  const bar = document.createElement("div");
  bar.className = "live-bar";
  bar.setAttribute("role", "region");
  bar.setAttribute("aria-label", "Cells");
  const buttons = document.createElement("div");
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  bar.append(buttons, status);
  return {
    bar,
    add(text, act) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", act);
      buttons.append(button);
      return button;
    },
    say(text, busy) {
      status.textContent = text;
      bar.classList.toggle("busy", busy);
    },
  };
}

/** CodeMirror for the cells that come into view; a cell that is being typed in keeps its text area until it is left. */
async function useCodeMirror(cells: readonly CellView[]): Promise<void> {
  const { codeMirror } = await import("./editor/code-mirror.js");
  const make = (place: HTMLElement, text: string, label: string, keys: EditorKeys): CellEditor =>
    codeMirror(place, text, label, keys);
  const upgrade = (cell: CellView): void => {
    if (cell.isPlain && !cell.isFocused) cell.upgrade(make);
  };
  const bySection = new Map(cells.map((cell) => [cell.section as Element, cell]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const cell = bySection.get(target);
        if (!isIntersecting || cell === undefined) continue;
        if (cell.isFocused) target.addEventListener("focusout", () => setTimeout(() => upgrade(cell)), { once: true });
        else upgrade(cell);
      }
    },
    { rootMargin: "800px" },
  );
  for (const { section } of cells) seen.observe(section);
}

/** Once the page is drawn and the browser has nothing else to do; never for a reader who saves data. */
function whenIdle(act: () => void): void {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (connection?.saveData === true) return;
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2000));
  const wait = (): void => void idle(act);
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

function makeLive(main: HTMLElement): void {
  const name = main.dataset.page ?? "";
  /** A page whose cells a link can fill: "workbench", or "frame" on somebody else's page, which keeps nothing. */
  const { role } = main.dataset;
  const edits = new KeptEdits(role === "frame" ? null : name);
  const { bar, add, say } = liveBar();
  const page = new LivePage(name, FOLDER, say);
  const types = new PageTypes(page, FOLDER);
  let isKept = true;
  addEventListener("beforeunload", (event) => {
    if (!isKept) event.preventDefault();
  });
  const controls = new Map<CellView, CellControls>();
  let tellLanguage = (): void => {};
  const follow = (cell: CellView): void => {
    controls.get(cell)?.follow();
    tellUndo();
    tellLanguage();
    types.edited();
  };
  const actions: CellActions = {
    run: (cell, goOn) => {
      page.run(cell);
      if (goOn) page.cells[page.cells.indexOf(cell) + 1]?.focus();
    },
    runAbove: (cell) => page.runAbove(cell),
    typesOf: (cell) => types.of(cell.number - 1),
    edited: (cell) => {
      follow(cell);
      // The address would bring its own text again.
      if (role === "workbench" && location.hash !== "") history.replaceState(null, "", location.pathname);
      isKept = edits.keep(cell.id, cell.text, cell.own, cell.others);
      if (isKept) return;
      say("Your browser keeps no more for this page: download the notebook to keep your changes.", false);
    },
  };
  const sections = [...main.querySelectorAll<HTMLElement>("section.cell.code")];
  page.cells = sections.map((section, index) => new CellView(section, index + 1, actions));
  let older = 0;
  for (const cell of page.cells) {
    const edit = edits.of(cell.id);
    if (edit === undefined) continue;
    cell.restore(edit.text, edit.others ?? []);
    if (edit.of !== cell.own) older++;
  }
  add("Run all", () => page.runAll()).classList.add("main");
  add("Stop", () => page.stop()).classList.add("stop");
  const more = add("More", () => {
    more.setAttribute("aria-expanded", String(bar.classList.toggle("all")));
  });
  more.className = "more";
  more.setAttribute("aria-expanded", "false");
  add("Restart", () => page.restart());
  add("Reset all", () => {
    const edited = page.cells.filter((cell) => cell.text !== cell.own);
    for (const cell of edited) cell.reset();
    say(edited.length === 0 ? "No cell was changed." : "Each cell has the page's own text. Undo has yours.", false);
  });
  const undo = add("Undo", () => {
    for (const cell of page.cells) if (cell.others.length > 0) cell.undo();
    say("Each cell that was replaced has its text before.", false);
  });
  undo.setAttribute("aria-label", "Undo in all cells");
  function tellUndo(): void {
    undo.hidden = page.cells.every((cell) => cell.others.length === 0);
  }
  tellUndo();
  const download = (cells: readonly CellView[]): void => {
    downloadNotebook(name, cells).catch((problem: unknown) => say((problem as Error).message, false));
  };
  add("Download", () => download(page.cells));
  document.querySelector("nav a[download]")?.addEventListener("click", (event) => {
    event.preventDefault();
    download([]);
  });
  const open = (file: File): void => {
    openFile(page, file, actions.edited, say).catch((problem: unknown) => say((problem as Error).message, false));
  };
  add("Open", () => chooseFile(open)).title = "A notebook that you have downloaded, or an answer as a .ts file";
  takeDropped(open);
  if (role === "workbench") {
    addSharing(page, bar, add, say);
    tellLanguage = addExamples(page, bar, actions.edited);
  }
  if (role === "frame") {
    for (const button of bar.querySelectorAll<HTMLElement>("button:not(.main, .stop)")) button.hidden = true;
    bar.append(linkToWorkbench());
  }
  main.after(bar);
  say(
    older === 0
      ? "Change a cell and press Shift-Enter: it runs here, in your browser."
      : `The page is newer than your changes to ${older} of its cells. Reset shows the new text.`,
    false,
  );
  if (role !== undefined) void takeShared(page, role === "frame", follow, say);
  const answers = Answers.of(name, page.cells);
  for (const cell of page.cells) {
    const each = new CellControls(cell, {
      rest: (changed) => page.runOn(changed),
      moves: (changed) => page.runWhileMoving(changed),
      guessed: () => say(answers?.guessed() ?? "Your guesses are kept.", false),
    });
    controls.set(cell, each);
  }
  // The same page in another tab: both show the last change.
  edits.follow(() => {
    for (const cell of page.cells) {
      const { text = cell.own, others = [] } = edits.of(cell.id) ?? {};
      if (text === cell.text) continue;
      cell.restore(text, others);
      follow(cell);
      say(`Cell ${cell.number} was changed in another tab, which has this page open, too.`, false);
    }
  });
  if (role === undefined) keepLast(name, document.querySelector("h1")?.textContent ?? name);
  const uncover = foldHints(main);
  for (const cell of page.cells) {
    const exercise = /\bcheckExercise\("([\w-]+)"/.exec(cell.own)?.[1];
    if (exercise === undefined) continue;
    const line = document.createElement("p");
    line.className = "exercise-points";
    line.setAttribute("role", "status");
    line.textContent = pointsLine(exercise);
    cell.section.append(line);
    cell.section.addEventListener("points", () => {
      line.textContent = pointsLine(exercise);
      uncover();
    });
  }
  const warmUp = ({ target }: Event): void => {
    if (target instanceof Element && target.closest("section.cell.code") !== null) void page.warmUp();
    if (target instanceof Element && target.closest(".code-place") !== null) void types.start();
  };
  for (const sign of ["pointerdown", "focusin"]) main.addEventListener(sign, warmUp);
  useCodeMirror(page.cells).catch(() => {
    // The text areas stay.
  });
  if (role !== "frame") whenIdle(() => void page.warmUp());
  document.documentElement.dataset.live = "ready";
}

const main = document.querySelector<HTMLElement>("main[data-page]");
if (main !== null) makeLive(main);
