/** The comparison of text, IR and programs names the side that is wrong. */
import { describe, expect, test } from "vitest";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import type { Program } from "../../../src/core/lower/program.js";
import { enginesDiffer, meaning } from "../agreement.js";
import { generateKernel } from "../generate.js";
import { checkedIr, checkedProgram } from "../run-case.js";
import type { KernelTree } from "../tree.js";

const OPTIONS = { defined: true, small: true };
const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);

/** The IR with a sum for each product of f32. */
function spoiledIr(ir: KernelIr): KernelIr {
  return JSON.parse(
    JSON.stringify(ir, (_, value: unknown) => {
      if (typeof value === "bigint") return { big: String(value) };
      if (typeof value === "number" && !Number.isFinite(value)) return { number: String(value) };
      return isProduct(value) ? { ...value, op: "add" } : value;
    }),
    (_, value: unknown) => {
      if (typeof value !== "object" || value === null) return value;
      if ("big" in value) return BigInt(String(value.big));
      return "number" in value && typeof value.number === "string" ? Number(value.number) : value;
    },
  ) as KernelIr;
}

function isProduct(value: unknown): value is { readonly op: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    value.kind === "binary" &&
    "op" in value &&
    value.op === "mul" &&
    "type" in value &&
    value.type === "f32"
  );
}

/** The program with a sum for each product of f32. */
function spoiledProgram(program: Program): Program {
  const instructions = program.instructions.map((instruction) =>
    instruction.op === "mul" && instruction.type === "f32" ? { ...instruction, op: "add" as const } : instruction,
  );
  return { ...program, instructions };
}

const found = (check: (tree: KernelTree) => string | null): readonly string[] =>
  SEEDS.map((seed) => check(generateKernel(seed, OPTIONS))).filter((text) => text !== null);

describe("an interpretation of the IR", () => {
  test("leaves the memory that the text means", () => {
    expect(found((tree) => (typeof meaning(tree, checkedIr(tree)) === "string" ? "differs" : null))).toEqual([]);
  });

  test("differs from that of the text where the IR is wrong: the front end is named", () => {
    const texts = found((tree) => {
      const result = meaning(tree, spoiledIr(checkedIr(tree)));
      return typeof result === "string" ? result : null;
    });
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(/^front end/);
  });

  test("agrees with the text where the program is wrong: the lowering is named", () => {
    const texts = found((tree) => {
      const ir = checkedIr(tree);
      const wanted = meaning(tree, ir);
      return typeof wanted === "string"
        ? wanted
        : enginesDiffer(tree, spoiledProgram(checkedProgram(ir)), false, wanted);
    });
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(/^lowering or reference engine/);
  });
});
