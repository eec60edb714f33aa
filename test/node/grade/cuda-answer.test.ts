/** Answers in CUDA C++, from a .cu file, a .ts file and a notebook: wrong ones lose points with a reason and the text's own line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { hasClang } from "../../../src/node/clang/clang.js";
import { gradeHere } from "../../../src/node/grade/grade.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-cu-"));
afterAll(() => rmSync(folder, { recursive: true }));

const solution = (id: string): string =>
  readFileSync(join(import.meta.dirname, "../../../labs", id, "solution.cu"), "utf8");

/** The points of a text, and the sentences of what failed. */
function graded(id: string, name: string, text: string): { readonly points: number; readonly said: string } {
  const path = join(folder, name);
  writeFileSync(path, text);
  const grade = gradeHere({ exercise: id, path, seed: 1 });
  if (grade.kind !== "verdict") throw new Error(grade.what);
  const failed = grade.verdict.checks.filter(({ passed }) => !passed);
  return { points: grade.verdict.points, said: failed.map(({ sentence }) => sentence).join("\n") };
}

const EMPTY = "__global__ void answer(const int *input, int *output) {\n";

describe.runIf(hasClang())("an answer in CUDA C++", () => {
  test.each<readonly [string, string, (right: string) => string, RegExp]>([
    [
      "adds half of the lanes",
      "lab-28",
      (right) => right.replace("s = 16", "s = 8"),
      /block 0 sums 64 of its 128 ones/,
    ],
    [
      "names half of the lanes in a shuffle's mask",
      "lab-28",
      (right) => right.replace("0xffffffff", "0xffff"),
      /mask 0x0000ffff does not name it[\s\S]*At line 15 \(for \(int s = 16/,
    ],
    [
      "leaves a barrier out",
      "lab-28",
      (right) => right.replace("__syncthreads();", ""),
      /answer, line 14, .* read shared memory that no thread of the block has written/,
    ],
    [
      "adds by atomics",
      "lab-28",
      (right) => right.replace(/output\[blockIdx.x\] = sum/, "atomicAdd(&output[blockIdx.x], sum)"),
      /line 16 \(if \(tid == 0\) atomicAdd.*made without atomics/,
    ],
    [
      "forgets a semicolon",
      "lab-28",
      (right) => right.replace("= threadIdx.x;", "= threadIdx.x"),
      /Expected ';'.*At line 4 \(unsigned tid = threadIdx.x\)/,
    ],
    [
      "calls the block's size by another name",
      "lab-29",
      (right) => right.replaceAll("BLOCK", "SIZE"),
      /template answer has the parameters SIZE.*Declare BLOCK.*template <int BLOCK> __global__/,
    ],
    [
      "asks for more blocks than there may be",
      "day-40",
      (right) => right.replace("BLOCKS = 560", "BLOCKS = 5000"),
      /BLOCKS: 5000.*1 to 1024: template <int BLOCKS = 64>/,
    ],
    [
      "chooses a block that no GPU has",
      "capstone",
      (right) => right.replace("BLOCK = 256", "BLOCK = 100000"),
      /BLOCK: 100000.*32 to 1024.*template <int BLOCK = 256>/,
    ],
    [
      "reads beyond the input",
      "day-38",
      (right) => right.replace("if (i < n) sum += input[i];", "sum += input[i];"),
      /reads input\[\d+\], but input has 1 int.*At line 10 \(sum \+= input\[i\];\)/,
    ],
    [
      "has a parameter of another type",
      "day-44",
      (right) => right.replace("int n)", "float n)"),
      /parameters int\* input, int\* output, float n\. Declare __global__ void answer\(int \*input, int \*output, int n\)/,
    ],
    [
      "never ends",
      "lab-25",
      () => `${EMPTY}  int i = 0;\n  while (i >= 0) i = (i + 1) & 1023;\n  output[0] = i;\n}\n`,
      /more than 60000 instructions.*At line 3 \(while/,
    ],
    [
      "has no kernel of that name",
      "lab-25",
      () => "__global__ void one(int *a) {}\n__global__ void two(int *a) {}\n",
      /no kernel named answer/,
    ],
  ])("that %s gets no points, and the reason", (_, id, wrong, sentence) => {
    const { points, said } = graded(id, "wrong.cu", wrong(solution(id)));
    expect(points).toBe(0);
    expect(said).toMatch(sentence);
  });

  test("stands in a .ts file or a notebook as cuda`...`, with the lines of that file", () => {
    const right = solution("lab-28");
    const inTs = (text: string, more: string): string =>
      `import { cuda } from "warplab";\n\n${more} = cuda\`\n${text}\`;\n`;
    expect(graded("lab-28", "a.ts", inTs(right, "export const { answer }")).points).toBe(10);
    const wrong = graded("lab-28", "b.ts", inTs(right.replace("0xffffffff", "0xffff"), "export const { answer }"));
    expect(wrong.said).toMatch(/At line 18 \(for/);
    const cells = [inTs(right, "const { answer: mine }"), 'checkExercise("lab-28", mine);'].map((source) => ({
      cell_type: "code",
      source,
      metadata: {},
      outputs: [],
      execution_count: null,
    }));
    const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
    expect(graded("lab-28", "c.ipynb", notebook).points).toBe(10);
    const template = `import { cuda } from "warplab";\nexport const answer = cuda\`${solution("lab-29")}\`.answer;\n`;
    expect(graded("lab-29", "d.ts", template).points).toBe(10);
  });
});
