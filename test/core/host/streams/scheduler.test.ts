/** Schedules worked out by hand, from the Programming Guide's rules and one line of arithmetic each. */
import { describe, expect, it } from "vitest";
import type { Engine, OperationCost } from "../../../../src/core/host/streams/operation.js";
import type { StreamRules } from "../../../../src/core/host/streams/rules.js";
import { type Scheduled, StreamScheduler } from "../../../../src/core/host/streams/scheduler.js";
import type { StreamKey, StreamKind } from "../../../../src/core/host/streams/stream-key.js";

const hyperQ: StreamRules = {
  residentGrids: 128,
  checksLaunches: false,
  inOrder: () => false,
  copyQueue: (engine) => engine,
  bothWaysFraction: 1,
};
const oneEngine: StreamRules = { ...hyperQ, inOrder: (engine) => engine !== "SMs", copyQueue: () => "copies" };
const fermi: StreamRules = {
  ...hyperQ,
  residentGrids: 16,
  checksLaunches: true,
  inOrder: () => true,
};

const takes =
  (microseconds: number, share: number = 1, dram: number = 0) =>
  (): OperationCost => ({
    leadMicroseconds: 0,
    phases: [{ share, microseconds }],
    demands: { dram, l2: 0, issue: 0 },
  });

function streamsOf(count: number, kind: StreamKind = "blocking"): readonly StreamKey[] {
  return Array.from({ length: count }, (_, i) => ({ number: i + 1, name: `stream ${i + 1}`, kind }));
}
const legacy: StreamKey = { number: 0, name: "default stream", kind: "legacy" };

const STAGES: readonly Engine[] = ["HtoD", "SMs", "DtoH"];

/** Four times a copy, a kernel and a copy back of 10 us each; where each has started. */
function pipeline(rules: StreamRules, order: "depth" | "breadth", streams: readonly StreamKey[]) {
  const scheduler = new StreamScheduler(rules);
  const rows = streams.map((): Scheduled[] => []);
  const hand = (i: number, engine: Engine): unknown =>
    rows[i]?.push(scheduler.enqueue(streams[i] ?? legacy, engine, 0, takes(10)));
  if (order === "depth") for (const i of streams.keys()) for (const engine of STAGES) hand(i, engine);
  else for (const engine of STAGES) for (const i of streams.keys()) hand(i, engine);
  const end = scheduler.drain();
  return { end, starts: rows.map((row) => row.map(({ start }) => start)) };
}

describe("four streams of copy, kernel and copy back", () => {
  it("overlap three at a time with a copy engine each way: 4 + 2 steps of 10 us, in either order of the calls", () => {
    for (const order of ["depth", "breadth"] as const) {
      const { end, starts } = pipeline(hyperQ, order, streamsOf(4));
      expect(end).toBeCloseTo(60, 6);
      expect(starts).toEqual([
        [0, 10, 20],
        [10, 20, 30],
        [20, 30, 40],
        [30, 40, 50],
      ]);
    }
  });

  it("do not overlap at all depth first with one copy engine, as the Programming Guide says", () => {
    const { end, starts } = pipeline(oneEngine, "depth", streamsOf(4));
    expect(end).toBeCloseTo(120, 6);
    expect(starts.map(([first]) => first)).toEqual([0, 30, 60, 90]);
  });

  it("hide all but one kernel behind copies breadth first with one copy engine: eight copies in turn", () => {
    const { end, starts } = pipeline(oneEngine, "breadth", streamsOf(4));
    expect(starts.map(([copy]) => copy)).toEqual([0, 10, 20, 30]);
    expect(starts.map(([, kernel]) => kernel)).toEqual([10, 20, 30, 40]);
    expect(starts.map(([, , back]) => back)).toEqual([40, 50, 60, 70]);
    expect(end).toBeCloseTo(80, 6);
  });

  it("are one after the other in one stream", () => {
    const [stream] = streamsOf(1);
    expect(pipeline(hyperQ, "depth", Array(4).fill(stream)).end).toBeCloseTo(120, 6);
  });

  it("hold later kernels up depth first before Hyper-Q, where a copy back checks the launch before it", () => {
    // Kernel 2 waits for kernel 1, which is being checked; alone its blocks would fit beside it.
    const scheduler = new StreamScheduler(fermi);
    const [a, b] = streamsOf(2);
    scheduler.enqueue(a!, "SMs", 0, takes(10, 0.25));
    scheduler.enqueue(a!, "DtoH", 0, takes(5));
    const second = scheduler.enqueue(b!, "SMs", 0, takes(10, 0.25));
    scheduler.drain();
    expect(second.start).toBeCloseTo(10, 6);
  });

  it("run their kernels together breadth first before Hyper-Q", () => {
    const scheduler = new StreamScheduler(fermi);
    const [a, b] = streamsOf(2);
    scheduler.enqueue(a!, "SMs", 0, takes(10, 0.25));
    const second = scheduler.enqueue(b!, "SMs", 0, takes(10, 0.25));
    const back = scheduler.enqueue(a!, "DtoH", 0, takes(5));
    scheduler.drain();
    expect([second.start, back.start]).toEqual([0, 10]);
  });
});

