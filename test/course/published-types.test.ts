import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CheckedPackage, checkPackage, ts } from "./notebook-compiler.js";

const root = join(import.meta.dirname, "../..");
const notebooks = join(root, "notebooks");

/** A package of one declaration file beside the notebook, for the check of the check. */
function checkText(text: string): CheckedPackage {
  return checkPackage(notebooks, "./made-up", new Map([[join(notebooks, "made-up.d.ts"), text]]));
}

describe("the package's types as a notebook sees them", () => {
  test("are read by TypeScript 5.0, the compiler of tslab's cells", () => {
    expect(ts.versionMajorMinor).toBe("5.0");
  });

  const checked = checkPackage(notebooks, "warplab");

  test("have no error under tslab's compiler (npm run build writes them)", () => {
    expect(checked.complaints).toEqual([]);
  });

  test("have no name that is silently any", () => {
    expect(checked.anyTypes).toEqual([]);
  });
});

describe("the check of published types", () => {
  test("finds a type that TypeScript 5.0 does not know, which tslab would show as any", () => {
    const { complaints, anyTypes } = checkText("export declare const sums: Float32Array<ArrayBuffer>;");
    expect(complaints.join()).toContain("Type 'Float32Array' is not generic");
    expect(anyTypes).toEqual(["sums"]);
  });

  test("finds any in a parameter, a result, a member, and a class", () => {
    const { anyTypes } = checkText(`
      export declare function run(input: any): { inner: { time: any } };
      export declare class Gpu { constructor(name: any); launch(): Promise<any>; }
      export type Row = { name: string; value: any };
    `);
    expect([...anyTypes].sort()).toEqual(
      ["Gpu(name)", "Gpu().launch()<>", "Row.value", "run().inner.time", "run(input)"].sort(),
    );
  });

  test("finds an import that leads nowhere", () => {
    const { complaints } = checkText('export { missing } from "./nowhere.js";');
    expect(complaints.join()).toContain("Cannot find module './nowhere.js'");
  });

  test("lets plain types and unknown pass", () => {
    const text = "export declare function sum(values: Int32Array, of?: unknown): ReadonlyMap<string, number>;";
    expect(checkText(text)).toEqual({ complaints: [], anyTypes: [], exportedNames: ["sum"] });
  });
});
