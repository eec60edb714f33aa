/** Copies and overlaps against an H200: test/reference/h200/micro/transfers.json and overlap.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/index.js";
import type { CopyActivity } from "../../../../src/core/host/activity.js";
import { copyCost, engineOf, memsetCost } from "../../../../src/core/host/streams/costs.js";
import type { Engine, OperationCost } from "../../../../src/core/host/streams/operation.js";
import { streamRules } from "../../../../src/core/host/streams/rules.js";
import { StreamScheduler } from "../../../../src/core/host/streams/scheduler.js";
import { LEGACY_STREAM, type StreamKey } from "../../../../src/core/host/streams/stream-key.js";

interface Row {
  readonly micro: string;
  readonly x: number;
  readonly event: number;
}

const micro = join(import.meta.dirname, "../../../reference/h200/micro");
const rowsOf = (file: string): readonly Row[] =>
  (JSON.parse(readFileSync(join(micro, file), "utf8")) as { readonly rows: readonly Row[] }).rows;
const transfers = rowsOf("transfers.json");
const overlap = rowsOf("overlap.json");
const find = (rows: readonly Row[], name: string, x: number): number =>
  rows.find((row) => row.micro === name && row.x === x)?.event ?? Number.NaN;

const MiB = 2 ** 20;

function copy(way: CopyActivity["way"], host: CopyActivity["host"], bytes: number): CopyActivity {
  const where = { owner: {}, address: 0, bytes, device: h200, stream: LEGACY_STREAM };
  return { kind: "copy", way, host, async: true, pinned: null, elementBytes: 4, from: null, rows: null, ...where };
}
const alone = ({ phases }: OperationCost): number => phases.reduce((sum, { microseconds }) => sum + microseconds, 0);
const copyTime = (...parts: Parameters<typeof copy>): number => alone(copyCost(h200, copy(...parts)));

function expectNear(predicted: number, measured: number, tolerance: number): void {
  expect(Math.abs(predicted / measured - 1), `${predicted} us for ${measured} us`).toBeLessThanOrEqual(tolerance);
}

describe("copies on an H200", () => {
  it.each([1, 16, 256])("from and to page-locked memory take what was measured within 8 %%: %d MiB", (size) => {
    expectNear(copyTime("HtoD", "pinned", size * MiB), find(transfers, "pinnedHtoD", size * MiB), 0.08);
    expectNear(copyTime("DtoH", "pinned", size * MiB), find(transfers, "pinnedDtoH", size * MiB), 0.08);
  });
  it.each([1, 16, 256])("from and to pageable memory take what was measured within a factor of 2: %d MiB", (size) => {
    for (const [way, name] of [
      ["HtoD", "pageableHtoD"],
      ["DtoH", "pageableDtoH"],
    ] as const) {
      const ratio = copyTime(way, "pageable", size * MiB) / find(transfers, name, size * MiB);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    }
  });
  it("within its memory, and memsets, take what was measured within 5 % where they are large", () => {
    expectNear(copyTime("DtoD", null, 256 * MiB), find(transfers, "DtoD", 256 * MiB), 0.05);
    const { owner, address, bytes, device, stream } = copy("HtoD", null, 256 * MiB);
    const memset = memsetCost(h200, { kind: "memset", async: true, owner, address, bytes, device, stream });
    expectNear(alone(memset), find(transfers, "memset", 256 * MiB), 0.05);
  });
});

function streamsOf(count: number): readonly StreamKey[] {
  return Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    name: `stream ${i + 1}`,
    kind: "blocking" as const,
  }));
}

/** Hands over operations as the measuring program does, one call after the other; the time until the last has ended. */
class Program {
  readonly scheduler: StreamScheduler = new StreamScheduler(streamRules(h200));
  host = 0;
  hand(stream: StreamKey, engine: Engine, cost: () => OperationCost): void {
    this.scheduler.enqueue(stream, engine, this.host, cost);
    this.host += engine === "SMs" ? h200.launch.backToBackMicroseconds : h200.transfers.copyCallMicroseconds;
  }
  copy(stream: StreamKey, way: CopyActivity["way"], bytes: number): void {
    this.hand(stream, engineOf({ way }), () => copyCost(h200, copy(way, way === "DtoD" ? null : "pinned", bytes)));
  }
  /** A kernel that spins: blocks of 256 threads, of which an SM holds eight. */
  spin(stream: StreamKey, blocks: number): void {
    const rounds = blocks / (8 * h200.smCount);
    const microseconds = find(overlap, "spinInStreams", 10001);
    const demands = { dram: 0, l2: 0, issue: 0 };
    this.hand(stream, "SMs", () => ({
      leadMicroseconds: 0,
      phases: [{ share: rounds, microseconds }],
      demands,
    }));
  }
}

