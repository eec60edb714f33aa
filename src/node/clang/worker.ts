/** The thread that runs clang: the caller waits for each answer. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Invocation } from "../../core/frontend/cuda-cpp/arguments.js";
import { type RunLlvm, runInvocation } from "../../core/program/clang-run.js";

const { url, signal } = workerData as { readonly url: string; readonly signal: Int32Array };

const MEMORY_SECTION = 5;
/** clang's own memory, in pages of 64 KiB, written in the three bytes that its module has for 65536 pages: 512 MiB. */
const MOST_PAGES: readonly number[] = [0x80, 0xc0, 0x00];

/** clang's module with that bound: an array of a gigabyte with first values ends the run at once. */
function withBound(bytes: Uint8Array): Uint8Array {
  let at = 8;
  while (at < bytes.length) {
    const section = bytes[at++];
    let size = 0;
    for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      size += (byte & 127) * 2 ** shift;
    }
    at += size;
    const end = [0, 1, 2].map((i) => bytes[at - 3 + i]);
    if (section === MEMORY_SECTION && end.join() === "128,128,4") bytes.set(MOST_PAGES, at - 3);
    if (section === MEMORY_SECTION) break;
  }
  return bytes;
}

const compileBytes = WebAssembly.compile as (bytes: Uint8Array) => Promise<WebAssembly.Module>;
const compileStreaming = async (source: Response | Promise<Response>): Promise<WebAssembly.Module> =>
  compileBytes(withBound(new Uint8Array(await (await source).arrayBuffer())));
Object.assign(WebAssembly, { compileStreaming });

async function loaded(): Promise<RunLlvm> {
  const { runLLVM } = (await import(url)) as { readonly runLLVM: RunLlvm };
  // Without arguments it loads its files, and runs nothing.
  await runLLVM(null, {}, { fetchProgress: () => {} });
  return runLLVM;
}

const clang = loaded();

parentPort?.once("message", ({ port }: { readonly port: MessagePort }) => {
  port.on("message", (invocation: Invocation) => {
    void clang.then((runLlvm) => {
      port.postMessage(runInvocation(runLlvm, invocation));
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
    });
  });
});
