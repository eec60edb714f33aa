/** Patterns that are right are clean under all four sanitizers, in the default schedule and in seeded ones. */
import { describe, expect, it } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { sanitize } from "../../../src/index.js";
import { childPatterns } from "./child-patterns.js";
import { patterns } from "./correct-patterns.js";
import { ALL, argumentsOf } from "./planted/planted.js";
import { fermiTail, rightPatterns } from "./right-patterns.js";
import { waitingPatterns } from "./waiting-patterns.js";

const gpus = new Map(ALL.map((id) => [id, new Gpu(id, { memoryBytes: 1 << 20, stepLimit: 200_000 })]));

const SEEDS = Array.from({ length: 10 }, (_, k) => ({ seed: k + 1 }));

describe("a pattern that is right", () => {
  const all = [...patterns, ...childPatterns, ...waitingPatterns, ...rightPatterns];
  const rows = all.flatMap((pattern) => pattern.devices.map((device) => [pattern.name, device, pattern] as const));
  it.each(rows)("is clean: %s, on %s", (_, device, { kernel, launching }) => {
    const gpu = gpus.get(device)!;
    const {
      length: _length,
      sizes: _sizes,
      unwritten: _unwritten,
      zeros: _zeros,
      values: _values,
      ...config
    } = launching;
    for (const schedule of ["default", ...SEEDS, { children: "early" }] as const) {
      const { findings } = sanitize(
        () => {
          const args = argumentsOf(gpu, kernel, launching);
          gpu.launch(kernel, { grid: 1, block: 64, ...config, schedule }, args);
          for (const each of Object.values(args)) if (typeof each === "object") each.free();
        },
        { leakCheck: true, trackUnusedMemory: true },
      );
      gpu.reset();
      const told = findings.map(({ tool, title, places }) => [tool, title, ...places.map(({ text }) => text)]);
      expect([schedule, told]).toEqual([schedule, []]);
    }
  });

  it("on Fermi is a last warp by volatile, of which racecheck notes what later GPUs ask for", () => {
    const severities = ["m2070", "v100"].map((device) => {
      const gpu = gpus.get(device)!;
      const args = argumentsOf(gpu, fermiTail, {});
      const { findings } = sanitize(() => gpu.launch(fermiTail, { grid: 1, block: 64 }, args));
      gpu.reset();
      return [...new Set(findings.map(({ severity }) => severity))];
    });
    expect(severities).toEqual([["note"], ["error"]]);
  });

  it("stands in a list of at least sixty", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
  });
});
