/** cudaDeviceSetLimit for dynamic parallelism, and launches that fail in a grid: what is said, and what stays as it was. */
import { describe, expect, test } from "vitest";
import { InputError } from "../../../../src/core/base/errors.js";
import {
  blockIdx,
  deviceSynchronize,
  Gpu,
  i32,
  type Kernel,
  kernel,
  launch,
  local,
  ptr,
  self,
  shared,
  threadIdx,
} from "../../../../src/index.js";
import { faultOf } from "../fault-of.js";

const PENDING = "cudaLimitDevRuntimePendingLaunchCount";
const DEPTH = "cudaLimitDevRuntimeSyncDepth";

const newGpu = (id: string): Gpu => new Gpu(id, { memoryBytes: 1 << 20 });

const nothing = kernel("nothing", {}, () => {});
const oneEach: Kernel = kernel("oneEach", {}, () => {
  launch(nothing, { grid: 1, block: 1 }, {});
});
/** A chain of grids that wait, `left` levels below this one. */
const waiting: Kernel = kernel("waiting", { left: i32, reached: ptr(i32) }, ({ left, reached }) => {
  reached[0] += 1;
  if (left > 0) {
    launch(self, { grid: 1, block: 1 }, { left: left - 1, reached });
    deviceSynchronize();
  }
});

describe("the limit of pending launches", () => {
  test("is 2048 unless it is set, on every GPU whose grids launch grids", () => {
    for (const id of ["v100", "a100", "h200"]) expect([id, newGpu(id).limit(PENDING)]).toEqual([id, 2048]);
    expect(newGpu("h200").setLimit(PENDING, 10_000).limit(PENDING)).toBe(10_000);
  });
  test("raised, it takes the 4096 grids of which the default refuses the 2049th", () => {
    const gpu = newGpu("h200");
    expect(faultOf(() => gpu.launch(oneEach, { grid: 4096, block: 1 }, {})).message).toMatch(
      /cudaErrorLaunchPendingCountExceeded[\s\S]*2048 grids are launched[\s\S]*gpu\.setLimit\("cudaLimitDevRuntimePendingLaunchCount", 4096\)/,
    );
    gpu.setLimit(PENDING, 4096);
    expect(gpu.launch(oneEach, { grid: 4096, block: 1 }, {}).children?.count).toBe(4096);
    expect(faultOf(() => gpu.launch(oneEach, { grid: 4097, block: 1 }, {})).place.block).toEqual([4096, 0, 0]);
  });
  test("lowered, it refuses the next one", () => {
    const gpu = newGpu("h200").setLimit(PENDING, 3);
    expect(gpu.launch(oneEach, { grid: 3, block: 1 }, {}).children?.count).toBe(3);
    expect(faultOf(() => gpu.launch(oneEach, { grid: 4, block: 1 }, {})).code).toBe(
      "cudaErrorLaunchPendingCountExceeded",
    );
  });
  test("is no limit before 9.0, where further launches go to a slower pool", () => {
    const gpu = newGpu("v100").setLimit(PENDING, 3);
    expect(gpu.launch(oneEach, { grid: 100, block: 1 }, {}).children?.count).toBe(100);
  });
});

describe("the depth of waits", () => {
  test("is 2: the third level is warned of, and waits while nothing is set", () => {
    const gpu = newGpu("v100");
    expect(gpu.limit(DEPTH)).toBe(2);
    const reached = gpu.alloc(i32, 1);
    const { warnings } = gpu.launch(waiting, { grid: 1, block: 1 }, { left: 3, reached });
    expect(warnings.map(({ kind, message }) => [kind, message])).toEqual([
      ["sync-depth", expect.stringContaining('gpu.setLimit("cudaLimitDevRuntimeSyncDepth", 3)')],
    ]);
    expect(reached.read()[0]).toBe(4);
  });
  test("set to what the kernel needs, there is no warning; set lower, the wait fails with CUDA's error", () => {
    const gpu = newGpu("v100").setLimit(DEPTH, 4);
    const reached = gpu.alloc(i32, 1);
    expect(gpu.launch(waiting, { grid: 1, block: 1 }, { left: 4, reached }).warnings).toEqual([]);
    const fault = faultOf(() => gpu.launch(waiting, { grid: 1, block: 1 }, { left: 5, reached }));
    expect(fault.code).toBe("cudaErrorSyncDepthExceeded");
    expect(fault.message).toMatch(
      /at depth 4, but cudaLimitDevRuntimeSyncDepth is 4[\s\S]*deviceSynchronize\(\)[\s\S]*\^/,
    );
    expect(fault.cure).toContain(`gpu.setLimit("${DEPTH}", 5)`);
  });
});

