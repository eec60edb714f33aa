/**
 * Random programs on both engines: the same memory, counters, output and faults. The seed of a failing program is in the
 * test's message; WARPLAB_SEED sets the first one.
 */
import { describe, expect, it } from "vitest";
import { createFastEngine, type FastEngine, fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { compareEngines } from "./both-engines.js";
import { launchOf } from "./random-launch.js";
import { createRandom, randomProgram } from "./random-program.js";

const FIRST_SEED = Number(process.env.WARPLAB_SEED ?? 1);
const PROGRAMS = Number(process.env.WARPLAB_PROGRAMS ?? 50);

/** Warps take turns between barriers in all programs, not only where it matters. */
const takingTurns = createFastEngine(referenceEngine, { alwaysTakeTurns: true });

function check(
  seed: number,
  faults: boolean,
  bytesBefore: number,
  engine: FastEngine,
): { supported: boolean; problem: string | null } {
  const random = createRandom(seed);
  const text = randomProgram(random, { faults, size: 10 + random.below(60) });
  const { supported, differences } = compareEngines(text, launchOf(random), bytesBefore, engine);
  const problem = differences.length === 0 ? null : `seed ${seed}\n${differences.join("\n")}\n${text}`;
  return { supported, problem };
}

describe("random programs", () => {
  for (const { name, faults, bytesBefore, engine } of [
    { name: "", faults: false, bytesBefore: 0, engine: fastEngine },
    { name: ", faults included", faults: true, bytesBefore: 0, engine: fastEngine },
    { name: ", with pointers into the middle of buffers", faults: true, bytesBefore: 24, engine: fastEngine },
    { name: ", with warps that take turns, faults included", faults: true, bytesBefore: 0, engine: takingTurns },
  ]) {
    it(`run the same on both engines${name}`, () => {
      let supported = 0;
      for (let seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
        const outcome = check(seed, faults, bytesBefore, engine);
        expect(outcome.problem).toBeNull();
        if (outcome.supported) supported++;
      }
      console.log(`${PROGRAMS - supported} of ${PROGRAMS} are the reference engine's alone`);
      expect(supported).toBeGreaterThan(PROGRAMS * 0.9);
    });
  }
});
