/**
 * Warp primitives as a learner writes them, on three GPUs, against CUDA's words (CUDA C++ Programming Guide, "Warp
 * Shuffle", "Vote", "Match" and "Reduce Functions"). Grids are larger than what is traced: both engines run.
 */
import { describe, expect, it } from "vitest";
import { CompileError } from "../../../src/core/base/errors.js";
import { type DeviceSpec, deviceById, modifyDevice } from "../../../src/core/device/index.js";
import {
  f32,
  f64,
  i32,
  i64,
  type Kernel,
  kernel,
  ptr,
  type ScalarType,
  u32,
  u64,
} from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

/** No Kepler, Maxwell or Turing GPU has timing numbers; their capability decides what they accept. */
const older = (major: number, minor: number, of: string): DeviceSpec =>
  modifyDevice(deviceById(of), { computeCapability: { major, minor } });
const specs: Readonly<Record<string, DeviceSpec>> = {
  m2070: deviceById("m2070"),
  kepler: older(3, 5, "v100"),
  maxwell: older(5, 2, "v100"),
  v100: deviceById("v100"),
  turing: older(7, 5, "v100"),
  h200: deviceById("h200"),
};
const gpus = Object.fromEntries(
  Object.entries(specs).map(([id, spec]) => [id, new Gpu(spec, { memoryBytes: 8 << 20 })]),
);
const gpu = (id: string): Gpu => gpus[id]!;

type Lanes = readonly (number | bigint)[];
type Word = "shfl" | "up" | "down" | "xor";
const BLOCKS = 40;
const THREADS = 64;
const COUNT = BLOCKS * THREADS;

/**
 * The lane that each lane takes from, by the guide: its own where the source is out of its segment. Of a delta the
 * machine takes the low five bits (PTX ISA, "shfl.sync").
 */
function sourceLane(word: Word, lane: number, given: number, width: number): number {
  const argument = word === "shfl" ? given : given & 31;
  const first = lane - (lane % width);
  const within = lane % width;
  switch (word) {
    case "shfl":
      return first + (((argument % width) + width) % width);
    case "up":
      return within - argument >= 0 ? lane - argument : lane;
    case "down":
      return within + argument < width ? lane + argument : lane;
    case "xor": {
      // Into a lower segment it may reach, into a higher one not.
      const source = lane ^ argument;
      return source < first + width ? source : lane;
    }
  }
}

const ARGUMENTS: Readonly<Record<Word, readonly number[]>> = {
  shfl: [0, 1, 5, 17, 31, 33, -1],
  up: [0, 1, 2, 7, 16, 31, 32],
  down: [0, 1, 3, 8, 16, 31, 40],
  xor: [0, 1, 2, 5, 16, 31],
};

const types: readonly (readonly [string, ScalarType<"i32" | "u32" | "i64" | "u64" | "f32" | "f64">])[] = [
  ["int", i32],
  ["unsigned", u32],
  ["long long", i64],
  ["unsigned long long", u64],
  ["float", f32],
  ["double", f64],
];

function shuffling(
  type: ScalarType<"i32" | "u32" | "i64" | "u64" | "f32" | "f64">,
  width: number,
): Record<Word, Kernel> {
  const params = { input: ptr(type), out: ptr(type), argument: i32 };
  const constants = { WIDTH: width };
  return {
    shfl: kernel("shfl", { params, constants }, ({ input, out, argument }, cuda, { WIDTH }) => {
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      out[i] = cuda.shfl_sync(0xffffffff, input[i], argument, WIDTH);
    }),
    up: kernel("up", { params, constants }, ({ input, out, argument }, cuda, { WIDTH }) => {
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      out[i] = cuda.shfl_up_sync(0xffffffff, input[i], argument, WIDTH);
    }),
    down: kernel("down", { params, constants }, ({ input, out, argument }, cuda, { WIDTH }) => {
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      out[i] = cuda.shfl_down_sync(0xffffffff, input[i], argument, WIDTH);
    }),
    xor: kernel("xor", { params, constants }, ({ input, out, argument }, cuda, { WIDTH }) => {
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      out[i] = cuda.shfl_xor_sync(0xffffffff, input[i], argument, WIDTH);
    }),
  };
}

type Word32 = ScalarType<"i32" | "u32" | "i64" | "u64" | "f32" | "f64">;

