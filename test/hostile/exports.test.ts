/**
 * Every function that the package exports, and every method of its objects, given hostile values in each place of its
 * arguments: each call works, or is refused by an error of the package, never by the host's TypeError.
 */
import { afterEach, describe, expect, it } from "vitest";
import * as warplab from "../../src/node/index.js";

const { Gpu, WarplabError, f32, float4, i32, kernel, ptr, threadIdx } = warplab;

const gpu = new Gpu("v100", { memoryBytes: 1 << 24, stepLimit: 1_000_000 });
const other = new Gpu("a100", { memoryBytes: 1 << 20 });
const mark = kernel("mark", { output: ptr(i32), n: i32 }, ({ output, n }) => {
  output[threadIdx.x] = n;
});
const sum = warplab.labReductions[0]!.kernel;
const output = gpu.alloc(i32, 64);
const floats = gpu.alloc(float4, 8);
const config = { grid: 1, block: 32 };
const args = { output, n: 1 };
const launch = gpu.launch(mark, config, args);
const stream = gpu.stream();
const trace = gpu.trace();
const timeline = warplab.timeline(launch, { cycles: 5000 });
const profile = warplab.lineProfile(launch);
const run = warplab.runReduction(gpu, sum, 2048, { block: 64 });
const version = warplab.labReductions[0]!;
const ladder = warplab.simulateLadder({ n: 4096, block: 64, device: "v100" });
const visits = warplab.watchLine(gpu, sum, { line: "+=", by: "s", block: 64 });
const pitched = gpu.allocPitch(f32, 8, 4);
const table = warplab.table({ columns: [{ key: "a" }], rows: [{ a: 1 }] });
const bars = {
  title: "t",
  versions: ["a"],
  series: [{ name: "s", values: [1] }],
  axisTitle: "ms",
  format: { decimals: 1 },
  limit: { value: 2, label: "peak" },
};
const figure = warplab.barFigure(bars);
const steps = [{ label: "a", values: Array.from({ length: 32 }, (_, lane) => lane) }];
const rows = [{ version: "a", timeMs: 1, bytes: 8, bandwidthGBps: 1, timeSpeedup: 1, simulated: 1, published: 2 }];
const quantity = { name: "time", unit: "ms", decimals: 1 };
const verdict = warplab.checkExercise("lab-25", undefined as never, { seed: 1 });

function detached(): Int32Array {
  const array = new Int32Array(64);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

function shrunk(): Int32Array {
  const Resizable = ArrayBuffer as unknown as new (
    bytes: number,
    how: object,
  ) => ArrayBuffer & { resize(to: number): void };
  const memory = new Resizable(256, { maxByteLength: 512 });
  const array = new Int32Array(memory, 128, 32);
  memory.resize?.(64);
  return array;
}

const throwing: ProxyHandler<object> = new Proxy(
  {},
  {
    get: () => () => {
      throw new RangeError("a trap");
    },
  },
);
const freed = gpu.alloc(i32, 4);
freed.free();

const HOSTILE: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["NaN", Number.NaN],
  ["-1", -1],
  ["1e12", 1e12],
  ["1n", 1n],
  ["an empty text", ""],
  ["a text", "x"],
  ["a symbol", Symbol("s")],
  ["{}", {}],
  ["[]", []],
  ["a function", () => 0],
  ["a proxy that throws", new Proxy({}, throwing)],
  ["a detached array", detached()],
  ["a shrunk array", shrunk()],
  ["an array with a wrong length", Object.defineProperty(new Int32Array(4), "length", { value: 1e9 })],
  ["a false array", Object.create(Int32Array.prototype)],
  ["an object without prototype", Object.create(null)],
  ["a false kernel", { name: "k", ir: {}, kind: "kernel", spec: {} }],
  ["a copied kernel", { ...mark }],
  ["a proxied kernel", new Proxy(mark, {})],
  ["a false buffer", { element: "i32", length: 4, address: 0, owner: gpu, copyOut: () => 1, check: () => 1 }],
  ["a vector type of -1 lanes", { type: { scalar: "i32", lanes: -1 } }],
  ["a pointer to it", { kind: "pointer", element: { type: { scalar: "i32", lanes: -1 } }, space: "any" }],
  ["a freed buffer", freed],
  ["a buffer of another GPU", other.alloc(i32, 4)],
  ["a launch", launch],
  ["a false launch", { kernel: "k", counters: {}, device: {}, program: {} }],
];

/** Enough for a field of an argument. */
const PLAIN = HOSTILE.slice(0, 13);

type Call = (...given: never[]) => unknown;

