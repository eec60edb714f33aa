import { describe, expect, it, vi } from "vitest";
import {
  atomicAdd,
  blockDim,
  blockIdx,
  explain,
  explainDifference,
  Gpu,
  i32,
  kernel,
  type LaunchResult,
  ptr,
  type RuleName,
  shared,
  syncthreads,
  threadIdx,
  unroll,
} from "../../../../src/index.js";

const gpu = new Gpu("v100");
const to = gpu.alloc(i32, 1 << 24);
const from = gpu.alloc(i32, 1 << 24);

const copy = kernel("copy", { to: ptr(i32), from: ptr(i32), stride: i32 }, ({ to, from, stride }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i * stride];
});
const table = kernel("table", { to: ptr(i32), from: ptr(i32), step: i32 }, ({ to, from, step }) => {
  const part = shared(i32, 2048);
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x * step] = from[i];
  syncthreads();
  let sum = 0;
  for (let k = 0; k < 32; k++) sum += part[(threadIdx.x * step + k * 32) % 2048];
  to[i] = sum;
});
const rounds = kernel("rounds", { to: ptr(i32), from: ptr(i32), mask: i32 }, ({ to, from, mask }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  let v = from[i];
  const most = 64 + (threadIdx.x & mask) * 4;
  for (let k = 0; k < most; k++) v = v * 3 + k;
  to[i] = v;
});
const held = kernel("held", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const part = shared(i32, 12288);
  part[threadIdx.x] = from[blockIdx.x * blockDim.x + threadIdx.x];
  syncthreads();
  to[blockIdx.x * blockDim.x + threadIdx.x] = part[threadIdx.x ^ 1];
});
const tree = kernel("tree", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const part = shared(i32, 1024);
  part[threadIdx.x] = from[blockIdx.x * blockDim.x + threadIdx.x];
  syncthreads();
  for (let s = 512; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    syncthreads();
  }
  if (threadIdx.x === 0) to[blockIdx.x] = part[0];
});
const add = kernel("add", { to: ptr(i32), from: ptr(i32), step: i32 }, ({ to, from, step }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(to, i * step, from[i]);
});

const addOnce = kernel("addOnce", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  if (threadIdx.x === 0) atomicAdd(to, 0, from[blockIdx.x]);
});

const lastLane = kernel("lastLane", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  let v = from[i];
  if (threadIdx.x % 32 === 0) {
    for (let k = 0; k < 64; k++) {
      unroll(1);
      v = (v * 3) ^ k;
    }
    to[i] = v;
  }
});

const copied = (grid: number, block: number, stride = 1): LaunchResult =>
  gpu.launch(copy, { grid, block }, { to, from, stride });
const tabled = (step: number): LaunchResult => gpu.launch(table, { grid: 640, block: 256 }, { to, from, step });
const ran = (grid: number, mask = 0): LaunchResult => gpu.launch(rounds, { grid, block: 256 }, { to, from, mask });
const added = (step: number): LaunchResult => gpu.launch(add, { grid: 640, block: 256 }, { to, from, step });

const rulesOf = (launch: LaunchResult): readonly RuleName[] => explain(launch).findings.map(({ rule }) => rule);

