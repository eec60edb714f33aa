/**
 * The values of all kernels of the seeds and of the course on every compute capability, in both engines, against plain
 * sums. Values are small whole numbers, so that floats are exact in any order.
 */
import { describe, expect, it } from "vitest";
import { type Engine, type PrintfRecord, RAW_COUNTER_ARRAYS } from "../../src/core/engine/engine.js";
import { fastEngine } from "../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../src/core/engine/reference/index.js";
import type { Kernel } from "../../src/core/frontend/index.js";
import { lower } from "../../src/core/lower/lower.js";
import { inPlaceReductions } from "../../src/course/reductions/in-place-kernels.js";
import {
  example03Reductions,
  labReductions,
  lastWarpWithSyncwarp,
  type ReductionVersion,
} from "../../src/course/reductions/reductions.js";
import { type DataArray, execute } from "../core/engine/launch.js";
import { warpReductionExample } from "../kernels/day37.js";
import { everyKernel } from "../kernels/index.js";
import * as labs from "../kernels/labs.js";
import * as notes from "../kernels/notes.js";
import * as examples from "../kernels/warp-examples.js";
import { CAPABILITIES, type Capability, hasShuffles, isLockstep, nameOf } from "../random/capabilities.js";

interface Case {
  readonly kernel: Kernel;
  readonly grid: number;
  readonly block: number;
  readonly args: Readonly<Record<string, DataArray | number>>;
  readonly sharedBytes: number;
  readonly output: string;
  readonly expected: readonly number[];
  readonly shuffles: boolean;
}

