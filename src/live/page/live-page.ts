/** A page's cells and their one session: what runs, what waits, and a line that says so. */
import type { LocatedFailure } from "../cells/failure.js";
import { usersOf, withUsed } from "../cells/uses.js";
import type { CompilerParts, SessionMessage } from "../messages.js";
import type { CellView } from "./cell-view.js";
import { CompilerLoad, namesCuda } from "./compiler.js";
import { keepPoints } from "./kept.js";
import { loadProgram } from "./program.js";
import { SessionFrame } from "./session-frame.js";

/** Beyond it a slider would drag. */
const MOST_MILLISECONDS_OF_A_MOVE = 300;

export class LivePage {
  #cells: readonly CellView[] = [];
  #session: SessionFrame | null = null;
  #starting: Promise<SessionFrame> | null = null;
  #isReady = false;
  #queue: CellView[] = [];
  #running: CellView | null = null;
  #count = 0;
  /** The moving slider's cell and when its run began; and the cells that take too long for that. */
  #move: { readonly cell: CellView; readonly begun: number } | null = null;
  readonly #slow: Set<CellView> = new Set();
  /** The compiler of CUDA C++, once it is loaded; it outlives the session. */
  #compiler: CompilerParts | null = null;
  #load: CompilerLoad | null = null;

  /**
   * @param name the notebook's
   * @param folder address of the scripts' folder
   * @param say shows a line about what happens; `busy` while something runs
   */
  constructor(
    readonly name: string,
    readonly folder: string,
    readonly say: (text: string, busy: boolean) => void,
  ) {}

  set cells(cells: readonly CellView[]) {
    this.#cells = cells;
  }

  get cells(): readonly CellView[] {
    return this.#cells;
  }

  /** Runs a cell, after those that it builds on and that have not run as they stand now. */
  run(cell: CellView): void {
    this.#move = null;
    this.#runWithUsed(cell);
  }