describe("streams on an H200", () => {
  it.each([1, 66, 132, 528, 1056].flatMap((blocks) => [2, 4, 32].map((count) => [count, blocks] as const)))(
    "%d of them with a kernel of %d blocks each take what was measured within 3 %%",
    (count, blocks) => {
      const program = new Program();
      for (const stream of streamsOf(count)) program.spin(stream, blocks);
      expectNear(program.scheduler.drain(), find(overlap, "spinInStreams", count * 10000 + blocks), 0.03);
    },
  );

  it.each(
    ["depthFirst", "breadthFirst"].flatMap((order) =>
      [1, 4].flatMap((n) => [132, 1056].map((g) => [order, n, g] as const)),
    ),
  )(
    "take what was measured within 3 %% for four times copy, kernel, copy back: %s in %d streams, %d blocks",
    (order, count, blocks) => {
      const program = new Program();
      const streams = streamsOf(count);
      const of = (i: number): StreamKey => streams[i % count]!;
      const stages = [
        (i: number) => program.copy(of(i), "HtoD", 16 * MiB),
        (i: number) => program.spin(of(i), blocks),
        (i: number) => program.copy(of(i), "DtoH", 16 * MiB),
      ];
      const four = [0, 1, 2, 3];
      if (order === "depthFirst") for (const i of four) for (const stage of stages) stage(i);
      else for (const stage of stages) for (const i of four) stage(i);
      expectNear(program.scheduler.drain(), find(overlap, order, count * 10000 + blocks), 0.03);
    },
  );

  it("share the link both ways within 1 %, and follow one another one way", () => {
    const both = new Program();
    const [a, b] = streamsOf(2);
    both.copy(a!, "HtoD", 256 * MiB);
    both.copy(b!, "DtoH", 256 * MiB);
    expectNear(both.scheduler.drain(), find(transfers, "bothWays", 256 * MiB), 0.01);
    const same = new Program();
    same.copy(a!, "HtoD", 256 * MiB);
    same.copy(b!, "HtoD", 256 * MiB);
    expectNear(same.scheduler.drain(), find(transfers, "twoHtoD", 256 * MiB), 0.01);
  });

  it("keep a copy within the memory waiting for a kernel that fills the SMs", () => {
    const program = new Program();
    const [a, b] = streamsOf(2);
    program.spin(a!, 1056);
    program.copy(b!, "DtoD", 256 * MiB);
    expectNear(program.scheduler.drain(), find(overlap, "DtoDBesideSpin", 1_000_000), 0.03);
  });

  it("run a kernel of the default stream between those of others, but beside non-blocking ones", () => {
    const between = (kind: StreamKey["kind"]): number => {
      const program = new Program();
      const [a, b] = streamsOf(2).map((key): StreamKey => ({ ...key, kind }));
      for (const stream of [a!, LEGACY_STREAM, b!]) program.spin(stream, 1);
      return program.scheduler.drain();
    };
    expectNear(between("blocking"), find(overlap, "between:defaultKernel", 1_000_000), 0.02);
    expectNear(between("non-blocking"), find(overlap, "nonBlocking:defaultKernel", 1_000_000), 0.02);
  });
});
