import { describe, expect, it } from "vitest";
import { type DeviceSpec, deviceById, devices } from "../../../../src/core/device/index.js";
import { i32, type Kernel, kernel, ptr, u32 } from "../../../../src/core/frontend/index.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { dynamicParallelismCheck, recursiveReduce } from "../../../kernels/notes.js";
import { faultOf } from "../fault-of.js";

const v100 = (): Gpu => new Gpu("v100", { memoryBytes: 64 << 20 });
const h200 = (): Gpu => new Gpu("h200", { memoryBytes: 64 << 20 });
/** A V100 with other limits. */
function limited(changes: Partial<NonNullable<DeviceSpec["dynamicParallelism"]>>): Gpu {
  const device = deviceById("v100");
  const dynamicParallelism = { ...device.dynamicParallelism!, ...changes };
  return new Gpu({ ...device, dynamicParallelism }, { memoryBytes: 64 << 20 });
}

/** Each grid halves: thread 0 launches the next, as printed in the notes but without the wait. */
const halving: Kernel = kernel(
  "halving",
  { params: { size: i32, depth: i32 } },
  ({ size, depth }, { threadIdx, printf, launch, self, idiv }) => {
    printf("%d %d\n", depth, threadIdx.x);
    if (size === 1) return;
    if (threadIdx.x === 0) launch(self, { grid: 1, block: idiv(size, 2) }, { size: idiv(size, 2), depth: depth + 1 });
  },
);

/** Sums `size` values, a power of two up to the block's threads: each level adds its halves and launches the next. */
const nestedSum: Kernel = kernel(
  "nestedSum",
  { params: { input: ptr(i32), output: ptr(i32), size: u32 } },
  ({ input, output, size }, { threadIdx, blockIdx, launch, self, syncthreads }) => {
    const tid = threadIdx.x;
    const data = input.subarray(blockIdx.x * size);
    const half = size >> 1;
    if (tid < half) data[tid] += data[tid + half];
    syncthreads();
    if (tid === 0) {
      if (half === 1) output[blockIdx.x] = data[0];
      else launch(self, { grid: 1, block: half }, { input: data, output: output.subarray(blockIdx.x), size: half });
    }
  },
);

const describeDepths = (depths: readonly (readonly [depth: number, threads: number])[]): string[] =>
  depths.flatMap(([depth, threads]) => Array.from({ length: threads }, (_, tid) => `${depth} ${tid}`));

