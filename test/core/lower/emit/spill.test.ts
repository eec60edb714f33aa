/** Kernels with more live values than registers, beside the same arithmetic in JavaScript. */
import { describe, expect, it } from "vitest";
import type { Engine } from "../../../../src/core/engine/engine.js";
import { fastEngine } from "../../../../src/core/engine/fast/index.js";
import { createReferenceEngine, referenceEngine } from "../../../../src/core/engine/reference/index.js";
import { RunWarnings } from "../../../../src/core/engine/run-warning.js";
import { verifyProgram } from "../../../../src/core/lower/machine/verify-program.js";
import type { LoweringOptions, Program } from "../../../../src/core/lower/program.js";
import { programReport } from "../../../../src/core/profiler/ptxas-report.js";
import { type DataArray, execute } from "../../engine/launch.js";
import { compileCuda } from "../kernel-code.js";

const THREADS = 64;
const ROUNDS = 3;

interface Type {
  readonly name: string;
  readonly words: number;
  array(length: number): DataArray;
  /** 3 a + b in this type. */
  step(a: number | bigint, b: number | bigint): number | bigint;
  less(a: number | bigint): number | bigint;
  sum(a: number | bigint, b: number | bigint): number | bigint;
}

const number = (
  name: string,
  words: number,
  array: (length: number) => DataArray,
  round: (x: number) => number,
): Type => ({
  name,
  words,
  array,
  step: (a, b) => round(round(3 * Number(a)) + Number(b)),
  less: (a) => round(Number(a) - 1),
  sum: (a, b) => round(Number(a) + Number(b)),
});

const TYPES: readonly Type[] = [
  number(
    "int",
    1,
    (length) => new Int32Array(length),
    (x) => x | 0,
  ),
  number("float", 1, (length) => new Float32Array(length), Math.fround),
  number(
    "double",
    2,
    (length) => new Float64Array(length),
    (x) => x,
  ),
  {
    name: "long long",
    words: 2,
    array: (length) => new BigInt64Array(length),
    step: (a, b) => BigInt.asIntN(64, 3n * BigInt(a) + BigInt(b)),
    less: (a) => BigInt.asIntN(64, BigInt(a) - 1n),
    sum: (a, b) => BigInt.asIntN(64, BigInt(a) + BigInt(b)),
  },
];

/** `live` values that each round changes, with a branch, a barrier and an exchange between the rounds. */
function textOf(type: string, live: number): string {
  return `__global__ void mixed(${type}* data, int n) {
    int t = threadIdx.x;
    bool odd = (t & 1) != 0;
    ${type} v[${live}];
    #pragma unroll
    for (int k = 0; k < ${live}; k++) v[k] = data[k * ${THREADS} + t];
    for (int r = 0; r < n; r++) {
      #pragma unroll
      for (int k = 0; k < ${live}; k++) v[k] = v[k] * 3 + v[(k + 1) % ${live}];
      if (odd) {
        #pragma unroll
        for (int k = 0; k < ${live}; k += 3) v[k] = v[k] - 1;
      }
      __syncthreads();
      v[0] += __shfl_xor_sync(0xffffffff, v[1], 1);
    }
    #pragma unroll
    for (int k = 0; k < ${live}; k++) data[k * ${THREADS} + t] = v[k];
  }`;
}

function startOf(type: Type, k: number, t: number): number | bigint {
  const value = ((k * 37 + t * 11) % 101) - 50;
  return type.name === "long long" ? BigInt(value) : value;
}

function dataOf(type: Type, live: number): DataArray {
  const data = type.array(live * THREADS);
  for (let k = 0; k < live; k++) for (let t = 0; t < THREADS; t++) data[k * THREADS + t] = startOf(type, k, t);
  return data;
}

function expected(type: Type, live: number): DataArray {
  const values = Array.from({ length: THREADS }, (_, t) => Array.from({ length: live }, (_, k) => startOf(type, k, t)));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [t, v] of values.entries()) {
      for (let k = 0; k < live; k++) v[k] = type.step(v[k]!, v[(k + 1) % live]!);
      if (t % 2 === 1) for (let k = 0; k < live; k += 3) v[k] = type.less(v[k]!);
    }
    const seconds = values.map((v) => v[1]!);
    for (const [t, v] of values.entries()) v[0] = type.sum(v[0]!, seconds[t ^ 1]!);
  }
  const data = type.array(live * THREADS);
  for (const [t, v] of values.entries()) for (const [k, value] of v.entries()) data[k * THREADS + t] = value;
  return data;
}

