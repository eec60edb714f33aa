/** Seeded schedules and held threads, against results that are worked out by hand. */
import { describe, expect, test } from "vitest";
import { Gpu, i32, kernel, launch, ones, ptr, sanitize, syncthreads, threadIdx, volatile } from "../../../src/index.js";
import { lastWarp, lastWarpSync, sequential } from "../../kernels/labs.js";

const N = 256;

/** Thread 32 waits for ever unless thread 0 was there before it. */
const waiting = kernel("waiting", { data: ptr(i32) }, ({ data }) => {
  const flags = volatile(data);
  if (threadIdx.x === 0) data[0] = 1;
  if (threadIdx.x === 32) {
    if (data[0] === 0) {
      while (flags[1] === 0);
    }
  }
});

function summing(id: string, kernel: typeof lastWarp, block: number, grid: number) {
  const gpu = new Gpu(id, { memoryBytes: 1 << 20 });
  const input = gpu.upload(ones(N));
  const output = gpu.upload(new Int32Array(grid));
  const config = { grid, block, sharedBytes: 4 * block };
  return { gpu, config, args: { input, output }, kernel };
}

describe("a search of schedules", () => {
  const { gpu, config, args, kernel } = summing("v100", lastWarp, 64, 2);
  const report = sanitize(
    () => {
      gpu.launch(kernel, config, args);
      return args.output.read();
    },
    { tool: "racecheck", schedules: 40 },
  );

  test("counts the wrong ones, and each seed runs the same again", () => {
    const { wrong = [], tried } = report.schedules ?? {};
    expect(tried).toBe(40);
    expect(wrong.length).toBeGreaterThan(10);
    const [{ seed, what }] = wrong as [(typeof wrong)[0]];
    expect(report.text).toContain(`SCHEDULES: wrong in ${wrong.length} of 40; replay with seed ${seed}`);
    gpu.launch(kernel, { ...config, schedule: { seed } }, args);
    const sums = args.output.read();
    const index = sums.findIndex((sum) => sum !== 128);
    expect(what).toBe(`the result[${index}] is ${sums[index]}, not 128`);
  });

  test("finds one thread whose waiting makes the sum wrong: thread 16 before it adds element 48", () => {
    const { fewest } = report.schedules!;
    expect(fewest?.hold).toHaveLength(1);
    expect(fewest?.hold[0]).toMatchObject({ block: 0, kernel: "lastWarp" });
    const [{ thread } = { thread: -1 }] = fewest?.hold ?? [];
    expect(fewest?.words[0]).toMatch(
      new RegExp(`^thread \\(${thread},0,0\\) of block \\(0,0,0\\) waits before line 10\\d$`),
    );
    gpu.launch(kernel, { ...config, schedule: fewest! }, args);
    const [sum] = args.output.read();
    expect(fewest?.what).toBe(`the result[0] is ${sum}, not 128`);
    // Thread t has the sum of two elements of the input; waiting, it brings one addition too late.
    expect(sum).toBeLessThan(128);
  });

  test("is stepped through forwards and backwards to the same wrong sum", () => {
    const hold = report.schedules!.fewest!.hold;
    gpu.launch(kernel, { ...config, schedule: { hold } }, args);
    const expected = args.output.read()[0];
    args.output.fill(0);
    const stepper = gpu.step(kernel, { ...config, schedule: { hold } }, args, { block: 0 });
    const run = (): void => {
      while (stepper.step());
    };
    run();
    expect(args.output.read()[0]).toBe(expected);
    while (stepper.back());
    expect(args.output.read()[0]).toBe(0);
    run();
    expect(args.output.read()[0]).toBe(expected);
  });

  test("finds none where syncwarp orders the lanes, where barriers do, and in lockstep", () => {
    for (const [id, each, grid] of [
      ["v100", lastWarpSync, 2],
      ["v100", sequential, 4],
      ["m2070", lastWarp, 2],
    ] as const) {
      const right = summing(id, each, 64, grid);
      const found = sanitize(
        () => {
          right.gpu.launch(each, right.config, right.args);
          return right.args.output.read();
        },
        { schedules: 20 },
      );
      expect(found.schedules).toMatchObject({ tried: 20, wrong: [], fewest: null });
      expect(found.errors).toBe(0);
      expect(found.text).toContain("SCHEDULES: the same result in 20 of 20");
    }
  });

  test("asks for a result, whole numbers and known tools", () => {
    expect(() => sanitize(() => undefined, { schedules: 3 })).toThrow(/returns nothing.*\n.*Return the result/);
    expect(() => sanitize(() => 1, { schedules: 1.5 })).toThrow(/schedules is 1.5/);
    expect(() => sanitize(() => 1, { schedules: 1, seed: Number.NaN })).toThrow(/seed is NaN/);
    expect(() => sanitize(() => 1, { tool: "racechek" as never })).toThrow(
      /tool is "racechek".\nDid you mean racecheck/,
    );
    expect(() => sanitize(() => 1, { schedule: 3 } as never)).toThrow(/no option schedule.\nDid you mean schedules/);
    expect(() => sanitize(undefined as never)).toThrow(/program is missing/);
    expect(() => gpu.launch(kernel, { ...config, schedule: { hold: 3 } as never }, args)).toThrow(/schedule is/);
  });

  test("takes a hang under a schedule for a finding", () => {
    const data = gpu.alloc(i32, 2);
    const found = sanitize(
      () => {
        data.fill(0);
        gpu.launch(waiting, { grid: 1, block: 64 }, { data });
        return data.read();
      },
      { tool: "racecheck", schedules: 20 },
    );
    const { wrong = [], fewest } = found.schedules ?? {};
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong[0]?.what).toContain("the kernel hangs");
    expect(fewest?.hold).toMatchObject([{ block: 0, thread: 0 }]);
    expect(fewest?.what).toContain("the kernel hangs");
  });
});