  #runWithUsed(cell: CellView): void {
    const isRun = (at: number): boolean => {
      const each = this.#cells[at]!;
      return this.#queue.includes(each) || (each.ran !== null && each.ran === each.text);
    };
    const sources = this.#cells.map(({ text }) => text);
    this.#enqueue(withUsed(sources, this.#cells.indexOf(cell), isRun).map((at) => this.#cells[at]!));
  }

  /**
   * A slider moves: its cell, and those that build on it, run at the value that it has when the run before has ended. Where
   * that takes too long they wait until it rests.
   */
  runWhileMoving(cell: CellView): void {
    const isBusy = this.#running !== null || this.#queue.length > 0;
    if (isBusy || !this.#isReady || cell.ran === null || this.#slow.has(cell)) return;
    this.#move = { cell, begun: performance.now() };
    this.#runWithUsers(cell);
  }

  /** Runs a cell again, and those that build on it and have run. */
  runOn(cell: CellView): void {
    this.#move = null;
    this.#slow.delete(cell);
    this.#runWithUsers(cell);
  }

  #runWithUsers(cell: CellView): void {
    this.#runWithUsed(cell);
    const sources = this.#cells.map(({ text }) => text);
    const users = usersOf(sources, this.#cells.indexOf(cell)).map((at) => this.#cells[at]!);
    this.#enqueue(users.filter(({ ran }) => ran !== null));
  }

  runAbove(cell: CellView): void {
    this.#enqueue(this.#cells.slice(0, this.#cells.indexOf(cell)));
  }

  /** From the first to the last, in a session that has run nothing. */
  runAll(): void {
    this.restart();
    this.#enqueue(this.#cells);
  }

  /** Ends a session that has run something; the next cell that runs begins another one. */
  restart(): void {
    const had = this.#session !== null || this.#starting !== null;
    if (this.#count > 0 || this.#running !== null) this.#end();
    if (had) this.say("The session is new: nothing has been run in it.", false);
  }

  /** Ends what runs. A loop can only be ended with its session. */
  stop(): void {
    const running = this.#running;
    if (running === null && this.#queue.length === 0) {
      this.say("Nothing runs.", false);
      return;
    }
    this.#running = null;
    if (running !== null) {
      const evalue = "You have stopped the cell. The session went with it: cells that have run have to be run again.";
      running.fail({ ename: "Stopped", evalue, traceback: [`Stopped: ${evalue}`], places: [] });
      running.end();
    }
    this.#end();
    this.say("Stopped. The session is gone, its variables too: run the cells again that you need.", false);
  }

  /** Loads what a run needs before somebody asks for one. */
  async warmUp(): Promise<void> {
    await this.#start().catch(() => {
      // The first run tries again, and says why.
      if (this.#running === null) this.#end();
    });
  }

  #enqueue(cells: readonly CellView[]): void {
    for (const cell of cells) {
      const isRunning = cell === this.#running && cell.ran === cell.text;
      if (isRunning || this.#queue.includes(cell)) continue;
      cell.wait();
      this.#queue.push(cell);
    }
    this.#next();
  }

  async #next(): Promise<void> {
    if (this.#running !== null) return;
    const cell = this.#queue.shift();
    if (cell === undefined) return;
    this.#running = cell;
    if (!this.#isReady) this.say("The simulator is being loaded ...", true);
    try {
      const session = await this.#start();
      // It may have been stopped meanwhile.
      if (this.#running !== cell) return;
      if (namesCuda(cell.text) && !session.hasCompiler) await this.#giveCompiler(session, cell);
      if (this.#running !== cell) return;
      const count = ++this.#count;
      cell.begin(count);
      this.#tell();
      session.run({ source: cell.text, count });
    } catch (problem) {
      if (this.#running !== cell) return;
      this.#running = null;
      this.#end();
      cell.noLongerWaits();
      this.say(`The simulator could not be started: ${(problem as Error).message}`, false);
    }
  }

  /** Where it cannot be had, cuda`...` says why. */
  async #giveCompiler(session: SessionFrame, cell: CellView): Promise<void> {
    const what = "The compiler of CUDA C++ is being";
    this.#load = new CompilerLoad(this.folder, (done, all) => {
      const [here, whole] = [done, all].map((bytes) => (bytes / 1e6).toFixed(1));
      if (this.#running === cell) this.say(`${what} loaded: ${here} of ${whole} MB ...`, true);
    });
    const parts = this.#compiler ?? (await this.#load.parts());
    this.#load = null;
    if (this.#running !== cell) return;
    if (typeof parts !== "string") this.#compiler = parts;
    this.say(`${what} started ...`, true);
    await session.give(parts);
  }

  #tell(): void {
    if (this.#move !== null) return;
    const waiting = this.#queue.length === 0 ? "" : `; ${this.#queue.length} more wait`;
    this.say(`Cell ${this.#running?.number} is running${waiting}.`, true);
  }

  #start(): Promise<SessionFrame> {
    this.#starting ??= this.#begin();
    return this.#starting;
  }

  async #begin(): Promise<SessionFrame> {
    const program = await loadProgram(this.folder);
    const session = new SessionFrame(program, (message) => this.#hear(session, message));
    this.#session = session;
    await session.ready;
    this.#isReady = session === this.#session;
    return session;
  }

  #end(): void {
    this.#load?.stop();
    this.#move = null;
    this.#session?.end();
    this.#session = null;
    this.#isReady = false;
    this.#starting = null;
    this.#running?.noLongerWaits();
    this.#running = null;
    this.#count = 0;
    for (const cell of this.#queue) cell.noLongerWaits();
    this.#queue = [];
    for (const cell of this.#cells) cell.forget();
  }

  #hear(session: SessionFrame, message: SessionMessage): void {
    if (session !== this.#session || message.kind === "ready") return;
    const cell = this.#cells.find(({ count, ran }) => count === message.count && ran !== null);
    if (cell === undefined) return;
    if (message.kind === "points") {
      keepPoints(
        { exercise: message.exercise, points: message.points, outOf: message.outOf },
        `${encodeURIComponent(this.name)}.html`,
      );
      cell.section.dispatchEvent(new CustomEvent("points", { bubbles: true, detail: message }));
      return;
    }
    if (message.kind === "end") this.#ended(cell, message.failure);
    else cell.hear(message);
  }

  #allHaveRun(last: CellView): void {
    const move = this.#move;
    this.#move = null;
    if (move === null) this.say(`Cell ${last.number} has run.`, false);
    else if (performance.now() - move.begun > MOST_MILLISECONDS_OF_A_MOVE) this.#slow.add(move.cell);
  }

  #ended(cell: CellView, failure: LocatedFailure | undefined): void {
    if (cell !== this.#running) return;
    this.#running = null;
    if (failure !== undefined) {
      cell.fail(failure);
      for (const each of this.#cells) {
        if (each.ran === null || each.count === null) continue;
        const lines = failure.places.filter(({ cell: count }) => count === each.count).map(({ line }) => line);
        if (lines.length > 0) each.mark(lines);
      }
    }
    cell.end();
    const left = this.#queue.length;
    if (failure !== undefined && !cell.expectsError) {
      this.#move = null;
      for (const each of this.#queue) each.noLongerWaits();
      this.#queue = [];
      const after = left === 0 ? "" : ` ${left} cells that waited were not run.`;
      this.say(`Cell ${cell.number} failed: ${failure.ename}, see below it.${after}`, false);
      return;
    }
    if (left === 0) this.#allHaveRun(cell);
    void this.#next();
  }
}
