/** Each cell of the table of faults: its fault is found by the tool that should, with its line; its corrected twin is silent. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { type SanitizerReport, sanitize } from "../../../src/index.js";
import { type CellFault, OPERATIONS, SIDES, SPACES } from "./faults/cell.js";
import { cellFaults, faultsOf, faultTable, REASONS, reasonOf } from "./faults/table.js";
import { ALL } from "./planted/planted.js";

const gpus = new Map(ALL.map((id) => [id, new Gpu(id, { memoryBytes: 1 << 20, stepLimit: 100_000 })]));

function report({ run }: CellFault, device: string, fixed: boolean): SanitizerReport {
  const gpu = gpus.get(device)!;
  try {
    return sanitize(() => run(gpu, fixed));
  } finally {
    gpu.reset();
  }
}

const told = ({ findings }: SanitizerReport): readonly string[] =>
  findings.map(({ tool, severity, title, places }) =>
    [tool, severity, title, ...places.map(({ kernel, text }) => `${kernel}: ${text}`)].join(" | "),
  );

const rows = cellFaults.flatMap((fault) =>
  fault.devices.map(
    (device) => [`${fault.operation}, ${fault.space}, ${fault.side}`, fault.name, device, fault] as const,
  ),
);

describe("a cell of the table of faults", () => {
  it.each(rows)("%s: %s is found on %s", (_cell, _name, device, fault) => {
    const found = report(fault, device, false);
    const errors = found.findings.filter(({ severity }) => severity === "error");
    const right = errors.filter(
      ({ tool, title, places }) =>
        tool === fault.tool &&
        [title, ...places.map(({ kernel, text }) => `${kernel}: ${text}`)].some((text) => text.includes(fault.line)),
    );
    expect([told(found), right.length > 0]).toEqual([told(found), true]);
    expect(errors.filter(({ tool }) => tool !== fault.tool).length, told(found).join("\n")).toBe(0);
  });

  it.each(rows)("%s: %s is gone from the corrected program on %s", (_cell, _name, device, fault) => {
    expect(told(report(fault, device, true))).toEqual([]);
  });

  const cells = OPERATIONS.flatMap((operation) =>
    SPACES.flatMap((space) => SIDES.map((side) => [operation, space, side] as const)),
  );

  it("has a fault or a reason", () => {
    expect(cells.filter((cell) => faultsOf(...cell).length === 0 && reasonOf(...cell) === 0)).toEqual([]);
    const used = new Set(cells.filter((cell) => faultsOf(...cell).length === 0).map((cell) => reasonOf(...cell)));
    expect([...used].sort((a, b) => a - b)).toEqual(REASONS.map((_, index) => index + 1));
  });

  it("stands in the kept table", () => {
    expect(readFileSync(new URL("faults/TABLE.md", import.meta.url), "utf8")).toBe(faultTable());
  });
});
