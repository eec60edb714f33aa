/**
 * One session of the page's cells: a worker in a frame that has no origin. Its code reaches neither the page, nor what the
 * browser keeps for the site, nor the network. To end it is to remove the frame.
 */
import type { RunCell, SessionMessage } from "../messages.js";

export class SessionFrame {
  readonly #frame: HTMLIFrameElement;
  readonly #port: MessagePort;
  readonly #ended: (problem: Error) => void;
  /** Resolves once cells can be run. */
  readonly ready: Promise<void>;

  /**
   * @param folder address of the folder of the frame's page
   * @param program the worker's text
   * @param hear takes the worker's messages
   */
  constructor(folder: string, program: string, hear: (message: SessionMessage) => void) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#frame = document.createElement("iframe");
    this.#frame.setAttribute("sandbox", "allow-scripts");
    this.#frame.src = `${folder}session.html`;
    this.#frame.hidden = true;
    this.#frame.title = "Runs the page's cells";
    let failed: (problem: Error) => void = () => {};
    this.ready = new Promise((done, fail) => {
      failed = fail;
      port1.onmessage = ({
        data,
      }: MessageEvent<SessionMessage | { readonly kind: "failed"; readonly what: string }>) => {
        if (data.kind === "ready") done();
        else if (data.kind === "failed") fail(new Error(data.what));
        else hear(data);
      };
    });
    this.#ended = failed;
    this.#frame.addEventListener("load", () => {
      this.#frame.contentWindow?.postMessage({ program }, "*", [port2]);
    });
    document.body.append(this.#frame);
  }

  run(cell: Omit<RunCell, "kind">): void {
    this.#port.postMessage({ kind: "run", ...cell } satisfies RunCell);
  }

  end(): void {
    this.#ended(new Error("The session was ended."));
    this.#port.close();
    this.#frame.remove();
  }
}
