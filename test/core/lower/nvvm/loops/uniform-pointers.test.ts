/**
 * The pointers of an unrolled loop that step from their arrays' starts, with the thread's index added per pass (MOV,
 * MOV, IMAD.WIDE). Compares the length of the first loop with nvcc 13.0's code for sm_90.
 */
import { expect, it } from "vitest";
import { compileCuda } from "../../kernel-code.js";

const HEAD = `__global__ void rows(float *C, const float *A, const float *B, const float *D, int M, int K, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0; if (row >= M || col >= N) return; for (int k = 0; k < K; k++)`;

it.each([
  ["one pointer", "s += A[row * K + k];", 38],
  ["two of constant step", "s += A[row * K + k] * B[col * K + k];", 59],
  ["two of sums", "s += A[row + k] * B[k + col];", 59],
  ["a third from an array's start", "s += A[row * K + k] * B[col * K + k] * D[k];", 93],
  ["one before one of variable step", "s += A[row * K + k] * B[k * N + col];", 73],
  ["one behind one of variable step", "s += B[k * N + col] * A[row * K + k];", 70],
  ["one from an array's start beside one of variable step", "s += A[k] * B[k * N + col];", 70],
  ["two of variable step", "s += A[k * N + col] * B[k * N + col];", 84],
  ["two at one index", "s += A[row * K + k] * B[row * K + k];", 62],
])("a pass over %s is as long as nvcc's", (_, body, length) => {
  const { instructions } = compileCuda(`${HEAD} ${body} C[row * N + col] = s; }`);
  const back = instructions.find(({ op, pc, target }) => op === "bra" && target !== undefined && target <= pc);
  const pass = instructions.slice(back!.target!, back!.pc + 1);
  expect(pass.reduce((sum, { issue }) => sum + issue.length, 0)).toBe(length);
});
