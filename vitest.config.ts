import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { COMPILED, compiledSources, LINKED_ROOT } from "./test/setup/compiled-sources.js";

/** What takes longest comes first, so that no core is left alone with it at the end. */
const LONGEST_FIRST = [
  "node/nbclient",
  "tools/accuracy/validate/recorded",
  // Runs the course that other files look at, and would wait for.
  "node/commands/start",
  "labs/answers",
  "labs/mutants",
  "node/browser",
  "live/browser",
  "core/cuda/whole-programs",
  "tools/accuracy/calibrate/recorded",
  "random/random",
  "random/loops",
  "core/lower/holdout-counts",
  "core/host/cuda-program",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST_FIRST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? LONGEST_FIRST.length : at;
    };
    return [...sorted].sort((a, b) => place(a) - place(b));
  }
}

/** No test depends on a clock: this only ends one that hangs, on however slow a machine. */
const HANGS_AFTER_MILLISECONDS = 30 * 60_000;

export default defineConfig({
  resolve: { preserveSymlinks: LINKED_ROOT !== undefined },
  plugins: [compiledSources()],
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/setup/global.ts"],
    setupFiles: ["test/setup/worker.ts"],
    server: { deps: { external: [COMPILED] } },
    sequence: { sequencer: LongestFirst },
    // Modules of src are loaded once a process; no test file changes what another one sees of them.
    isolate: false,
    testTimeout: HANGS_AFTER_MILLISECONDS,
    hookTimeout: HANGS_AFTER_MILLISECONDS,
    teardownTimeout: HANGS_AFTER_MILLISECONDS,
    maxWorkers: "100%",
    // Simulated launches make many short-lived objects: with the usual 16 MiB for them a tenth of the time goes to their removal.
    execArgv: ["--max-semi-space-size=64"],
  },
});
