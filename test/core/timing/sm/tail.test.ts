import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/gpus/h200.js";
import { predictLaunch } from "../../../../src/core/timing/index.js";
import { type Rates, type Remainder, tailOf } from "../../../../src/core/timing/sm/tail.js";
import { assemble } from "../../engine/assembler.js";
import { Buffers, traceLaunch } from "../traced-launch.js";

const buffers = new Buffers(8);
const output = buffers.allocate(1 << 20);

/** A chain of `rounds` dependent operations, so that one block of 256 threads leaves most issue slots of an SM free. */
function chains(rounds: number): ReturnType<typeof assemble> & { readonly registersPerThread: number } {
  const text = `
    param out ptr i32
    x = mov.i32 threadIdx.x
    r = mov.i32 0
    loop {
      ${Array.from({ length: 8 }, (_, k) => `x = xor.i32 x, ${k + 1}\ns${k} = shl.i32 x, 3\nx = xor.i32 x, s${k}`).join("\n")}
      r = add.i32 r, 1
      p = setp.lt.i32 r, ${rounds}
    } while p
    g = addr out[threadIdx.x]
    st.i32 out[g], x
  `;
  return { ...assemble(text), registersPerThread: 16 };
}

function launch(rounds: number, blocksPerSm: number) {
  const shape = {
    program: chains(rounds),
    grid: [132 * blocksPerSm, 1, 1],
    block: [256, 1, 1],
    dynamicSharedBytes: 0,
    args: [output],
    memory: buffers.memory,
  } as const;
  return { ...shape, device: h200, traces: traceLaunch(shape), cacheState: "warm" } as const;
}

describe("a launch whose simulation breaks off", () => {
  it.each([2, 6, 8, 12].map((blocks) => ({ blocks })))(
    "ends as one that goes on, within 3 %, and with as many warps: $blocks blocks an SM",
    ({ blocks }) => {
      const long = launch(100, blocks);
      const all = predictLaunch({ ...long, simulateAll: "sm" });
      const part = predictLaunch({ ...long, instructionBudget: all.simulatedWarpInstructions / 4 });
      expect(part.simulatedWarpInstructions).toBeLessThan(all.simulatedWarpInstructions / 3);
      expect(Math.abs(part.cycles / all.cycles - 1)).toBeLessThan(0.03);
      expect(Math.abs(part.achievedOccupancyPercent - all.achievedOccupancyPercent)).toBeLessThan(4);
    },
  );

  it("has fewer warps resident than fit, as the oldest blocks end first", () => {
    const one = predictLaunch({ ...launch(100, 8), instructionBudget: 40_000 });
    expect(one.theoreticalOccupancyPercent).toBe(100);
    expect(one.achievedOccupancyPercent).toBeLessThan(80);
  });
});

describe("the tail", () => {
  const rates = (byAge: readonly number[], alone: number): Rates => ({
    byAge,
    together: [
      [1, alone],
      [4, 2],
    ],
  });
  const fresh: Remainder = { left: [100, 100, 100, 100], pending: 0, slotsPerBlock: 100, resident: 4 };

  it("is none where all blocks go on alike", () => {
    expect(tailOf(fresh, rates([0.25, 0.25, 0.25, 0.25], 1))).toEqual({ cycles: 200, blockCycles: 800 });
  });

  it("has blocks end one after the other where the oldest takes all", () => {
    const alone = { byAge: [1, 0, 0, 0], together: [[1, 2]] } as const;
    expect(tailOf({ ...fresh, left: [100, 100, 100] }, alone)).toEqual({ cycles: 150, blockCycles: 300 });
  });

  it("takes longer where the last block leaves the SM half idle", () => {
    expect(
      tailOf(
        { ...fresh, left: [100, 200] },
        {
          byAge: [0.5, 0.5],
          together: [
            [1, 1],
            [2, 2],
          ],
        },
      ),
    ).toEqual({
      cycles: 200,
      blockCycles: 300,
    });
  });

  it("takes no less than the full SM's rate and no more than one block at a time, and looks at few rounds' ends", () => {
    const remainder = fc.record({
      left: fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 4 }),
      pending: fc.integer({ min: 0, max: 1000 }),
      slotsPerBlock: fc.integer({ min: 1000, max: 2000 }),
      resident: fc.constant(4),
    });
    const shares = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(remainder, shares, fc.double({ min: 0.1, max: 2, noNaN: true }), (rest, byAge, alone) => {
        const slots = rest.left.reduce((sum, each) => sum + each, 0) + rest.pending * rest.slotsPerBlock;
        const { cycles, blockCycles } = tailOf(rest, rates(byAge, alone));
        expect(cycles).toBeGreaterThanOrEqual((slots / 2) * (1 - 1e-9));
        expect(cycles).toBeLessThanOrEqual((slots / alone) * (1 + 1e-9));
        expect(blockCycles).toBeGreaterThanOrEqual(cycles * (1 - 1e-9));
        expect(blockCycles).toBeLessThanOrEqual(4 * cycles * (1 + 1e-9));
      }),
    );
  });
});