function compile(type: Type, live: number, options: Partial<LoweringOptions> = {}): Program {
  const program = compileCuda(textOf(type.name, live), {
    computeCapability: { major: 3, minor: 0 },
    contractFma: false,
    ...options,
  });
  expect(verifyProgram(program)).toEqual([]);
  return program;
}

function run(program: Program, type: Type, live: number, engine: Engine): DataArray {
  const launched = execute(program, {
    block: THREADS,
    args: { data: dataOf(type, live), n: ROUNDS },
    engine,
    stepLimit: 10_000_000,
  });
  return launched.read<DataArray>("data");
}

const seeded = createReferenceEngine({ schedule: { kind: "adversarial", seed: 5 } });

describe("a kernel that keeps more values than a thread has registers", () => {
  const cases = TYPES.flatMap((type) =>
    [70, 100, 300].flatMap((live) => (type.words === 2 && live === 300 ? [] : [{ type, live, of: type.name }])),
  );

  it.each(cases)("computes what JavaScript does with $live values of type $of, in 63 registers", ({ type, live }) => {
    const program = compile(type, live);
    expect(program.registersPerThread).toBe(63);
    const wanted = expected(type, live);
    for (const engine of [fastEngine, referenceEngine, seeded])
      expect(run(program, type, live, engine)).toEqual(wanted);
  });

  it.each(cases.filter(({ live }) => live === 70))(
    "does so in a debug build, with values of type $of",
    ({ type, live }) => {
      const program = compile(type, live, { debug: true, mostRegisters: 40 });
      const wanted = expected(type, live);
      for (const engine of [fastEngine, referenceEngine]) expect(run(program, type, live, engine)).toEqual(wanted);
    },
  );

  it("stays within the 255 registers of later GPUs with 300 values", () => {
    const [int] = TYPES;
    const program = compile(int!, 300, { computeCapability: { major: 7, minor: 0 } });
    expect(program.registersPerThread).toBe(255);
    expect(run(program, int!, 300, fastEngine)).toEqual(expected(int!, 300));
  });

  it("is not told to read unwritten local memory: its spilled values are no array", () => {
    const [int] = TYPES;
    const watch = new RunWarnings();
    const watched: Engine = {
      name: "watched",
      run: (launch, blocks, counters) => referenceEngine.run({ ...launch, watch }, blocks, counters),
    };
    run(compile(int!, 100), int!, 100, watched);
    expect(watch.list).toEqual([]);
  });

  it("counts each spill in its traffic: as many stores a warp as the code has, times their rounds", () => {
    const [int] = TYPES;
    const program = compile(int!, 70);
    const { counters } = execute(program, { block: THREADS, args: { data: dataOf(int!, 70), n: ROUNDS } });
    const local = program.instructions.filter(({ space }) => space === "local");
    expect(local.length).toBeGreaterThan(10);
    for (const { pc } of local) expect([2, 2 * ROUNDS]).toContain(counters.requests[pc]);
  });
});

describe("beside ptxas 13.0 for sm_90, whose -maxrregcount gives the same limit", () => {
  /** As ptxas -v prints them for `chain` (test/DEVIATIONS.md, R3). */
  const PTXAS = [
    { live: 70, most: 63, frame: 112, stores: 212, loads: 212 },
    { live: 300, most: 255, frame: 328, stores: 604, loads: 604 },
    { live: 300, most: 63, frame: 1096, stores: 2380, loads: 2380 },
  ];
  const chain = (live: number): string => `__global__ void chain(float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[${live}];
    #pragma unroll
    for (int k = 0; k < ${live}; k++) v[k] = a[i + k * n];
    for (int r = 0; r < n; r++) {
      #pragma unroll
      for (int k = 0; k < ${live}; k++) v[k] = v[k] * v[(k + 1) % ${live}] + a[r];
    }
    float s = 0;
    #pragma unroll
    for (int k = 0; k < ${live}; k++) s = s * 3 + v[k];
    out[i] = s;
  }`;

  it.each(PTXAS)(
    "has $live values in $most registers with .45 to 1.3 of its bytes",
    ({ live, most, frame, stores, loads }) => {
      const report = programReport(compileCuda(chain(live), { mostRegisters: most }));
      expect(report.registers).toBe(most);
      expect(report.text).toContain(
        `${report.stackFrameBytes} bytes stack frame, ${report.spillStoreBytes} bytes spill stores, ${report.spillLoadBytes} bytes spill loads`,
      );
      for (const [ours, theirs] of [
        [report.stackFrameBytes, frame],
        [report.spillStoreBytes, stores],
        [report.spillLoadBytes, loads],
      ] as const) {
        expect(ours / theirs).toBeGreaterThan(0.45);
        expect(ours / theirs).toBeLessThan(1.3);
      }
    },
  );
});