const launching = [gpu, mark, config, args] as const;
/** Arguments that work: the first table is of exports, the second of methods. */
const FUNCTIONS: Readonly<Record<string, readonly unknown[]>> = {
  annotatedText: [profile],
  bandwidthFigure: [rows, { device: "V100", peakGBps: 900 }, { title: "t" }],
  bandwidthGBps: [launch, 8],
  bankFigure: [visits, { nth: 1 }],
  barFigure: [bars],
  besidePublished: [[run], "lab-28", ["lab-25-interleaved"]],
  blocksOnSms: [launch],
  bool: [true],
  checkExercise: ["lab-25", null, { seed: 1 }],
  compare: [[run], { title: "t", names: ["a"] }],
  compareMetrics: [[{ name: "a", launch }], ["ipc"], { title: "t", note: "n" }],
  comparisonFigure: [rows, quantity, { publishedName: "p" }],
  comparisonTable: [rows, quantity, { note: "n" }],
  counts: [[launch], ["warps"], { title: "t" }],
  countsByLine: [launch],
  detectiveCase: [gpu, 1],
  whatIf: ["v100", ["sharedMemory.banks=64"], () => undefined],
  cuda: [Object.assign(["#if ", "\n#endif"], { raw: ["#if ", "\n#endif"] }), 0],
  deviationPercent: [1, 2],
  deviations: [rows],
  device: ["twice", { x: f32 }, ({ x }: { x: number }) => 2 * x],
  deviceById: ["v100"],
  deviceFrom: [warplab.deviceToJson(launch.device)],
  deviceRows: [[launch.device]],
  deviceSchema: [],
  deviceToJson: [launch.device],
  display: [table],
  elementFigure: [visits, { title: "t" }],
  event: [launch, "inst_executed"],
  exercise: ["lab-25"],
  exerciseIds: [],
  explain: [launch],
  explainDifference: [launch, launch],
  f32: [1],
  f64: [1],
  fidelity: [launch.device, "duration"],
  formatNumber: [1, { decimals: 1, significant: 2 }],
  guessTable: [[{ question: "q", guessed: 1, found: 2 }]],
  hasClang: [],
  i16: [1],
  i32: [1],
  i64: [1],
  i8: [1],
  idleShareOfSms: [launch],
  kernel: [
    "k",
    { output: ptr(i32) },
    { N: 1 },
    ({ output: to }: { output: number[] }, { N }: { N: number }) => {
      to[0] = N;
    },
  ],
  ladderFigures: [ladder],
  laneFigure: [{ title: "t", kinds: [{ name: "a" }], steps: [{ label: "s", lanes: Array(32).fill("a") }] }],
  laneValuesFigure: [{ title: "t", steps, format: {} }],
  lanesOverTime: [...launching, { block: 0 }],
  launchTreeFigure: [launch, { title: "t" }],
  launchTreeText: [launch],
  loadCuda: ["none.cu", { root: "." }],
  lineFigure: [{ title: "t", series: [{ name: "a", points: [{ x: 1, y: 1 }] }], xTitle: "x", yTitle: "y" }],
  lineHeatFigure: [profile, { title: "t" }],
  lineOfStretch: [timeline, timeline.warps[0]!.stretches[0]],
  lineProfile: [launch],
  lineStretches: [...launching, { block: 0 }],
  lineTable: [launch],
  memoryFigure: [launch, { title: "t" }],
  memoryTraffic: [launch],
  metric: [launch, "ipc"],
  modifyDevice: [launch.device, { sharedMemory: { banks: 32 } }],
  ncu: [launch],
  nvprof: [() => gpu.launch(mark, config, args), { mode: "summary", metrics: "ipc" }],
  occupancy: [launch.device, { threadsPerBlock: 64, registersPerThread: 16 }],
  occupancyCalculator: ["v100", { block: 64, registersPerThread: 16 }],
  occupancyDeviceById: ["k40"],
  occupancyFigure: [{ xTitle: "x", curve: [{ x: 1, activeWarps: 2 }], maxWarps: 64 }],
  ones: [4],
  partialSumsFigure: [visits, { title: "t" }],
  perfettoTrace: [timeline],
  plotlyJson: [figure],
  predict: [{ a: 1 }],
  ptr: [i32],
  refusedKernels: [warplab.hasClang() ? warplab.cuda`__global__ void nothing() {}` : {}],
  ptxasReport: [mark, { device: "v100", block: 64 }],
  publishedComparison: [ladder],
  publishedSweep: ["cub-h200"],
  publishedTable: ["lab-28"],
  randomFloats: [4, 1],
  randomInts: [4, 1],
  reductionById: [version.id],
  rooflineFigure: [
    {
      device: "d",
      peakGBps: 1,
      peakGops: 1,
      operation: "add",
      points: [{ label: "a", intensityOpsPerByte: 1, rateGops: 1 }],
    },
  ],
  runReduction: [gpu, sum, 2048, { block: 64, input: "ones" }],
  runVersion: [gpu, version, warplab.ones(2048), { block: 64 }],
  sanitize: [() => gpu.launch(mark, config, args), { tool: ["memcheck"], schedules: 0 }],
  scatterFigure: [{ points: [{ label: "a", group: "g", measured: 1, simulated: 2 }], quantity: "q", unit: "u" }],
  schedulerIssues: [timeline, { from: 0, to: 10 }],
  sectorFigure: [visits, { title: "t" }],
  sharedPtr: [i32],
  shuffleFigure: [
    { title: "t", steps: [...steps, { ...steps[0]!, label: "b", sources: steps[0]!.values }], follow: 0 },
  ],
  simulateLadder: [{ n: 4096, block: 64, device: "v100" }],
  smFigure: [launch.device, { title: "t" }],
  smParts: [launch.device],
  smTable: ["v100", "a100"],
  sourceRows: [launch.device],
  speedupFigure: [rows, { title: "t" }],
  speedupTable: [warplab.speedups(rows), { title: "t" }],
  speedups: [rows, { baseline: "a", peakGBps: 2 }],
  speedupsTable: [ladder],
  stallFigure: [[{ name: "a", launch }], { shares: true }],
  stepView: [...launching, { most: 5 }],
  streamPerfettoTrace: [trace],
  streamsFigure: [trace, { title: "t" }],
  streamsText: [trace],
  sumInt32: [warplab.ones(4)],
  table: [{ title: "t", columns: [{ key: "a", format: {} }], rows: [{ a: 1 }] }],
  timeFigure: [rows, { title: "t" }],
  timeline: [launch, { cycles: 10 }],
  timelineFigure: [timeline, { from: 0, to: 10 }],
  timesTable: [ladder],
  toCsv: [table],
  toCudaProgram: [{ gpu, kernel: mark, ...config, args }],
  toHtml: [table],
  toJson: [table],
  toMarkdown: [table],
  toPerfetto: [timeline],
  toPng: [Object.assign(Object.create({}), figure), { scale: 1 }],
  toSvg: [figure],
  toText: [table, { width: 40 }],
  u16: [1],
  u32: [1],
  u64: [1],
  u8: [1],
  verdictTable: [verdict],
  volatile: [ptr(i32)],
  watchAccesses: [...launching, { line: "output[" }],
  watchLine: [gpu, sum, { line: "+=", by: "s", block: 64 }],
  watchShuffles: [...launching],
  wavesFigure: [launch, { title: "t" }],
  workFigure: [visits, { title: "t" }],
  workOfSms: [launch],
};