describe("the default stream", () => {
  const run = (middle: StreamKey, outer: readonly StreamKey[]): readonly (number | null)[] => {
    const scheduler = new StreamScheduler(hyperQ);
    const all = [outer[0]!, middle, outer[1]!].map((key) => scheduler.enqueue(key, "SMs", 0, takes(10, 0.1)));
    scheduler.drain();
    return all.map(({ start }) => start);
  };
  it("waits for blocking streams, and they wait for it", () => {
    expect(run(legacy, streamsOf(2))).toEqual([0, 10, 20]);
  });
  it("leaves non-blocking streams alone", () => {
    expect(run(legacy, streamsOf(2, "non-blocking"))).toEqual([0, 0, 0]);
  });
  it("is a stream like any other per thread", () => {
    expect(run({ ...legacy, kind: "blocking" }, streamsOf(2))).toEqual([0, 0, 0]);
  });
});

describe("an event", () => {
  it("lets another stream wait for all that came before its record, and no more", () => {
    const scheduler = new StreamScheduler(hyperQ);
    const [a, b] = streamsOf(2);
    scheduler.enqueue(a!, "SMs", 0, takes(10, 0.1));
    const record = scheduler.enqueue(a!, null, 0, null);
    scheduler.enqueue(a!, "SMs", 0, takes(50, 0.1));
    scheduler.enqueue(b!, null, 0, null, [record]);
    const waits = scheduler.enqueue(b!, "SMs", 0, takes(10, 0.1));
    expect(scheduler.drain()).toBeCloseTo(60, 6);
    expect([record.end, waits.start]).toEqual([10, 10]);
  });
});

describe("kernels of different streams", () => {
  const together = (costs: readonly (() => OperationCost)[]): readonly (number | null)[] => {
    const scheduler = new StreamScheduler(hyperQ);
    const streams = streamsOf(costs.length);
    const all = costs.map((cost, i) => scheduler.enqueue(streams[i]!, "SMs", 0, cost));
    scheduler.drain();
    return all.map(({ end }) => end);
  };
  it("run at full speed while their blocks fit", () => {
    expect(together([takes(10, 0.5), takes(10, 0.5)])).toEqual([10, 10]);
  });
  it("take the places that earlier ones leave: half of them until 10 us, all from then on", () => {
    expect(together([takes(10, 0.5), takes(10, 1)])).toEqual([10, 15]);
  });
  it("wait where nothing is left", () => {
    expect(together([takes(10, 1), takes(10, 0.1)])).toEqual([10, 20]);
  });
  it("share DRAM's bandwidth: two that need 80 % of it each go at 1 / 1.6 of their speed", () => {
    const [a, b] = together([takes(10, 0.5, 0.8), takes(10, 0.5, 0.8)]);
    expect(a).toBeCloseTo(16, 6);
    expect(b).toBeCloseTo(16, 6);
  });
  it("are at most 128 at one time on compute capability 9.0", () => {
    const ends = together(Array.from({ length: 129 }, () => takes(10, 1 / 1000)));
    expect(ends.filter((end) => end === 10)).toHaveLength(128);
    expect(ends[128]).toBeCloseTo(20, 6);
  });
});

describe("copies", () => {
  it("of one direction follow one another", () => {
    const scheduler = new StreamScheduler(hyperQ);
    for (const key of streamsOf(2)) scheduler.enqueue(key, "HtoD", 0, takes(10));
    expect(scheduler.drain()).toBeCloseTo(20, 6);
  });
  it("of both directions slow each other by the link's share", () => {
    const scheduler = new StreamScheduler({ ...hyperQ, bothWaysFraction: 0.8 });
    const [a, b] = streamsOf(2);
    scheduler.enqueue(a!, "HtoD", 0, takes(10));
    scheduler.enqueue(b!, "DtoH", 0, takes(10));
    expect(scheduler.drain()).toBeCloseTo(12.5, 6);
  });
});

describe("an outlook", () => {
  it("leaves the schedule where it is", () => {
    const scheduler = new StreamScheduler(hyperQ);
    const [a] = streamsOf(1);
    const kernel = scheduler.enqueue(a!, "SMs", 0, takes(10));
    scheduler.advance(4);
    expect(scheduler.outlook().get(kernel)?.end).toBeCloseTo(10, 6);
    expect([kernel.end, scheduler.now]).toEqual([null, 4]);
  });
});
