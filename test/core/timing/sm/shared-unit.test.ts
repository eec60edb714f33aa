import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/gpus/h200.js";
import { SharedUnit } from "../../../../src/core/timing/sm/shared-unit.js";

interface Row {
  readonly micro: string;
  readonly register: string;
  readonly warps: number;
  readonly cyclesPerInstructionSM: number;
}

const { rows } = JSON.parse(
  readFileSync(new URL("../../../reference/h200/micro/prologue.json", import.meta.url), "utf8"),
) as { readonly rows: readonly Row[] };

describe("a unit that all schedulers share", () => {
  it("serves all schedulers in the order in which they ask, one after the other", () => {
    const unit = new SharedUnit(4);
    expect([0, 1, 2, 3].map((scheduler) => unit.take(scheduler, 10, 2))).toEqual([10, 12, 14, 16]);
    expect(unit.take(0, 40, 2)).toBe(40);
  });

  it("lets a scheduler ask for five before it waits", () => {
    const unit = new SharedUnit(4);
    const full: number[] = [];
    for (let k = 0; k < 6; k++) {
      full.push(unit.fullUntil(1));
      unit.take(1, 100, 2);
    }
    expect(full).toEqual([0, 0, 0, 0, 0, 100]);
  });

  it("reads special registers as fast as an H200's with many warps", () => {
    for (const row of rows.filter(({ micro, warps }) => micro === "special_rate" && warps >= 16)) {
      expect(Math.abs(row.cyclesPerInstructionSM - h200.pipes.special.issueIntervalCycles)).toBeLessThan(0.02);
    }
  });
});
