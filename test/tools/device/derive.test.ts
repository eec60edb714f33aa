import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type DeviceEntry,
  type DeviceJson,
  type DeviceSpec,
  deviceFrom,
  deviceToJson,
  h200,
} from "../../../src/core/device/index.js";
import { simulateLadder } from "../../../src/course/tables/ladder.js";
import "../../../src/node/files-on-disk.js";
import "../../../src/node/platform.js";
import { measureProgram, runDevice, runMeasure, runPredict } from "../../../src/tools/device/command.js";
import { compareReadings } from "../../../src/tools/device/compare.js";
import { deriveDevice, derivedFields } from "../../../src/tools/device/derive.js";
import { readOutputs } from "../../../src/tools/device/readings.js";
import { compileProgram, nvccVersion } from "../../core/cuda/nvcc.js";

const reference = new URL("../../reference/", import.meta.url).pathname;
const file = (path: string) => ({ name: path.split("/").at(-1)!, text: readFileSync(join(reference, path), "utf8") });

/** What no microbenchmark says of the H200. */
function factsOf(device: DeviceSpec): DeviceJson["numbers"] {
  const { numbers } = deviceToJson(device);
  const published = ["computeCapability", "smCount", "smClockMHz", "l2.sizeBytes", "dram.peakBandwidthGBps"];
  return Object.fromEntries([...published, "limits.totalGlobalMemBytes"].map((field) => [field, numbers[field]!]));
}

interface Predicted {
  readonly table: string;
  readonly kernel: string;
  readonly n?: number;
  readonly timeMs: number;
}

const valueAt = (device: unknown, field: string): unknown =>
  field.split(".").reduce<unknown>((group, key) => (group as Record<string, unknown>)[key], device);

describe("the H200 from its own microbenchmarks", () => {
  const sets = ["set-1", "set-2", "set-3", "set-4", "extra", "cache", "lanes", "streams", "prologue"];
  let json: DeviceJson;
  beforeAll(() => {
    const outputs = sets.map((name) => file(`h200/micro/${name}.json`));
    json = deriveDevice(readOutputs(outputs), { id: "h200-again", facts: factsOf(h200) });
  });

  it("has more than forty numbers of its own", () => {
    expect(derivedFields(json).length).toBeGreaterThan(40);
  });

  it("has the built-in device's numbers within the stated spreads and 6 % of them", () => {
    const outside = derivedFields(json).filter((field) => {
      const { value, spread } = json.numbers[field] as DeviceEntry;
      const builtIn = Number(valueAt(h200, field));
      const [low, high] = [Math.min(spread![0], Number(value)), Math.max(spread![1], Number(value))];
      return builtIn < 0.94 * low || builtIn > 1.06 * high;
    });
    expect(outside).toEqual([]);
  });

  it("gives nine of ten times of the labs within 1 %, and all within 5 %", () => {
    const off = (["cold", "warm"] as const).flatMap((cache) => {
      const on = (device: DeviceSpec) => simulateLadder({ device, n: 2 ** 20, block: 256, cache }).rows;
      const again = on(deviceFrom(json));
      return on(h200).map(({ timeMs }, index) => Math.abs(again[index]!.timeMs / timeMs - 1));
    });
    expect(off.length).toBe(10);
    expect(off.filter((each) => each < 0.01).length).toBeGreaterThanOrEqual(9);
    expect(Math.max(...off)).toBeLessThan(0.05);
  });
});

describe("the H200 from the program's output", () => {
  const json = deriveDevice(readOutputs([file("h200/micro/measure.out")]), { id: "h200-measured" });

  it("has the built-in device's facts and nearly its numbers", () => {
    const device = deviceFrom(json);
    expect([device.smCount, device.l2.sizeBytes, device.dram.peakBandwidthGBps]).toEqual([132, 62914560, 4814]);
    // What a launch or a copy takes beside its work differs from run to run; the kept shares are of the kernels that read. A word's
    // latency is that of its place in L2: 270 to 517 cycles among 16 words here.
    const ofSession =
      /^launch\.(emptyKernelEvent|backToBack)|^transfers\.(pageableHost|deviceCopy)|KeptShare$|^atomics\.(return|sameAddressLane)/;
    const far = derivedFields(json).filter((field) => {
      const { value } = json.numbers[field] as DeviceEntry;
      return !ofSession.test(field) && Math.abs(Number(value) / Number(valueAt(h200, field)) - 1) > 0.06;
    });
    expect(far).toEqual([]);
    expect(derivedFields(json).length).toBeGreaterThan(50);
  });
});

