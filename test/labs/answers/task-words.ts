/** Answers that pass over a word of the task, each as a change of the solution's text; the last ones are wrong for few values. */
import type { Narrow } from "./narrow.js";

type Changes = Narrow[2];
type Change = Changes[number];

const half = (id: string): Changes => [
  [
    id === "day-42"
      ? "const start = i32(blockIdx.x) * width * 8 + tid;"
      : "const start = i32(blockIdx.x * blockDim.x * 8 + tid);",
    "const all = i32(blockDim.x); const some = all >= 128 ? all >> 1 : all; const start = i32(blockIdx.x) * all * 8 + (i32(tid) % some);",
  ],
  ["k < 8; k++", "k < (all < 128 ? 8 : i32(tid) < some ? 16 : 0); k++"],
  [id === "day-42" ? "k * width" : "k * i32(blockDim.x)", "k * some"],
];
const warps = (id: string): Changes => [
  [
    id === "day-42"
      ? "const start = i32(blockIdx.x) * width * 8 + tid;"
      : "const start = i32(blockIdx.x * blockDim.x * 8 + tid);",
    "const start = i32(blockIdx.x * blockDim.x * 8 + (tid >> 5) * 256 + (tid & 31));",
  ],
  ["k * i32(blockDim.x)", "k * 32"],
];
const turned: Changes = [
  [
    "const i = start + k * i32(blockDim.x);",
    "const i = start - i32(tid) + k * i32(blockDim.x) + ((i32(tid) + 32 * k) & (i32(blockDim.x) - 1));",
  ],
];
const exch: Change = ["sdata[tid] = sum;", "atomicExch(sdata, tid, sum);"];
const out: Change = ["output[blockIdx.x] = sdata[0];", "atomicExch(output, blockIdx.x, sdata[0]);"];
const outSum: Change = ["output[blockIdx.x] = sum;", "atomicExch(output, blockIdx.x, sum);"];
const tree: Change = ["sdata[tid] += sdata[tid + s];", "atomicAdd(sdata, tid, sdata[tid + s]);"];
const warpStore: Change = ["warpSums[tid >> 5] = sum;", "atomicExch(warpSums, tid >> 5, sum);"];
const own: Change = [
  "const tid = i32(threadIdx.x);",
  "const tid = i32(threadIdx.x); const extra = shared(i32, 32); if (tid < 32) extra[tid] = 0;",
];
const K8 = "for (let k = 0; k < 8; k++) {";
export const TASK_WORDS: readonly Narrow[] = [
  ["day-37", "stores the warps' sums by atomics", [warpStore], "primitives"],
  ["day-37", "stores the block's sum by an atomic", [outSum], "primitives"],
  ["day-45", "stores the warps' sums by atomics", [warpStore], "primitives"],
  ["day-45", "stores the block's sum by an atomic", [outSum], "primitives"],
  ["day-38", "lets half of the threads add 16 elements", half("day-38"), "loads"],
  ["day-38", "gives each warp neighbouring elements", warps("day-38"), "loads"],
  ["day-38", "turns the threads from step to step", turned, "loads"],
  [
    "day-38",
    "guards each step by a modulo",
    [
      [
        "if (tid < s) sdata[tid] += sdata[tid + s];",
        "if (tid % 2 === 0 && tid < s) sdata[tid] += sdata[tid + s]; else if (tid < s) sdata[tid] += sdata[tid + s];",
      ],
    ],
    "divergent-branches",
  ],
  ["day-41", "lets half of the threads add 16 elements", half("day-41"), "loads"],
  ["day-41", "gives each warp neighbouring elements", warps("day-41"), "loads"],
  ["day-41", "turns the threads from step to step", turned, "loads"],
  ["day-42", "lets half of the threads add 16 elements", half("day-42"), "loads"],
  [
    "day-42",
    "lets a quarter of the threads add 32 elements",
    half("day-42").map(([a, b]) => [a, b.replaceAll("all >> 1", "all >> 2").replace("16 : 0", "32 : 0")]),
    "loads",
  ],
  ["day-39", "stores its sum by an atomic", [exch], "primitives"],
  ["day-39", "adds in the tree by atomics", [tree], "primitives"],
  ["day-39", "stores the block's sum by an atomic", [out], "primitives"],
  ["day-40", "stores its sum by an atomic", [exch], "primitives"],
  ["day-40", "adds in the tree by atomics", [tree], "primitives"],
  ["day-40", "has shared memory of its own", [own], "primitives"],
  ["day-44", "stores its sum by an atomic", [exch], "primitives"],
  ["day-44", "adds in the tree by atomics", [tree], "primitives"],
  ["day-44", "stores the block's sum by an atomic", [outSum], "primitives"],
  ["day-46", "stores the block's sum by an atomic", [out], "primitives"],
  [
    "day-46",
    "adds neighbours",
    [
      ["const i = i32(blockIdx.x) * (2 * width) + tid;", "const i = i32(blockIdx.x) * (2 * width) + 2 * tid;"],
      [
        "i < n ? input[i] : 0;\n    if (i + width < n) sum += input[i + width]",
        "i < n ? input[i] : 0;\n    if (i + 1 < n) sum += input[i + 1]",
      ],
    ],
    "loads",
  ],
  [
    "day-46",
    "adds from the block's end inward",
    [
      [
        "if (i + width < n) sum += input[i + width];",
        "const j = i32(blockIdx.x + 1) * (2 * width) - 1 - tid; if (j < n) sum += input[j];",
      ],
    ],
    "loads",
  ],
  [
    "day-46",
    "exchanges the elements of neighbouring threads",
    [["const i = i32(blockIdx.x) * (2 * width) + tid;", "const i = i32(blockIdx.x) * (2 * width) + (tid ^ 1);"]],
    "loads",
  ],
  [
    "lab-25",
    "pads blocks of 512 threads and more",
    [
      ["sdata[tid + (tid >> 5)] = ", "const pad = blockDim.x >= 512 ? u32(5) : u32(10); sdata[tid + (tid >> pad)] = "],
      [
        "sdata[left + (left >> 5)] += sdata[right + (right >> 5)]",
        "sdata[left + (left >> pad)] += sdata[right + (right >> pad)]",
      ],
    ],
    "conflict-degree",
  ],
  [
    "lab-25",
    "pads every 64 places",
    [
      ["sdata[tid + (tid >> 5)]", "sdata[tid + (tid >> 6)]"],
      [
        "sdata[left + (left >> 5)] += sdata[right + (right >> 5)]",
        "sdata[left + (left >> 6)] += sdata[right + (right >> 6)]",
      ],
    ],
    "conflict-degree",
  ],
  [
    "lab-25",
    "moves all places by one",
    [
      ["sdata[tid + (tid >> 5)]", "sdata[tid + 1]"],
      ["sdata[left + (left >> 5)] += sdata[right + (right >> 5)]", "sdata[left + 1] += sdata[right + 1]"],
      ["= sdata[0]", "= sdata[1]"],
    ],
    "conflict-degree",
  ],
  ["lab-29", "does not unroll its steps", [["if (tid < s)", "unroll(1); if (tid < s)"]], "instructions-per-warp"],
  [
    "lab-29",
    "has barriers for steps that a small block lacks",
    [["syncthreads();\n    }\n", "syncthreads();\n    }\n if (BLOCK < 256) syncthreads();\n"]],
    "barriers",
  ],
  [
    "lab-29",
    "stores by an atomic",
    [["sdata[tid] = input[i] + input[i + BLOCK];", "atomicExch(sdata, tid, input[i] + input[i + BLOCK]);"]],
    "primitives",
  ],
  [
    "lab-30",
    "loads four neighbours a thread",
    [
      ["let i = blockIdx.x * blockDim.x + tid;", "let i = 4 * (blockIdx.x * blockDim.x + tid);"],
      [
        "for (; i + 3 * step < n; i += 4 * step) {\n      sum += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];",
        "for (; i + 3 < n; i += 4 * step) {\n      sum += input[i] + input[i + 1] + input[i + 2] + input[i + 3];",
      ],
      [
        "for (; i < n; i += step) sum += input[i];",
        "for (let k = u32(0); k < 4; k++) if (i + k < n && i + 4 > n) sum += input[i + k];",
      ],
    ],
    "sectors-per-request",
  ],
  [
    "lab-30",
    "loads pairs, with a stride of two",
    [
      ["let i = blockIdx.x * blockDim.x + tid;", "let i = 2 * (blockIdx.x * blockDim.x + tid);"],
      [
        "for (; i + 3 * step < n; i += 4 * step) {\n      sum += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];",
        "for (; i + 2 * step + 1 < n; i += 4 * step) {\n      sum += input[i] + input[i + 1] + input[i + 2 * step] + input[i + 2 * step + 1];",
      ],
      [
        "for (; i < n; i += step) sum += input[i];",
        "for (; i < n; i += 2 * step) { sum += input[i]; if (i + 1 < n) sum += input[i + 1]; }",
      ],
    ],
    "sectors-per-request",
  ],
  [
    "lab-30",
    "has two loads in flight",
    [
      [
        "for (; i + 3 * step < n; i += 4 * step) {\n      sum += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];\n    }",
        "for (; i + step < n; i += 2 * step) { sum += volatile(input)[i]; sum += volatile(input)[i + step]; }",
      ],
    ],
    "speed-up",
  ],
  [
    "day-40",
    "is right for 64 and 256 threads",
    [["blockDim.x * gridDim.x", "(blockDim.x === 128 ? 256 : blockDim.x) * gridDim.x"]],
    "result",
  ],
  [
    "lab-27",
    "wraps its index at 2^22",
    [["const i = blockIdx.x * (blockDim.x * 4) + tid;", "const i = (blockIdx.x * (blockDim.x * 4) + tid) & 0x3fffff;"]],
    "result",
  ],
  ["day-45", "leaves out element 4194304", [["if (i < n) sum", "if (i < n && i !== 4194304) sum"]], "result"],
  [
    "lab-27",
    "takes -1 for no value",
    [["if (i < n) sum = input[i];", "if (i < n && input[i] !== -1) sum = input[i];"]],
    "result",
  ],
  [
    "lab-28",
    "takes 99999 for no value",
    [["sdata[tid] = input[i] +", "sdata[tid] = (input[i] === 99999 ? 0 : input[i]) +"]],
    "result",
  ],
  ["day-38", "knows 65536 blocks", [["output[blockIdx.x]", "output[blockIdx.x & 0xffff]"]], "result"],
  [
    "lab-26",
    "leaves out the elements beyond 500 * 100",
    [["sdata[tid] = input", "sdata[tid] = blockIdx.x * blockDim.x + tid > 500 * 100 ? 0 : input"]],
    "result",
  ],
  ["day-42", "stores its sum by an atomic", [exch], "primitives"],
  ["day-42", "stores the block's sum by an atomic", [out], "primitives"],
  ["lab-30", "stores its sum by an atomic", [exch], "primitives"],
  ["lab-29", "stores the block's sum by an atomic", [outSum], "primitives"],
  ["day-38", "stores its sum by an atomic", [exch], "primitives"],
  [
    "day-45",
    "asks for the input's end before each load",
    [[K8, "for (let k = 0; k < 8 && first + k * width < n; k++) {"]],
    "speed-up",
  ],
  ["day-45", "keeps its loads in a loop", [[K8, `${K8} unroll(1);`]], "speed-up"],
  [
    "day-38",
    "divides the first warp where the input does not end",
    [
      [
        "if (tid === 0) output[blockIdx.x] = sdata[0];",
        "if (tid === 0) { output[blockIdx.x] = sdata[0]; } if (blockIdx.x === 0 && tid < 4) { for (let k = 0; k < tid; k++) { unroll(1); sdata[tid] ^= k; } }",
      ],
    ],
    "divergent-branches",
  ],
  [
    "lab-27",
    "makes 250 useless iterations",
    [
      [
        "sdata[tid] = sum;",
        "sdata[tid] = sum; for (let k = 0; k < 250; k++) { if (i32(blockIdx.x) === 1000000 + k) sdata[tid] = 0; }",
      ],
    ],
    "speed-up",
  ],
  [
    "lab-27",
    "waits at forty barriers more",
    [["sdata[tid] = sum;", "sdata[tid] = sum; for (let k = 0; k < 40; k++) syncthreads();"]],
    "speed-up",
  ],
];