function valuesOf(type: Word32): readonly (number | bigint)[] {
  const wide = type.type === "i64" || type.type === "u64";
  return Array.from({ length: COUNT }, (_, i) => (wide ? BigInt(i) * 0x1_0000_0003n + 7n : i * 3 + 1));
}

describe.each(types)("shuffles of %s", (_, type) => {
  const ids = type === i32 || type === f32 ? ["kepler", "v100", "h200"] : ["h200"];
  it.each(ids.flatMap((id) => [2, 4, 8, 16, 32].map((width) => [id, width] as const)))(
    "on %s in segments of %i lanes",
    (id, width) => {
      const device = gpu(id);
      const values = valuesOf(type);
      const [input, out] = [device.alloc(type, COUNT), device.alloc(type, COUNT)];
      input.write(input.read().map((_: number | bigint, i: number) => values[i] as never) as never);
      try {
        for (const [word, one] of Object.entries(shuffling(type, width)) as [Word, ReturnType<typeof kernel>][]) {
          for (const argument of ARGUMENTS[word]) {
            device.launch(one, { grid: BLOCKS, block: THREADS }, { input, out, argument });
            const expected = values.map((_, i) => values[i - (i % 32) + sourceLane(word, i % 32, argument, width)]);
            expect([...(out.read() as unknown as Lanes)], `${word} ${argument}`).toEqual(expected);
          }
        }
      } finally {
        input.free();
        out.free();
      }
    },
  );
});

/** Runs a kernel of i32 data on every thread of the grid. */
function run(id: string, one: Kernel, input: Int32Array, more: Readonly<Record<string, number>> = {}): Uint32Array {
  const device = gpu(id);
  const [from, out] = [device.upload(input), device.alloc(u32, COUNT)];
  try {
    device.launch(one, { grid: BLOCKS, block: THREADS }, { input: from, out, ...more });
    return out.read();
  } finally {
    from.free();
    out.free();
  }
}

const params = { input: ptr(i32), out: ptr(u32) };
const data = Int32Array.from({ length: COUNT }, (_, i) => Math.imul(i, 2654435761) >> 27);
/** The warp's values at the lanes of `mask`, for the thread with global index i. */
function warpOf(i: number): Int32Array {
  return data.subarray(i - (i % 32), i - (i % 32) + 32);
}
const lanesWhere = (values: ArrayLike<number>, holds: (value: number, lane: number) => boolean): number =>
  Array.from(values).reduce((mask, value, lane) => (holds(value, lane) ? mask | (1 << lane) : mask), 0) >>> 0;

describe.each(["m2070", "kepler", "v100", "h200"])("votes on %s", (id) => {
  it("ballot_sync, any_sync and all_sync of all lanes", () => {
    const votes = kernel("votes", { params }, ({ input, out }, { blockIdx, blockDim, threadIdx, ...cuda }) => {
      const i = blockIdx.x * blockDim.x + threadIdx.x;
      const positive = input[i] > 0;
      let word = cuda.ballot_sync(0xffffffff, positive) & 0x3fffffff;
      if (cuda.any_sync(0xffffffff, input[i] === 7)) word |= 1 << 30;
      if (cuda.all_sync(0xffffffff, input[i] > -16)) word |= 1 << 31;
      out[i] = word;
    });
    const expected = Uint32Array.from(data, (_, i) => {
      const warp = warpOf(i);
      const ballot = lanesWhere(warp, (value) => value > 0) & 0x3fffffff;
      return (ballot | (warp.includes(7) ? 1 << 30 : 0) | (warp.every((value) => value > -16) ? 1 << 31 : 0)) >>> 0;
    });
    expect(run(id, votes, data)).toEqual(expected);
  });

  it("of the lanes of a branch, which their mask names", () => {
    const whole = kernel("whole", { params }, ({ input, out }, { blockIdx, blockDim, threadIdx, ballot_sync }) => {
      const i = blockIdx.x * blockDim.x + threadIdx.x;
      if (threadIdx.x % 32 < 12) out[i] = ballot_sync(0xfff, input[i] > 0);
      else out[i] = ballot_sync(0xfffff000, input[i] <= 0);
    });
    expect(run(id, whole, data)).toEqual(
      Uint32Array.from(data, (_, i) =>
        lanesWhere(warpOf(i), (value, lane) => (i % 32 < 12 ? lane < 12 && value > 0 : lane >= 12 && value <= 0)),
      ),
    );
  });
});

