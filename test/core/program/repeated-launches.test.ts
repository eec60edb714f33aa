/** Launches that are not simulated again; the truth is a second GPU, which simulates each of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeviceBuffer } from "../../../src/core/host/buffer.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { RepeatedLaunches, type WrittenMemory } from "../../../src/core/program/repeated-launches.js";
import { atomicAdd, Gpu, i32, type Kernel, kernel, launch, printf, ptr, threadIdx } from "../../../src/index.js";

const THREADS = 32;
const params = { from: ptr(i32), to: ptr(i32) };

const twice = kernel("twice", params, ({ from, to }) => {
  to[threadIdx.x] = 2 * from[threadIdx.x];
});
const raise = kernel("raise", params, ({ from, to }) => {
  to[threadIdx.x] += from[threadIdx.x];
});
const largest = kernel("largest", params, ({ from, to }) => {
  if (from[threadIdx.x] > to[threadIdx.x]) to[threadIdx.x] = from[threadIdx.x];
});
const count = kernel("count", params, ({ from, to }) => {
  if (from[threadIdx.x] > 3) atomicAdd(to, 0, 1);
});
const tell = kernel("tell", params, ({ from, to }) => {
  to[threadIdx.x] = 1;
  if (threadIdx.x === 0) printf("%d\n", from[0]);
});
const passesOn = kernel("passesOn", params, ({ from, to }) => {
  if (threadIdx.x === 0) launch(twice, { grid: 1, block: 32 }, { from, to });
});
const kernels = [twice, raise, largest, count] as const;

/** A GPU with three buffers; `repeats` says whether launches may be taken once more. */
class Machine {
  readonly gpu: Gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
  readonly buffers: readonly DeviceBuffer<"i32">[] = [0, 1, 2].map(() => this.gpu.alloc(i32, THREADS).fill(0));
  readonly memory: WrittenMemory;
  readonly repeated: RepeatedLaunches;
  simulated = 0;
  /** How often memory was read for a comparison. */
  looks = 0;

  constructor(readonly repeats: boolean) {
    const look = (): ArrayBufferLike => {
      this.looks++;
      return this.gpu.memoryBuffer;
    };
    this.memory = {
      writes: 0,
      get memoryBuffer() {
        return look();
      },
    };
    this.repeated = new RepeatedLaunches(this.memory);
  }

  write(buffer: number, value: number): void {
    this.memory.writes++;
    this.buffers[buffer]?.fill(value);
  }

  launch(launched: Kernel<typeof params>, from: number, to: number): LaunchResult {
    const make = (): LaunchResult => {
      this.simulated++;
      return this.gpu.launch(
        launched,
        { grid: 1, block: THREADS },
        { from: this.buffers[from]!, to: this.buffers[to]! },
      );
    };
    if (!this.repeats) return make();
    const key = `${launched.name} ${from} ${to}`;
    return this.repeated.found(key) ?? this.repeated.make(key, [this.buffers[from]!, this.buffers[to]!], make);
  }

  get values(): readonly number[][] {
    return this.buffers.map((buffer) => [...buffer.read()]);
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kernel: fc.nat(3), from: fc.nat(2), to: fc.nat(2), times: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ write: fc.nat(2), value: fc.integer({ min: -5, max: 5 }) }) },
);

describe("launches of a program", () => {
  test("leave the memory, the counters and the times that they leave if each is simulated", () => {
    let [simulated, all] = [0, 0];
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
        const [once, each] = [new Machine(true), new Machine(false)];
        for (const taken of steps) {
          if ("write" in taken) {
            for (const machine of [once, each]) machine.write(taken.write, taken.value);
            continue;
          }
          for (let i = 0; i < taken.times; i++) {
            const [a, b] = [once, each].map((machine) => machine.launch(kernels[taken.kernel]!, taken.from, taken.to));
            expect(a?.rawCounters).toEqual(b?.rawCounters);
            expect(a?.timeMs).toBe(b?.timeMs);
          }
          expect(once.values).toEqual(each.values);
        }
        simulated += once.simulated;
        all += each.simulated;
      }),
      { seed: 7, numRuns: 60 },
    );
    // Both kinds are reached: launches that repeat, and launches that do not.
    expect(simulated).toBeGreaterThan(0.3 * all);
    expect(simulated).toBeLessThan(0.9 * all);
  });

  test("are simulated twice if they compute the same again, and not a third time", () => {
    const machine = new Machine(true);
    machine.write(0, 21);
    for (let i = 0; i < 100; i++) {
      machine.launch(twice, 0, 1);
      machine.launch(twice, 1, 2);
    }
    expect(machine.simulated).toBe(4);
    expect(machine.values[2]).toEqual(Array(THREADS).fill(84));
    machine.write(0, 5);
    machine.launch(twice, 0, 1);
    machine.launch(twice, 1, 2);
    expect(machine.simulated).toBe(6);
    expect(machine.values[2]).toEqual(Array(THREADS).fill(20));
  });

  test("are simulated each time if they start child grids, whose limits the host may change", () => {
    const machine = new Machine(true);
    machine.write(0, 4);
    for (let i = 0; i < 5; i++) machine.launch(passesOn, 0, 1);
    expect(machine.simulated).toBe(5);
    expect(machine.values[1]).toEqual(Array(THREADS).fill(8));
  });

  test("are compared no more once they have changed memory twice", () => {
    const machine = new Machine(true);
    machine.write(0, 4);
    for (let i = 0; i < 3; i++) machine.launch(count, 0, 1);
    const { looks } = machine;
    expect(looks).toBeGreaterThan(0);
    for (let i = 0; i < 20; i++) machine.launch(count, 0, 1);
    expect(machine.looks).toBe(looks);
  });

  test("are simulated each time if they print or add up", () => {
    const machine = new Machine(true);
    for (let i = 0; i < 5; i++) machine.launch(tell, 0, 1);
    for (let i = 0; i < 5; i++) machine.launch(raise, 1, 2);
    expect(machine.simulated).toBe(10);
    expect(machine.values[2]).toEqual(Array(THREADS).fill(5));
  });

  test("have written if they fail", () => {
    const machine = new Machine(true);
    const [from, to] = [machine.buffers[0]!, machine.buffers[1]!];
    machine.launch(twice, 0, 1);
    machine.launch(twice, 0, 1);
    expect(machine.repeated.found("twice 0 1")).not.toBe(null);
    const fails = (): LaunchResult => machine.gpu.launch(twice, { grid: 1, block: 2 * THREADS }, { from, to });
    expect(() => machine.repeated.make("beyond", [from, to], fails)).toThrow("cudaErrorIllegalAddress");
    expect(machine.repeated.found("twice 0 1")).toBe(null);
  });
});
