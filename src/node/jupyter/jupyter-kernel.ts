/**
 * The kernel that Jupyter talks to: tslab's TypeScript under Jupyter's whole protocol. tslab's own kernel sends no
 * execute_input, execute_result or error, so saved notebooks lack cell numbers and errors (tslab 1.0.22). It also skips
 * cells for 200 ms after a failure, and graders count cells that never ran.
 */
import "../files-on-disk.js";
import "../platform.js";
import { readFileSync, writeSync } from "node:fs";
import { inspect } from "node:util";
import { isCompleteCode } from "tslab/dist/converter.js";
import { printQuickInfo } from "tslab/dist/inspect.js";
import { Publisher, Reply, Router } from "zeromq";
import type { CellFailure, CellSink } from "../../course/notebook/cell-sink.js";
import { StreamBatch } from "../../course/notebook/stream-batch.js";
import { CellSession } from "../notebook/cell-session.js";
import { endWithParent } from "../parent-watch.js";
import { findCoursePackage } from "./course-package.js";
import { type Connection, type Content, decode, encode, type Message } from "./jupyter-wire.js";

const KERNEL_INFO: Content = {
  status: "ok",
  protocol_version: "5.3",
  implementation: "warplab-tslab",
  implementation_version: "1.0.0",
  banner: "TypeScript (tslab) with warplab",
  language_info: {
    name: "typescript",
    version: process.versions.node,
    mimetype: "text/typescript",
    file_extension: ".ts",
    pygments_lexer: "typescript",
    // Both names: JupyterLab reads `mode`, the classic notebook `name` with `typescript` (as tslab found out).
    codemirror_mode: { mode: "typescript", name: "javascript", typescript: true },
  },
};

/**
 * With no limit on queued messages and no wait, zeromq.js hands each message over at once, in order, even while a cell is
 * busy. Otherwise it refuses a message while another waits ("Socket is busy writing").
 */
const SENDING = { sendHighWaterMark: 0, sendTimeout: 0 } as const;

/** The session writes to a cell's output wherever it would write to stderr; a fault of the kernel goes past it. */
function report(fault: unknown): void {
  writeSync(2, `${inspect(fault)}\n`);
}

class Kernel {
  readonly #connection: Connection;
  readonly #session = new CellSession();
  readonly #iopub = new Publisher(SENDING);
  readonly #shell = new Router(SENDING);
  readonly #control = new Router(SENDING);
  readonly #stdin = new Router();
  readonly #heartbeat = new Reply();
  #executionCount = 0;
  /** The cells run one after the other, in the order of their requests. */
  #cells: Promise<void> = Promise.resolve();
  /** Requests to run a cell that have come and have not ended. */
  readonly #waiting = new Set<Message>();
  /** Those of them that a failure before them called off. */
  readonly #aborted = new WeakSet<Message>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async start(): Promise<void> {
    const { transport, ip, shell_port, control_port, iopub_port, stdin_port, hb_port } = this.#connection;
    const at = (port: number) => `${transport}://${ip}:${port}`;
    await Promise.all([
      this.#iopub.bind(at(iopub_port)),
      this.#shell.bind(at(shell_port)),
      this.#control.bind(at(control_port)),
      this.#stdin.bind(at(stdin_port)),
      this.#heartbeat.bind(at(hb_port)),
    ]);
    process.on("SIGINT", () => this.#session.interrupt());
    this.#receive(this.#shell).catch(report);
    this.#receive(this.#control).catch(report);
    this.#beat().catch(report);
  }

  async #beat(): Promise<void> {
    for await (const frames of this.#heartbeat) await this.#heartbeat.send(frames);
  }

  async #receive(socket: Router): Promise<void> {
    for await (const frames of socket) {
      try {
        const message = decode(this.#connection.key, frames);
        if (message.header.msg_type === "execute_request") this.#enqueue(socket, message);
        else await this.#answer(socket, message);
      } catch (fault) {
        report(fault);
      }
    }
  }

