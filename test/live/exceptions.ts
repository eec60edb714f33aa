/**
 * Cells whose outputs on a page differ from the kept ones, by page. They name, quote or count lines of a kernel: tslab's
 * compiler writes `if (...) statement;` on two lines, so Node has other lines than the author wrote. A page has the author's.
 * The cell "step" shows a recorded block, whose steps have those lines. A notebook's output brings its view along, a page has it.
 */
export const OTHER_LINES: Readonly<Record<string, readonly string[]>> = {
  "capstone-fastest-sum": ["cell-14", "cell-28-check"],
  "day-37-warp-primitives": ["cell-25-sanitize", "cell-33"],
  "day-38-warp-divergence": ["cell-22", "cell-38-check"],
  "day-39-dynamic-parallelism": [
    ...["cell-12", "cell-16", "cell-18", "cell-24", "cell-35"],
    ...["cell-37", "cell-39", "cell-41", "cell-43"],
  ],
  "day-40-the-sm": ["cell-20", "cell-39-check"],
  "day-42-profiling": ["cell-44", "cell-55", "cell-84-check"],
  "day-43-global-reductions": ["cell-15-sanitize", "cell-19", "cell-20-sanitize", "cell-21", "cell-33-check"],
  "day-44-unrolling-blocks": ["cell-14"],
  "day-46-races-masks-barriers": [
    ...["cell-8", "cell-10", "cell-12", "cell-14"],
    ...["cell-21", "cell-29", "cell-31", "cell-33", "cell-39", "cell-39-check"],
  ],
  "day-48-your-own-gpu": ["cell-16"],
  "lab-25-interleaved-addressing": ["step", "cell-17", "cell-32-check"],
  "lab-26-sequential-addressing": ["cell-19"],
  "lab-27-first-add-during-load": ["cell-21"],
  "lab-28-last-warp-unrolled": ["cell-18-sanitize"],
  "lab-29-complete-unrolling": ["cell-16"],
  "lab-30-many-elements": ["cell-40-check"],
};
