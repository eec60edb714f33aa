/** The grids that lanes start, as the reference engine reports them, and stepping through such kernels. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import type { ChildGrids, ChildLaunch, EngineResult, PreparedLaunch } from "../../../src/core/engine/engine.js";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { createStepper } from "../../../src/core/engine/reference/index.js";
import { f32, i32, i64, type Kernel, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import { verifyProgram } from "../../../src/core/lower/machine/verify-program.js";
import type { Program } from "../../../src/core/lower/program.js";
import { execute, prepare, type TestLaunch } from "./launch.js";

const child: Kernel = kernel(
  "child",
  { params: { data: ptr(i32), n: u32, big: i64, x: f32 } },
  ({ data, n, big, x }, { threadIdx, i32 }) => {
    data[threadIdx.x] += i32(n) + i32(big) + i32(x);
  },
);
const parent: Kernel = kernel(
  "parent",
  { params: { data: ptr(i32) }, functions: { child } },
  ({ data }, { threadIdx, launch, deviceSynchronize, i64, f32 }, { child }) => {
    const tid = threadIdx.x;
    data[tid] = 100;
    if (tid >= 30) {
      launch(
        child,
        { grid: [tid, 2], block: [tid + 1, 3, 1], shared: 16 },
        { data: data.subarray(tid), n: tid * 2, big: -i64(tid), x: f32(tid) * 0.5 },
      );
      deviceSynchronize();
      data[tid] += 1;
    }
  },
);

const sm70 = { computeCapability: { major: 7, minor: 0 }, contractFma: true };
const program: Program = lower(parent.ir, sm70);

class Recorder implements ChildGrids {
  started: readonly ChildLaunch[] = [];
  readonly finished: ChildLaunch[][] = [];
  constructor(private readonly atFinish: () => void = () => {}) {}
  start(request: ChildLaunch): void {
    this.started = [...this.started, request];
  }
  finish(): EngineResult {
    this.finished.push([...this.started]);
    this.started = [];
    this.atFinish();
    return { printed: [{ text: "from a child" }] };
  }
  launched(): EngineResult {
    return { printed: [] };
  }
  turn(): null {
    return null;
  }
}

function prepared(block = 32): {
  readonly launch: PreparedLaunch;
  readonly test: TestLaunch;
  readonly children: Recorder;
} {
  const test = prepare(program, { block, args: { data: new Int32Array(block) } });
  const children = new Recorder(() => {
    const [pointer] = test.launch.args;
    if (typeof pointer === "object") new Int32Array(test.launch.memory.buffer, pointer.address, 1)[0]! += 5;
  });
  return { launch: { ...test.launch, children }, test, children };
}

describe("a program that launches", () => {
  it("is sound, and holds its child", () => {
    expect(verifyProgram(program)).toEqual([]);
    expect(program.children?.map(({ name }) => name)).toEqual(["child"]);
  });
  it("is left to the reference engine by the fast one", () => {
    expect(fastEngine.supports(prepared().launch)).toBe(false);
  });
  it("needs somebody to run its children", () => {
    expect(() => execute(program, { block: 32, args: { data: new Int32Array(32) } })).toThrow(InputError);
  });
});

describe("a launch", () => {
  it("is told for each lane that comes there, lowest first, with the lane's sizes and arguments", () => {
    const { launch, children, test } = prepared();
    const stepper = createStepper(launch, 0);
    while (stepper.step());
    const [requests = []] = children.finished;
    expect(requests.map(({ parentThread, parentBlock }) => [parentBlock, parentThread])).toEqual([
      [0, 30],
      [0, 31],
    ]);
    const [pointer] = test.launch.args;
    const address = typeof pointer === "object" ? pointer.address : 0;
    expect(requests[1]).toMatchObject({
      program: { name: "child" },
      grid: [31, 2, 1],
      block: [32, 3, 1],
      dynamicSharedBytes: 16,
      args: [{ address: address + 124, byteLength: 4, bytesBefore: 124 }, 62, -31n, 15.5],
    });
  });
});

describe("a stepper", () => {
  it("prints what the children print where the block waits", () => {
    const { launch } = prepared();
    const stepper = createStepper(launch, 0);
    while (stepper.step());
    expect(stepper.printed).toEqual(["from a child"]);
  });
  it("takes back what was started and what the children wrote", () => {
    const { launch, test, children } = prepared();
    const stepper = createStepper(launch, 0);
    const until = (op: string): void => {
      while (stepper.position !== null && stepper.position.instruction.op !== op) stepper.step();
    };
    until("launch");
    const before = [...test.read<Int32Array>("data")];
    stepper.step();
    expect(children.started.length).toBe(2);
    until("deviceSynchronize");
    stepper.step();
    expect(test.read<Int32Array>("data")[0]).toBe(before[0]! + 5);
    expect(children.started.length).toBe(0);
    stepper.back();
    expect(test.read<Int32Array>("data")[0]).toBe(before[0]);
    expect(children.started.length).toBe(2);
    while (stepper.position?.instruction.op !== "launch") stepper.back();
    expect(children.started.length).toBe(0);
    expect(stepper.printed).toEqual([]);
  });
});
