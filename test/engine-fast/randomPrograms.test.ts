/**
 * Random programs on both engines: the same memory, counters, output and faults. The seed of a failing program is in the
 * test's message; WARPLAB_SEED sets the first one.
 */
import { describe, expect, it } from "vitest";
import { compareEngines } from "./bothEngines.js";
import { launchOf } from "./randomLaunch.js";
import { createRandom, randomProgram } from "./randomProgram.js";

const FIRST_SEED = Number(process.env.WARPLAB_SEED ?? 1);
const PROGRAMS = Number(process.env.WARPLAB_PROGRAMS ?? 300);

function check(seed: number, faults: boolean, bytesBefore: number): { supported: boolean; problem: string | null } {
  const random = createRandom(seed);
  const text = randomProgram(random, { faults, size: 10 + random.below(60) });
  const { supported, differences } = compareEngines(text, launchOf(random), bytesBefore);
  const problem = differences.length === 0 ? null : `seed ${seed}\n${differences.join("\n")}\n${text}`;
  return { supported, problem };
}

describe("random programs", () => {
  for (const { name, faults, bytesBefore } of [
    { name: "", faults: false, bytesBefore: 0 },
    { name: ", faults included", faults: true, bytesBefore: 0 },
    { name: ", with pointers into the middle of buffers", faults: true, bytesBefore: 24 },
  ]) {
    it(`run the same on both engines${name}`, () => {
      let supported = 0;
      for (let seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
        const outcome = check(seed, faults, bytesBefore);
        expect(outcome.problem).toBeNull();
        if (outcome.supported) supported++;
      }
      expect(supported).toBeGreaterThan(PROGRAMS / 2);
    });
  }
});
