import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // No test depends on a clock; this only ends one that hangs, on however slow a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
