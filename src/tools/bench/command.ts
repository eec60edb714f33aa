/** `npm run bench`: what the simulator costs on this machine, each figure beside what is asked of it. */
import "../../node/platform.js";
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import type { TextOutput } from "../../node/commands/tables-command.js";
import { benchExample03, benchGrowth, benchRates } from "./engine-rate.js";
import { benchCompile, benchLabs } from "./launches.js";
import type { BenchLine } from "./measure.js";
import { benchReference, benchSampling, benchTiming } from "./models.js";
import { benchSanitizers } from "./sanitizers.js";

const USAGE = `npm run bench -- [options]      (npm run -s bench -- --json > bench.json)
  --quick        smaller sizes: 2^22 elements instead of 2^24, growth up to 2^24 instead of 2^26
  --json         print one object with machine and lines`;

interface BenchOptions {
  readonly quick: boolean;
  readonly json: boolean;
}

function readOptions(args: readonly string[]): BenchOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { quick: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean" } },
    });
    return values.help === true ? USAGE : { quick: values.quick === true, json: values.json === true };
  } catch (error) {
    return `${(error as Error).message.split(". To specify")[0]}\n${USAGE}`;
  }
}

interface BenchPart {
  readonly title: string;
  readonly run: () => readonly BenchLine[];
}

/** The labs come first: their peak memory and compiling are those of a fresh process. */
function parts(quick: boolean): readonly BenchPart[] {
  const n = quick ? 2 ** 22 : 2 ** 24;
  const sizes = [20, 21, 22, 23, 24, 25, 26].slice(0, quick ? 5 : 7).map((power) => 2 ** power);
  return [
    { title: `Labs 25 to 28 over 2^${Math.log2(n)} ints, block 1024`, run: () => benchLabs(n) },
    { title: "The engine, compiled already", run: () => benchRates(n) },
    { title: `Example 03 over 2^${Math.log2(n)} floats, block 256`, run: () => benchExample03(n) },
    { title: "Compiling", run: benchCompile },
    { title: "Growth with the size", run: () => benchGrowth(sizes) },
    { title: "Reference engine", run: () => benchReference(quick ? 16 : 64) },
    { title: "Sanitizers, 2^20 ints, block 256", run: () => benchSanitizers(2 ** 20) },
    { title: "Timing model", run: () => benchTiming(n) },
    { title: "Sampling", run: () => benchSampling(quick ? 2 : 5, 2 ** 22) },
  ];
}

function lineText({ what, value, unit, demanded, met, note }: BenchLine): string {
  const figure = `${value.toPrecision(3).replace(/^(\d+)e\+\d+$/, () => value.toFixed(0))} ${unit}`.trim();
  const asked = demanded === "" ? "" : `   [asked: ${demanded}: ${met ? "met" : "NOT met"}]`;
  return `  ${what}: ${figure}${asked}${note === "" ? "" : `\n      ${note}`}\n`;
}

/** @returns the exit code: 0, or 2 for options that are not allowed. A demand that is not met is no error. */
export function runBench(args: readonly string[], { out, error }: TextOutput): number {
  const options = readOptions(args);
  if (typeof options === "string") {
    (options === USAGE ? out : error)(`${options}\n`);
    return options === USAGE ? 0 : 2;
  }
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const say = options.json ? error : out;
  say(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}\n`);
  const lines = parts(options.quick).flatMap(({ title, run }) => {
    say(`\n${title}\n`);
    const found = run();
    for (const line of found) say(lineText(line));
    return found;
  });
  if (options.json) out(`${JSON.stringify({ machine, lines }, null, 1)}\n`);
  return 0;
}