const values = (n: number): number[] => Array.from({ length: n }, (_, i) => ((i * 2654435761) >>> 7) % 100);
const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);
const chunks = (list: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

interface Reduction {
  readonly kernel: Kernel;
  readonly block?: number;
  readonly perThread?: number;
  /** Elements; 5 blocks' share unless told. */
  readonly n?: number;
  readonly float?: boolean;
  readonly shuffles?: boolean;
  readonly output?: string;
  readonly size?: string | null;
  readonly dynamicShared?: boolean;
  readonly expected?: (input: readonly number[], chunk: number) => readonly number[];
}

/** A kernel whose blocks each leave the sum of their own share in `output[blockIdx.x]`. */
function reduction(parts: Reduction): Case {
  const { kernel, block = 128, perThread = 1, float = false, shuffles = false, output = "output", size = null } = parts;
  const chunk = block * perThread;
  const input = values(parts.n ?? 5 * chunk);
  const expected = parts.expected?.(input, chunk) ?? chunks(input, chunk).map(sum);
  const ArrayOf = float ? Float32Array : Int32Array;
  return {
    kernel,
    grid: Math.ceil(input.length / chunk),
    block,
    args: {
      input: ArrayOf.from(input),
      [output]: new ArrayOf(expected.length),
      ...(size === null ? {} : { [size]: input.length }),
    },
    sharedBytes: parts.dynamicShared === true ? 4 * block : 0,
    output,
    expected,
    shuffles,
  };
}

const whole = (input: readonly number[]): readonly number[] => [sum(input)];
const prefixes = (input: readonly number[]): readonly number[] => input.map((_, lane) => sum(input.slice(0, lane + 1)));

const labCases = [
  { kernel: labs.divergent },
  { kernel: labs.nonDivergent },
  { kernel: labs.sequential },
  { kernel: labs.firstAdd, perThread: 2 },
  { kernel: labs.lastWarp, perThread: 2 },
  { kernel: labs.lastWarpSync, perThread: 2 },
].map((lab) => reduction({ ...lab, block: 256, dynamicShared: true }));

const floatCases = [
  { kernel: labs.ex03v1 },
  { kernel: labs.ex03v2 },
  { kernel: labs.ex03v3, perThread: 2 },
  { kernel: labs.ex03v4, perThread: 2 },
].map((version) => reduction({ ...version, n: 1000, block: 128, float: true, size: "n", dynamicShared: true }));

const manyElements = ((): Case => {
  const one = reduction({
    kernel: labs.ex03v5,
    n: 1000,
    block: 64,
    float: true,
    size: "n",
    dynamicShared: true,
    // Two blocks of 64 threads, two elements a thread and trip.
    expected: (input) => [0, 1].map((b) => sum(input.filter((_, i) => ((i >> 7) & 1) === b))),
  });
  return { ...one, grid: 2 };
})();

const noteCases = [
  { kernel: notes.neighbored, n: 1000 },
  { kernel: notes.neighboredImproved },
  { kernel: notes.interleaved, n: 1000 },
  { kernel: notes.unrollingBlocks2, perThread: 2 },
  { kernel: notes.unrollingBlocks4, perThread: 4 },
  { kernel: notes.warpUnrolling },
  { kernel: notes.completeUnrollingAsPrinted },
  { kernel: notes.completeUnrolling },
].map((note) => {
  const made = reduction({ ...note, output: "temp", size: "size" });
  return made;
});

const shuffles = true;
const exampleCases = [
  reduction({ kernel: examples.sharedMemoryReduction, n: 1000, block: 256, size: "n" }),
  reduction({ kernel: examples.warpShuffleReduction, n: 1000, block: 256, size: "n", shuffles }),
  reduction({ kernel: examples.singleWarpReduction, n: 32, block: 32, shuffles }),
  reduction({
    kernel: examples.multipleReductions,
    n: 256,
    block: 256,
    size: "n",
    shuffles,
    expected: (input) => [sum(input), Math.max(...input), Math.min(...input)],
  }),
  reduction({ kernel: examples.shuffleUpScan, n: 32, block: 32, shuffles, expected: prefixes }),
  reduction({ kernel: examples.gridWideReduction, n: 1000, block: 256, size: "n", shuffles, expected: whole }),
  reduction({ kernel: examples.aggregatedAtomics, n: 1000, block: 96, size: "n", shuffles, expected: whole }),
  reduction({ kernel: examples.plainAtomics, n: 1000, block: 96, size: "n", expected: whole }),
  reduction({ kernel: examples.cooperativeReduction, n: 1000, block: 256, size: "n", shuffles }),
  reduction({
    kernel: warpReductionExample,
    n: 128,
    block: 128,
    float: true,
    shuffles,
    expected: (input) => chunks(input, 32).map(sum),
  }),
];

const segmented = ((): Case => {
  const segment = Int32Array.from({ length: 32 }, (_, lane) => (lane < 5 ? 0 : lane < 20 ? 1 : 2));
  const one = reduction({
    kernel: examples.segmentedScan,
    n: 32,
    block: 32,
    shuffles,
    expected: (input) => input.map((_, lane) => sum(input.filter((_, i) => i <= lane && segment[i] === segment[lane]))),
  });
  return { ...one, args: { ...one.args, segment } };
})();

const adding = [notes.add, notes.addWithWarpIndex].map((kernel): Case => {
  const [a, b] = [values(256), values(512).slice(256)];
  const args = { a: Int32Array.from(a), b: Int32Array.from(b), c: new Int32Array(256) };
  const expected = a.map((value, i) => value + b[i]!);
  return { kernel, grid: 2, block: 128, args, sharedBytes: 0, output: "c", expected, shuffles: false };
});

const printing = [notes.printDetailsOfWarps, notes.codeWithoutDivergence, notes.divergenceCode];
/** Their own tests have what is wrong with the first; the others need child grids (test/core/host). */
const elsewhere = [examples.segmentedAsPrinted, notes.dynamicParallelismCheck, notes.recursiveReduce];

const courseCases = [...labReductions, lastWarpWithSyncwarp, ...example03Reductions].map(
  (version: ReductionVersion): Case => {
    const { kernel, element, elementsPerThread, guarded } = version;
    const perThread = elementsPerThread === "grid" ? 2 : elementsPerThread;
    const n = guarded ? 5 * 128 * perThread - 37 : 5 * 128 * perThread;
    return reduction({
      kernel,
      perThread,
      n,
      float: element === "f32",
      dynamicShared: true,
      ...(guarded ? { size: "n" } : {}),
    });
  },
);

const inPlaceCases = inPlaceReductions.map(({ kernel, dataBlocks }) =>
  reduction({ kernel, block: 512, perThread: dataBlocks, n: 3 * 512 * dataBlocks, size: "n" }),
);

const cases = [
  ...labCases,
  ...floatCases,
  manyElements,
  ...noteCases,
  ...exampleCases,
  segmented,
  ...adding,
  ...courseCases,
  ...inPlaceCases,
];

interface Ran {
  readonly values: readonly number[];
  readonly counts: string;
  readonly printed: readonly PrintfRecord[];
}

function run(one: Case, computeCapability: Capability, engine: Engine): Ran {
  const program = lower(one.kernel.ir, { computeCapability, contractFma: true });
  const wanted = new Set(program.params.map(({ name }) => name));
  const args = Object.fromEntries(
    Object.entries(one.args)
      .filter(([name]) => wanted.has(name))
      .map(([name, value]) => [name, typeof value === "object" ? value.slice() : value]),
  );
  const { read, counters, result } = execute(program, {
    grid: one.grid,
    block: one.block,
    dynamicSharedBytes: one.sharedBytes,
    args,
    engine,
    lockstep: isLockstep(computeCapability),
  });
  const output = one.args[one.output] === undefined ? [] : [...read<Int32Array | Float32Array>(one.output)];
  const counts = RAW_COUNTER_ARRAYS.map((name) => [...counters[name]].join()).join(";");
  return { values: output, counts, printed: result.printed };
}

describe.each(CAPABILITIES.map((capability) => ({ on: nameOf(capability), capability })))(
  "on compute capability $on",
  ({ capability }) => {
    const fitting = cases.filter((one) => !one.shuffles || hasShuffles(capability));

    it.each(fitting.map((one) => [one.kernel.name, one] as const))("%s leaves the plain sums", (_, one) => {
      const reference = run(one, capability, referenceEngine);
      expect(reference.values).toEqual(one.expected);
      expect(run(one, capability, fastEngine)).toEqual(reference);
    });

    it.each(printing.map((kernel) => [kernel.name, kernel] as const))(
      "%s prints a line a thread, or none",
      (_, kernel) => {
        const one: Case = {
          kernel,
          grid: 2,
          block: 42,
          args: {},
          sharedBytes: 0,
          output: "",
          expected: [],
          shuffles: false,
        };
        const lines = run(one, capability, referenceEngine).printed;
        expect(lines).toHaveLength(kernel === notes.printDetailsOfWarps ? 84 : 0);
        expect(run(one, capability, fastEngine).printed).toEqual(lines);
      },
    );
  },
);

it("every kernel of the seeds is among them", () => {
  const known = new Set<Kernel>([...cases.map(({ kernel }) => kernel as Kernel), ...printing, ...elsewhere]);
  expect(
    everyKernel()
      .filter((kernel) => !known.has(kernel))
      .map(({ name }) => name),
  ).toEqual([]);
});
