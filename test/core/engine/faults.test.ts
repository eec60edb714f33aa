/** A fault of a kernel is reported with place, values, line and cure, and leaves everything else alone. */
import { describe, expect, it } from "vitest";
import { KernelFault } from "../../../src/core/base/errors.js";
import { createRawCounters } from "../../../src/core/engine/engine.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { execute, type LaunchOptions, prepare, type TestLaunch } from "./launch.js";

function faultOf(code: string, options: LaunchOptions): KernelFault & { readonly test: TestLaunch } {
  const test = prepare(code, options);
  const [x, y, z] = test.launch.grid;
  try {
    referenceEngine.run(test.launch, { first: 0, end: x * y * z, step: 1 }, createRawCounters(test.launch.program));
  } catch (error) {
    if (error instanceof KernelFault) return Object.assign(error, { test });
    throw error;
  }
  throw new Error("the kernel ran without a fault");
}

describe("an access out of bounds", () => {
  const code = `
kernel copy
param in ptr i32
param out ptr i32
  t = mad.u32 threadIdx.y, blockDim.x, threadIdx.x
  g = mad.u32 blockIdx.y, gridDim.x, blockIdx.x
  i = mad.u32 g, 64, t
  a = addr.u32 in[i]
  b = addr.u32 out[i]
  x = ld.i32 in[a]
  st.i32 out[b], x`;
  const fault = faultOf(code, {
    grid: [2, 2, 1],
    block: [16, 4, 1],
    args: { in: new Int32Array(200).fill(3), out: new Int32Array(256) },
  });
  it("is cudaErrorIllegalAddress, in the words of CUDA", () => {
    expect(fault.code).toBe("cudaErrorIllegalAddress");
    expect(fault.message).toContain("an illegal memory access");
  });
  it("names the buffer, the index and the allocation", () => {
    expect(fault.what).toContain("reads in[200], but in has 200 int elements (800 bytes)");
  });
  it("names kernel, block, thread, warp and lanes", () => {
    // Element 200 is that of block 3 of 2 x 2, thread 8 of 64.
    expect(fault.place).toMatchObject({
      kernel: "copy",
      block: [1, 1, 0],
      thread: [8, 0, 0],
      warp: 0,
      lanes: 0xffffff00,
    });
  });
  it("quotes the line with a caret", () => {
    expect(fault.message).toContain("10 |   x = ld.i32 in[a]\n   |   ^^^");
  });
  it("tells the cure", () => expect(fault.cure).toMatch(/guard the access/));
  it("keeps what was stored before, and every other buffer", () => {
    expect([...fault.test.read<Int32Array>("out").subarray(0, 193)]).toEqual([...Array(192).fill(3), 0]);
    expect([...fault.test.read<Int32Array>("in")]).toEqual(Array(200).fill(3));
  });
  it("is found before any lane of the instruction has stored", () => {
    const store = "param out ptr i32\n a = addr out[threadIdx.x]\n st.i32 out[a], 1";
    expect([...faultOf(store, { block: 32, args: { out: new Int32Array(8) } }).test.read<Int32Array>("out")]).toEqual(
      Array(8).fill(0),
    );
  });
  it("is found in front of a buffer too, though the memory there exists", () => {
    const negative = "param in ptr i32\n a = addr in[-1]\n x = ld.i32 in[a]";
    expect(faultOf(negative, { args: { in: new Int32Array(8) } }).what).toContain("reads in[-1]");
  });
  it("is found where an index of 2^30 would wrap to the buffer in 32 bits", () => {
    const far = "param in ptr i32\n a = addr.u32 in[0x40000000]\n x = ld.i32 in[a]";
    expect(faultOf(far, { args: { in: new Int32Array(8) } }).what).toContain("in[1073741824]");
  });
  it("is found in shared memory, against the launch's dynamic size", () => {
    const shared = "shared s f32 dynamic\n a = addr s[threadIdx.x]\n st.f32 s[a], 1";
    const { what } = faultOf(shared, { block: 64, dynamicSharedBytes: 128 });
    expect(what).toContain("writes s[32], but shared s has 32 float elements (128 bytes)");
  });
  it("is found in local memory", () => {
    const local = "local l i32 4\n a = addr l[4]\n st.i32 l[a], 1";
    expect(faultOf(local, { block: 1 }).what).toContain("writes l[4], but local l has 4");
  });
  it("is not found in lanes whose guard is false", () => {
    const guarded = "param in ptr i32\n p = setp.lt.u32 laneId, 8\n a = addr in[laneId]\n @p x = ld.i32 in[a]";
    expect(() => execute(guarded, { block: 32, args: { in: new Int32Array(8) } })).not.toThrow();
  });
});

describe("other faults", () => {
  it("a vector load at an odd element is a misaligned address", () => {
    const fault = faultOf("param in ptr i32\n a = addr in[1]\n x, y = ld.i32 in[a]", {
      args: { in: new Int32Array(8) },
    });
    expect(fault.code).toBe("cudaErrorMisalignedAddress");
    expect(fault.what).toContain("reads 8 bytes of in at byte 4, which is no multiple of 8");
  });
  for (const [op, type, zero] of [
    ["div", "i32", "0"],
    ["rem", "u32", "0"],
    ["div", "i64", "0"],
  ]) {
    it(`${op}.${type} by zero names the lanes that do it`, () => {
      const code = `
        k = sub.i32 laneId, 3
        d = cvt.${type}.i32 k
        x = ${op}.${type} d, d`;
      const fault = faultOf(code, { block: 32 });
      expect([fault.code, fault.place.lanes, zero]).toEqual(["divisionByZero", 8, "0"]);
    });
  }
  it("a lane that its own mask does not name is refused, with the mask", () => {
    const fault = faultOf("p = setp.eq.i32 0, 0\n m = ballot 0x0000ffff, p", { block: 32 });
    expect(fault.what).toContain("mask 0x0000ffff does not name it (lanes 0xffff0000)");
  });
  it("an endless loop ends at the step limit, with its line", () => {
    const fault = faultOf("i = mov.i32 0\n loop {\n i = add.i32 i, 1\n } again", { block: 32, stepLimit: 5000 });
    expect(fault.code).toBe("cudaErrorLaunchTimeout");
    expect(fault.what).toContain("more than 5000 instructions");
    expect(fault.span?.line).toBe(4);
  });
  it("an endless loop inside another is the one that is named", () => {
    const code = "i = mov.i32 0\n loop {\n i = add.i32 i, 1\n loop {\n i = add.i32 i, 1\n } again\n } again";
    expect(faultOf(code, { block: 32, stepLimit: 5000 }).span?.line).toBe(6);
  });
});
