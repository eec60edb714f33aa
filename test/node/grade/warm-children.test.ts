/** A process that stays for several submissions: each has the verdict that it has alone, and who breaks a limit ends it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Grade } from "../../../src/node/grade/grade.js";
import type { Stopped } from "../../../src/node/grade/limited-child.js";
import { realmMark } from "../../../src/node/grade/realm-mark.js";
import { WarmChildren } from "../../../src/node/grade/warm-children.js";

const folder = mkdtempSync(join(tmpdir(), "warm-children-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SOLUTION = readFileSync(join(import.meta.dirname, "../../../labs/lab-28/solution.ts"), "utf8");
/** No launches: the kernel does not compile. */
const TYPO = SOLUTION.replace("externShared(i32)", "shard(i32)");
const LIMITS = { timeMs: 120_000, memoryBytes: 2 ** 30 };

const children = new WarmChildren("node/grade/grade-child.js");
afterAll(() => children.close());

let files = 0;
async function graded(text: string, limits = LIMITS): Promise<Grade | Stopped> {
  const path = join(folder, `file-${++files}.ts`);
  writeFileSync(path, text);
  const output = await children.start({ exercise: "lab-28", path, seed: 7 }, limits).output;
  return typeof output === "string" ? (JSON.parse(output) as Grade) : output;
}

describe("a warm child", () => {
  it("gives the verdicts of a first one after submissions that would poison what they share", async () => {
    const first = await graded(SOLUTION);
    expect(first).toMatchObject({ kind: "verdict", verdict: { points: 10 } });
    const poisons = [
      "Object.prototype.points = 10;",
      'globalThis.Array = null; process.on("exit", () => {});',
      "export const answer = { __proto__: { answer: 1 } };",
      TYPO.replace("const answer", "const constructor"),
      TYPO.replace(/\banswer\b/g, "toString"),
      TYPO.replace(/\bsdata\b/g, "__proto__"),
      `const externShared = 3; const i32 = 4;\n${TYPO}`,
    ];
    for (const poison of poisons) {
      const grade = await graded(poison);
      expect(grade.kind === "refused" || (grade.kind === "verdict" && grade.verdict.points === 0)).toBe(true);
    }
    expect(await graded(SOLUTION)).toEqual(first);
  });

  it("is ended by the limit of time, tried again in a new one, and replaced for the next submission", async () => {
    expect(await graded(SOLUTION, { ...LIMITS, timeMs: 1 })).toMatchObject({ kind: "stopped", by: "time" });
    expect(await graded(TYPO)).toMatchObject({ kind: "verdict", verdict: { points: 0 } });
  });

  it("is ended by the limit of memory", async () => {
    const little = { ...LIMITS, memoryBytes: 64 * 2 ** 20 };
    expect(await graded(TYPO, little)).toMatchObject({ kind: "stopped", by: "memory" });
  });
});

describe("the mark of what submissions share", () => {
  it("is another one where a global, a prototype's member or a listener is added or replaced, and else the same", () => {
    const mark = realmMark();
    new TextDecoder().decode();
    expect(realmMark()).toBe(mark);
    const shared = globalThis as Record<string, unknown>;
    const { map } = Array.prototype;
    const listener = (): void => {};
    const changes: readonly (readonly [change: () => void, back: () => void])[] = [
      [() => Object.assign(shared, { left: 1 }), () => delete shared.left],
      [() => Object.assign(Object.prototype, { points: 10 }), () => Reflect.deleteProperty(Object.prototype, "points")],
      [
        () => Object.assign(Array.prototype, { map: () => [] }),
        () => Object.defineProperty(Array.prototype, "map", { value: map, enumerable: false }),
      ],
      [() => process.on("SIGUSR2", listener), () => process.off("SIGUSR2", listener)],
    ];
    for (const [change, back] of changes) {
      change();
      const changed = realmMark();
      back();
      expect(changed).not.toBe(mark);
      expect(realmMark()).toBe(mark);
    }
  });
});