describe.each(["v100", "h200"])("match on %s", (id) => {
  it("finds the lanes with the same value, and whether all have it", () => {
    const matching = kernel(
      "matching",
      { params },
      ({ input, out }, { blockIdx, blockDim, threadIdx, match_any_sync, match_all_sync }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        const { mask, predicate } = match_all_sync(0xffffffff, input[i] >> 5);
        out[i] = match_any_sync(0xffffffff, input[i] & 3) ^ (predicate ? mask : 0);
      },
    );
    const expected = Uint32Array.from(data, (own, i) => {
      const warp = warpOf(i);
      const same = warp.every((value) => value >> 5 === own >> 5);
      return (lanesWhere(warp, (value) => (value & 3) === (own & 3)) ^ (same ? -1 : 0)) >>> 0;
    });
    expect(run(id, matching, data)).toEqual(expected);
  });

  it("compares 64 bits, and floats by their bits", () => {
    const wide = kernel(
      "wide",
      { params },
      ({ input, out }, { blockIdx, blockDim, threadIdx, match_any_sync, i64, f32 }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        const long = i64(input[i] & 1) << 40;
        out[i] = match_any_sync(0xffffffff, long) ^ match_any_sync(0xffffffff, f32(input[i] & 2) * -0.5);
      },
    );
    const expected = Uint32Array.from(data, (own, i) => {
      const byBit = (bit: number): number => lanesWhere(warpOf(i), (value) => (value & bit) === (own & bit));
      return (byBit(1) ^ byBit(2)) >>> 0;
    });
    expect(run(id, wide, data)).toEqual(expected);
  });
});

describe("__reduce_*_sync on h200", () => {
  it("adds, compares and joins the lanes of its mask, signed and unsigned", () => {
    const reducing = kernel(
      "reducing",
      { params: { ...params, which: i32 } },
      ({ input, out, which }, { blockIdx, blockDim, threadIdx, ...cuda }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        const value = input[i];
        const low = threadIdx.x % 32 < 20;
        const mask = low ? 0xfffff : 0xfff00000;
        let result = cuda.u32(0);
        if (low) {
          if (which === 0) result = cuda.u32(cuda.reduce_add_sync(mask, value));
          if (which === 1) result = cuda.u32(cuda.reduce_min_sync(mask, value));
          if (which === 2) result = cuda.u32(cuda.reduce_max_sync(mask, value));
          if (which === 3) result = cuda.reduce_max_sync(mask, cuda.u32(value));
          if (which === 4) result = cuda.reduce_and_sync(mask, cuda.u32(value));
          if (which === 5) result = cuda.reduce_or_sync(mask, cuda.u32(value));
          if (which === 6) result = cuda.reduce_xor_sync(mask, cuda.u32(value));
        } else result = cuda.u32(cuda.reduce_add_sync(mask, value));
        out[i] = result;
      },
    );
    const joins: readonly ((a: number, b: number) => number)[] = [
      (a, b) => a + b,
      (a, b) => Math.min(a, b),
      (a, b) => Math.max(a, b),
      (a, b) => Math.max(a >>> 0, b >>> 0),
      (a, b) => a & b,
      (a, b) => a | b,
      (a, b) => a ^ b,
    ];
    joins.forEach((join, which) => {
      const expected = Uint32Array.from(data, (_, i) => {
        const low = i % 32 < 20;
        const part = [...warpOf(i).subarray(low ? 0 : 20, low ? 20 : 32)];
        return part.reduce(low ? join : (a, b) => a + b) >>> 0;
      });
      expect(run("h200", reducing, data, { which }), `${which}`).toEqual(expected);
    });
  });
});

