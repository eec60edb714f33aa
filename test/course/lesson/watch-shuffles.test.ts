import { describe, expect, it } from "vitest";
import { watchShuffles } from "../../../src/course/lesson/watch-shuffles.js";
import {
  Gpu,
  i32,
  kernel,
  ptr,
  shfl_down_sync,
  shfl_sync,
  shfl_up_sync,
  shfl_xor_sync,
  threadIdx,
} from "../../../src/index.js";

const gpu = new Gpu("v100");
const oneWarp = { grid: 1, block: 32 };
const lanes = Array.from({ length: 32 }, (_, lane) => lane);
const numbered = () => ({ data: gpu.upload(Int32Array.from(lanes)) });

describe("the shuffles of a warp", () => {
  it("are told with what each lane holds after them: a butterfly ends with the sum in all lanes", () => {
    const butterfly = kernel("butterfly", { data: ptr(i32) }, ({ data }) => {
      let sum = data[threadIdx.x];
      for (let offset = 16; offset > 0; offset >>= 1) sum += shfl_xor_sync(0xffffffff, sum, offset);
      data[threadIdx.x] = sum;
    });
    const steps = watchShuffles(gpu, butterfly, oneWarp, numbered());
    expect(steps.map(({ label }) => label)).toEqual(["at first", "xor 16", "xor 8", "xor 4", "xor 2", "xor 1"]);
    expect(steps[0]?.values).toEqual(lanes);
    expect(steps[1]?.values).toEqual(lanes.map((lane) => lane + (lane ^ 16)));
    expect(steps[1]?.sources).toEqual(lanes.map((lane) => lane ^ 16));
    expect(steps.at(-1)?.values).toEqual(lanes.map(() => (31 * 32) / 2));
  });

  it("name the lane that the hardware takes each value from, in any segment: each lane offers its own number", () => {
    const ways = kernel("ways", { data: ptr(i32) }, { WIDTH: 8 }, ({ data }, { WIDTH }) => {
      const lane = i32(threadIdx.x);
      data[lane] = shfl_sync(0xffffffff, lane, 13, WIDTH);
      data[32 + lane] = shfl_up_sync(0xffffffff, lane, 3, WIDTH);
      data[64 + lane] = shfl_down_sync(0xffffffff, lane, 3, WIDTH);
      data[96 + lane] = shfl_xor_sync(0xffffffff, lane, 5, WIDTH);
      data[128 + lane] = shfl_xor_sync(0xffffffff, lane, 12, WIDTH);
    });
    const one = (way: number) =>
      kernel("one", { data: ptr(i32) }, { WIDTH: 8, WAY: way }, ({ data }, { WIDTH, WAY }) => {
        const lane = i32(threadIdx.x);
        let from = lane;
        if (WAY === 0) from = shfl_sync(0xffffffff, lane, 13, WIDTH);
        if (WAY === 1) from = shfl_up_sync(0xffffffff, lane, 3, WIDTH);
        if (WAY === 2) from = shfl_down_sync(0xffffffff, lane, 3, WIDTH);
        if (WAY === 3) from = shfl_xor_sync(0xffffffff, lane, 5, WIDTH);
        if (WAY === 4) from = shfl_xor_sync(0xffffffff, lane, 12, WIDTH);
        data[lane] = from;
      });
    for (const width of [2, 4, 8, 16, 32]) {
      const data = gpu.alloc(i32, 5 * 32);
      gpu.launch(ways.with({ WIDTH: width }), oneWarp, { data });
      const found = data.read();
      for (const way of [0, 1, 2, 3, 4]) {
        const steps = watchShuffles(gpu, one(way).with({ WIDTH: width, WAY: way }), oneWarp, numbered());
        expect(steps.at(-1)?.sources, `way ${way}, width ${width}`).toEqual([
          ...found.subarray(32 * way, 32 * way + 32),
        ]);
      }
    }
  });

  it("are told of lanes that do not add: a scan leaves the first lane its own value", () => {
    const scan = kernel("scan", { data: ptr(i32) }, ({ data }) => {
      let sum = 1;
      for (let offset = 1; offset < 32; offset *= 2) {
        const other = shfl_up_sync(0xffffffff, sum, offset);
        if (threadIdx.x >= offset) sum += other;
      }
      data[threadIdx.x] = sum;
    });
    const steps = watchShuffles(gpu, scan, oneWarp, numbered());
    expect(steps.at(-1)?.values).toEqual(lanes.map((lane) => lane + 1));
    expect(steps[1]?.sources?.slice(0, 3)).toEqual([0, 0, 1]);
  });

  it("have to be there", () => {
    const none = kernel("none", { data: ptr(i32) }, ({ data }) => {
      data[threadIdx.x] = 1;
    });
    expect(() => watchShuffles(gpu, none, oneWarp, numbered())).toThrow(/first warp of none comes to no shuffle/);
  });
});
