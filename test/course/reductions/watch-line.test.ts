/** A line watched, and the pictures of it; the truth is the kernel's condition and addresses, worked out here. */
import { describe, expect, it } from "vitest";
import { i32, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { floatManyElements } from "../../../src/course/reductions/example03-kernels.js";
import {
  firstAddDuringLoad,
  interleavedContiguous,
  interleavedDivergent,
} from "../../../src/course/reductions/lab-kernels.js";
import { bankFigure, elementFigure, workFigure } from "../../../src/course/reductions/lane-pictures.js";
import { watchLine } from "../../../src/course/reductions/watch-line.js";

const gpu = new Gpu("v100");
const distances = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const lanes = Array.from({ length: 32 }, (_, lane) => lane);

describe("watchLine", () => {
  const owners = watchLine(gpu, interleavedDivergent, { line: "+=", by: "s", block: 1024 });
  const neighbours = watchLine(gpu, interleavedContiguous, { line: "+=", by: "s", block: 1024 });

  it("tells each time of a loop by its variable, with the lanes that work in it", () => {
    expect(owners.map(({ label }) => label)).toEqual(distances.map((s) => `s = ${s}`));
    for (const { value: s, lanes: works } of owners) expect(works).toEqual(lanes.map((tid) => tid % (2 * s) === 0));
    for (const { value: s, lanes: works } of neighbours) expect(works).toEqual(lanes.map((tid) => 2 * s * tid < 1024));
  });

  it("counts the threads and warps of the whole block that work", () => {
    for (const [at, { threads, warps }] of owners.entries()) {
      expect([threads, warps]).toEqual([512 >> at, Math.min(32, 512 >> at)]);
    }
    for (const [at, { threads, warps }] of neighbours.entries()) {
      expect([threads, warps]).toEqual([512 >> at, Math.max(1, 16 >> at)]);
    }
  });

  it("tells the variable's value at the access, where the line computes something before the loop sets it", () => {
    const params = { input: ptr(i32), output: ptr(i32), n: i32 };
    const inPlace = kernel("inPlace", { params }, ({ input, output, n }, { threadIdx, blockDim, syncthreads }) => {
      const tid = i32(threadIdx.x);
      for (let offset = 1; offset <= i32(blockDim.x) >> 1; offset *= 2) {
        if (tid % (2 * offset) === 0 && tid + offset < n) input[tid]! += input[tid + offset]!;
        syncthreads();
      }
      if (tid === 0) output[0] = input[0]!;
    });
    const steps = watchLine(gpu, inPlace, { line: "+=", by: "offset", block: 32 });
    expect(steps.map(({ value }) => value)).toEqual([1, 2, 4, 8, 16]);
    expect(steps.map(({ threads }) => threads)).toEqual([16, 8, 4, 2, 1]);
  });

  it("tells the elements that each lane loads and stores, of another warp too", () => {
    const [, , four] = watchLine(gpu, interleavedContiguous, { line: "+=", by: "s", block: 1024, warp: 3 });
    const left = lanes.map((lane) => 2 * 4 * (96 + lane)).map((element) => (element < 1024 ? element : null));
    expect(four?.accesses.map(({ kind, array, space, elements }) => ({ kind, array, space, elements }))).toEqual([
      { kind: "load", array: "sdata", space: "shared", elements: left },
      {
        kind: "load",
        array: "sdata",
        space: "shared",
        elements: left.map((each) => (each === null ? null : each + 4)),
      },
      { kind: "store", array: "sdata", space: "shared", elements: left },
    ]);
  });

  it("has conflicts as many words as meet in a bank, and none where neighbours are read", () => {
    expect(neighbours.map(({ conflictDegree }) => conflictDegree)).toEqual([2, 4, 8, 16, 32, 16, 8, 4, 2, 1]);
    expect(owners.every(({ conflictDegree }) => conflictDegree === 1)).toBe(true);
  });

  it("counts elements of global memory from the array's start, in any block", () => {
    const [load] = watchLine(gpu, firstAddDuringLoad, { line: "input[", block: 32, perThread: 2, blockIndex: 1 });
    const global = load?.accesses.filter(({ space }) => space === "global").map(({ elements }) => elements);
    expect(load?.label).toBe("block 1");
    expect(global).toEqual([lanes.map((lane) => 64 + lane), lanes.map((lane) => 96 + lane)]);
  });

  it("follows a loop in steps of the grid's width to the end of the input", () => {
    const strided = kernel("strided", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }, cuda) => {
      const { blockIdx, blockDim, gridDim, threadIdx } = cuda;
      let sum = 0;
      for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += input[i];
      output[blockIdx.x] = sum;
    });
    const trips = watchLine(gpu, strided, { line: "sum += input[i]", block: 32, blockIndex: 1, grid: 3, n: 250 });
    const elements = [0, 1, 2].map((trip) =>
      lanes.map((lane) => 32 + 96 * trip + lane).map((element) => (element < 250 ? element : null)),
    );
    expect(trips.map(({ accesses }) => accesses[0]?.elements)).toEqual(elements);
    expect(trips.map(({ label }) => label)).toEqual(["block 1, time 1", "block 1, time 2", "block 1, time 3"]);
  });

  it("counts elements of a second shared array from that array's start", () => {
    const two = kernel(
      "two",
      { params: { input: ptr(i32), output: ptr(i32) } },
      ({ input, output }, { threadIdx, shared, syncthreads }) => {
        const first = shared(i32, 32);
        const second = shared(i32, 64);
        first[threadIdx.x] = input[threadIdx.x];
        second[threadIdx.x + 5] = input[threadIdx.x];
        syncthreads();
        if (threadIdx.x === 0) output[0] = first[1] + second[6];
      },
    );
    const [stored] = watchLine(gpu, two, { line: "second[", block: 32 });
    const store = stored?.accesses.find(({ kind }) => kind === "store");
    expect([store?.array, store?.elements]).toEqual(["second", lanes.map((lane) => lane + 5)]);
  });

  it("refuses a line or kernel that it cannot watch, and says what it can", () => {
    expect(() => watchLine(gpu, interleavedDivergent, { line: "*= 3" })).toThrow(/no line .* has the text/);
    expect(() => watchLine(gpu, floatManyElements, { line: "+=" })).toThrow(/sums floats/);
    expect(() => watchLine(gpu, interleavedDivergent, { line: "+=", by: "t" })).toThrow(/choose one of/);
  });
});

