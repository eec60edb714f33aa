/** The worker of a page's session: the package, the course's files, and the cells' own state. */

import { InputError } from "../core/base/errors.js";
import { providePlatform } from "../core/base/platform.js";
import { provideCourseFiles } from "../course/course-files.js";
import type { ExerciseSpec } from "../course/exercises/spec.js";
import type { CellSink } from "../course/notebook/cell-sink.js";
import { StreamBatch } from "../course/notebook/stream-batch.js";
import { Session } from "./cells/session.js";
import { awaitCompiler, takeCompiler } from "./clang.js";
import * as warplab from "./index.js";
import type { GiveCompiler, RunCell, SessionMessage, StartMessage } from "./messages.js";

/** The exercises and published tables, by id; the bundler writes them here. */
declare const COURSE_FILES: {
  readonly exercises: Readonly<Record<string, ExerciseSpec>>;
  readonly published: Readonly<Record<string, unknown>>;
};

interface WorkerScope {
  onmessage: (event: { readonly data: unknown; readonly ports: readonly MessagePort[] }) => void;
  addEventListener(
    name: string,
    listen: (event: { reason?: unknown; error?: unknown; preventDefault(): void }) => void,
  ): void;
  console: unknown;
}

/** What a cell may write: more would freeze the page that shows it. */
const MOST_CHARACTERS = 400_000;

/** The library of types is that of a page, whose globals a worker has not. */
const scope = globalThis as unknown as WorkerScope;
const { exercises, published } = COURSE_FILES;

awaitCompiler();
provideCourseFiles({
  exerciseIds: Object.keys(exercises),
  exercise(id) {
    const found = exercises[id];
    if (found !== undefined) return found;
    throw new InputError({
      what: `A page cannot read the exercise ${id}.`,
      cure: `Name one of the course's: ${Object.keys(exercises).join(", ")}.`,
    });
  },
  publishedIds: Object.keys(published),
  published: (id) => published[id] ?? null,
});

function start(page: MessagePort): void {
  const send = (message: SessionMessage | StartMessage): void => page.postMessage(message);
  let count = 0;
  const checkExercise: typeof warplab.checkExercise = (...args) => {
    const verdict = warplab.checkExercise(...args);
    send({ kind: "points", count, exercise: verdict.exercise, points: verdict.points, outOf: verdict.outOf });
    return verdict;
  };
  const session = new Session(new Map([["warplab", { ...warplab, checkExercise }]]));
  scope.console = session.console;
  providePlatform({ print: (text) => session.print(text) });
  const failLate = (thrown: unknown, event: { preventDefault(): void }): void => {
    event.preventDefault();
    session.failLate(thrown);
  };
  scope.addEventListener("unhandledrejection", (event) => failLate(event.reason, event));
  scope.addEventListener("error", (event) => failLate(event.error, event));
  const run = async (cell: RunCell): Promise<void> => {
    count = cell.count;
    const own = cell.count;
    const batch = new StreamBatch((name, text) => send({ kind: "stream", count: own, name, text }));
    let written = 0;
    const sink: CellSink = {
      stream: (name, text) => {
        if (written > MOST_CHARACTERS) return;
        written += text.length;
        batch.write(name, text.slice(0, MOST_CHARACTERS));
        if (written > MOST_CHARACTERS) {
          batch.write(
            name,
            `\n... A page shows ${MOST_CHARACTERS} characters of a cell; the rest is left out. Write less.\n`,
          );
        }
      },
      display: (payload) => {
        batch.flush();
        send({ kind: "display", count: own, payload });
      },
      result: (data) => {
        batch.flush();
        send({ kind: "result", count: own, data });
      },
    };
    const failure = await session.run(cell.source, cell.count, sink);
    batch.flush();
    send({ kind: "end", count: own, ...(failure !== undefined && { failure }) });
  };
  page.onmessage = ({ data }: { data: GiveCompiler | RunCell }) => {
    if (data.kind === "run") void run(data);
    else void takeCompiler(data.compiler).then(() => send({ kind: "compiler-taken" }));
  };
  send({ kind: "ready" });
}

const NO_WASM =
  "this browser runs no WebAssembly, which kernels are compiled to; a setting or a mode of protection may forbid it. All pages can be read.";

scope.onmessage = ({ ports: [page] }) => {
  if (page === undefined) return;
  if (typeof WebAssembly === "undefined") page.postMessage({ kind: "failed", what: NO_WASM } satisfies StartMessage);
  else start(page);
};
