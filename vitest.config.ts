import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes half of all time comes first, so that no core is left alone with it at the end. */
const LONG = /\/course\/(validate|calibrate)\.test\.ts$/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  // The exercises import the package by its name, as notebooks do; tests run them on the source, not on what was built.
  resolve: { alias: { warplab: join(import.meta.dirname, "src/index.ts") } },
  test: {
    include: ["test/**/*.test.ts"],
    sequence: { sequencer: LongFilesFirst },
    // No test depends on a clock; this only ends one that hangs, on however slow a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // All cores: one file takes a third of the time of all others.
    maxWorkers: "100%",
  },
});
