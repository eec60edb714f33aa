/** How much longer a launch takes under each of the sanitizer's tools. */

import { Gpu } from "../../core/host/gpu.js";
import { SANITIZER_TOOLS } from "../../core/sanitizer/finding.js";
import { sanitize } from "../../core/sanitizer/sanitize.js";
import { ones } from "../../course/reductions/reduction-run.js";
import { labReductions, reductionShape } from "../../course/reductions/reductions.js";
import { type BenchLine, benchLine, timed } from "./measure.js";

const BLOCK = 256;
/** For all four tools on any version of the labs. */
const MOST_SECONDS = 4;

/** @param n ints that each version adds */
export function benchSanitizers(n: number): readonly BenchLine[] {
  const gpu = new Gpu("v100", { memoryBytes: 16 * n });
  const input = gpu.upload(ones(n));
  const output = gpu.alloc({ type: "i32" }, n / BLOCK);
  return labReductions.map((version) => {
    const grid = reductionShape(version, n, BLOCK).blocks;
    const launch = (): void => {
      gpu.launch(version.kernel, { grid, block: BLOCK, sharedBytes: 4 * BLOCK }, { input, output });
    };
    launch();
    const plain = timed(launch).seconds;
    const each = SANITIZER_TOOLS.map((tool) => {
      const { seconds } = timed(() => sanitize(launch, { tool }));
      return `${tool} ${(seconds / plain).toFixed(1)}`;
    });
    const { seconds } = timed(() => sanitize(launch));
    const note = `times the launch's ${plain.toFixed(3)} s: ${each.join(", ")}`;
    const what = `${version.shortTitle}, all four tools`;
    return benchLine(`sanitizers.${version.id}`, what, seconds, "s", { atMost: MOST_SECONDS }, note);
  });
}
