/** Numbers that a buffer or a constant of their type cannot hold are refused: CUDA would change them in silence. */
import { expect, it } from "vitest";
import { i32, i64, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { threadIdx } from "../../../src/core/frontend/words/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });

it.each([
  ["fill of 1.5", () => gpu.alloc(i32, 4).fill(1.5), "1.5 is not an integer"],
  ["fill of NaN", () => gpu.alloc(i32, 4).fill(Number.NaN), "NaN is not an integer"],
  ["fill beyond int", () => gpu.alloc(i32, 4).fill(2 ** 32 + 5), "4294967301 is outside -2147483648 to 2147483647"],
  ["fill beyond long long", () => gpu.alloc(i64, 4).fill(2n ** 70n), "1180591620717411303424 is outside"],
  ["u32 below 0", () => gpu.alloc(u32, 4).fill(-1), "or the same bits, 4294967295"],
  ["a constant beyond int", () => i32(2 ** 40), "1099511627776 is outside"],
])("%s is refused", (_, call, message) => {
  expect(call).toThrow(message);
});

it("A switch with one case twice is refused, as C++ refuses it", () => {
  const make = () =>
    kernel("twice", { output: ptr(i32), n: i32 }, ({ output, n }) => {
      switch (n) {
        case 1:
          output[threadIdx.x] = 1;
          break;
        // biome-ignore lint/suspicious/noDuplicateCase: the case that is tested.
        case 1:
          output[threadIdx.x] = 2;
          break;
      }
    });
  expect(make).toThrow("This switch has the case 1 twice");
});