const methods = (object: object): Readonly<Record<string, Call>> => object as Readonly<Record<string, Call>>;
const METHODS: readonly (readonly [string, () => object, Readonly<Record<string, readonly unknown[]>>])[] = [
  [
    "gpu",
    () => gpu,
    {
      alloc: [i32, 4],
      allocPitch: [i32, 4, 4],
      hostAlloc: [i32, 4],
      upload: [new Int32Array(4)],
      launch: [mark, config, args],
      stream: [{ name: "a" }],
      event: [{ timing: true }],
      copy: [output, output],
      trace: [{ restart: false }],
      setLimit: ["cudaLimitDevRuntimePendingLaunchCount", 4],
      limit: ["cudaLimitDevRuntimePendingLaunchCount"],
      step: [mark, config, args, { block: 0 }],
      timeline: [mark, config, args, { cycles: 10 }],
    },
  ],
  ["buffer", () => output, { sub: [0, 4], write: [new Int32Array(4), 0], fill: [1] }],
  ["float4 buffer", () => floats, { sub: [0, 4], write: [new Float32Array(4), 0], fill: [1] }],
  ["pitched buffer", () => pitched, { row: [0], write: [new Float32Array(32)] }],
  [
    "stream",
    () => stream,
    {
      launch: [mark, config, args],
      step: [mark, config, args, { block: 0 }],
      write: [output, new Int32Array(4), 0],
      read: [output, new Int32Array(64)],
      fill: [output, 1],
      copy: [output, output],
      wait: [gpu.event()],
    },
  ],
  ["event", () => gpu.event(), { record: [stream], elapsedMs: [gpu.event()] }],
  ["kernel", () => mark, { toCuda: [{ comments: true }], with: [{}] }],
  [
    "stepper",
    () => gpu.step(mark, config, args),
    { registers: [0, true], register: ["n", 0], operand: [0], shared: ["a"] },
  ],
  ["prediction", () => warplab.predict({ a: 1 }), { compare: [{ a: 1 }] }],
];