describe("the H100 of test/reference/h100", () => {
  const outputs = readdirSync(join(reference, "h100/micro")).sort();
  const committed = JSON.parse(file("h100/h100.json").text) as DeviceJson;

  it("is made of its microbenchmarks and published facts alone", () => {
    const readings = readOutputs(outputs.map((name) => file(`h100/micro/${name}`)));
    const facts = JSON.parse(file("h100/facts.json").text) as DeviceJson["numbers"];
    expect(deriveDevice(readings, { id: "h100", name: committed.name, facts })).toEqual(committed);
  });

  it("differs from the H200 where the cards do", () => {
    const { dram, l2, pipes } = deviceFrom(committed);
    expect(dram.peakBandwidthGBps * dram.achievableReadFraction).toBeLessThan(3300);
    expect(l2.bandwidthGBps).toBeLessThan(8500);
    expect(pipes).toEqual(h200.pipes);
  });

  it("has a prediction of each of the course's kernels at each size, block and state of the caches", () => {
    const { predictions } = JSON.parse(file("h100/predictions.json").text) as {
      readonly predictions: readonly Predicted[];
    };
    const ladders = predictions.filter(({ n, table }) => n !== undefined && table !== "exercises");
    const kernels = new Set(ladders.map(({ table, kernel }) => `${table}: ${kernel}`));
    expect(kernels.size).toBe(21);
    // Three sizes, four blocks, cold and warm.
    expect(ladders).toHaveLength(kernels.size * 3 * 4 * 2);
    const exercises = new Set(predictions.filter(({ table }) => table === "exercises").map(({ kernel }) => kernel));
    expect([...exercises]).toEqual(expect.arrayContaining(["day-37", "lab-25", "lab-28", "lab-29", "lab-30"]));
    expect(predictions.every(({ timeMs }) => timeMs > 0.001 && timeMs < 1000)).toBe(true);
  });
});

const card = {
  card: "NVIDIA GeForce RTX 3070",
  program: "warplab measure 1",
  computeCapability: "8.6",
  smCount: 46,
  maxClockMHz: 1725,
  memoryClockMHz: 7001,
  busWidthBits: 256,
  l2Bytes: 4194304,
  totalGlobalMemBytes: 8589934592,
  sharedBytesPerBlock: 49152,
  sharedBytesPerBlockOptIn: 101376,
  sharedBytesPerSm: 102400,
  sharedReservedBytesPerBlock: 1024,
  registersPerBlock: 65536,
  registersPerSm: 65536,
  maxThreadsPerBlock: 1024,
  maxThreadsPerSm: 1536,
  maxBlocksPerSm: 16,
  asyncEngines: 2,
};
const reading = (name: string, value: number, unit: string) => ({
  reading: name,
  value,
  low: 0.99 * value,
  high: 1.02 * value,
  unit,
  repetitions: 9,
});
const output = (...rows: readonly object[]) => ({
  name: "my-gpu.out",
  text: rows.map((row) => JSON.stringify(row)).join("\n"),
});
const rows = [
  card,
  { clock: "SM", value: 1905.1, unit: "MHz" },
  { clock: "SM", value: 1890, unit: "MHz" },
  { clock: "SM", value: 1920, unit: "MHz" },
  { warning: "the SM clock has moved by more than 1 %", group: "streams" },
  reading("chain.ffma", 4.03, "cycles"),
  reading("rate.dadd", 0.0621, "a cycle and SM"),
  reading("l1.chase.4", 33.4, "cycles"),
  reading("l1.chase.16", 33.2, "cycles"),
  reading("dram.read.loop", 410, "GB/s"),
  reading("dram.read.pieces", 420, "GB/s"),
  reading("atomic.address", 1.05, "ns"),
  ...[1, 32].map((warps) => reading(`barrier.${warps}`, 12 + 2 * warps, "cycles")),
];

