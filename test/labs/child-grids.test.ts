/** Exercises on child grids: counts against those that the kernels' texts say. */
import { describe, expect, test } from "vitest";
import { checkExercise } from "../../src/course/exercises/check.js";
import { type ChildGridSpec, childGridFinding, tooManyGrids } from "../../src/course/exercises/child-grids.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import { Gpu, type Kernel, ones, randomInts } from "../../src/index.js";
import { answers } from "./answers/day-39.js";

const spec = exercise("day-39").checks.find((check): check is ChildGridSpec => check.kind === "child-grids")!;
const gpu = new Gpu("h200", { memoryBytes: 1 << 24 });

function wrong(part: string): Kernel {
  const found = answers.wrong.find(({ what }) => what.includes(part));
  if (found === undefined) throw new Error(`no answer that ${part}`);
  return found.answer;
}

function launched(answer: Kernel, grid: number, block: number) {
  const [input, output] = [gpu.upload(ones(grid * block)), gpu.upload(ones(grid))];
  const result = gpu.launch(answer, { grid, block, sharedBytes: 4 * block }, { input, output, n: grid * block });
  const [sum] = output.read();
  input.free();
  output.free();
  return { result, sum };
}

describe("child grids of a launch", () => {
  test("are as many as the text launches: one, one for each thread of a block, one for each halving", () => {
    const [first] = answers.right;
    const once = launched(first!.answer, 40, 64);
    expect(once.sum).toBe(40 * 64);
    expect(tooManyGrids(spec, once.result)).toBeNull();
    expect(childGridFinding(spec, once.result).sentence).toContain("40 blocks of 64 threads launch 1 child grid");
    const each = tooManyGrids(spec, launched(wrong("every thread of the first block"), 40, 64).result);
    expect(each).toMatch(/^line \d+ \(launch\(addAll.*: 40 blocks of 64 threads launch 64 child grids in all, 2 are/);
    // 16 sums become 8, 4, 2 and 1.
    expect(tooManyGrids(spec, launched(wrong("a grid a level"), 16, 64).result)).toContain("launch 4 child grids");
  });

  test("that load everything again, or have one thread at work, are told of by their share", () => {
    const again = childGridFinding(spec, launched(wrong("whole input over again"), 64, 256).result);
    // Every element is loaded by either grid once.
    expect(again.sentence).toContain("the child grids make 50 % of the requests to load");
    const alone = childGridFinding(spec, launched(wrong("one thread of the child grid"), 64, 256).result);
    expect(alone.sentence).toContain(`${Number((100 / 32).toFixed(2))} % of the lanes are active`);
    expect([again.passed, alone.passed]).toEqual([false, false]);
  });

  test("are missed where there are none", () => {
    const none = { ...launched(answers.right[0]!.answer, 4, 64).result, children: null };
    expect(childGridFinding(spec, none).sentence).toContain(
      "launch 0 child grids; the kernel is to launch one at least",
    );
  });
});

describe("the check of an answer that launches", () => {
  const sentence = (answer: Kernel, check: string, id = "day-39"): string =>
    checkExercise(id, answer, { seed: 3, untilWrong: true }).checks.find((each) => each.check === check)?.sentence ??
    "";

  test("names the child's line of a forbidden operation, and of a race", () => {
    expect(sentence(wrong("atomics in the child grid"), "primitives")).toMatch(
      /^line \d+ of addByAtomics \(for .*atomicAdd.*\) is executed; the sum is to be made without atomics\.$/,
    );
    expect(sentence(wrong("own stream"), "hazards")).toMatch(
      /line \d+ of addAll \(.*output\[k\];\): thread \d+ of block 0 of the child grid that is launched by block \(0,0,0\), thread \(0,0,0\) of answer reads a place\. line \d+ \(if \(tid === 0\).*: thread 0 of block \d+ of the first grid writes it/,
    );
  });

  test("says what the H200 lacks, with the cure", () => {
    expect(sentence(wrong("device-side"), "result")).toMatch(
      /9\.0; cudaDeviceSynchronize\(\) in a kernel is gone.*Cure/,
    );
  });

  test("is refused by an exercise that is not on child grids", () => {
    const { answer } = answers.right[0]!;
    expect(sentence(answer, "result", "day-46")).toContain("launches child grids; it is to make the sums by itself");
  });
});

test("one block of a kernel that launches can be stepped through: the child grid comes after all blocks", () => {
  const { answer } = answers.right[0]!;
  const args = { input: gpu.upload(randomInts(128, 1)), output: gpu.upload(ones(2)), n: 128 };
  const stepper = gpu.step(answer, { grid: 2, block: 64, sharedBytes: 256 }, args);
  while (stepper.step());
  const first = args.input.read().subarray(0, 64);
  expect([...args.output.read()]).toEqual([first.reduce((sum, value) => (sum + value) | 0, 0), 1]);
  while (stepper.back());
  expect([...args.output.read()]).toEqual([1, 1]);
});
