import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { courseRoot } from "../../src/course/course-root.js";
import { ValidationArrays } from "../../src/course/validate-arrays.js";
import { LaunchSimulator } from "../../src/course/validate-launch.js";
import { NO_NUMBERS } from "../../src/course/validate-numbers.js";
import { readCuda } from "../lower/cuda-text.js";

interface Row {
  readonly micro: string;
  readonly MiB: number;
  readonly stride: number;
  readonly coldUs: number;
}

const reference = (file: string): string => readFileSync(join(courseRoot, "test/reference", file), "utf8");
const { rows } = JSON.parse(reference("h200-lanes-micro.json")) as { readonly rows: readonly Row[] };
const text = reference("h200-lanes-micro.cu");
const kernels = readCuda(text.slice(text.indexOf("typedef unsigned int uint;"), text.indexOf("// ---- end ----")));
const simulator = new LaunchSimulator(new ValidationArrays(), false);
const WORDS_PER_MIB = 2 ** 18;

describe("an array that blocks read in laps", () => {
  const beyondL2 = rows.filter(({ micro, MiB }) => micro === "wrap" && MiB > 60);

  it.each(beyondL2)("of $MiB MiB, every $stride th word, is read as slowly as on the H200, within 12 %", (row) => {
    const words = row.MiB * WORDS_PER_MIB;
    const { numbers } = simulator.simulate(
      {
        id: "wrapRead",
        kernel: kernels.get("wrapRead")!,
        grid: [words / 512, 1, 1],
        block: [256, 1, 1],
        dynamicSharedBytes: 0,
        args: ["B", "Z", row.stride, words - 1],
        cache: "cold",
        measured: NO_NUMBERS,
      },
      "h200",
      { clockMHz: null, timerMicroseconds: 0 },
    );
    expect(Math.abs((1000 * (numbers.timeMs ?? 0)) / row.coldUs - 1)).toBeLessThan(0.12);
  });
});