describe("refused are", () => {
  test.each([
    ["a GPU that launches no grids", "m2070", PENDING, 4096, /cudaErrorUnsupportedLimit.*2\.0.*needs 3\.5/],
    ["the depth of waits where there are none", "h200", DEPTH, 4, /cudaErrorUnsupportedLimit.*9\.0[\s\S]*tail/],
    ["a depth that CUDA does not nest", "v100", DEPTH, 25, /cudaErrorInvalidValue.*25\.\n.*1 to 24/],
    ["no launch at all", "h200", PENDING, 0, /cudaErrorInvalidValue.* 0\./],
    ["half a launch", "h200", PENDING, 2.5, /2\.5/],
    ["a limit that is not simulated", "h200", "cudaLimitStackSize", 1024, /no limit cudaLimitStackSize here/],
    [
      "a name that is misspelt",
      "h200",
      "cudaLimitDevRuntimePendingLaunchCounts",
      1,
      /Did you mean cudaLimitDevRuntimeP/,
    ],
  ] as const)("%s", (_, id, name, value, message) => {
    const set = (): unknown => newGpu(id).setLimit(name as typeof PENDING, value);
    expect(set).toThrow(InputError);
    expect(set).toThrow(message);
  });
});

describe("a grid that fails below the host's", () => {
  const scale = kernel("scale", { data: ptr(i32), by: i32 }, ({ data, by }) => {
    data[threadIdx.x] *= by;
  });
  const sized: Kernel = kernel("sized", { data: ptr(i32), block: i32 }, ({ data, block }) => {
    if (blockIdx.x === 1 && threadIdx.x === 2) launch(scale, { grid: [3, 2], block }, { data, by: 2 });
  });
  const awaited: Kernel = kernel("awaited", { data: ptr(i32), block: i32 }, ({ data, block }) => {
    if (threadIdx.x === 0) {
      launch(scale, { grid: 1, block }, { data, by: 2 });
      deviceSynchronize();
    }
  });
  const outer: Kernel = kernel("outer", { data: ptr(i32), block: i32 }, ({ data, block }) => {
    launch(awaited, { grid: 1, block: 32 }, { data, block });
    deviceSynchronize();
  });

  test("for its configuration: the error names the child, its configuration, the launching thread and the line", () => {
    const gpu = newGpu("h200");
    const data = gpu.upload(new Int32Array(64).fill(3));
    const fault = faultOf(() => gpu.launch(sized, { grid: 2, block: 32 }, { data, block: 1025 }));
    expect(fault.code).toBe("cudaErrorInvalidConfiguration");
    expect(fault.message).toContain("child grid scale<<<(3,2,1), (1025,1,1)>>> cannot be launched");
    expect(fault.message).toContain("block (1,0,0), thread (2,0,0)");
    expect(fault.message).toMatch(/launch\(scale.*\n.*\^/);
    expect(fault.cure).toContain("ask cudaGetLastError() in the kernel");
  });

  test("for its accesses: the error comes out of the parent's wait, with the chain of launches up to the host's", () => {
    const gpu = newGpu("v100");
    const data = gpu.upload(new Int32Array(64).fill(3));
    const fault = faultOf(() => gpu.launch(outer, { grid: 1, block: 1 }, { data, block: 128 }));
    expect(fault.code).toBe("cudaErrorIllegalAddress");
    expect(fault.place).toMatchObject({ kernel: "scale", thread: [64, 0, 0] });
    expect(fault.message).toMatch(
      /in a child grid, launched by block \(0,0,0\), thread \(0,0,0\) of awaited, 1 level below block \(0,0,0\) of the host's outer\n {2}the error comes out of deviceSynchronize\(\) in line \d+ of awaited/,
    );
  });

  test("leaves the host's arrays and other buffers as they were, and the GPU runs the next launch", () => {
    for (const id of ["v100", "h200"]) {
      const gpu = newGpu(id);
      const host = Int32Array.from({ length: 64 }, (_, index) => index);
      const pinned = gpu.hostAlloc(i32, 64);
      pinned.set(host);
      const [data, other] = [gpu.upload(host), gpu.upload(host)];
      const kernels = id === "v100" ? [sized, awaited] : [sized];
      for (const one of kernels) {
        faultOf(() => gpu.launch(one, { grid: 2, block: 32 }, { data, block: 1025 }));
        faultOf(() => gpu.launch(one, { grid: 2, block: 32 }, { data, block: 128 }));
      }
      expect([[...host], [...pinned], [...other.read()]]).toEqual([
        [...host.keys()],
        [...host.keys()],
        [...host.keys()],
      ]);
      other.write(pinned);
      expect(gpu.launch(scale, { grid: 1, block: 64 }, { data: other, by: 2 }).children).toBeNull();
      expect([...other.read()]).toEqual([...host].map((value) => 2 * value));
      // A place in the pool of launches is not lost with the grid that failed.
      expect(gpu.launch(oneEach, { grid: 2048, block: 1 }, {}).children?.count).toBe(2048);
    }
  });
});

describe("an array that a child grid cannot reach", () => {
  const child = kernel("child", { data: ptr(i32) }, ({ data }) => {
    data[threadIdx.x] = 1;
  });
  test("is refused with the reason: shared memory", () => {
    expect(() =>
      kernel("handsShared", {}, () => {
        const own = shared(i32, 4);
        launch(child, { grid: 1, block: 4 }, { data: own });
      }),
    ).toThrow(
      /data of child is given a shared array; a child grid sees global memory only\. Shared memory is its block's/,
    );
  });
  test("is refused with the reason: local memory", () => {
    expect(() =>
      kernel("handsLocal", {}, () => {
        const own = local(i32, 4);
        launch(child, { grid: 1, block: 4 }, { data: own });
      }),
    ).toThrow(
      /data of child is given a local array; a child grid sees global memory only\. Local memory is its thread's/,
    );
  });
});
