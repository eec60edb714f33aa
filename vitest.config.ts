import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The exercises import the package by its name, as notebooks do; tests run them on the source, not on what was built.
  resolve: { alias: { warplab: join(import.meta.dirname, "src/index.ts") } },
  test: {
    include: ["test/**/*.test.ts"],
    // No test depends on a clock; this only ends one that hangs, on however slow a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // All cores: one file takes a third of the time of all others.
    maxWorkers: "100%",
  },
});
