import { describe, expect, it } from "vitest";
import { StoreRuns } from "../../../../src/core/timing/memory/store-runs.js";
import { readReference } from "../../../../src/tools/accuracy/measured-table.js";
import { coldMicroseconds, microKernels } from "../cold-launch.js";

interface Row {
  readonly kernel: string;
  readonly stores: number;
  readonly a: number;
  readonly grid: number;
  readonly block: number;
  readonly dirtyUs: number;
}

interface Ticket {
  readonly kernel: string;
  readonly fence: number;
  readonly atomic: number;
  readonly grid: number;
  readonly block: number;
  readonly dirtyUs: number;
}

const { rows, tickets } = readReference("h200/micro/runs.json") as {
  readonly rows: readonly Row[];
  readonly tickets: readonly Ticket[];
};
const kernels = microKernels("h200/micro/runs.cu", "struct Launch");

describe("stores in a row that fill each other's sectors", () => {
  const chosen = rows.filter(({ kernel, a, stores }) => kernel.startsWith("runCopy") && a >= 5 && a <= 8 && stores > 2);

  it.each(chosen)("behind loads, $kernel of $a words a thread, take as long as on the H200, within 22 %", (row) => {
    const simulated = coldMicroseconds(kernels.get(row.kernel)!, row.grid, row.block, 0, ["B", "Z", row.a]);
    expect(Math.abs(simulated / row.dirtyUs - 1)).toBeLessThan(0.22);
  });
});

describe("a warp's run of stores", () => {
  it("is told from the same warp's of 63 more instances of its block, which store between", () => {
    const SECTORS_OF_SIX_LINES = Int32Array.from({ length: 24 }, (_, sector) => sector << 8);
    const runs = new StoreRuns();
    const instances = Array.from({ length: 64 }, (_, instance) => instance * 2 ** 31);
    for (const instance of instances) runs.loaded(instance + 100);
    const merged = [100, 126].map((record) =>
      instances.map((instance) =>
        runs.merged(SECTORS_OF_SIX_LINES, 0, 24, 6, instance + record, instance + record + 26),
      ),
    );
    expect(merged[0]!.every((sectors) => sectors === 0)).toBe(true);
    expect(merged[1]!.filter((sectors) => sectors > 0.9 * 24).length).toBeGreaterThan(60);
  });
});

describe("a block that fences its sum before it takes a ticket", () => {
  const chosen = tickets.filter(({ block, grid, atomic }) => block === 1024 && grid === 16384 && atomic === 1);

  it.each(chosen)("$kernel, fence $fence, takes as long as on the H200, within a fifth", (row) => {
    const kernel = kernels.get(row.kernel)!;
    const args = row.kernel === "last" ? (["O", "cnt"] as const) : (["I", "O", "cnt"] as const);
    const simulated = coldMicroseconds(kernel, row.grid, row.block, 0, [...args, row.fence, row.atomic]);
    expect(Math.abs(simulated / row.dirtyUs - 1)).toBeLessThan(0.2);
  });
});
