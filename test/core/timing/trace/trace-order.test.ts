import { describe, expect, it } from "vitest";
import { traceOrder } from "../../../../src/core/timing/trace/trace-order.js";

describe("the traces of simulated blocks", () => {
  const orderOf = (traces: number): readonly number[] => [
    ...traceOrder([], [...Array.from({ length: traces }).keys()], 2 * traces, 1000, false),
  ];

  it("are the typical ones in turn", () => {
    expect(orderOf(4)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });

  it("begin with the last where few are traced, as what all blocks read may be the first one's own", () => {
    expect(orderOf(3)).toEqual([2, 0, 1, 2, 0, 1]);
  });
});
