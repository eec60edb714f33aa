/**
 * The package's own functions, given anything at all: they work, or throw an error of the package. A host's exception
 * (TypeError, RangeError) would tell a learner nothing.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WarplabError } from "../../src/core/base/errors.js";
import { checkDevice, deviceById } from "../../src/core/device/index.js";
import { device, f32, i32, i64, kernel, ptr } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";

const gpu = new Gpu("v100", { memoryBytes: 1 << 20, stepLimit: 100_000 });
const mark = kernel("mark", { params: { output: ptr(i32), n: i32 } }, ({ output, n }, { threadIdx }) => {
  output[threadIdx.x] = n;
});
const output = gpu.alloc(i32, 1024);
const wide = gpu.alloc(i64, 8);
const launchOf = { grid: 1, block: 32 };
const args = { output, n: 1 };

function detached(): Int32Array {
  const array = new Int32Array(8);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

function circular(): object {
  const own: Record<string, unknown> = {};
  own.own = own;
  return own;
}

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    Symbol("symbol"),
    4n,
    -1,
    1.5,
    Number.NaN,
    2 ** 53,
    1e300,
    "",
    "x",
    [],
    [null],
    [1n],
    {},
    Object.create(null),
    () => 1,
    new Map(),
    new Date(Number.NaN),
    new Int8Array(4),
    new Int32Array(4),
    output,
    gpu,
    mark,
    i32,
  ),
  fc.constant(null).map(circular),
  fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true, maxDepth: 2 }),
);

type Call = (a: never, b: never, c: never) => unknown;

const launch = (config: object, given: object = args): unknown => gpu.launch(mark, config as never, given as never);

const CALLS: Readonly<Record<string, Call>> = {
  "new Gpu(a, b)": (a, b) => new Gpu(a, b),
  'new Gpu("v100", a)': (a) => new Gpu("v100", a),
  "a GPU's options": (a, b) => new Gpu("v100", { stepLimit: a, contractFma: b }),
  "gpu.alloc(a, b)": (a, b) => gpu.alloc(a, b).free(),
  "gpu.alloc(i32, a)": (a) => gpu.alloc(i32, a).free(),
  "gpu.upload(a)": (a) => gpu.upload(a).free(),
  "gpu.hostAlloc(i32, a)": (a) => gpu.hostAlloc(i32, a),
  "gpu.launch(a, b, c)": (a, b, c) => gpu.launch(a, b, c),
  "a launch's grid and block": (a, b) => launch({ grid: a, block: b }),
  "a launch's words": (a, b) => launch({ ...launchOf, cache: a, schedule: b }),
  "a launch's sizes": (a, b) => launch({ ...launchOf, sharedBytes: a, timeLimitMs: b }),
  "a launch's arguments": (a, b) => launch(launchOf, { output: a, n: b }),
  "a launch's argument object": (a) => launch(launchOf, a),
  "gpu.step(kernel, launch, arguments, a)": (a) => gpu.step(mark, launchOf, args, a),
  "gpu.timeline(kernel, launch, arguments, a)": (a) => gpu.timeline(mark, launchOf, args, a),
  "buffer.fill(a)": (a) => output.fill(a),
  "fill of 64 bits": (a) => wide.fill(a),
  "buffer.write(a, b)": (a, b) => output.write(a, b),
  "gpu.copy(a, b)": (a, b) => gpu.copy(a, b),
  "gpu.stream(a)": (a) => gpu.stream(a),
  "gpu.event(a)": (a) => gpu.event(a),
  "kernel(a, b, c)": (a, b, c) => kernel(a, b, c),
  'kernel("k", a, function)': (a) => kernel("k", a, (() => {}) as never),
  'device("d", a, b)': (a, b) => device("d", a, b),
  "ptr(a)": (a) => ptr(a),
  "kernel.with(a)": (a) => mark.with(a),
  "kernel.toCuda(a)": (a) => mark.toCuda(a),
  "a constant": (a) => kernel("k", { output: ptr(f32) }, { A: a } as never, (() => {}) as never),
  "checkDevice(a)": (a) => checkDevice(a),
  "a device's number": (a) => checkDevice({ ...deviceById("h200"), smClockMHz: a }),
};

/** The error that a call throws and that is none of the package's. */
function foreign(call: Call, given: readonly [unknown, unknown, unknown]): unknown {
  try {
    call(...(given as readonly [never, never, never]));
    return null;
  } catch (error) {
    return error instanceof WarplabError ? null : error;
  }
}

describe("an array whose memory was transferred", () => {
  it.each([
    ["gpu.upload", () => gpu.upload(detached())],
    ["buffer.write", () => output.write(detached())],
  ])("is refused by %s", (_, call) => {
    expect(call).toThrow("its buffer was transferred to somebody else");
  });
});

describe("whatever it is given,", () => {
  it.each(Object.keys(CALLS))("%s works or throws an error of the package", (name) => {
    const call = CALLS[name]!;
    fc.assert(
      fc.property(fc.tuple(odd, odd, odd), (given) => {
        const error = foreign(call, given);
        expect(error, error instanceof Error ? error.stack : String(error)).toBeNull();
      }),
      { numRuns: 60, seed: Number(process.env.WARPLAB_FUZZ_SEED ?? 37), verbose: 1 },
    );
  });
});
