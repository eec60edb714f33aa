/** A page without a lesson: cells to try a kernel in, whose text a link can hold. */
import type { Cell, Notebook } from "../../course/notebook/notebook.js";

/** Its name among the notebooks' pages. */
export const PLAY_PAGE = "play";

const text = (source: string): Cell => ({ cell_type: "markdown", metadata: {}, source });
const code = (id: string, source: string): Cell => ({
  cell_type: "code",
  id,
  metadata: {},
  source,
  execution_count: null,
  outputs: [],
});

export const playNotebook: Notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { display_name: "TypeScript (warplab)", language: "typescript", name: "tslab" } },
  cells: [
    text(`# A page of your own

Write a kernel, launch it on a GPU that you name, and look at its values, counters and time. "Share" makes a link that holds
what stands in these cells. Nothing is sent to a server.`),
    code(
      "play-1",
      `import { blockDim, blockIdx, Gpu, i32, kernel, ones, ptr, threadIdx } from "warplab";

const double = kernel("double", { data: ptr(i32) }, ({ data }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
});
const gpu = new Gpu("v100");
const data = gpu.upload(ones(2 ** 20));
const result = gpu.launch(double, { grid: 4096, block: 256 }, { data });
console.log(data.read()[0], result.timeMs, result.counters.warpInstructions);`,
    ),
    code("play-2", `import { ncu } from "warplab";\n\nncu(result)`),
    code("play-3", "// What bounds it? import { explain }, and give it the result."),
  ],
};