describe("a rule of explain", () => {
  it.each<readonly [RuleName, () => LaunchResult, () => LaunchResult]>([
    ["too few blocks", () => copied(4, 256), () => copied(80, 256)],
    ["uncoalesced access", () => copied(640, 256, 8), () => copied(640, 256)],
    ["bank conflicts", () => tabled(8), () => tabled(1)],
    ["divergence", () => ran(640, 31), () => ran(640)],
    ["idle lanes", () => gpu.launch(lastLane, { grid: 640, block: 256 }, { to, from }), () => ran(640, 31)],
    ["low occupancy", () => gpu.launch(held, { grid: 1600, block: 64 }, { to, from }), () => copied(640, 256)],
    ["tail effect", () => ran(660), () => ran(640)],
    ["short blocks", () => copied(32768, 32), () => copied(1024, 1024)],
    ["memory bound", () => copied(16384, 1024), () => ran(640, 0)],
    ["compute bound", () => ran(3200), () => copied(640, 256)],
    ["latency bound", () => copied(4, 256), () => ran(3200)],
    ["barrier stalls", () => gpu.launch(tree, { grid: 1024, block: 1024 }, { to, from }), () => copied(640, 256)],
    ["atomics on one address", () => added(0), () => added(1)],
  ])("finds %s in a kernel that has the fault, and not in one without", (rule, faulty, sound) => {
    expect(rulesOf(faulty())).toContain(rule);
    expect(rulesOf(sound())).not.toContain(rule);
  });

  it("names the line and the counters of an access that is not coalesced", () => {
    const finding = explain(copied(640, 256, 8)).findings.find(({ rule }) => rule === "uncoalesced access");
    expect(finding?.line?.text).toBe("to[i] = from[i * stride];");
    // A warp's 32 words, 8 apart, lie in 32 sectors; gld_efficiency is 4 bytes of each sector's 32.
    expect(finding?.evidence.map(({ value, kind }) => [value, kind])).toEqual([
      [32, "exact"],
      [12.5, "exact"],
    ]);
  });

  it("counts lanes that have ended as missing, where no branch divides a warp", () => {
    const finding = explain(gpu.launch(lastLane, { grid: 640, block: 256 }, { to, from })).findings.find(
      ({ rule }) => rule === "idle lanes",
    );
    expect(finding?.line?.text).toMatch(/^for \(let k = 0; k < 64; k\+\+\)|^v = /);
    // Sixty-four rounds with one lane of 32, and a few instructions with all of them.
    const [lanes, branches] = finding?.evidence ?? [];
    expect(lanes?.value).toBeGreaterThan(100 / 32);
    expect(lanes?.value).toBeLessThan(30);
    expect(branches?.value).toBe(100);
  });

  it("says what part of its time the launch would take without the cause", () => {
    const conflicts = tabled(8);
    const finding = explain(conflicts).findings.find(({ rule }) => rule === "bank conflicts");
    const twin = tabled(1).time.durationMicroseconds / conflicts.time.durationMicroseconds;
    expect(Math.abs((finding?.timeLeft ?? 1) - twin)).toBeLessThan(0.1);
    expect(explain(conflicts).text).toContain(
      `Without bank conflicts this launch would take ${finding?.timeLeft.toFixed(2)} of its duration (predicted).`,
    );
  });

  it("is silent about a cause whose removal gains nothing", () => {
    // Two blocks an SM are all that the grid has: more places for warps would stay empty.
    expect(rulesOf(gpu.launch(held, { grid: 160, block: 64 }, { to, from }))).not.toContain("low occupancy");
  });

  it("advises an addition a block only to a kernel that adds more often", () => {
    const adviceOn = (launch: LaunchResult): string =>
      explain(launch).findings.find(({ rule }) => rule === "atomics on one address")?.advice ?? "";
    expect(adviceOn(added(0))).toContain("let one thread a block add");
    // Fermi's L2 takes many cycles for an atomic.
    const fermi = new Gpu("m2070");
    const args = { to: fermi.alloc(i32, 1), from: fermi.alloc(i32, 20000) };
    expect(adviceOn(fermi.launch(addOnce, { grid: 20000, block: 64 }, args))).toMatch(/^Launch fewer blocks/);
  });

  it("predicts a launch again only where a finding is asked for", () => {
    const launch = ran(640);
    const timeIf = vi.fn(launch.timeIf);
    const watched: LaunchResult = Object.create(launch, { timeIf: { value: timeIf } });
    expect(watched.time.cycles).toBeGreaterThan(0);
    expect(timeIf).not.toHaveBeenCalled();
    const { length } = explain(watched).findings;
    expect(timeIf.mock.calls.length).toBeGreaterThanOrEqual(length);
    expect(timeIf.mock.calls.length).toBeLessThanOrEqual(8);
  });

  it("names the resource that limits the occupancy", () => {
    const { text } = explain(gpu.launch(held, { grid: 1600, block: 64 }, { to, from }));
    expect(text).toContain("limited by 49152 bytes of shared memory a block");
  });

  it("is in the table as a sentence with its evidence", () => {
    const { views, findings } = explain(copied(4, 256));
    const [shown] = views;
    expect(shown?.kind === "table" ? shown.rows.map(({ rule }) => rule) : null).toEqual(
      findings.map(({ rule }) => rule),
    );
    const lines = shown?.kind === "table" ? shown.rows.flatMap((row) => Object.values(row).join("\n").split("\n")) : [];
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(56);
    expect(lines.join(" ")).toContain(findings[0]?.sentence);
    expect(findings.every(({ evidence }) => evidence.every(({ value }) => Number.isFinite(value)))).toBe(true);
  });
});

describe("the difference of two launches", () => {
  it("tells the speed-up, what changed, and the fault that is gone", () => {
    const [a, b] = [copied(640, 256, 8), copied(640, 256)];
    const { speedup, solved, changes, text } = explainDifference(a, b);
    expect(speedup).toBeCloseTo(a.timeMs / b.timeMs, 10);
    expect(speedup).toBeGreaterThan(1);
    expect(solved.map(({ rule }) => rule)).toContain("uncoalesced access");
    // 5,120 warps load 32 or 4 sectors and store 4.
    expect(changes.find(({ metric }) => metric === "global sectors")).toMatchObject({
      before: 5120 * 36,
      after: 5120 * 8,
    });
    expect(text).toMatch(
      /^The second is [\d.]+ times as fast: event time [\d.]+ to [\d.]+ ms, kernel duration [\d.]+ to [\d.]+ ms/,
    );
  });

  it("has exact counts to the unit in its table", () => {
    const [shown] = explainDifference(copied(640, 256, 8), copied(640, 256)).views;
    const row = shown?.kind === "table" ? shown.rows.find(({ metric }) => metric === "global sectors") : undefined;
    // 5,120 warps load 32 or 4 sectors and store 4.
    expect(row).toMatchObject({ before: "184,320", after: "40,960" });
  });

  it("says of a slower launch why it is slower, and of equal ones that nothing changed", () => {
    const [a, b] = [tabled(1), tabled(8)];
    expect(explainDifference(a, b).text).toMatch(
      /times as slow.*\nA warp spends more time in .*_(scoreboard|throttle)/,
    );
    expect(explainDifference(a, a).changes).toEqual([]);
    expect(explainDifference(a, a).text).toMatch(/^Both take the same time/);
  });

  it("refuses launches on two GPUs", () => {
    const other = new Gpu("h200");
    const args = { to: other.alloc(i32, 1024), from: other.alloc(i32, 1024), stride: 1 };
    const there = other.launch(copy, { grid: 4, block: 256 }, args);
    expect(() => explainDifference(copied(4, 256), there)).toThrow(/Compare launches on one GPU/);
  });
});
