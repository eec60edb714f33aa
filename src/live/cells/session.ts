/**
 * One page's session: its cells share what they declare, as under tslab. A cell sees what earlier cells declared, may
 * declare it again, may await, and shows the value of its last expression.
 */
import { formatWithOptions, inspect } from "node-inspect-extracted";
import { InputError } from "../../core/base/errors.js";
import { addSourceLocator } from "../../core/base/source-place.js";
import { isView } from "../../core/show/display-data.js";
import type { CellSink } from "../../course/notebook/cell-sink.js";
import type { MimeBundle } from "../../course/notebook/notebook.js";
import { wellFormed, wellFormedSink } from "../../course/notebook/well-formed.js";
import { bundleOf, showIn } from "../display.js";
import { convertCell, LINES_BEFORE } from "./convert.js";
import { cellUrl, failureOf, type LocatedFailure } from "./failure.js";

type Module = Readonly<Record<string, unknown>>;

/** A cell's last value: a table or a figure as `display` shows it, a string as it is, all else as text. */
function resultBundle(value: unknown): MimeBundle {
  if (typeof value === "string") return { "text/plain": value };
  if (isView(value)) return bundleOf(value).data;
  return { "text/plain": inspect(value, { depth: 4 }) };
}

const TO_STDERR = ["error", "warn", "trace", "assert"];

/** A worker has one session, and its cells have numbers of their own. */
let present: Session | null = null;
addSourceLocator((text, { url }) => present?.placeOf(text, url) ?? null);

/** Texts of runs that errors quote; of an older run they name the number alone. */
const MOST_TEXTS = 300;

export class Session {
  readonly #names: Record<string, unknown> = Object.create(null);
  readonly #sources = new Map<number, string>();
  readonly #texts = new Map<number, string>();
  readonly #modules: ReadonlyMap<string, Module>;
  #sink: ReturnType<typeof wellFormedSink> | undefined;
  #count = 0;
  #running = false;
  #late: unknown;
  #failedLate = false;

  /** @param modules what cells may import, by name */
  constructor(modules: ReadonlyMap<string, Module>) {
    this.#modules = modules;
    // Deep enough that the cell's own frame is among those of what it has called.
    Error.stackTraceLimit = Math.max(Error.stackTraceLimit ?? 0, 60);
    present = this;
    showIn((data) => this.#sink?.display(data, false));
  }

  /** `console` for the cells: its lines go to the running cell's outputs. */
  get console(): Record<string, (...values: unknown[]) => void> {
    const write = (name: "stdout" | "stderr", values: readonly unknown[]): void =>
      this.#sink?.stream(name, `${formatWithOptions({}, ...values)}\n`);
    const methods = ["log", "info", "debug", "dir", "table", ...TO_STDERR].map((name) => {
      const to = TO_STDERR.includes(name) ? "stderr" : "stdout";
      return [name, (...values: unknown[]) => write(to, values)] as const;
    });
    return {
      ...Object.fromEntries(methods),
      assert: (ok, ...values) => ok || write("stderr", ["Assertion failed", ...values]),
    };
  }

  /** Writes to the running cell's output; a kernel's printf may end within a line. */
  print(text: string): void {
    this.#sink?.stream("stdout", text);
  }

  /** Runs one cell. Resolves to its failure, or to undefined when it ran to its end. Never rejects. */
  async run(source: string, count: number, sink: CellSink): Promise<LocatedFailure | undefined> {
    this.#sink = wellFormedSink(sink);
    this.#count = count;
    this.#running = true;
    this.#failedLate = false;
    let failure: LocatedFailure | undefined;
    try {
      const { code, names } = convertCell(source);
      this.#sources.set(count, source);
      this.#texts.set(count, code);
      for (const kept of [this.#sources, this.#texts]) {
        if (kept.size > MOST_TEXTS) kept.delete(kept.keys().next().value!);
      }
      for (const name of names) if (!(name in this.#names)) this.#names[name] = undefined;
      // Evaluated outside of this module's scope.
      // biome-ignore lint/security/noGlobalEval: a cell is the reader's own program
      const evaluate = globalThis.eval;
      const run = evaluate(`${code}\n//# sourceURL=${cellUrl(count)}`) as (...args: unknown[]) => Promise<void>;
      const result: { value?: unknown } = {};
      await run(this.#names, result, (module: string, name?: string) => this.#import(module, name));
      // A promise that the cell left rejected is reported between these two turns of the loop.
      for (let turn = 0; turn < 2; turn++) await new Promise((done) => setTimeout(done, 0));
      if (result.value !== undefined && result.value !== null) this.#sink.result(resultBundle(result.value));
      if (this.#failedLate) failure = this.#failure(this.#late);
    } catch (thrown) {
      failure = this.#failure(thrown);
    }
    this.#running = false;
    this.#sink.end();
    return failure;
  }

  /** An error that no cell's own promise carries: a forgotten promise, a timer's callback. */
  failLate(thrown: unknown): void {
    if (!this.#running) {
      this.#sink?.stream("stderr", `${this.#failure(thrown).traceback.join("\n")}\n`);
      return;
    }
    if (!this.#failedLate) this.#late = thrown;
    this.#failedLate = true;
  }

  #failure(thrown: unknown): LocatedFailure {
    const exported = [...this.#modules.values()].flatMap((module) => Object.keys(module));
    const names = { exported, declared: (name: string) => this.#names[name] };
    return wellFormed(failureOf(thrown, this.#sources, this.#count, names));
  }

  #import(name: string, item?: string): unknown {
    const module = this.#modules.get(name);
    if (module === undefined) {
      throw new InputError({
        what: `There is no module "${name}" here.`,
        cure: `Import from ${[...this.#modules.keys()].map((each) => `"${each}"`).join(" or ")}.`,
      });
    }
    if (item !== undefined && !(item in module)) {
      throw new InputError({
        what: `"${name}" has no ${item}.`,
        cure: "Look at the name's spelling; a type is imported with import type.",
      });
    }
    return item === undefined ? module : module[item];
  }

  /** The text stands in the calling cell, or in the last one that has it. */
  placeOf(text: string, url: string): { readonly where: string; readonly lines: readonly number[] | null } | null {
    const caller = Number(/^warplab-cell-(\d+)$/.exec(url)?.[1]);
    if (!this.#texts.has(caller)) return null;
    const cells = [caller, ...[...this.#texts.keys()].reverse()];
    const cell = cells.find((each) => this.#texts.get(each)?.includes(text));
    if (cell === undefined) return { where: `cell [${caller}]`, lines: null };
    const whole = this.#texts.get(cell)!;
    const first = whole.slice(0, whole.indexOf(text)).split("\n").length - LINES_BEFORE;
    return { where: `cell [${cell}]`, lines: text.split("\n").map((_, index) => first + index) };
  }
}