describe("a search of schedules for a kernel with child grids", () => {
  const fill = kernel("fill", { data: ptr(i32) }, ({ data }) => {
    data[threadIdx.x] = 7;
  });
  const early = kernel("early", { data: ptr(i32), out: ptr(i32) }, { FIXED: false }, ({ data, out }, { FIXED }) => {
    if (FIXED) out[threadIdx.x] = data[threadIdx.x];
    syncthreads();
    if (threadIdx.x === 0) launch(fill, { grid: 1, block: 64 }, { data });
    if (!FIXED) out[threadIdx.x] = data[threadIdx.x];
  });
  const gpu = new Gpu("h200", { memoryBytes: 1 << 16 });
  const searched = (fixed: boolean) => {
    const [data, out] = [gpu.upload(new Int32Array(64)), gpu.upload(new Int32Array(64))];
    return sanitize(
      () => {
        data.fill(0);
        gpu.launch(early.with({ FIXED: fixed }), { grid: 1, block: 64 }, { data, out });
        return out.read();
      },
      { schedules: 20 },
    );
  };

  test("finds that a child grid where it is launched makes the parent's result another one", () => {
    const { schedules, text } = searched(false);
    expect(schedules?.wrong.length).toBeGreaterThan(0);
    expect(schedules?.fewest).toMatchObject({ hold: [], children: "early", what: "the result[0] is 7, not 0" });
    expect(schedules?.fewest?.words[0]).toMatch(/^fill runs where it is launched, not after line \d+$/);
    expect(text).toContain('gpu.launch(kernel, { ..., schedule: { children: "early" } }, args) runs it again.');
  });

  test("finds nothing where the parent has read before the launch", () => {
    expect(searched(true).schedules).toMatchObject({ wrong: [], fewest: null, lateCopies: null });
    expect(searched(true).errors).toBe(0);
  });
});
