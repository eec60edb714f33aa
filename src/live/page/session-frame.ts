/**
 * One session of the page's cells: a worker in a frame that has no origin. Its code reaches neither the page, nor what the
 * browser keeps for the site, nor the network. To end it is to remove the frame.
 */
import type { CompilerParts, GiveCompiler, RunCell, SessionMessage, StartMessage } from "../messages.js";
import type { SessionProgram } from "./program.js";

/** A frame that is there answers at once; the browser tells of none that is not. */
const MILLISECONDS_TO_OPEN = 20_000;

const NOT_THERE =
  "the page that runs cells, session.html, could not be loaded. See whether there is a connection, and run the cell again.";

export class SessionFrame {
  readonly #frame: HTMLIFrameElement;
  readonly #port: MessagePort;
  readonly #ended: (problem: Error) => void;
  readonly #opening: ReturnType<typeof setTimeout>;
  #taken: () => void = () => {};
  #hasCompiler = false;
  /** Resolves once cells can be run. */
  readonly ready: Promise<void>;

  /**
   * @param program a frame without an origin is not given what a service worker keeps, so it may come as a text
   * @param hear takes the worker's messages
   */
  constructor({ frame, keptFrame, worker }: SessionProgram, hear: (message: SessionMessage) => void) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#frame = document.createElement("iframe");
    this.#frame.setAttribute("sandbox", "allow-scripts");
    if (keptFrame === null) this.#frame.src = frame;
    else this.#frame.srcdoc = keptFrame;
    this.#frame.hidden = true;
    this.#frame.title = "Runs the page's cells";
    let failed: (problem: Error) => void = () => {};
    this.ready = new Promise((done, fail) => {
      failed = fail;
      port1.onmessage = ({ data }: MessageEvent<SessionMessage | StartMessage>) => {
        if (data.kind === "ready") done();
        else if (data.kind === "opened") clearTimeout(this.#opening);
        else if (data.kind === "compiler-taken") this.#taken();
        else if (data.kind === "failed") fail(new Error(data.what));
        else hear(data);
      };
    });
    this.#ended = failed;
    this.#frame.addEventListener("load", () => {
      this.#frame.contentWindow?.postMessage({ program: worker }, "*", [port2]);
    });
    this.#opening = setTimeout(() => failed(new Error(NOT_THERE)), MILLISECONDS_TO_OPEN);
    document.body.append(this.#frame);
  }

  run(cell: Omit<RunCell, "kind">): void {
    this.#port.postMessage({ kind: "run", ...cell } satisfies RunCell);
  }

  /** Whether it can compile CUDA C++. */
  get hasCompiler(): boolean {
    return this.#hasCompiler;
  }

  /** @param compiler its parts, or why they cannot be had */
  give(compiler: CompilerParts | string): Promise<void> {
    this.#hasCompiler = typeof compiler !== "string";
    this.#port.postMessage({ kind: "compiler", compiler } satisfies GiveCompiler);
    return new Promise((done) => {
      this.#taken = done;
    });
  }

  end(): void {
    clearTimeout(this.#opening);
    this.#ended(new Error("The session was ended."));
    this.#port.close();
    this.#frame.remove();
  }
}
