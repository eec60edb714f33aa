/**
 * Launches and compilations that would never end, or would take all memory, end with an error that says why. Each runs in
 * its own process, which is ended from outside if need be.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

const CASES_FILE = join(import.meta.dirname, "launch-cases.mjs");
const MOST_MILLISECONDS = 120_000;

interface Outcome {
  readonly error: string | null;
  readonly code: string | null;
  readonly message: string;
  readonly printed: number;
  readonly last: string | null;
  readonly warnings: readonly { readonly kind: string; readonly message: string }[];
}

/** The outcome of a case, by its name. */
function run(name: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = { timeout: MOST_MILLISECONDS, killSignal: "SIGKILL" as const };
    execFile(process.execPath, ["--max-old-space-size=1024", CASES_FILE, name], options, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as Outcome);
      else reject(new Error(`${name}: ${error.signal ?? error.code} ${stderr.slice(-500)}`));
    });
  });
}

const TIMEOUT = "cudaErrorLaunchTimeout";

/** Name, class of the error, its code, and a part of its message. */
const ENDED: readonly (readonly [name: string, error: string, code: string | null, part: string])[] = [
  ["a child grid of 2,000,000,000 blocks", "KernelFault", TIMEOUT, "have 2000000000 warps"],
  ["clock() in 2^31 - 1 blocks", "LaunchError", TIMEOUT, "the grid has 2147483647 warps"],
  ["clock() in 2^29 blocks, with a time limit", "KernelFault", TIMEOUT, "longer than 300 milliseconds"],
  ["printf in an endless loop", "KernelFault", TIMEOUT, "called printf more than 2097152 times"],
  ["children from every thread of 65,535 blocks", "KernelFault", TIMEOUT, "the child grids that wait"],
  ["an endless store loop under a seed", "KernelFault", TIMEOUT, "more than 1000000 warp instructions"],
  ["long loops in many blocks", "KernelFault", TIMEOUT, "more than 100000000 warp instructions"],
  ["long loops with barriers", "KernelFault", TIMEOUT, "more than 50000000 warp instructions"],
  ["tanh on 2^19 threads, with a time limit", "KernelFault", TIMEOUT, "longer than 300 milliseconds"],
  ["an endless loop under a seed, with a time limit", "KernelFault", TIMEOUT, "longer than 300 milliseconds"],
  ["an endless loop, with a time limit", "KernelFault", TIMEOUT, "longer than 300 milliseconds"],
  ["a local array of 1,000,000 ints", "CompileError", null, "512 KiB"],
  ["5,000 cases of a switch", "CompileError", null, "too many cases"],
  ["3,000 else-ifs", "CompileError", null, "More than 256 statements"],
  ["26 levels of doubling device functions", "CompileError", null, "too large to be compiled: device functions"],
  ["four nested unroll() of 20", "CompileError", null, "to be compiled"],
  ["20 nested loops", "CompileError", null, "More than 16 loops"],
  ["a sum of 1,500 terms", "CompileError", null, "More than 1000 operations"],
  ["a text of 5 MB", "CompileError", null, "2000000 can be compiled"],
  ["a literal of 1.5 MB in a refused line", "CompileError", null, "An array has no foo"],
];

const COMPILED = ["2,000 statements", "1,000 branches", "a printf buffer that overflows"] as const;

describe("a hostile kernel", () => {
  const outcomes = new Map<string, Outcome>();
  beforeAll(async () => {
    const names = [...ENDED.map(([name]) => name), ...COMPILED];
    const next = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) outcomes.set(name, await run(name));
    };
    await Promise.all([next(), next()]);
  });

  it.each(ENDED)("with %s ends with a %s", (name, error, code, part) => {
    const outcome = outcomes.get(name);
    expect(outcome).toMatchObject({ error, code });
    expect(outcome?.message).toContain(part);
    expect(outcome?.message.length).toBeLessThan(2500);
  });

  it.each(COMPILED.slice(0, 2))("of %s is compiled and runs", (name) => {
    expect(outcomes.get(name)?.error).toBeNull();
  });

  it("that prints more than the buffer holds keeps the last calls and says how many are lost", () => {
    const { printed = 0, last, warnings = [] } = outcomes.get("a printf buffer that overflows") ?? {};
    expect(last).toBe("4999 of 31\n");
    const lost = 5000 * 32 - printed;
    expect(lost).toBeGreaterThan(100_000);
    expect(warnings).toMatchObject([
      { kind: "printf-lost", message: expect.stringContaining(`${lost} of the printf`) },
    ]);
  });
});
