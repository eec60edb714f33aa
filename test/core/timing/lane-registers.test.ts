/**
 * Per-lane special registers come through the data stage of L1: which ones, and the accesses that wait for them (an
 * H200's counters and times).
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../src/core/device/gpus/h200.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { kindOf, LANE_REGISTER } from "../../../src/core/timing/program/slot-info.js";
import { timedProgram } from "../../../src/core/timing/program/timed-program.js";
import { DataStage } from "../../../src/core/timing/sm/data-stage.js";

interface Row {
  readonly micro: string;
  readonly registers: readonly string[];
  readonly wavefrontsAWarp: number;
}

const { rows } = JSON.parse(
  readFileSync(new URL("../../reference/h200/micro/registers.json", import.meta.url), "utf8"),
) as { readonly rows: readonly Row[] };

const NAMES: Readonly<Record<string, string>> = {
  "TID.X": "threadIdx.x",
  "TID.Y": "threadIdx.y",
  "CTAID.X": "blockIdx.x",
};

function wavefrontsOf(registers: readonly string[]): number {
  const sum = ["n", ...registers.map((register) => NAMES[register])].join(" + ");
  const kernels = readCuda(`__global__ void special(int *out, int n) { int v = ${sum}; if (v == n) out[0] = v; }`);
  const program = lower(kernels.get("special")!, { computeCapability: h200.computeCapability, contractFma: true });
  return [...timedProgram(program, h200).microcode.info].filter((info) => kindOf(info) === LANE_REGISTER).length;
}

describe("registers that a warp reads of its own place", () => {
  const known = rows.filter(
    ({ micro, registers }) => micro === "special" && registers.every((register) => register in NAMES),
  );
  it.each(known)("$registers take $wavefrontsAWarp wavefronts of the data stage", ({ registers, wavefrontsAWarp }) => {
    expect(wavefrontsOf(registers)).toBe(wavefrontsAWarp);
  });
});

describe("how much of the data stage's time is taken", () => {
  it("is told by the stretch", () => {
    const stage = new DataStage();
    stage.take(640, 8);
    expect(stage.busyShare(650)).toBe(0.25);
    stage.take(640, 100);
    expect([650, 690, 800].map((time) => stage.busyShare(time))).toEqual([1, 1, 0]);
  });
});
