import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/gpus/h200.js";
import { childGridsTime, type GridLaunch, type GridRun } from "../../../../src/core/timing/launch/child-grid-times.js";

interface Row {
  readonly micro?: string;
  readonly stream?: string;
  readonly children?: number;
  readonly launchers?: number;
  readonly blocks?: number;
  readonly depth?: number;
  readonly child_us?: number;
  readonly threads?: number;
  readonly grid?: number;
  readonly limit?: number;
  readonly failed?: number;
  readonly error?: string;
  readonly ms?: number;
  readonly parent_without_launch_ms?: number;
  readonly cdp_children?: number;
  readonly fire_and_forget_ms?: number;
  readonly stream_ms?: number;
  readonly cdp_tail_depth?: number;
}

function rowsOf(file: string): readonly Row[] {
  const { rows } = JSON.parse(readFileSync(new URL(`../../../reference/${file}`, import.meta.url), "utf8")) as {
    rows: Row[];
  };
  return rows;
}

const measured = rowsOf("h200/micro/cdp.json");
const micro = rowsOf("h200/micro/set-1.json");
const spec = h200.dynamicParallelism!;
const empty: GridRun = { microseconds: 0, gpuShare: 0, launches: [] };

function grid(launches: readonly GridLaunch[], microseconds = 0): GridRun {
  return { microseconds, gpuShare: 0, launches };
}

/** `count` children, launched by the threads that `at` names. */
function parent(
  count: number,
  at: (index: number) => { block: number; warp: number },
  child: GridRun = empty,
): GridRun {
  return grid(Array.from({ length: count }, (_, index) => ({ ...at(index), grid: child, awaited: false })));
}

function chain(depth: number): GridRun {
  let run = empty;
  for (let level = 0; level < depth; level++) run = grid([{ block: 0, warp: 0, grid: run, awaited: false }]);
  return run;
}

const oneThread = (): { block: number; warp: number } => ({ block: 0, warp: 0 });
const ownBlocks = (index: number): { block: number; warp: number } => ({ block: index, warp: 0 });
const ownWarps = (index: number): { block: number; warp: number } => ({ block: 0, warp: index >> 5 });

/** Signed relative error of the predicted time against the row's. */
function error(run: GridRun, aloneMs: number, ms: number): number {
  return (aloneMs + childGridsTime(spec, run).addedMicroseconds / 1000) / ms - 1;
}

const aloneMs = measured.find((row) => row.parent_without_launch_ms !== undefined)!.parent_without_launch_ms!;
const rows = (name: string, stream: string): readonly Row[] =>
  measured.filter((row) => row.micro === name && row.stream === stream && row.limit === undefined);

describe("child grids of one thread", () => {
  for (const row of rows("one_thread", "null")) {
    it(`${row.children} take the time measured on the H200, within 10 %`, () => {
      expect(Math.abs(error(parent(row.children!, oneThread), aloneMs, row.ms!))).toBeLessThan(0.1);
    });
  }
  for (const row of micro.filter((candidate) => candidate.stream_ms !== undefined)) {
    it(`${row.cdp_children} of one stream take the first measurement's time, within 10 %`, () => {
      expect(Math.abs(error(parent(row.cdp_children!, oneThread), 0.00762, row.stream_ms!))).toBeLessThan(0.1);
    });
  }
  for (const row of rows("spinning_children", "null")) {
    it(`8 that work ${row.child_us} us each run one after the other, within 15 %`, () => {
      const child: GridRun = { microseconds: row.child_us!, gpuShare: 1 / 1056, launches: [] };
      expect(Math.abs(error(parent(8, oneThread, child), aloneMs, row.ms!))).toBeLessThan(0.15);
    });
  }
});

describe("child grids of a block's threads", () => {
  for (const row of [...rows("threads_of_a_warp", "null"), ...rows("threads_of_a_block", "null")]) {
    it(`${row.launchers} launchers take the time measured on the H200, within 20 %`, () => {
      expect(Math.abs(error(parent(row.launchers!, ownWarps), aloneMs, row.ms!))).toBeLessThan(0.2);
    });
  }
});

describe("child grids of many blocks", () => {
  for (const row of rows("one_child_a_block", "null")) {
    it(`one of each of ${row.blocks} blocks takes the time measured on the H200, within 35 %`, () => {
      expect(Math.abs(error(parent(row.blocks!, ownBlocks), aloneMs, row.ms!))).toBeLessThan(0.35);
    });
  }
  for (const row of micro.filter((candidate) => candidate.fire_and_forget_ms !== undefined)) {
    it(`${row.cdp_children} that do not wait for each other take the time measured first, within 20 %`, () => {
      expect(Math.abs(error(parent(row.cdp_children!, ownBlocks), 0.00762, row.fire_and_forget_ms!))).toBeLessThan(0.2);
    });
  }
  for (const row of rows("spinning_full_grids", "forget")) {
    it(`8 grids of ${row.grid} blocks of 1024 threads share the SMs, within 20 %`, () => {
      // Two such blocks an SM of 132.
      const rounds = Math.max(1, row.grid! / 264);
      const child: GridRun = {
        microseconds: row.child_us! * rounds,
        gpuShare: Math.min(1, row.grid! / 264),
        launches: [],
      };
      expect(Math.abs(error(parent(8, ownBlocks, child), aloneMs, row.ms!))).toBeLessThan(0.2);
    });
  }
});

describe("grids launched by grids", () => {
  for (const row of rows("chain", "null")) {
    if (row.failed! > 0) continue;
    it(`${row.depth} levels take the time measured on the H200, within 25 %`, () => {
      expect(Math.abs(error(chain(row.depth!), aloneMs, row.ms!))).toBeLessThan(0.25);
    });
  }
  for (const row of micro.filter((candidate) => (candidate.cdp_tail_depth ?? 0) > 0)) {
    it(`${row.cdp_tail_depth} levels of tail launches take the time measured first, within 15 %`, () => {
      expect(Math.abs(error(chain(row.cdp_tail_depth!), 0.00762, row.ms!))).toBeLessThan(0.15);
    });
  }
  // A full GPU takes 0.29 to 0.53 us a child, depending on the kernel, and longer with a larger pool of launches. The
  // device has one number.
  for (const row of measured.filter(({ micro: name, limit }) => name === "chain_a_block" && limit === 2048)) {
    if (row.threads !== 32) continue;
    it(`${row.depth} levels below each of ${row.blocks} blocks take the time measured on the H200, within a factor of 2`, () => {
      const ratio = 1 + error(parent(row.blocks!, ownBlocks, chain(row.depth! - 1)), aloneMs, row.ms!);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    });
  }
  it("are counted with their depth", () => {
    const time = childGridsTime(spec, parent(3, ownBlocks, chain(4)));
    expect(time.grids).toBe(15);
    expect(time.depth).toBe(5);
  });
});

describe("waiting for a child", () => {
  it("keeps the warp from its next launch until the child has ended", () => {
    const child: GridRun = { microseconds: 50, gpuShare: 0, launches: [] };
    const launches = (awaited: boolean): GridRun =>
      grid([
        { block: 0, warp: 0, grid: child, awaited },
        { block: 0, warp: 0, grid: empty, awaited },
      ]);
    const without = childGridsTime(spec, launches(false)).addedMicroseconds;
    const waited = childGridsTime(spec, launches(true)).addedMicroseconds;
    expect(waited - without).toBeCloseTo(spec.nestedLaunchMicroseconds - spec.streamIntervalMicroseconds, 6);
  });
});

it("a launch without children adds nothing", () => {
  expect(childGridsTime(spec, empty).addedMicroseconds).toBe(0);
});
