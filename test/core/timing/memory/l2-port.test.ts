import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/gpus/h200.js";
import type { L2Contents } from "../../../../src/core/timing/memory/l2-contents.js";
import { L2Port } from "../../../../src/core/timing/memory/l2-port.js";
import { readReference } from "../../../../src/tools/accuracy/measured-table.js";

interface StoreRow {
  readonly micro: string;
  readonly bytes: number;
  readonly stride: number;
  readonly requestCycles: number;
  readonly sectors: number;
}

const LANES = 32;
const SECTOR_BYTES = 32;
const LINE_BYTES = 128;

const { rows } = readReference("h200/micro/mix-2.json") as { readonly rows: readonly StoreRow[] };
const stores = rows.filter(({ micro }) => micro === "stores");

/** Number of units of `piece` bytes that a warp touches, if each lane writes `bytes` bytes, `stride` elements apart. */
function touched({ bytes, stride }: StoreRow, piece: number): number {
  return new Set(Array.from({ length: LANES }, (_, lane) => Math.floor((lane * stride * bytes) / piece))).size;
}

describe("the port's work for a store, against an H200's counter", () => {
  it.each(stores)("is within a cycle for $bytes bytes a lane, $stride of them apart", (row) => {
    const port = new L2Port(h200, 1, { writesBack: false } as L2Contents);
    const sectors = touched(row, SECTOR_BYTES);
    expect(sectors).toBe(Math.round(row.sectors));
    const whole = LANES * row.bytes >= sectors * SECTOR_BYTES;
    port.write(touched(row, LINE_BYTES), sectors, whole, true, 0);
    expect(Math.abs(port.work - row.requestCycles)).toBeLessThan(1);
  });
});
