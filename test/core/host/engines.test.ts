import { expect, it } from "vitest";
import { createRawCounters } from "../../../src/core/engine/engine.js";
import { plainEngine } from "../../../src/core/host/engines.js";
import { prepare } from "../engine/launch.js";

it("chooses an engine, and so compiles the program, when there is a block to run", () => {
  const { launch } = prepare("exit");
  let looked = 0;
  const watched = {
    ...launch,
    get program() {
      looked++;
      return launch.program;
    },
  };
  const engine = plainEngine(watched);
  expect(looked).toBe(0);
  const counters = createRawCounters(launch.program);
  engine.run(launch, { first: 0, end: 1, step: 1 }, counters);
  expect(looked).toBeGreaterThan(0);
  expect(counters.blocks).toBe(1);
  expect(engine.name).toBe("fast");
});
