import { describe, expect, it } from "vitest";
import { PortQueue } from "../../../../src/core/timing/memory/port-queue.js";

describe("the queue to an SM's port", () => {
  it("takes requests at once until its capacity is full, then each when those before it have been sent", () => {
    const queue = new PortQueue(10);
    // Five requests of 4 cycles. L2 delays the first until cycle 100; the others follow at the port's rate.
    expect([100, 104, 108, 112, 116].map((sentAt) => queue.enter(4, sentAt))).toEqual([0, 0, 100, 104, 108]);
  });

  it("holds about as many atomics of one line as an H200's SM issues before it waits", () => {
    // 112 requests in all, 20 of them in L2; a line takes the port for 5.2 cycles (h200/micro/progress.json, depth).
    const queue = new PortQueue(500);
    let taken = 0;
    while (queue.enter(5.2, 1e6) === 0) taken++;
    expect(taken).toBeGreaterThan(85);
    expect(taken).toBeLessThan(105);
  });
});
