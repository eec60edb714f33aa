/** Stepping through a block, forwards and backwards. */
import { describe, expect, it } from "vitest";
import { KernelFault } from "../../../src/core/base/errors.js";
import { createStepper, type StepPosition } from "../../../src/core/engine/reference/index.js";
import { execute, prepare } from "./launch.js";

const KERNEL = `
kernel sum
param in ptr i32
param out ptr i32
shared s i32 64
  t = mov.u32 threadIdx.x
  a = addr in[t]
  x = ld.i32 in[a]
  b = addr s[t]
  st.i32 s[b], x
  bar
  p = setp.lt.u32 t, 10
  if p {
    y = ld.i32 s[b + 4]
    x = add.i32 x, y
  } else {
    x = mov.i32 -1
  }
  x = shflXor.i32 0xffffffff, x, 1, 32
  o = addr out[t]
  st.i32 out[o], x
  atom.add.i32 out[o], 1
  printf.i32 "%d\\n" x`;

function test(block = 64) {
  const data = Int32Array.from({ length: block }, (_, k) => k * 10);
  return prepare(KERNEL, { block, args: { in: data, out: new Int32Array(block) } });
}

describe("a stepper", () => {
  it("starts at the first instruction of warp 0 with all lanes", () => {
    const stepper = createStepper(test().launch, 0);
    expect(stepper.position).toMatchObject({ warp: 0, pc: 0, activeMask: -1, line: 6 });
  });
  it("runs warp 0 to the barrier, then warp 1, then both behind it", () => {
    const stepper = createStepper(test().launch, 0);
    const order: number[] = [];
    while (stepper.position !== null) {
      const { warp } = stepper.position;
      if (order.at(-1) !== warp) order.push(warp);
      stepper.step();
    }
    expect(order).toEqual([0, 1, 0, 1]);
  });
  it("shows a variable by the learner's name after it was assigned", () => {
    const stepper = createStepper(test().launch, 0);
    stepper.step();
    expect(stepper.register("t").slice(0, 3)).toEqual([0, 1, 2]);
    for (let k = 0; k < 2; k++) stepper.step();
    expect(stepper.register("x").slice(0, 3)).toEqual([0, 10, 20]);
  });
  it("shows the groups of a diverged warp", () => {
    const stepper = createStepper(test(32).launch, 0);
    while (stepper.position?.instruction.op !== "bra") stepper.step();
    stepper.step();
    expect(stepper.position).toMatchObject({ activeMask: 0x3ff });
    expect(stepper.warps[0]?.groups.map(({ mask, state }) => [mask >>> 0, state])).toEqual([
      [0x3ff, "running"],
      [0xfffffc00, "ready"],
    ]);
  });
  it("shows shared memory", () => {
    const stepper = createStepper(test().launch, 0);
    for (let k = 0; k < 5; k++) stepper.step();
    const shared = new Int32Array(stepper.shared("s").buffer);
    expect([...shared.subarray(30, 34)]).toEqual([300, 310, 0, 0]);
  });
  it("ends with the memory, output and counters of a run of the engine", () => {
    const { launch, read } = test();
    const stepper = createStepper(launch, 0);
    while (stepper.step());
    const whole = execute(launch.program, { block: 64, args: { in: read("in"), out: new Int32Array(64) } });
    expect([...read<Int32Array>("out")]).toEqual([...whole.read<Int32Array>("out")]);
    expect(stepper.printed).toEqual(whole.result.printed.map(({ text }) => text));
    expect({ ...stepper.counters, warps: 2, blocks: 1 }).toEqual(whole.counters);
  });
  it("goes back to every state it has shown", () => {
    const { launch, read } = test();
    const stepper = createStepper(launch, 0);
    const state = (): string =>
      JSON.stringify([
        stepper.position?.pc,
        stepper.position?.warp,
        stepper.warps,
        stepper.registers(0),
        stepper.registers(1),
        [...stepper.shared("s")],
        [...read<Int32Array>("out")],
        stepper.printed,
        [...stepper.counters.executed],
        [...stepper.counters.requests],
      ]);
    const states = [state()];
    while (stepper.step()) states.push(state());
    expect(stepper.back()).toBe(true);
    for (let k = states.length - 2; k >= 0; k--) {
      expect([k, state() === states[k]]).toEqual([k, true]);
      expect(stepper.back()).toBe(k > 0);
    }
    while (stepper.step());
    expect(state()).toBe(states.at(-1));
  });
  it("follows one warp alone if asked, and runs the others along", () => {
    const stepper = createStepper(test().launch, 0, { warp: 1 });
    const warps = new Set<number | undefined>();
    let steps = 0;
    while (stepper.position !== null) {
      warps.add(stepper.position.warp);
      stepper.step();
      steps++;
    }
    expect([...warps]).toEqual([1]);
    expect(stepper.steps).toBe(steps);
    while (stepper.back());
    const start = stepper.position as StepPosition | null;
    expect([stepper.steps, start?.pc]).toEqual([0, 0]);
  });
  it("throws a fault at the step that makes it, and stays before it", () => {
    const { launch } = prepare("param in ptr i32\n a = addr in[threadIdx.x]\n x = ld.i32 in[a]", {
      block: 32,
      args: { in: new Int32Array(8) },
    });
    const stepper = createStepper(launch, 0);
    stepper.step();
    expect(() => stepper.step()).toThrow(KernelFault);
    expect(stepper.position).toMatchObject({ pc: 1, line: 3 });
    expect(stepper.back()).toBe(true);
    expect(stepper.position).toMatchObject({ pc: 0 });
  });
  it("refuses a block, warp, variable or shared array that does not exist, naming those that do", () => {
    const { launch } = test();
    expect(() => createStepper(launch, 1)).toThrow(/no block 1/);
    expect(() => createStepper(launch, 0, { warp: 2 })).toThrow(/no warp 2[\s\S]*0 to 1/);
    expect(() => createStepper(launch, 0).register("tt")).toThrow(/no variable tt[\s\S]*choose one of t, a, x/);
    expect(() => createStepper(launch, 0).shared("q")).toThrow(/no shared array q/);
  });
});