  #publish(type: string, content: Content, request: Message): void {
    // Awaiting would hold a busy cell's output back until it ends.
    this.#iopub.send(encode(this.#connection.key, type, content, request)).catch(report);
  }

  async #reply(socket: Router, type: string, content: Content, request: Message): Promise<void> {
    await socket.send(encode(this.#connection.key, type, content, request));
  }

  async #answer(socket: Router, request: Message): Promise<void> {
    this.#publish("status", { execution_state: "busy" }, request);
    const type = request.header.msg_type;
    const content = this.#contentOf(type, request.content);
    if (content !== undefined) await this.#reply(socket, type.replace(/_request$/, "_reply"), content, request);
    this.#publish("status", { execution_state: "idle" }, request);
    if (type === "shutdown_request") this.#end();
  }

  /** The answer to a request other than to run a cell; undefined for messages that have none. */
  #contentOf(type: string, content: Content): Content | undefined {
    const code = String(content.code ?? "");
    const position = Number(content.cursor_pos ?? code.length);
    switch (type) {
      case "kernel_info_request":
        return KERNEL_INFO;
      case "is_complete_request": {
        const { completed, indent } = isCompleteCode(code);
        return completed ? { status: "complete" } : { status: "incomplete", indent: indent ?? "" };
      }
      case "complete_request": {
        const { start, end, candidates } = this.#session.complete(code, position);
        return { status: "ok", matches: candidates, cursor_start: start, cursor_end: end, metadata: {} };
      }
      case "inspect_request": {
        const info = this.#session.inspect(code, position);
        const data = info === undefined ? {} : { "text/plain": printQuickInfo(info) };
        return { status: "ok", found: info !== undefined, data, metadata: {} };
      }
      case "comm_info_request":
        return { status: "ok", comms: {} };
      case "history_request":
        return { status: "ok", history: [] };
      case "interrupt_request":
        this.#session.interrupt();
        return { status: "ok" };
      case "shutdown_request":
        return { status: "ok", restart: content.restart === true };
      default:
        return undefined;
    }
  }

  #enqueue(socket: Router, request: Message): void {
    this.#waiting.add(request);
    this.#cells = this.#cells
      .then(() => this.#execute(socket, request))
      .catch(report)
      .finally(() => this.#waiting.delete(request));
  }

  async #execute(socket: Router, request: Message): Promise<void> {
    this.#publish("status", { execution_state: "busy" }, request);
    await this.#reply(socket, "execute_reply", await this.#run(request), request);
    this.#publish("status", { execution_state: "idle" }, request);
  }

  /** Runs the cell of a request; the content of its reply. */
  async #run(request: Message): Promise<Content> {
    if (this.#aborted.has(request)) return { status: "aborted", execution_count: this.#executionCount };
    const { code, silent, store_history: storeHistory, stop_on_error: stopOnError } = request.content;
    const source = String(code ?? "");
    if (!silent && storeHistory !== false) this.#executionCount++;
    const execution_count = this.#executionCount;
    if (!silent) this.#publish("execute_input", { code: source, execution_count }, request);
    const { sink, end } = this.#sink(request, silent === true);
    const failure = await this.#session.execute(source, execution_count, sink);
    end();
    if (failure === undefined) return { status: "ok", execution_count, payload: [], user_expressions: {} };
    if (!silent) this.#publish("error", { ...failure }, request);
    if (stopOnError !== false) await this.#abortWaiting(request);
    return this.#failed(failure, execution_count);
  }

  #failed(failure: CellFailure, execution_count: number): Content {
    return { status: "error", execution_count, ...failure, payload: [], user_expressions: {} };
  }

  /**
   * Calls off the cells that were sent before their sender could know of this failure ("run all"). The reply to the
   * failed cell goes out afterwards, so a cell that is sent in answer to it always runs.
   */
  async #abortWaiting(failed: Message): Promise<void> {
    // Messages that a busy cell left unread in the socket are read in the next turns of the event loop.
    for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
    for (const request of this.#waiting) if (request !== failed) this.#aborted.add(request);
  }

  /** Where the cell of a request writes; `end` sends what is left. */
  #sink(request: Message, silent: boolean): { readonly sink: CellSink; readonly end: () => void } {
    const publish = (type: string, content: Content): void => {
      if (!silent) this.#publish(type, content, request);
    };
    const execution_count = this.#executionCount;
    const texts = new StreamBatch((name, text) => publish("stream", { name, text }));
    const afterTexts = (type: string, content: Content): void => {
      texts.flush();
      publish(type, content);
    };
    const sink: CellSink = {
      stream: (name, text) => texts.write(name, text),
      display: (payload, update) => afterTexts(update ? "update_display_data" : "display_data", { ...payload }),
      result: (data) => afterTexts("execute_result", { execution_count, data, metadata: {} }),
    };
    return { sink, end: () => texts.flush() };
  }

  #end(): void {
    this.#session.close();
    for (const socket of [this.#iopub, this.#shell, this.#control, this.#stdin, this.#heartbeat]) socket.close();
    // Time for ZeroMQ to hand over the last messages; Jupyter ends the process itself if this were too long.
    setTimeout(() => process.exit(0), 100);
  }
}

/** Serves Jupyter until it asks to shut down. `connectionFile` is the file that Jupyter names on the command line. */
export async function startKernel(connectionFile: string): Promise<void> {
  // Jupyter says so where it is the parent itself, and would end the kernel with it.
  if (process.env.JPY_PARENT_PID === String(process.ppid)) endWithParent();
  findCoursePackage();
  const connection = JSON.parse(readFileSync(connectionFile, "utf8")) as Connection;
  await new Kernel(connection).start();
}