describe("the warp functions from before CUDA 9", () => {
  const legacy = kernel("legacy", { params }, ({ input, out }, { blockIdx, blockDim, threadIdx, ...cuda }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    let sum = input[i];
    sum += cuda.__shfl_xor(sum, 16);
    sum += cuda.__shfl_down(sum, 8, 16);
    sum += cuda.__shfl_up(sum, 1);
    sum += cuda.__shfl(sum, 3, 8);
    if (cuda.__any(input[i] === 7)) sum ^= 1;
    if (cuda.__all(input[i] < 16)) sum ^= 2;
    out[i] = cuda.u32(sum) ^ cuda.__ballot(input[i] > 2);
  });
  const expected = Uint32Array.from({ length: COUNT }, (_, i) => {
    let sums = [...warpOf(i)];
    const step = (word: Word, argument: number, width: number): void => {
      sums = sums.map((sum, lane) => sum + sums[sourceLane(word, lane, argument, width)]!);
    };
    step("xor", 16, 32);
    step("down", 8, 16);
    step("up", 1, 32);
    step("shfl", 3, 8);
    const warp = warpOf(i);
    const flags = (warp.includes(7) ? 1 : 0) ^ (warp.every((value) => value < 16) ? 2 : 0);
    return (sums[i % 32]! ^ flags ^ lanesWhere(warp, (value) => value > 2)) >>> 0;
  });

  it("work on Kepler as their _sync forms with all lanes", () => {
    expect(run("kepler", legacy, data)).toEqual(expected);
    expect(run("maxwell", legacy, data)).toEqual(expected);
  });

  it("take the lanes of the branch that they stand in", () => {
    const branch = kernel("branch", { params }, ({ input, out }, { blockIdx, blockDim, threadIdx, ballot, all }) => {
      const i = blockIdx.x * blockDim.x + threadIdx.x;
      out[i] = 0;
      if (threadIdx.x % 32 < 10) out[i] = ballot(input[i] > 0) | (all(true) ? 1 << 31 : 0);
    });
    const lanes = Uint32Array.from(data, (_, i) =>
      i % 32 < 10 ? (lanesWhere(warpOf(i), (value, lane) => lane < 10 && value > 0) | (1 << 31)) >>> 0 : 0,
    );
    expect(run("m2070", branch, data)).toEqual(lanes);
    expect(run("kepler", branch, data)).toEqual(lanes);
  });

  it("are deprecated, as nvcc says at each", () => {
    expect(legacy.warnings.map(({ message }) => message.split(" is ")[0])).toEqual([
      "__shfl_xor()",
      "__shfl_down()",
      "__shfl_up()",
      "__shfl()",
      "__any()",
      "__all()",
      "__ballot()",
    ]);
    expect(legacy.warnings[0]?.message).toContain("deprecated in favor of __shfl_xor_sync()");
  });

  it("are refused from 7.0 on, with the line and the _sync form", () => {
    const refusal = refused("v100", legacy);
    expect(refusal.message).toContain("__shfl_xor() is not valid on 7.0 and above");
    expect(refusal.message).toContain("sum += cuda.__shfl_xor(sum, 16)");
    expect(refusal.cure).toContain("__shfl_xor_sync(0xffffffff, ...)");
  });
});

function refused(id: string, one: Kernel): CompileError {
  try {
    run(id, one, data);
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error(`${one.name} was accepted on ${id}`);
}

describe("a GPU that lacks a warp function refuses it and names the capability that has it", () => {
  const using = (word: string): Kernel => {
    const call: Record<string, string> = {
      __shfl: "u32(__shfl(input[i], 0))",
      shfl_sync: "u32(shfl_sync(0xffffffff, input[i], 0))",
      shfl_xor_sync: "u32(shfl_xor_sync(0xffffffff, input[i], 1))",
      match_any_sync: "match_any_sync(0xffffffff, input[i])",
      match_all_sync: "match_all_sync(0xffffffff, input[i]).mask",
      reduce_add_sync: "u32(reduce_add_sync(0xffffffff, input[i]))",
      reduce_xor_sync: "u32(reduce_xor_sync(0xffffffff, input[i]))",
    };
    const text = `({ input, out }, { threadIdx, ${word} }) => { const i = threadIdx.x; out[i] = ${call[word]}; }`;
    return kernel(word, { params }, new Function(`return ${text}`)() as never);
  };
  it.each([
    ["__shfl", "m2070", "2.0", "3.0"],
    ["shfl_sync", "m2070", "2.0", "3.0"],
    ["shfl_xor_sync", "m2070", "2.0", "3.0"],
    ["match_any_sync", "m2070", "2.0", "7.0"],
    ["match_any_sync", "maxwell", "5.2", "7.0"],
    ["match_all_sync", "kepler", "3.5", "7.0"],
    ["reduce_add_sync", "v100", "7.0", "8.0"],
    ["reduce_xor_sync", "turing", "7.5", "8.0"],
  ])("%s on %s", (word, id, has, needs) => {
    const refusal = refused(id, using(word));
    expect(refusal.what).toContain(`compute capability ${has}`);
    expect(refusal.what).toContain(`need ${needs}`);
    expect(refusal.message).toContain("^");
    expect(refusal.message).toContain(word);
  });
});
