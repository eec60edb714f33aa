import { describe, expect, it } from "vitest";
import { readCuda } from "../../src/frontend/cuda/read-cuda.js";
import { lower } from "../../src/lower/lower.js";
import { execute } from "../engine/launch.js";

const TEXT = `__global__ void rounds(int *out, double step, int most) {
  double cx = threadIdx.x * step, cy = 0.25, x = 0.0, y = 0.0;
  int k = 0;
  while (k < most && x * x + y * y <= 4.0) {
    double z = x * x - y * y + cx;
    y = 2.0 * x * y + cy;
    x = z;
    ++k;
  }
  out[threadIdx.x] = k;
}`;

/** The kernel in JavaScript's doubles; nvcc contracts the same product. */
function rounds(cx: number, most: number): number {
  let [x, y, k] = [0, 0, 0];
  for (; k < most && x * x + y * y <= 4; k++) [x, y] = [x * x - y * y + cx, 2 * x * y + 0.25];
  return k;
}

describe("what a loop's test has computed for the next round", () => {
  const ir = readCuda(TEXT).get("rounds");
  if (ir === undefined) throw new Error("no kernel");
  const program = lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });

  it("is carried there: two products a round, as nvcc has it", () => {
    const products = program.instructions.filter(({ op, type }) => op === "mul" && type === "f64");
    expect(products.length).toBe(2);
  });

  it("leaves the rounds as many", () => {
    const out = new Int32Array(64);
    const ran = execute(program, {
      grid: [1, 1, 1],
      block: [64, 1, 1],
      dynamicSharedBytes: 0,
      args: { out, step: 0.03125, most: 50 },
    });
    expect([...ran.read<Int32Array>("out")]).toEqual(
      Array.from({ length: 64 }, (_, lane) => rounds(lane * 0.03125, 50)),
    );
  });
});
