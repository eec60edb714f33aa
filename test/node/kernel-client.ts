/** A Jupyter client of its own, small and in Node: starts the kernel as kernel.json says and talks to it by ZeroMQ. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dealer, Subscriber } from "zeromq";

export interface Received {
  readonly type: string;
  readonly parent: string;
  readonly content: Record<string, unknown>;
}

const KEY = "a key of the test's";
const kernelFolder = join(import.meta.dirname, "../../src/node/jupyter/kernels/tslab");

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((done) => server.once("listening", done))));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

export class KernelClient {
  /** All that the kernel has said to everybody, in order. */
  readonly published: Received[] = [];
  readonly #replies = new Map<string, (reply: Received) => void>();
  readonly #idle = new Map<string, () => void>();
  #count = 0;

  private constructor(
    readonly process: ChildProcess,
    private readonly folder: string,
    private readonly shell: Dealer,
    private readonly iopub: Subscriber,
  ) {
    void this.#listen();
    void this.#read();
  }

  static async start(): Promise<KernelClient> {
    const folder = mkdtempSync(join(tmpdir(), "warplab-kernel-"));
    const [shell_port, control_port, iopub_port, stdin_port, hb_port] = await freePorts(5);
    const file = join(folder, "connection.json");
    const ports = { shell_port, control_port, iopub_port, stdin_port, hb_port };
    writeFileSync(file, JSON.stringify({ transport: "tcp", ip: "127.0.0.1", key: KEY, ...ports }));
    const { argv } = JSON.parse(readFileSync(join(kernelFolder, "kernel.json"), "utf8")) as { argv: string[] };
    const [command = "", ...args] = argv.map((part) =>
      part.replace("{resource_dir}", kernelFolder).replace("{connection_file}", file),
    );
    const kernel = spawn(command, args, {
      cwd: join(import.meta.dirname, "fixtures"),
      // As Jupyter does: the kernel ends with this process.
      env: { ...process.env, JPY_PARENT_PID: String(process.pid) },
      stdio: "inherit",
    });
    const shell = new Dealer();
    const iopub = new Subscriber();
    shell.connect(`tcp://127.0.0.1:${shell_port}`);
    iopub.connect(`tcp://127.0.0.1:${iopub_port}`);
    iopub.subscribe();
    const client = new KernelClient(kernel, folder, shell, iopub);
    // A subscriber hears what is said after it has connected: ask until the answer's status was heard, too.
    do {
      await client.request("kernel_info_request", {});
      await new Promise((done) => setImmediate(done));
    } while (client.published.length === 0);
    return client;
  }

  /** Sends a request; resolves to its reply, once the kernel said that it is idle again. */
  async request(type: string, content: Record<string, unknown>): Promise<Received> {
    const { id, reply } = await this.send(type, content);
    const answer = await reply;
    if (this.published.length > 0) await this.untilIdle(id);
    return answer;
  }

  /** Sends a request without waiting for anything. */
  async send(type: string, content: Record<string, unknown>): Promise<{ id: string; reply: Promise<Received> }> {
    const id = `request-${++this.#count}`;
    const header = { msg_id: id, msg_type: type, session: "test", username: "test", date: "", version: "5.3" };
    const parts = [header, {}, {}, content].map((part) => JSON.stringify(part));
    const hmac = createHmac("sha256", KEY);
    for (const part of parts) hmac.update(part);
    const reply = new Promise<Received>((done) => this.#replies.set(id, done));
    await this.shell.send(["<IDS|MSG>", hmac.digest("hex"), ...parts]);
    return { id, reply };
  }

  run(code: string, options: Record<string, unknown> = {}): Promise<Received> {
    return this.request("execute_request", { code, silent: false, store_history: true, ...options });
  }

  untilIdle(id: string): Promise<void> {
    const isIdle = ({ type, parent, content }: Received): boolean =>
      type === "status" && parent === id && content.execution_state === "idle";
    if (this.published.some(isIdle)) return Promise.resolve();
    return new Promise((done) => this.#idle.set(id, done));
  }

  /** The types of what the kernel published for a request, without the states. */
  typesOf(parent: string): string[] {
    return this.published.filter((each) => each.parent === parent && each.type !== "status").map(({ type }) => type);
  }

  close(): void {
    this.process.kill("SIGKILL");
    this.shell.close();
    this.iopub.close();
    rmSync(this.folder, { recursive: true });
  }

  #decode(frames: readonly Buffer[]): Received {
    const mark = frames.findIndex((frame) => frame.toString() === "<IDS|MSG>");
    const json = (index: number): Record<string, unknown> => JSON.parse(frames[mark + index]?.toString() ?? "{}");
    return { type: String(json(2).msg_type), parent: String(json(3).msg_id), content: json(5) };
  }

  async #listen(): Promise<void> {
    for await (const frames of this.iopub) {
      const message = this.#decode(frames);
      this.published.push(message);
      if (message.type === "status" && message.content.execution_state === "idle") this.#idle.get(message.parent)?.();
    }
  }

  async #read(): Promise<void> {
    for await (const frames of this.shell) {
      const message = this.#decode(frames);
      this.#replies.get(message.parent)?.(message);
    }
  }
}
