/** Types of the page's cells, asked of a worker that is loaded once somebody is about to write and the session is there. */
import type { TypedName } from "../types/checker.js";
import type { TypeAnswer, TypeAnswers, TypeRequest } from "../types/messages.js";
import type { CellTypes } from "./editor/cell-editor.js";
import type { LivePage } from "./live-page.js";

/** Marks while a word is being typed would come and go. */
const MILLISECONDS_OF_REST = 600;

export class PageTypes {
  readonly #page: LivePage;
  readonly #folder: string;
  #worker: Worker | null = null;
  #isStarted = false;
  readonly #asked: Map<number, (value: never) => void> = new Map();
  #count = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  /** @param folder address of the scripts' folder */
  constructor(page: LivePage, folder: string) {
    this.#page = page;
    this.#folder = folder;
  }

  /** Loads the checker behind the session; where it cannot be had, a page goes without. */
  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    await this.#page.warmUp();
    const worker = new Worker(`${this.#folder}types.js`);
    worker.onmessage = ({ data: { id, value } }: MessageEvent<TypeAnswer>) => {
      this.#asked.get(id)?.(value as never);
      this.#asked.delete(id);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#worker = null;
    };
    this.#worker = worker;
    await this.#check();
  }

  /** A cell's text is another. */
  edited(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#check(), MILLISECONDS_OF_REST);
  }

  /** What an editor asks about its cell; null as long as the checker is not there. */
  of(cell: number): CellTypes | null {
    if (this.#worker === null) return null;
    return {
      members: (position) => this.#ask<readonly TypedName[]>({ kind: "members", cell, position }),
      typeAt: (position) => this.#ask<string | null>({ kind: "typeAt", cell, position }),
    };
  }

  async #check(): Promise<void> {
    if (this.#worker === null) return;
    const { cells } = this.#page;
    const texts = cells.map(({ text }) => text);
    const marks = await this.#ask<TypeAnswers["marks"]>({ kind: "marks" });
    for (const [at, cell] of cells.entries()) if (cell.text === texts[at]) cell.showTypes(marks[at] ?? []);
  }

  #ask<Value>(
    request: { readonly kind: "marks" } | { readonly kind: "members" | "typeAt"; cell: number; position: number },
  ): Promise<Value> {
    const id = ++this.#count;
    const texts = this.#page.cells.map(({ text }) => text);
    this.#worker?.postMessage({ id, texts, ...request } satisfies TypeRequest);
    return new Promise((done) => {
      this.#asked.set(id, done as (value: never) => void);
    });
  }
}
