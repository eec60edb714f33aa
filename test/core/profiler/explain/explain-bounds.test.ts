import { describe, expect, it } from "vitest";
import { explain, Gpu } from "../../../../src/index.js";
import { BOUND_KERNELS } from "./bound-kernels.js";

const MARGIN = 0.1;

describe.each(["m2070", "v100", "h200"])("on the %s, of a kernel bound by its construction", (id) => {
  const gpu = new Gpu(id);

  it.each(BOUND_KERNELS)("the first finding is $name, and gains what the twin without it does", (bound) => {
    const launch = bound.launch(gpu);
    const [first] = explain(launch).findings;
    expect(first?.rule).toBe(bound.on?.[id] ?? bound.first);
    expect(first?.sentence).toMatch(bound.says);
    const twin = bound.twin(gpu).time.durationMicroseconds / launch.time.durationMicroseconds;
    expect(twin).toBeLessThan(0.9);
    expect(Math.abs((first?.timeLeft ?? 1) - twin)).toBeLessThan(bound.margin ?? MARGIN);
  });
});