describe("the pictures of a watched line", () => {
  const steps = watchLine(gpu, interleavedContiguous, { line: "+=", by: "s", block: 1024 });

  it("say in words which lanes work", () => {
    expect(workFigure(steps).alt).toContain("s = 16: 32 works; s = 32: 16 works, 16 masked");
  });

  it("say which lanes share a bank: those that ask for another word of it", () => {
    const { alt, title } = bankFigure(steps, { title: "Banks" });
    expect(title).toBe("Banks");
    expect(alt).toContain("s = 1: 32 in one bank with others");
    expect(alt).toContain(`Banks by lane. s = 1: ${lanes.map((tid) => (2 * tid) % 32).join(" ")};`);
    expect(alt).toContain("s = 512: 1 alone in its bank, 31 does not ask");
    expect(() => bankFigure(steps, { nth: 2 })).toThrow(/load of sdata \(shared\), load of sdata \(shared\), store/);
    expect(bankFigure(steps, { kind: "store" }).alt).toContain("s = 16: 32 in one bank with others");
  });

  it("take lanes that ask for one word for no conflict", () => {
    const same = kernel(
      "same",
      { params: { input: ptr(i32), output: ptr(i32) } },
      ({ input, output }, { threadIdx, shared, syncthreads }) => {
        const sdata = shared(i32, 32);
        sdata[threadIdx.x] = input[threadIdx.x];
        syncthreads();
        output[0] = sdata[7];
      },
    );
    const watched = watchLine(gpu, same, { line: "sdata[7]", block: 32 });
    expect(bankFigure(watched).alt).toContain("block 0: 32 alone in its bank");
    expect(watched[0]?.conflictDegree).toBe(1);
  });

  it("keep the steps in their order where a kind of lane is missing in the first one", () => {
    expect(bankFigure(steps).layout.yaxis.categoryarray).toEqual(distances.map((s) => `s = ${s}`));
  });

  it("show the elements of global memory, a row a load", () => {
    const loads = watchLine(gpu, firstAddDuringLoad, { line: "input[", block: 32, perThread: 2 });
    const rows = elementFigure(loads).layout.yaxis.tickvals;
    expect(elementFigure(loads).alt).toContain(`load 2 of input: ${lanes.map((lane) => 32 + lane).join(" ")}.`);
    expect(rows).toEqual(["block 0, load 1 of input", "block 0, load 2 of input"]);
    expect(() => elementFigure([])).toThrow(/no time/);
  });
});
