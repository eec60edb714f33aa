/**
 * Atomics of a warp on one address, which the compiler makes one atomic of, under schedules that take its lanes apart: each
 * lane's update reaches the element that its own round of the loop names.
 */
import { describe, expect, it, test } from "vitest";
import {
  activemask,
  any_sync,
  atomicAdd,
  atomicMax,
  atomicSub,
  atomicXor,
  ballot_sync,
  Gpu,
  i32,
  type Kernel,
  kernel,
  popc,
  ptr,
  sanitize,
  shared,
  syncthreads,
  threadIdx,
  volatile,
} from "../../../src/index.js";

const THREADS = 64;
const N = 8;
const PARAMS = { o: ptr(i32), n: i32 };

const counted = kernel("counted", PARAMS, ({ o, n }) => {
  for (let i = 0; i < n; i++) atomicAdd(o, i, 1);
});
const byLane = kernel("byLane", PARAMS, ({ o, n }) => {
  const most = i32(threadIdx.x) % n;
  for (let i = 0; i <= most; i++) atomicAdd(o, i, 1);
});
const doWhile = kernel("doWhile", PARAMS, ({ o, n }) => {
  let i = 0;
  do {
    atomicAdd(o, i, 1);
    i++;
  } while (i < n);
});
const bits = kernel("bits", PARAMS, ({ o, n }) => {
  for (let i = 0; i < n; i++) if (threadIdx.x < 32) atomicXor(o, i, 1 << (i32(threadIdx.x) & 31));
});
const largest = kernel("largest", PARAMS, ({ o, n }) => {
  for (let i = 0; i < n; i++) atomicMax(o, i, i32(threadIdx.x) + i);
});
const before = kernel("before", PARAMS, ({ o, n }) => {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += atomicAdd(o, i, 1);
  atomicAdd(o, n, sum);
});
const nested = kernel("nested", PARAMS, ({ o, n }) => {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      atomicSub(o, j, i);
      atomicAdd(o, i, 2);
    }
  }
});
const inShared = kernel("inShared", PARAMS, ({ o, n }) => {
  const s = shared(i32, 8);
  if (threadIdx.x < 8) s[threadIdx.x] = 0;
  syncthreads();
  for (let i = 0; i < n; i++) atomicAdd(s, i, n);
  syncthreads();
  if (threadIdx.x < 8) o[threadIdx.x] = s[threadIdx.x];
});

const each = (value: (i: number) => number): number[] => Array.from({ length: N }, (_, i) => value(i));
const CASES: readonly (readonly [Kernel<typeof PARAMS>, readonly number[]])[] = [
  [counted, each(() => THREADS)],
  [byLane, each((i) => (THREADS / N) * (N - i))],
  [doWhile, each(() => THREADS)],
  [bits, each(() => -1)],
  [largest, each((i) => THREADS - 1 + i)],
  [before, [...each(() => THREADS), (N * THREADS * (THREADS - 1)) / 2]],
  [
    nested,
    each((i) => {
      let sum = 2 * i;
      for (let outer = i + 1; outer < N; outer++) sum -= outer;
      return sum * THREADS;
    }),
  ],
  [inShared, each(() => THREADS * N)],
];

describe.each(["m2070", "v100", "rtx3080", "h200"] as const)("on %s", (device) => {
  test.each(CASES.map(([k, expected]) => [k.name, k, expected] as const))(
    "%s adds to its elements under every seed",
    (_, k, expected) => {
      for (const way of [
        {},
        { debug: true },
        ...Array.from({ length: 12 }, (_, i) => ({ schedule: { seed: i + 1 } })),
      ]) {
        const gpu = new Gpu(device);
        const o = gpu.alloc(i32, 16);
        gpu.launch(k, { grid: 1, block: THREADS, ...way }, { o, n: N });
        expect([...o.read().slice(0, expected.length)], JSON.stringify(way)).toEqual(expected);
      }
    },
  );

  it("adds what each lane's own vote gives, where halves of a warp vote apart", () => {
    const votes = kernel("votes", { o: ptr(i32) }, ({ o }) => {
      const upper = threadIdx.x >= 16;
      const half = upper ? 0xffff0000 : 0x0000ffff;
      atomicAdd(o, 0, popc(ballot_sync(half, upper || threadIdx.x % 4 === 0)));
      atomicAdd(o, 1, any_sync(half, upper) ? 3 : 1);
    });
    for (const way of [{}, { debug: true }, { schedule: { seed: 1 } }, { schedule: { seed: 2 } }]) {
      const gpu = new Gpu(device);
      const o = gpu.alloc(i32, 2);
      gpu.launch(votes, { grid: 1, block: 32, ...way }, { o });
      expect([...o.read()]).toEqual([16 * 4 + 16 * 16, 16 * 1 + 16 * 3]);
    }
  });

  it("adds what each lane has read, where others change it meanwhile, and what each lane's activemask was", () => {
    const racing = kernel("racing", { o: ptr(i32), own: ptr(i32) }, ({ o, own }) => {
      const v = volatile(o);
      for (let i = 0; i < 4; i++) {
        const read = v[0];
        own[threadIdx.x] += read;
        atomicAdd(o, 1, read);
        atomicAdd(o, 0, 1);
      }
      const active = popc(activemask());
      own[threadIdx.x] += active;
      atomicAdd(o, 1, active);
    });
    for (let seed = 1; seed <= 12; seed++) {
      const gpu = new Gpu(device);
      const o = gpu.alloc(i32, 2);
      const own = gpu.alloc(i32, 32);
      gpu.launch(racing, { grid: 1, block: 32, schedule: { seed } }, { o, own });
      expect(o.read()[1]).toBe(own.read().reduce((sum, x) => sum + x, 0));
    }
  });
});

it("sanitize with schedules finds nothing wrong in a loop of atomics", () => {
  const { findings } = sanitize(
    () => {
      const gpu = new Gpu("h200");
      const o = gpu.upload(new Int32Array(N));
      gpu.launch(counted, { grid: 1, block: THREADS }, { o, n: N });
      return o.read();
    },
    { schedules: 20 },
  );
  expect(findings).toEqual([]);
});

it("a lane steps back through the rounds of a loop as it went", () => {
  const gpu = new Gpu("h200");
  const o = gpu.alloc(i32, N);
  const stepper = gpu.step(counted, { grid: 1, block: THREADS }, { o, n: N });
  for (let k = 0; k < 60; k++) stepper.step();
  for (let k = 0; k < 40; k++) stepper.back();
  while (stepper.step());
  expect([...o.read()]).toEqual(each(() => THREADS));
});
