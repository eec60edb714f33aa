/** The short form of kernels in a notebook: tslab rewrites the names of imports and of earlier cells. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CodeCell } from "../../src/course/notebook/notebook.js";
import { runNotebook } from "../../src/node/notebook/notebook-runner.js";

describe("kernels in the short form, in tslab's cells", async () => {
  const { notebook, failed } = await runNotebook(join(import.meta.dirname, "fixtures/short-form.ipynb"));
  const cells = notebook.cells.filter((cell): cell is CodeCell => cell.cell_type === "code");
  const shown = (index: number): string => {
    const [output] = cells[index]?.outputs ?? [];
    if (output?.output_type === "error") return output.traceback.join("\n");
    return output?.output_type === "stream" ? output.text : "";
  };

  test("use CUDA's words of this cell and of earlier ones, and a device function by its name", () => {
    expect(failed).toEqual([]);
    expect(shown(3)).toContain("64 64 64 64\n");
  });

  test("are CUDA C++ whose comments have the cell's own names", () => {
    expect(shown(3)).toContain("// warpSum: as defined last when this kernel was made (line 1 of cell [2])");
    expect(shown(3)).toContain("// 8: syncthreads();");
  });

  test("are refused with the line as the cell has it", () => {
    expect(shown(4)).toContain("in kernel wrong, line 3 of cell [5]");
    expect(shown(4)).toMatch(/^3 \| +output\[threadIdx\.x\] = blockIdx\.x \/ 2;\n {2}\| +\^{14}$/m);
  });

  test("have words that say on the host where they belong", () => {
    expect(shown(5)).toContain("threadIdx is a word for kernels, and was used on the host.");
  });
});