describe("the output of the program", () => {
  const readings = readOutputs([output(...rows)]);
  const json = deriveDevice(readings, { id: "my-gpu" });
  const device = deviceFrom(json);

  it("gives the card's facts and the clock that it ran at", () => {
    expect(device.name).toBe("NVIDIA GeForce RTX 3070");
    expect(device.smCount).toBe(46);
    expect(device.smClockMHz).toBe(1905);
    expect(device.dram.peakBandwidthGBps).toBe(448);
    expect(json.numbers.smClockMHz).toMatchObject({ spread: [1890, 1920], confidence: "measured" });
  });

  it("gives latencies, intervals, shares and slopes as the readings have them", () => {
    expect(device.pipes.fma.latencyCycles).toBe(4);
    // Two fp64 results a cycle and SM: a warp instruction in sixteen.
    expect(device.pipes.fp64.issueIntervalCycles).toBe(16);
    expect(device.l1.hitLatencyCycles).toBe(33);
    expect(device.dram.achievableReadFraction).toBeCloseTo(415 / 448, 3);
    expect(device.atomics.sameAddressIntervalCycles).toBeCloseTo(1.05 * 1.905, 2);
    expect(device.barrier).toEqual({ baseLatencyCycles: 12, perWarpCycles: 2 });
  });

  it("leaves the generation's numbers where it has no reading", () => {
    expect(device.l2.campingFactor).toBe(1.2);
    expect(derivedFields(json)).not.toContain("l2.campingFactor");
  });

  it("keeps its warnings", () => {
    expect(readings.warnings).toEqual(["the SM clock has moved by more than 1 % (streams)"]);
  });

  it("is refused where the program failed, or is no output", () => {
    const failed = output(card, { error: "out of memory", call: "cudaMalloc(&big, bigBytes)", line: 1 });
    expect(() => readOutputs([failed])).toThrow(/out of memory/);
    expect(() => readOutputs([{ name: "x", text: "nothing" }])).toThrow(/holds no line of JSON/);
    expect(() => readOutputs([output({ hello: 1 })])).toThrow(/no reading/);
  });

  it("is simulated where a kernel stands for a reading", () => {
    const h200Readings = readOutputs([
      output(reading("chain.ffma", 4, "cycles"), reading("shared.load.32", 32, "cycles"), reading("no.such", 1, "x")),
    ]);
    const compared = compareReadings(h200, h200Readings);
    expect(compared.map(({ name }) => name)).toEqual(["chain.ffma", "shared.load.32"]);
    for (const { errorPercent } of compared) expect(Math.abs(errorPercent)).toBeLessThan(3);
  });
});

describe("the program", () => {
  const text = readFileSync(measureProgram(), "utf8");

  it("needs the CUDA runtime and the C++ library alone", () => {
    const included = [...text.matchAll(/#include <([^>]+)>/g)].map(([, name]) => name);
    const known = ["cuda_runtime.h", "algorithm", "cstdio", "cstdlib", "cstring", "string", "vector"];
    expect(included.filter((name) => !known.includes(name!))).toEqual([]);
  });

  it("prints each reading that a number comes from", () => {
    const printed = [...text.matchAll(/(?:print|numbered|loops|GBps)\((?:numbered\()?"([\w.]+)"/g)].map(
      ([, name]) => name!,
    );
    const operations = [...text.matchAll(/run_(\w+)\(\)/g)].flatMap(([, name]) => [`chain.${name}`, `rate.${name}`]);
    const all = new Set([...printed, ...operations]);
    const derive = readFileSync(new URL("../../../src/tools/device/derive.ts", import.meta.url), "utf8");
    const read = [...derive.matchAll(/(?:one|interval|median|best|share|slope)\(\s*"([\w.]+)"/g)].map(
      ([, name]) => name!,
    );
    expect(read.length).toBeGreaterThan(40);
    const isPrinted = (name: string) =>
      [...all].some((other) => other === name.replace(/\.\d*$/, "") || other === name || other.startsWith(name));
    expect(read.filter((name) => !isPrinted(name))).toEqual([]);
  });
});

describe.skipIf(nvccVersion() === null)("nvcc", () => {
  it("compiles the program for the oldest and a later GPU that it knows, without a warning", () => {
    const folder = mkdtempSync(join(tmpdir(), "warplab-measure-"));
    const copy = join(folder, "measure.cu");
    copyFileSync(measureProgram(), copy);
    try {
      expect(() => compileProgram(copy, 75, 90)).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the commands", () => {
  const folder = mkdtempSync(join(tmpdir(), "warplab-device-"));
  const said: string[] = [];
  const to = { out: (text: string) => said.push(text), error: (text: string) => said.push(text) };

  it("write the program, and a device file with its page", () => {
    expect(runMeasure([join(folder, "measure.cu")], to)).toBe(0);
    expect(readFileSync(join(folder, "measure.cu"), "utf8")).toContain("nvcc -O3 -arch=native");
    const outputs = readdirSync(join(reference, "h100/micro")).map((name) => join(reference, "h100/micro", name));
    const facts = join(reference, "h100/facts.json");
    expect(runDevice([...outputs, "--id", "mine", "--facts", facts, "--out", folder, "--no-compare"], to)).toBe(0);
    expect(deviceFrom(JSON.parse(readFileSync(join(folder, "mine.json"), "utf8"))).smCount).toBe(132);
    expect(readFileSync(join(folder, "mine.html"), "utf8")).toContain("dram.achievableReadFraction");
    rmSync(folder, { recursive: true });
    expect(existsSync(folder)).toBe(false);
  });

  it("say what is wrong", () => {
    expect(runDevice(["no-such.out"], to)).toBe(2);
    expect(said.at(-1)).toContain("There is no file no-such.out");
    expect(runDevice(["--nonsense"], to)).toBe(2);
    expect(runPredict([], to)).toBe(2);
    expect(said.at(-1)).toContain("Give --device");
  });
});
