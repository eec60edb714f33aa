/** Tasks on as many threads as the machine runs at once. Threads, not processes: whatever ends the process ends them. */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { compiledProgram } from "./course-root.js";

/** A thread asks for its next task by the result of the last one; the first time by "ready". */
type Answer<Result> = { readonly kind: "ready" } | { readonly kind: "done"; readonly result: Result };

/**
 * Runs all tasks; each thread takes the next one that nobody has.
 * @param program a compiled file of this folder, which calls `serveTasks`
 * @param data what every thread is given at its start
 */
export async function runOnThreads<Task, Result>(
  program: string,
  data: unknown,
  tasks: readonly Task[],
  onDone: (task: Task, result: Result) => void,
): Promise<void> {
  const threads = Math.min(tasks.length, availableParallelism());
  let next = 0;
  const workers: Worker[] = [];
  const run = async (): Promise<void> => {
    const worker = new Worker(compiledProgram(program), { workerData: data });
    workers.push(worker);
    let current: Task | undefined;
    worker.on("message", (answer: Answer<Result>) => {
      if (answer.kind === "done" && current !== undefined) onDone(current, answer.result);
      current = tasks[next++];
      worker.postMessage(current ?? null);
    });
    // An error in the thread rejects this.
    const [code] = await once(worker, "exit");
    if (code !== 0) throw new Error(`A thread of ${program} ended with code ${code}.`);
  };
  try {
    await Promise.all(Array.from({ length: threads }, run));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** The thread's side. `begin` takes the data of its start and gives what carries out a task. */
export function serveTasks<Data, Task, Result>(begin: (data: Data) => (task: Task) => Result): void {
  const port = parentPort;
  if (port === null) throw new Error("This program is a thread of thread-pool.ts.");
  const execute = begin(workerData as Data);
  const say = (answer: Answer<Result>): void => port.postMessage(answer);
  port.on("message", (task: Task | null) => {
    if (task === null) port.close();
    else say({ kind: "done", result: execute(task) });
  });
  say({ kind: "ready" });
}