/** Words of kernels and constructors: the host's code cannot call the first, and the second are tested apart. */
function isHostFunction(name: string, value: unknown): value is Call {
  if (typeof value !== "function" || /^class /.test(Function.prototype.toString.call(value))) return false;
  return name in FUNCTIONS || !/onHost/.test(Function.prototype.toString.call(value));
}

/** The places of an argument, down to the fields of its options: a setter of each. */
function placesOf(given: readonly unknown[]): readonly (readonly [string, (value: unknown) => readonly unknown[]])[] {
  return given.flatMap((argument, at) => {
    const whole = (value: unknown): readonly unknown[] => given.map((each, index) => (index === at ? value : each));
    const plain =
      typeof argument === "object" &&
      argument !== null &&
      (Object.getPrototypeOf(argument) === Object.prototype || Array.isArray(argument));
    const inside = plain && argument !== launch && argument !== launch.device ? placesWithin(argument, 0) : [];
    return [
      [`argument ${at + 1}`, whole] as const,
      ...inside.map(([path, set]) => [`${path} of argument ${at + 1}`, (value: unknown) => whole(set(value))] as const),
    ];
  });
}

const DEEPEST = 2;

function placesWithin(value: object, depth: number): readonly (readonly [string, (value: unknown) => object])[] {
  return Object.entries(value)
    .slice(0, 12)
    .flatMap(([name, part]: [string, unknown]) => {
      const set = (to: unknown): object =>
        Array.isArray(value)
          ? value.map((each, index) => (String(index) === name ? to : each))
          : { ...value, [name]: to };
      const deeper =
        depth < DEEPEST &&
        typeof part === "object" &&
        part !== null &&
        part !== launch &&
        (Object.getPrototypeOf(part) === Object.prototype || Array.isArray(part));
      return [
        [name, set] as const,
        ...(deeper
          ? placesWithin(part, depth + 1).map(
              ([path, inner]) => [`${name}.${path}`, (to: unknown) => set(inner(to))] as const,
            )
          : []),
      ];
    });
}

/** Every hostile value in every place; what the host threw, in words. */
function foreignErrors(call: Call, given: readonly unknown[]): readonly string[] {
  const tries = placesOf(given).flatMap(([place, set]) =>
    (place.startsWith("argument") ? HOSTILE : PLAIN).map(
      ([name, value]) => [`${name} as ${place}`, set(value)] as const,
    ),
  );
  return tries.flatMap(([what, list]) => {
    try {
      call(...(list as never[]));
      return [];
    } catch (error) {
      if (error instanceof WarplabError) return error.cure === "" ? [`${what}: an error without cure`] : [];
      return [
        `${what}: ${String(error).slice(0, 200)}${error instanceof Error ? `\n${error.stack?.split("\n")[1]}` : ""}`,
      ];
    }
  });
}

afterEach(() => {
  for (const buffer of [output, floats]) if (buffer.freed) throw new Error("a buffer was freed");
});

describe("an exported function", () => {
  it("is in the table of this test", () => {
    const names = Object.entries(warplab).filter(([name, value]) => isHostFunction(name, value));
    expect(names.map(([name]) => name).filter((name) => !(name in FUNCTIONS))).toEqual([]);
  });

  it.each(Object.keys(FUNCTIONS))("%s refuses what it does not accept", (name) => {
    const call = (warplab as unknown as Readonly<Record<string, Call>>)[name]!;
    // Figures are not drawn to the terminal.
    const write = process.stdout.write;
    if (name === "display") process.stdout.write = (() => true) as typeof write;
    try {
      expect(foreignErrors(call, FUNCTIONS[name]!)).toEqual([]);
    } finally {
      process.stdout.write = write;
    }
  });
});

describe("a method", () => {
  const all = METHODS.flatMap(([kind, make, given]) =>
    Object.keys(given).map((name) => [kind, name, make, given[name]!] as const),
  );
  it.each(all)("of a %s: %s refuses what it does not accept", (_, name, make, given) => {
    const call = (...list: never[]): unknown => {
      const made = methods(make());
      const result = made[name]!(...list);
      if (result instanceof warplab.DeviceBuffer && ["alloc", "upload"].includes(name)) result.free();
      return result;
    };
    expect(foreignErrors(call, given)).toEqual([]);
  });

  it("new Gpu refuses what it does not accept", () => {
    const make = (...list: never[]): unknown => new Gpu(...list);
    expect(foreignErrors(make, ["v100", { memoryBytes: 1024, stepLimit: 10, contractFma: true }])).toEqual([]);
    expect(foreignErrors((spec: never) => new warplab.Kernel(spec), [mark.spec])).toEqual([]);
  });
});
