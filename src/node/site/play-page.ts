/** Pages without a lesson: cells to try a kernel in, whose text a link can hold; and the same to stand in other pages. */
import type { Cell, Notebook } from "../../course/notebook/notebook.js";

/** Its name among the notebooks' pages. */
export const PLAY_PAGE = "play";
/** What a frame on somebody else's page shows. */
export const EMBED_PAGE = "embed";

const text = (source: string): Cell => ({ cell_type: "markdown", metadata: {}, source });
const code = (id: string, source: string): Cell => ({
  cell_type: "code",
  id,
  metadata: {},
  source,
  execution_count: null,
  outputs: [],
});
const notebook = (...cells: Cell[]): Notebook => ({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { display_name: "TypeScript (warplab)", language: "typescript", name: "tslab" } },
  cells,
});

/** What the page begins with; a reader may choose another. */
export interface Example {
  readonly title: string;
  /** The texts of the page's cells. */
  readonly texts: readonly [string, string, string];
  /** The first of them with its kernel in CUDA C++; the others are the same. */
  readonly cuda: string;
}

export const examples: readonly [Example, ...Example[]] = [
  {
    title: "Double an array",
    texts: [
      `import { blockDim, blockIdx, Gpu, i32, kernel, ones, ptr, threadIdx } from "warplab";

const block = 256;
const double = kernel("double", { data: ptr(i32) }, ({ data }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
});
const gpu = new Gpu("v100");
const data = gpu.upload(ones(2 ** 20));
const result = gpu.launch(double, { grid: data.length / block, block }, { data });
console.log(data.read()[0], result.timeMs, result.counters.warpInstructions);`,
      `import { ncu } from "warplab";\n\nncu(result)`,
      "// What bounds it? import { explain }, and give it the result.",
    ],
    cuda: `import { cuda, Gpu, ones } from "warplab";

const block = 256;
const { twice } = cuda\`
__global__ void twice(int* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
}\`;
const gpu = new Gpu("v100");
const data = gpu.upload(ones(2 ** 20));
const result = gpu.launch(twice, { grid: data.length / block, block }, { data });
console.log(data.read()[0], result.timeMs, result.counters.warpInstructions);`,
  },
  {
    title: "A warp's sum, step by step",
    texts: [
      `import { display, Gpu, i32, kernel, ptr, shfl_down_sync, stepView, threadIdx } from "warplab";

const sum = kernel("sum", { data: ptr(i32) }, ({ data }) => {
  let value = data[threadIdx.x];
  for (let offset = 16; offset > 0; offset >>= 1) {
    value += shfl_down_sync(0xffffffff, value, offset);
  }
  if (threadIdx.x === 0) data[0] = value;
});
const gpu = new Gpu("v100");
const data = gpu.upload(Int32Array.from({ length: 32 }, (_, lane) => lane));
display(stepView(gpu, sum, { grid: 1, block: 32 }, { data }));`,
      "data.read()[0]",
      "// Make the shuffle down one by xor: which lanes have the sum then?",
    ],
    cuda: `import { cuda, display, Gpu, stepView } from "warplab";

const { sum } = cuda\`
__global__ void sum(int* data) {
  int value = data[threadIdx.x];
  for (int offset = 16; offset > 0; offset >>= 1) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  if (threadIdx.x == 0) data[0] = value;
}\`;
const gpu = new Gpu("v100");
const data = gpu.upload(Int32Array.from({ length: 32 }, (_, lane) => lane));
display(stepView(gpu, sum, { grid: 1, block: 32 }, { data }));`,
  },
  {
    title: "Bank conflicts",
    texts: [
      `import { externShared, Gpu, i32, kernel, ptr, threadIdx } from "warplab";

const distance = 8;
const meet = kernel("meet", { out: ptr(i32), distance: i32 }, ({ out, distance }) => {
  const words = externShared(i32);
  words[threadIdx.x * distance] = threadIdx.x;
  out[threadIdx.x] = words[threadIdx.x * distance];
});
const gpu = new Gpu("v100");
const out = gpu.alloc(i32, 32);
const result = gpu.launch(meet, { grid: 1, block: 32, sharedBytes: 32 * distance * 4 }, { out, distance });`,
      "result.counters.sharedStoreWavefronts // 1 where no lanes meet in a bank",
      "// Slide the distance. Which ones have no conflict?",
    ],
    cuda: `import { cuda, Gpu, i32 } from "warplab";

const distance = 8;
const { meet } = cuda\`
__global__ void meet(int* out, int distance) {
  extern __shared__ int words[];
  words[threadIdx.x * distance] = threadIdx.x;
  out[threadIdx.x] = words[threadIdx.x * distance];
}\`;
const gpu = new Gpu("v100");
const out = gpu.alloc(i32, 32);
const result = gpu.launch(meet, { grid: 1, block: 32, sharedBytes: 32 * distance * 4 }, { out, distance });`,
  },
  {
    title: "A race, found",
    texts: [
      `import { externShared, Gpu, i32, kernel, ptr, sanitize, threadIdx } from "warplab";

const turn = kernel("turn", { data: ptr(i32) }, ({ data }) => {
  const words = externShared(i32);
  words[threadIdx.x] = data[threadIdx.x];
  // syncthreads() is missing here: import it, too
  data[threadIdx.x] = words[(threadIdx.x + 32) % 64];
});
const gpu = new Gpu("v100");
const data = gpu.upload(Int32Array.from({ length: 64 }, (_, i) => i));
const report = sanitize(() => gpu.launch(turn, { grid: 1, block: 64, sharedBytes: 256 }, { data }));
report.text`,
      "// Put the barrier there, and run the first cell again.",
      "",
    ],
    cuda: `import { cuda, Gpu, sanitize } from "warplab";

const { turn } = cuda\`
__global__ void turn(int* data) {
  extern __shared__ int words[];
  words[threadIdx.x] = data[threadIdx.x];
  // __syncthreads(); is missing here
  data[threadIdx.x] = words[(threadIdx.x + 32) % 64];
}\`;
const gpu = new Gpu("v100");
const data = gpu.upload(Int32Array.from({ length: 64 }, (_, i) => i));
const report = sanitize(() => gpu.launch(turn, { grid: 1, block: 64, sharedBytes: 256 }, { data }));
report.text`,
  },
];

const cellsOf = ({ texts }: Example): readonly Cell[] => texts.map((each, at) => code(`play-${at + 1}`, each));

export const playNotebook: Notebook = notebook(
  text(`# A page of your own

Write a kernel in TypeScript or in CUDA C++, launch it on a GPU that you name, and look at its values, counters and time. "Share"
makes a link that holds what stands in these cells, "Embed" a frame for a page of your own. Nothing is sent to a server.`),
  ...cellsOf(examples[0]),
);

/** A link's texts take the place of these. */
export const embedNotebook: Notebook = notebook(...cellsOf(examples[0]));