describe("the notes' depth printing kernel", () => {
  it("prints each grid's threads after those of the grid that launched it", () => {
    const result = v100().launch(dynamicParallelismCheck, { grid: 1, block: 16 }, { size: 16, depth: 0 });
    const lines = [16, 8, 4, 2, 1].flatMap((threads, depth) =>
      Array.from({ length: threads }, (_, tid) => `Depth: ${depth} - tid: ${tid} \n`),
    );
    expect(result.printed.map(({ text }) => text)).toEqual(lines);
  });

  it("has four child grids, one in another", () => {
    const { children } = v100().launch(dynamicParallelismCheck, { grid: 1, block: 16 }, { size: 16, depth: 0 });
    expect(children?.count).toBe(4);
    expect(children?.depth).toBe(4);
    expect(children?.kernels.map(({ kernel: name, grids }) => [name, grids])).toEqual([
      ["dynamic_parallelism_check", 4],
    ]);
  });

  it("is told that waits at depth 2 and below need a higher limit in CUDA", () => {
    const { warnings } = v100().launch(dynamicParallelismCheck, { grid: 1, block: 16 }, { size: 16, depth: 0 });
    expect(warnings.map(({ message }) => message).join()).toContain("cudaLimitDevRuntimeSyncDepth");
    const shallow = v100().launch(dynamicParallelismCheck, { grid: 1, block: 4 }, { size: 4, depth: 0 });
    expect(shallow.warnings).toEqual([]);
  });

  it("is refused on Fermi, with the capability that it needs and its line", () => {
    const launch = (): unknown =>
      new Gpu("m2070", { memoryBytes: 1 << 24 }).launch(
        dynamicParallelismCheck,
        { grid: 1, block: 16 },
        { size: 16, depth: 0 },
      );
    expect(launch).toThrow(
      /compute capability 2\.0; child grids \(dynamic parallelism\) need 3\.5[\s\S]*launch\(self[\s\S]*\^/,
    );
  });

  it("is refused on the H200 for its wait, with the cure", () => {
    const launch = (): unknown =>
      h200().launch(dynamicParallelismCheck, { grid: 1, block: 16 }, { size: 16, depth: 0 });
    expect(launch).toThrow(
      /9\.0; cudaDeviceSynchronize\(\) in a kernel is gone[\s\S]*deviceSynchronize\(\)[\s\S]*\^[\s\S]*Split the kernel/,
    );
  });

  it("runs on the H200 without its wait, a grid's children after all of its blocks", () => {
    const result = h200().launch(halving, { grid: 2, block: 4 }, { size: 4, depth: 0 });
    expect(result.printed.map(({ text }) => text.trim())).toEqual(
      describeDepths([
        [0, 4],
        [0, 4],
        [1, 2],
        [2, 1],
        [1, 2],
        [2, 1],
      ]),
    );
  });
});

describe("the notes' recursive reduction", () => {
  it("sums a block where it is launched with the block's size", () => {
    const gpu = v100();
    const data = Int32Array.from({ length: 128 }, (_, index) => index * 7 - 300);
    const input = gpu.upload(data);
    const output = gpu.alloc(i32, 1);
    gpu.launch(recursiveReduce, { grid: 1, block: 128 }, { input, output, isize: 128 });
    expect(output.read()[0]).toBe(data.reduce((sum, value) => sum + value, 0));
  });

  it("writes out of bounds as the notes launch it: the whole size for blocks of 128 threads, an output of one", () => {
    const gpu = v100();
    const input = gpu.upload(new Int32Array(1024).fill(1));
    const output = gpu.alloc(i32, 1);
    const fault = faultOf(() => gpu.launch(recursiveReduce, { grid: 8, block: 128 }, { input, output, isize: 1024 }));
    expect(fault.code).toBe("cudaErrorIllegalAddress");
    expect(fault.message).toMatch(/input\[|idata|output\[/);
  });

  it("of 1024 values in 8 blocks writes a result a block, of which an array of one holds the first alone", () => {
    const gpu = v100();
    const input = gpu.upload(new Int32Array(1024).fill(1));
    const output = gpu.alloc(i32, 1);
    const fault = faultOf(() => gpu.launch(recursiveReduce, { grid: 8, block: 128 }, { input, output, isize: 128 }));
    expect(fault.code).toBe("cudaErrorIllegalAddress");
    expect(fault.message).toContain("writes output[0]");
    expect(fault.message).toContain(
      "output has 1 int elements (4 bytes), and the grid that launched this one has moved",
    );
  });

  it("fails with the launching thread, and the block of the host's grid that it comes from", () => {
    const gpu = v100();
    const input = gpu.upload(new Int32Array(1024).fill(1));
    const output = gpu.alloc(i32, 1);
    const fault = faultOf(() => gpu.launch(recursiveReduce, { grid: 8, block: 128 }, { input, output, isize: 128 }));
    expect(fault.message).toContain(
      "in a child grid, launched by block (0,0,0), thread (0,0,0) of gpuRecursiveReduce, 5 levels below block (1,0,0) of the host's gpuRecursiveReduce",
    );
  });
});

describe("a nested reduction", () => {
  it("gives each block's sum", () => {
    const gpu = h200();
    const data = Int32Array.from({ length: 4096 }, (_, index) => ((index * 2654435761) >>> 7) - 10_000_000);
    const input = gpu.upload(data);
    const output = gpu.alloc(i32, 16);
    const { children } = gpu.launch(nestedSum, { grid: 16, block: 256 }, { input, output, size: 256 });
    const sums = Array.from({ length: 16 }, (_, block) =>
      data.subarray(block * 256, block * 256 + 256).reduce((sum, value) => (sum + value) | 0, 0),
    );
    expect([...output.read()]).toEqual(sums);
    expect(children?.count).toBe(16 * 7);
    expect(children?.depth).toBe(7);
  });

  it("counts the children's instructions apart from the launched grid's", () => {
    const gpu = h200();
    const input = gpu.upload(new Int32Array(64).fill(1));
    const output = gpu.alloc(i32, 1);
    const result = gpu.launch(nestedSum, { grid: 1, block: 64 }, { input, output, size: 64 });
    expect(result.counters.blocks).toBe(1);
    expect(result.children?.kernels[0]?.counters.blocks).toBe(5);
  });

  it("takes longer by every level of launches, about 10 us each on the H200", () => {
    const timeOf = (size: number): number => {
      const gpu = h200();
      const input = gpu.upload(new Int32Array(size).fill(1));
      const output = gpu.alloc(i32, 1);
      return gpu.launch(nestedSum, { grid: 1, block: size }, { input, output, size }).timeMs;
    };
    const level = timeOf(128) - timeOf(64);
    expect(level).toBeGreaterThan(0.009);
    expect(level).toBeLessThan(0.014);
  });
});

describe("memory between parent and child", () => {
  const addTen: Kernel = kernel("addTen", { params: { data: ptr(i32) } }, ({ data }, { threadIdx }) => {
    data[threadIdx.x] += 10;
  });

  it("a child sees what its parent has written before the launch", () => {
    const parent: Kernel = kernel(
      "writeThenLaunch",
      { params: { data: ptr(i32) }, functions: { addTen } },
      ({ data }, { threadIdx, launch, syncthreads }, { addTen }) => {
        data[threadIdx.x] = threadIdx.x;
        syncthreads();
        if (threadIdx.x === 0) launch(addTen, { grid: 1, block: 32 }, { data });
      },
    );
    const gpu = h200();
    const data = gpu.alloc(i32, 32);
    gpu.launch(parent, { grid: 1, block: 32 }, { data });
    expect([...data.read()]).toEqual(Array.from({ length: 32 }, (_, index) => index + 10));
  });

  it("a parent that waits sees what its child has written, where CUDA lets it wait", () => {
    const parent: Kernel = kernel(
      "launchThenRead",
      { params: { data: ptr(i32) }, functions: { addTen } },
      ({ data }, { launch, deviceSynchronize }, { addTen }) => {
        data[0] = 1;
        launch(addTen, { grid: 1, block: 1 }, { data });
        deviceSynchronize();
        data[0] *= 2;
      },
    );
    const gpu = v100();
    const data = gpu.alloc(i32, 1);
    gpu.launch(parent, { grid: 1, block: 1 }, { data });
    expect(data.read()[0]).toBe(22);
  });

  it("the children of one thread run in order", () => {
    const append: Kernel = kernel("append", { params: { data: ptr(i32), digit: i32 } }, ({ data, digit }) => {
      data[0] = data[0] * 10 + digit;
    });
    const parent: Kernel = kernel(
      "launchThree",
      { params: { data: ptr(i32) }, functions: { append } },
      ({ data }, { launch }, { append }) => {
        for (let digit = 1; digit < 4; digit++) launch(append, { grid: 1, block: 1 }, { data, digit });
      },
    );
    const gpu = h200();
    const data = gpu.alloc(i32, 1);
    gpu.launch(parent, { grid: 1, block: 1 }, { data });
    expect(data.read()[0]).toBe(123);
  });

  it("a child that is handed a moved pointer may go back in its allocation, and not before it", () => {
    const before: Kernel = kernel("writeBefore", { params: { data: ptr(i32), back: i32 } }, ({ data, back }) => {
      data[-back] = 7;
    });
    const parent: Kernel = kernel(
      "handOver",
      { params: { data: ptr(i32), back: i32 }, functions: { before } },
      ({ data, back }, { launch }, { before }) => {
        launch(before, { grid: 1, block: 1 }, { data: data.subarray(3), back });
      },
    );
    const gpu = h200();
    const data = gpu.alloc(i32, 4);
    gpu.launch(parent, { grid: 1, block: 1 }, { data, back: 3 });
    expect([...data.read()]).toEqual([7, 0, 0, 0]);
    const fault = faultOf(() => gpu.launch(parent, { grid: 1, block: 1 }, { data, back: 4 }));
    expect(fault.message).toContain("writes data[-4]");
  });

  it("every lane that comes to a launch starts a grid, lowest lane first", () => {
    const say: Kernel = kernel("say", { params: { who: u32 } }, ({ who }, { printf }) => {
      printf("%u", who);
    });
    const parent: Kernel = kernel(
      "eachLane",
      { params: {}, functions: { say } },
      (_params, { threadIdx, launch }, { say }) => {
        if (threadIdx.x % 2 === 1) launch(say, { grid: 1, block: 1 }, { who: threadIdx.x });
      },
    );
    const { printed } = h200().launch(parent, { grid: 1, block: 8 }, {});
    expect(printed.map(({ text }) => text).join(" ")).toBe("1 3 5 7");
  });
});

describe("limits", () => {
  const chain: Kernel = kernel(
    "chain",
    { params: { left: i32, reached: ptr(i32) } },
    ({ left, reached }, { launch, self }) => {
      reached[0] += 1;
      if (left > 0) launch(self, { grid: 1, block: 1 }, { left: left - 1, reached });
    },
  );
  const many: Kernel = kernel("many", { params: { each: i32 } }, ({ each }, { launch, self }) => {
    if (each === 0) return;
    for (let count = 0; count < each; count++) launch(self, { grid: 1, block: 1 }, { each: 0 });
  });
  const sized: Kernel = kernel(
    "sized",
    { params: { grid: i32, block: i32, shared: i32 } },
    ({ grid, block, shared }, { launch, self }) => {
      if (block > 0) launch(self, { grid, block, shared }, { grid: 1, block: 0, shared: 0 });
    },
  );

  it("grids may be nested 24 deep before compute capability 9.0", () => {
    const gpu = v100();
    const reached = gpu.alloc(i32, 1);
    gpu.launch(chain, { grid: 1, block: 1 }, { left: 24, reached });
    expect(reached.read()[0]).toBe(25);
    const fault = faultOf(() => gpu.launch(chain, { grid: 1, block: 1 }, { left: 25, reached }));
    expect(fault.code).toBe("cudaErrorLaunchMaxDepthExceeded");
    expect(fault.message).toContain("launch would exceed maximum depth of nested launches");
    expect(fault.message).toMatch(/launch\(self.*\n.*\^/);
  });

  it("a launch(self) 30 deep ends at the 25th level with CUDA's error, in every schedule, on every GPU before 9.0", () => {
    for (const { id } of devices.filter(({ computeCapability: { major } }) => major >= 3 && major < 9)) {
      for (const schedule of ["default", { seed: 7 }] as const) {
        const gpu = new Gpu(id, { memoryBytes: 1 << 20 });
        const reached = gpu.alloc(i32, 1);
        const fault = faultOf(() => gpu.launch(chain, { grid: 1, block: 1, schedule }, { left: 30, reached }));
        expect([id, fault.code, reached.read()[0]]).toEqual([id, "cudaErrorLaunchMaxDepthExceeded", 25]);
        expect(fault.cure).toContain("the host sees no error: ask cudaGetLastError() in the kernel");
      }
    }
  });

  it("the H200 runs it, as it was measured to (h200/micro/cdp.json: chain), with a warning from the 25th level on", () => {
    const warningsAt = (left: number): readonly string[] => {
      const gpu = h200();
      const reached = gpu.alloc(i32, 1);
      const { warnings } = gpu.launch(chain, { grid: 1, block: 1 }, { left, reached });
      expect(reached.read()[0]).toBe(left + 1);
      return warnings.map(({ message }) => message);
    };
    expect(warningsAt(24)).toEqual([]);
    expect(warningsAt(30)).toEqual([
      expect.stringMatching(
        /launched 25 levels below the host's\. CUDA documents 24 levels.*cudaErrorLaunchMaxDepthExceeded/,
      ),
    ]);
  });

  it("the H200 nests 2048 grids, as it was measured to, and has no place for one more", () => {
    const gpu = h200();
    const reached = gpu.alloc(i32, 1);
    gpu.launch(chain, { grid: 1, block: 1 }, { left: 2048, reached });
    expect(reached.read()[0]).toBe(2049);
    const fault = faultOf(() => gpu.launch(chain, { grid: 1, block: 1 }, { left: 2049, reached }));
    expect(fault.code).toBe("cudaErrorLaunchPendingCountExceeded");
  });

  it("4096 blocks that launch one grid each overfill the H200's pool of 2048, as measured", () => {
    expect(h200().launch(many, { grid: 2048, block: 1 }, { each: 1 }).children?.count).toBe(2048);
    const fault = faultOf(() => h200().launch(many, { grid: 4096, block: 1 }, { each: 1 }));
    expect(fault.code).toBe("cudaErrorLaunchPendingCountExceeded");
    expect(fault.place.block).toEqual([2048, 0, 0]);
  });

  it("a thread that launches 4096 grids one after the other does not overfill it, as measured", () => {
    expect(h200().launch(many, { grid: 1, block: 1 }, { each: 4096 }).children?.count).toBe(4096);
  });

  it("GPUs of the older device runtime take further launches into a slower pool", () => {
    expect(v100().launch(many, { grid: 4096, block: 1 }, { each: 1 }).children?.count).toBe(4096);
  });

  it("a device with another limit keeps that", () => {
    const fault = faultOf(() => limited({ pendingLaunchLimit: 3 }).launch(many, { grid: 4, block: 1 }, { each: 1 }));
    expect(fault.message).toContain("3 grids are launched and not yet at their end");
  });

  it("a block too large fails at the launch's line with CUDA's error", () => {
    const fault = faultOf(() => h200().launch(sized, { grid: 1, block: 1 }, { grid: 1, block: 2048, shared: 0 }));
    expect(fault.code).toBe("cudaErrorInvalidConfiguration");
    expect(fault.message).toContain("block.x is 2048, but");
    expect(fault.message).toMatch(/launch\(self.*\n.*\^/);
  });

  it("so does an empty grid, and more shared memory than a block may have", () => {
    const codeOf = (grid: number, shared: number): string =>
      faultOf(() => h200().launch(sized, { grid: 1, block: 1 }, { grid, block: 32, shared })).code;
    expect(codeOf(0, 0)).toBe("cudaErrorInvalidConfiguration");
    expect(codeOf(1, 300_000)).toBe("cudaErrorInvalidConfiguration");
  });
});

it("a kernel that launches has the device runtime's 32 registers a thread, as ncu reports them", () => {
  const gpu = h200();
  const input = gpu.upload(new Int32Array(2).fill(1));
  const output = gpu.alloc(i32, 1);
  const launched = gpu.launch(nestedSum, { grid: 1, block: 2 }, { input, output, size: 2 });
  expect(launched.registersPerThread).toBe(32);
});

it("a kernel that launches nothing has no children", () => {
  const gpu = h200();
  const input = gpu.upload(new Int32Array(2).fill(1));
  const output = gpu.alloc(i32, 1);
  expect(gpu.launch(nestedSum, { grid: 1, block: 2 }, { input, output, size: 2 }).children).toBeNull();
});

it("another schedule gives the same sums, for any seed", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const gpu = h200();
    const input = gpu.upload(Int32Array.from({ length: 256 }, (_, index) => index));
    const output = gpu.alloc(i32, 4);
    gpu.launch(nestedSum, { grid: 4, block: 64, schedule: { seed } }, { input, output, size: 64 });
    expect([...output.read()], `seed ${seed}`).toEqual([2016, 6112, 10208, 14304]);
  }
});
