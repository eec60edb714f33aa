/**
 * Answers that are right for most launches, or do more than is asked: each is the solution's text with one change, of
 * the kind that a draw of sizes misses.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answerOfFile } from "../../../src/node/grade/file-answer.js";

export type Narrow = readonly [
  exercise: string,
  what: string,
  change: readonly (readonly [from: string | RegExp, to: string])[],
  caughtBy: string,
];

const blockAnd =
  (mask: number) =>
  (from: string): readonly [string, string] => [from, from.replace("blockIdx.x", `(blockIdx.x & ${mask})`)];

/** The halving loop as a chain that begins at half of 512 threads. */
const CHAIN: readonly [RegExp, string] = [
  /for \(let s = (i32\(blockDim\.x >> 1\)|blockDim\.x >> 1|width >> 1); s > 0; s >>= 1\) \{\n\s*if \(tid < s\) sdata\[tid\] \+= sdata\[tid \+ s\];/,
  "for (let s = 256; s > 0; s >>= 1) {\n if (tid < s && s < blockDim.x) sdata[tid] += sdata[tid + s];",
];
const USELESS = "for (let k = 0; k < 250; k++) { if (i32(blockIdx.x) === 1000000 + k) sdata[tid] = 0; }";

export const NARROW: readonly Narrow[] = [
  ["lab-30", "goes on in steps of 1024 blocks", [["blockDim.x * gridDim.x", "blockDim.x * 1024"]], "result"],
  [
    "lab-30",
    "goes on in steps where the grid has 1024 blocks alone",
    [
      [
        /for \(; i < n; i \+= step\) sum \+= input\[i\];/,
        "if (gridDim.x >= 1024) for (; i < n; i += step) sum += input[i]; else if (i < n) sum += input[i];",
      ],
      [
        /for \(; i \+ 3 \* step < n; i \+= 4 \* step\) \{/,
        "for (; gridDim.x >= 1024 && i + 3 * step < n; i += 4 * step) {",
      ],
    ],
    "result",
  ],
  [
    "day-40",
    "is right for a multiple of five blocks",
    [["blockDim.x * gridDim.x", "blockDim.x * 5 * idiv(gridDim.x, 5)"]],
    "result",
  ],
  ["day-37", "knows 256 blocks", [blockAnd(255)("output[blockIdx.x]")], "result"],
  ["lab-28", "knows 256 blocks", [blockAnd(255)("output[blockIdx.x]")], "result"],
  ["lab-29", "knows 256 blocks", [blockAnd(255)("output[blockIdx.x]")], "result"],
  ["day-41", "adds by a chain that begins at 512 threads", [CHAIN], "result"],
  ["day-38", "adds by a chain that begins at 512 threads", [CHAIN], "result"],
  ["day-42", "adds by a chain that begins at 512 threads", [CHAIN], "result"],
  [
    "lab-26",
    "takes a block of 1024 threads for an empty one",
    [["let left = blockDim.x;", "let left = blockDim.x & 1023;"]],
    "result",
  ],
  [
    "lab-26",
    "leaves a block of two threads as it is",
    [["while (left > 1) {", "while (left > 1 && blockDim.x !== 2) {"]],
    "result",
  ],
  [
    "day-37",
    "takes a block of 1024 threads for an empty one",
    [["i32(blockDim.x + 31) >> 5", "(i32(blockDim.x & 1023) + 31) >> 5"]],
    "result",
  ],
  [
    "lab-28",
    "is wrong beyond 80 blocks of more than 500 threads",
    [
      [
        "sdata[tid] = input[i] + input[i + blockDim.x];",
        "sdata[tid] = input[i] + (blockIdx.x > 80 && blockDim.x > 500 ? 0 : input[i + blockDim.x]);",
      ],
    ],
    "result",
  ],
  [
    "day-38",
    "adds eight neighbours, and reads one word 90 times beside them",
    [
      ["blockDim.x * 8 + tid)", "blockDim.x * 8 + tid * 8)"],
      ["start + k * i32(blockDim.x)", "start + k"],
      ["let sum = 0;", "let sum = 0; for (let k = 0; k < 90; k++) if (volatile(input)[0] === 123456789) sum = 1;"],
    ],
    "loads",
  ],
  [
    "day-44",
    "reads each element five times",
    [
      [
        "let sum = 0;",
        "let sum = 0; let other = 0; for (let k = 0; k < 16; k++) if (i + (k & 3) * width < n) other |= volatile(input)[i + (k & 3) * width]; if (other === 12345) sum = 1;",
      ],
    ],
    "sectors-per-request",
  ],
  ["lab-28", "makes 250 useless iterations", [["if (tid < 32) {", `${USELESS}\n if (tid < 32) {`]], "shared-requests"],
  [
    "day-41",
    "makes 250 useless iterations",
    [["sdata[tid] = sum;\n", `sdata[tid] = sum;\n ${USELESS}`]],
    "sectors-per-request",
  ],
  [
    "lab-29",
    "asks for the block's size at run time",
    [["let s = BLOCK >> 1;", "let s = blockDim.x >> 1;"]],
    "primitives",
  ],
  [
    "day-41",
    "takes shared memory of its own",
    [
      [
        "if (tid === 0) output[blockIdx.x] = sdata[0];",
        "const last = shared(i32, 1); if (tid === 0) { last[0] = sdata[0]; output[blockIdx.x] = last[0]; }",
      ],
    ],
    "empty-warp-places",
  ],
  [
    "day-42",
    "divides a warp where the input does not end",
    [
      [
        "if (tid === 0) output[blockIdx.x] = sdata[0];",
        "if (tid === 0) { output[blockIdx.x] = sdata[0]; } if (blockIdx.x === 0 && tid < 4) { for (let k = 0; k < tid; k++) { unroll(1); sdata[32 + tid] ^= k; } }",
      ],
    ],
    "divergent-branches",
  ],
  [
    "day-43",
    "adds in another order where the block is not full",
    [
      [
        "for (let offset = 1;",
        "if (i32(blockDim.x * (blockIdx.x + 1)) > n) { for (let s = blockDim.x >> 1; s > 0; s >>= 1) { if (tid < s) sdata[tid] += sdata[tid + s]; syncthreads(); } if (tid === 0) output[blockIdx.x] = sdata[0]; return; }\n for (let offset = 1;",
      ],
    ],
    "order",
  ],
  [
    "lab-26",
    "lets thread 0 add a small block",
    [
      [
        "let left = blockDim.x;",
        "let left = blockDim.x; if (left < 64) { if (tid === 0) for (let k = 1; k < left; k++) sdata[0] += sdata[k]; left = 1; }",
      ],
    ],
    "additions",
  ],
];

/** The solution with these changes, as a learner hands it in. */
export function answerWith(exercise: string, change: Narrow[2]): ReturnType<typeof answerOfFile> {
  let text = readFileSync(join(import.meta.dirname, `../../../labs/${exercise}/solution.ts`), "utf8");
  text = text.replace(/^ *\/\/(?:\|.*| BEGIN SOLUTION| STARTER| END SOLUTION)\n/gm, "");
  for (const [from, to] of change) {
    const changed = text.replace(from, to);
    if (changed === text && from !== to) throw new Error(`${exercise} has no ${from}:\n${text}`);
    text = changed;
  }
  return answerOfFile(`${exercise}.ts`, text);
}
