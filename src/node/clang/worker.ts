/** The thread that runs clang: the caller waits for each answer. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Invocation } from "../../core/frontend/cuda-cpp/arguments.js";
import { type RunLlvm, runInvocation } from "../../core/program/clang-run.js";

const { url, signal } = workerData as { readonly url: string; readonly signal: Int32Array };

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
