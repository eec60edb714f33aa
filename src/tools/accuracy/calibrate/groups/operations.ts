/**
 * Kernels that time one operation, as those of test/reference/h200/micro/extra.cu: `chain` has 64 dependent ones a
 * round, `four` as many in four independent chains. A name with _ between two operations is that pair. The texts differ
 * in the operation alone, so they are made from one.
 */
import { f32, f64, i32, Kernel, ptr, u32 } from "../../../../core/frontend/index.js";

export interface OperationKernels {
  /** As the measured rows call it. */
  readonly name: string;
  readonly chain: Kernel;
  readonly four: Kernel;
  /** The values of b and c. */
  readonly operands: readonly [b: number, c: number];
}

/** Operations in an iteration of either kernel. */
export const OPERATIONS_A_ROUND = 64;

const types = { i32, u32, f32, f64 } as const;

interface Operation {
  readonly name: string;
  readonly type: keyof typeof types;
  /** The next value of X. */
  readonly next: string;
  /** CUDA's words that it uses. */
  readonly words?: readonly string[];
  readonly operands?: readonly [b: number, c: number];
}

/** Divisors change, as nothing of a division by an unchanging one need be done again. */
const operations: readonly Operation[] = [
  { name: "imad", type: "u32", next: "X * b + c" },
  { name: "iadd_lop3", type: "u32", next: "(X + b) ^ c" },
  { name: "shf_lop3", type: "u32", next: "(X >>> b) ^ c" },
  { name: "vimnmx_lop3", type: "u32", next: "max(X, b) ^ c", words: ["max"] },
  { name: "popc", type: "u32", next: "u32(popc(X))", words: ["popc"] },
  { name: "brev", type: "u32", next: "u32(brev(X))", words: ["brev"] },
  { name: "setp_selp", type: "u32", next: "X < b ? c : X", operands: [30, 5] },
  { name: "fadd", type: "f32", next: "X + b" },
  { name: "ffma", type: "f32", next: "X * b + c", operands: [0.5, 5] },
  { name: "dadd", type: "f64", next: "X + b" },
  { name: "dfma", type: "f64", next: "X * b + c", operands: [0.5, 5] },
  { name: "div_u32_or", type: "u32", next: "idiv(b, X) | c", words: ["idiv"], operands: [123456789, 3] },
  { name: "rem_u32_or", type: "u32", next: "(b % X) | c", operands: [123456789, 3] },
  { name: "rem_s32_or", type: "i32", next: "(b % X) | c", operands: [123456789, 3] },
  { name: "shfl_bfly", type: "u32", next: "u32(shfl_xor_sync(0xffffffff, X, 1))", words: ["shfl_xor_sync"] },
  { name: "shfl_down", type: "u32", next: "u32(shfl_down_sync(0xffffffff, X, 1))", words: ["shfl_down_sync"] },
  { name: "redux", type: "u32", next: "u32(reduce_add_sync(0xffffffff, X))", words: ["reduce_add_sync"] },
  { name: "match_any", type: "u32", next: "u32(match_any_sync(0xffffffff, X))", words: ["match_any_sync"] },
];

function kernelOf({ name, type, next, words = [] }: Operation, chains: readonly string[]): Kernel {
  const copies = OPERATIONS_A_ROUND / chains.length;
  const starts = chains.map((x, index) => `let ${x} = ${type}(threadIdx.x + ${index + 3}) * b + c;`);
  const steps = chains.map((x) => `${x} = ${next.replaceAll("X", x)};`);
  const text = `({ out, b, c, rounds }, { ${["threadIdx", "unroll", type, ...words].join(", ")} }) => {
  ${starts.join("\n  ")}
  for (let round = 0; round < rounds; round++) {
    unroll(4);
    for (let k = 0; k < ${copies}; k++) {
      unroll();
      ${steps.join("\n      ")}
    }
  }
  if (${chains.join(" + ")} === ${type}(123457)) out[0] = x;
}`;
  const params = { out: ptr(types[type]), b: types[type], c: types[type], rounds: i32 };
  return new Kernel({ name: `${name}${chains.length}`, text, params, constants: {}, functions: {} });
}

export const operationKernels: readonly OperationKernels[] = Object.freeze(
  operations.map((operation) => ({
    name: operation.name,
    chain: kernelOf(operation, ["x"]),
    four: kernelOf(operation, ["x", "y", "z", "w"]),
    operands: operation.operands ?? [3, 5],
  })),
);
