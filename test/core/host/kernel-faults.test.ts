/**
 * What a kernel does wrong, through the host: the fault names kernel, line, block and thread, and nothing else is
 * harmed.
 */
import { describe, expect, it } from "vitest";
import { f32, i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { faultOf } from "./fault-of.js";

const scale: Kernel = kernel(
  "scale",
  { params: { input: ptr(f32), output: ptr(f32) } },
  ({ input, output }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    output[i] = input[i] * 2;
  },
);

const shift: Kernel = kernel(
  "shift",
  { params: { data: ptr(i32), by: i32 } },
  ({ data, by }, { threadIdx, blockIdx, blockDim, i32 }) => {
    const i = i32(blockIdx.x * blockDim.x + threadIdx.x);
    data[i + by] = i;
  },
);

const neighbour: Kernel = kernel(
  "neighbour",
  { params: { output: ptr(i32) } },
  ({ output }, { threadIdx, blockIdx, blockDim, shared, syncthreads }) => {
    const sums = shared(i32, 64);
    sums[threadIdx.x] = threadIdx.x;
    syncthreads();
    output[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x + 1];
  },
);

const overrun: Kernel = kernel(
  "overrun",
  { params: { output: ptr(i32) } },
  ({ output }, { threadIdx, externShared, syncthreads }) => {
    const sums = externShared(i32);
    sums[threadIdx.x * 2] = threadIdx.x;
    syncthreads();
    output[threadIdx.x] = sums[threadIdx.x];
  },
);

const divide: Kernel = kernel(
  "divide",
  { params: { data: ptr(i32), output: ptr(i32) } },
  ({ data, output }, { threadIdx, blockIdx, blockDim, idiv }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    output[i] = idiv(100, data[i]);
  },
);

const remainder: Kernel = kernel(
  "remainder",
  { params: { data: ptr(i32), output: ptr(i32) } },
  ({ data, output }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    output[i] = 100 % data[i];
  },
);

const endless: Kernel = kernel(
  "endless",
  { params: { output: ptr(i32), step: i32 } },
  ({ output, step }, { threadIdx, blockIdx }) => {
    let i = i32(0);
    while (i < 100) {
      output[threadIdx.x] += 1;
      if (blockIdx.x === 1) i += step;
      else i += 50;
    }
  },
);

const device = (id: string = "v100"): Gpu => new Gpu(id, { memoryBytes: 8 << 20, stepLimit: 20_000 });

describe("a kernel that reads past a buffer", () => {
  const gpu = device();
  const input = gpu.alloc(f32, 1000).fill(1.5);
  const output = gpu.alloc(f32, 1024).fill(-1);
  const fault = faultOf(() => gpu.launch(scale, { grid: 4, block: 256 }, { input, output }));
  it("is cudaErrorIllegalAddress, with the index and the buffer's length", () => {
    expect(fault.code).toBe("cudaErrorIllegalAddress");
    expect(fault.what).toContain("reads input[1000], but input has 1000 float elements (4000 bytes)");
  });
  it("is named with the block, thread, warp and lanes", () => {
    expect(fault.place).toEqual({
      kernel: "scale",
      block: [3, 0, 0],
      thread: [232, 0, 0],
      warp: 7,
      lanes: 0xffffff00,
    });
  });
  it("quotes the line, with a caret under the access", () => {
    const line = fault.message.split("\n").findIndex((part) => part.includes("output[i] = input[i] * 2;"));
    expect(line).toBeGreaterThan(0);
    const [quoted, carets] = fault.message.split("\n").slice(line, line + 2);
    expect(quoted?.slice(carets?.indexOf("^"), (carets?.lastIndexOf("^") ?? 0) + 1)).toBe("input[i]");
  });
  it("leaves what came before it done, and all other memory as it was", () => {
    expect(
      output
        .read()
        .subarray(0, 992)
        .every((value) => value === 3),
    ).toBe(true);
    expect(
      output
        .read()
        .subarray(992)
        .every((value) => value === -1),
    ).toBe(true);
    expect(input.read().every((value) => value === 1.5)).toBe(true);
  });
  it("leaves a GPU that runs the next kernel", () => {
    const longer = gpu.alloc(f32, 1024).fill(4);
    gpu.launch(scale, { grid: 4, block: 256 }, { input: longer, output });
    expect(output.read().every((value) => value === 8)).toBe(true);
  });
});

describe("a kernel that writes past a buffer", () => {
  it("does not touch the buffer behind it", () => {
    const gpu = device();
    const data = gpu.alloc(i32, 64);
    const behind = gpu.alloc(i32, 1000).fill(7);
    const fault = faultOf(() => gpu.launch(shift, { grid: 1, block: 64 }, { data, by: 100 }));
    expect(fault.what).toContain("writes data[100], but data has 64 int elements");
    expect(behind.read().every((value) => value === 7)).toBe(true);
  });
  it("does not touch the buffer in front of it", () => {
    const gpu = device();
    const front = gpu.alloc(i32, 64).fill(7);
    const data = gpu.alloc(i32, 64);
    const fault = faultOf(() => gpu.launch(shift, { grid: 1, block: 32 }, { data, by: -1 }));
    expect(fault.what).toContain("writes data[-1]");
    expect(fault.place).toMatchObject({ thread: [0, 0, 0], lanes: 1 });
    expect(front.read().every((value) => value === 7)).toBe(true);
  });
  it("is caught in the few bytes between its end and the next buffer too", () => {
    const gpu = device();
    const data = gpu.alloc(i32, 63);
    gpu.alloc(i32, 64);
    expect(faultOf(() => gpu.launch(shift, { grid: 1, block: 64 }, { data, by: 0 })).place.thread).toEqual([63, 0, 0]);
  });
  it("is caught where the index is so large that its bytes wrap around 2^32", () => {
    const gpu = device();
    const data = gpu.alloc(i32, 64);
    expect(faultOf(() => gpu.launch(shift, { grid: 1, block: 32 }, { data, by: 2 ** 30 })).what).toContain(
      "data[1073741824]",
    );
    expect(faultOf(() => gpu.launch(shift, { grid: 1, block: 32 }, { data, by: -(2 ** 30) })).what).toContain(
      "data[-1073741824]",
    );
  });
});

describe("a kernel that leaves its shared memory", () => {
  it("is caught where it reads past a static array", () => {
    const gpu = device();
    const output = gpu.alloc(i32, 128);
    const fault = faultOf(() => gpu.launch(neighbour, { grid: 2, block: 64 }, { output }));
    expect(fault.what).toContain("reads sums[64], but shared sums has 64 int elements (256 bytes)");
    expect(fault.place).toMatchObject({ block: [0, 0, 0], thread: [63, 0, 0], warp: 1, lanes: 0x80000000 });
  });
  it("is caught where it writes past the bytes that the launch gave", () => {
    const gpu = device();
    const output = gpu.alloc(i32, 64);
    const fault = faultOf(() => gpu.launch(overrun, { grid: 1, block: 64, sharedBytes: 256 }, { output }));
    expect(fault.what).toContain("writes sums[64], but shared sums has 64 int elements");
    expect(fault.place).toMatchObject({ thread: [32, 0, 0], warp: 1 });
    gpu.launch(overrun, { grid: 1, block: 64, sharedBytes: 512 }, { output });
    expect(output.read()[62]).toBe(31);
  });
});

describe("a division by zero", () => {
  for (const [faulty, word] of [
    [divide, "division"],
    [remainder, "remainder"],
  ] as const) {
    it(`is a fault of the thread that makes the ${word}, with its lanes`, () => {
      const gpu = device();
      const data = gpu.upload(Int32Array.from({ length: 128 }, (_, i) => (i === 70 || i === 90 ? 0 : 3)));
      const output = gpu.alloc(i32, 128);
      const fault = faultOf(() => gpu.launch(faulty, { grid: 2, block: 64 }, { data, output }));
      expect(fault.code).toBe("divisionByZero");
      expect(fault.what).toContain(`integer ${word} by zero`);
      expect(fault.place.block).toEqual([1, 0, 0]);
      expect(fault.place.thread).toEqual([6, 0, 0]);
      expect(fault.place.lanes).toBe((1 << 6) | (1 << 26));
      expect(
        output
          .read()
          .subarray(0, 64)
          .every((value) => value === Math.trunc(100 / 3) || value === 100 % 3),
      ).toBe(true);
    });
  }
});

describe("an endless loop", () => {
  it("ends at the step limit, with the loop's line and the block", () => {
    const gpu = device();
    const output = gpu.alloc(i32, 32);
    const kept = gpu.upload(Int32Array.of(1, 2, 3));
    const fault = faultOf(() => gpu.launch(endless, { grid: 2, block: 32 }, { output, step: 0 }));
    expect(fault.code).toBe("cudaErrorLaunchTimeout");
    expect(fault.what).toContain("more than 20000 warp instructions");
    expect(fault.place.block).toEqual([1, 0, 0]);
    expect(fault.message).toContain("while (i < 100)");
    expect([...kept.read()]).toEqual([1, 2, 3]);
  });
  it("that ends after all is none", () => {
    const gpu = device();
    const output = gpu.alloc(i32, 32);
    gpu.launch(endless, { grid: 2, block: 32 }, { output, step: 1 });
    expect(output.read()[31]).toBe(102);
  });
});

const waitsForSpinning: Kernel = kernel(
  "waitsForSpinning",
  { params: { output: ptr(i32) } },
  ({ output }, { threadIdx, syncthreads, volatile }) => {
    const flag = volatile(output);
    if (threadIdx.x < 32) {
      while (flag[0] === 0) {}
    }
    syncthreads();
    output[threadIdx.x] = 1;
  },
);

describe("a block that waits at a barrier for a warp that spins for ever", () => {
  it.each(["m2070", "v100"])("is a hang, with who spins and who waits, on the %s", (id) => {
    const gpu = device(id);
    const fault = faultOf(() => gpu.launch(waitsForSpinning, { grid: 1, block: 64 }, { output: gpu.alloc(i32, 64) }));
    expect(fault.code).toBe("cudaErrorLaunchTimeout");
    expect(fault.what).toContain("the kernel hangs");
    expect(fault.what).toMatch(/warp 0, lanes 0xffffffff: spin in the loop that starts at line \d+/);
    expect(fault.what).toMatch(/warp 1, lanes 0xffffffff: wait at line \d+ \(syncthreads\)/);
  });
});

describe("a fault", () => {
  it("points at its line in the kernel's text", () => {
    const gpu = device();
    const fault = faultOf(() => gpu.launch(shift, { grid: 1, block: 32 }, { data: gpu.alloc(i32, 8), by: 0 }));
    const own = fault.source?.text.split("\n")[(fault.span?.line ?? 0) - 1];
    expect(own).toContain("data[i + by] = i;");
  });
  it("is the same one, to the letter, when the launch is repeated", () => {
    const messages = [0, 1].map(() => {
      const gpu = device();
      return faultOf(() =>
        gpu.launch(scale, { grid: 4, block: 256 }, { input: gpu.alloc(f32, 900), output: gpu.alloc(f32, 1024) }),
      ).message;
    });
    expect(messages[0]).toBe(messages[1]);
  });
});
