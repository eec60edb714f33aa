/** Random launches of random programs: block and grid sizes, arguments with corner values. */
import type { LaunchOptions } from "../engine/launch.js";
import { ELEMENTS, type Random } from "./random-program.js";

const BLOCKS = [32, 64, 96, 128, 40, 1, [8, 4, 2], [16, 4, 1], [32, 2, 1], [33, 1, 1]] as const;

export function launchOf(random: Random): LaunchOptions {
  const words = (): Int32Array =>
    Int32Array.from({ length: ELEMENTS }, () => (random.chance(0.5) ? random.below(64) : random.below(2 ** 32) | 0));
  const block = random.pick(BLOCKS);
  return {
    block: typeof block === "number" ? block : [block[0], block[1], block[2]],
    grid: 1 + random.below(3),
    dynamicSharedBytes: 512,
    lockstep: random.chance(0.5),
    stepLimit: 100_000,
    args: {
      data: words(),
      real: Float32Array.from({ length: ELEMENTS }, () =>
        random.pick([0, 1, -1, 0.5, 1e30, 3.25, -7.75, Number.NaN, 1e-42]),
      ),
      wide: BigInt64Array.from({ length: ELEMENTS }, () =>
        BigInt.asIntN(64, BigInt(random.below(2 ** 32)) * BigInt(random.below(2 ** 32))),
      ),
      out: words(),
      n: random.below(40),
      k: random.chance(0.8) ? random.below(6) : random.pick([2 ** 31, 2 ** 30, 2 ** 32 - 1, 2 ** 32 - 32, 33554432]),
      x: Math.fround(random.below(100) / 7),
    },
  };
}
