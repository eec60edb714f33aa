/** Reasons that are the same but for the learner's own lines and numbers are counted together. */
import { expect, it } from "vitest";
import { mistakeOf, mistakesOf } from "../../../src/node/class/report/mistakes.js";

it.each([
  [
    "With 1024 elements and blocks of 64 threads on a Tesla V100, under the schedule of seed 7: block 3 gives -12 for the sum of its 128 ones. (3 of 12 launches right.)",
    "block # gives # for the sum of its # ones.",
  ],
  [
    "line 29 (if ((tid & 31) === 0) atomicAdd(output, blockIdx.x, sum);) is executed; the sum is to be made without atomics.",
    "A line is executed; the sum is to be made without atomics.",
  ],
  [
    "line 15 of lastWarp (a[t] += a[t + 16];): thread 0 reads a place that thread 16 writes at line 14 of lastWarp (a[t] += a[t + 32];) (block 0 of 1, 64 threads).",
    "A line: thread # reads a place that thread # writes at a line.",
  ],
  ["A mask of 0xffff0000, 1.5e-3 and 1,024 more.", "A mask of #, # and # more."],
  [
    "The kernel cannot be compiled: `x` is no name. At line 4 (if (x",
    "The kernel cannot be compiled: `x` is no name. At a line",
  ],
])("%s", (sentence, mistake) => {
  expect(mistakeOf(sentence)).toBe(mistake);
});

it("the commonest come first, each with its first student's own words", () => {
  const found = [
    { student: "anna", sentence: "Block 1 is wrong." },
    { student: "ben", sentence: "A barrier is missing at line 3 (x)." },
    { student: "cleo", sentence: "Block 27 is wrong." },
  ];
  expect(mistakesOf(found)).toEqual([
    { count: 2, sentence: "Block # is wrong.", example: found[0] },
    { count: 1, sentence: "A barrier is missing at a line.", example: found[1] },
  ]);
});
