/** Wavefronts of accesses to shared memory with any addresses, on both engines; the reference engine's rules are measured. */
import { describe, expect, it } from "vitest";
import { assemble } from "../engine/assembler.js";
import { compareEngines } from "./both-engines.js";
import { createRandom } from "./random-program.js";

const ACCESSES: readonly (readonly [name: string, code: string, align: number])[] = [
  ["4 bytes", "x = ld.i32 s[b]", 1],
  ["8 bytes", "x, y = ld.i32 s[b]", 2],
  ["16 bytes", "x, y, z, w = ld.i32 s[b]", 4],
  ["atomics of 4 bytes", "x = atom.add.i32 s[b], 1", 1],
];

/** Words of 32 lanes: from a few places or many, in pairs, in rows, in columns. */
function placesOf(random: ReturnType<typeof createRandom>): Int32Array {
  const range = random.pick([1, 2, 8, 32, 256]);
  const step = random.pick([1, 4, 32, 33]);
  const kind = random.below(5);
  return Int32Array.from({ length: 32 }, (_, lane) => {
    if (kind === 0) return random.below(range) * step;
    if (kind === 1) return (lane >> 1) * step;
    if (kind === 2) return ((lane & ~2) % 16) * step;
    return kind === 3 ? lane * step : random.below(1024);
  });
}

describe("wavefronts of shared-memory accesses", () => {
  for (const [name, access, align] of ACCESSES) {
    it(`are the same in both engines for ${name}, whatever the addresses and lanes`, () => {
      const text = `
param places ptr i32
param out ptr i32
param lanes u32
shared s i32 2048
  t = mov.i32 threadIdx.x
  a = addr places[t]
  i = ld.i32 places[a]
  i = and.i32 i, ${1023 & ~(align - 1)}
  b = addr s[i]
  m = shr.u32 lanes, t
  m = and.i32 m, 1
  p = setp.ne.i32 m, 0
  if p {
    ${access}
    o = addr out[t]
    st.i32 out[o], x
  }`;
      const program = assemble(text);
      const random = createRandom(7);
      for (let time = 0; time < 200; time++) {
        const lanes = random.chance(0.4) ? 0xffffffff : random.below(2 ** 32);
        const args = { places: placesOf(random), out: new Int32Array(32), lanes };
        const { supported, differences } = compareEngines(program, { block: 32, args });
        expect(supported).toBe(true);
        expect(differences, `places ${args.places.join()} lanes ${lanes}`).toEqual([]);
      }
    });
  }
});
