import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** The compiler that checks notebook cells: TypeScript 5.0.4, which comes with tslab. */
const tslabCompiler = createRequire(import.meta.url).resolve("@tslab/typescript-for-tslab/bin/tsc");
const sample = fileURLToPath(new URL("./learner-kernel.ts", import.meta.url));

function check(...options: readonly string[]): string {
  const common = [
    "--noEmit",
    "--target",
    "es2022",
    "--module",
    "commonjs",
    "--moduleResolution",
    "node",
    "--skipLibCheck",
  ];
  return spawnSync(process.execPath, [tslabCompiler, ...common, ...options, sample], { encoding: "utf8" }).stdout;
}

describe("the types of the kernel language under tslab's TypeScript", () => {
  test("accept a learner's kernel and catch its mistakes, without strictness", () => {
    expect(check()).toBe("");
  });

  test("do so with strictness as well", () => {
    expect(check("--strict")).toBe("");
  });
});
