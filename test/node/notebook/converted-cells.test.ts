import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConvertResult, Diagnostic } from "tslab/dist/converter.js";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { ConvertedCells } from "../../../src/node/notebook/converted-cells.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-cells-"));
const folderOfCells = join(folder, "cells/present");
mkdirSync(join(folder, "builds/earlier"), { recursive: true });
afterEach(() => rmSync(join(folder, "cells"), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** How often the compiler is asked, when a cell is converted twice by two sessions. */
function conversions(declarations: string, source: string, result: Partial<ConvertResult> = {}): number {
  let count = 0;
  const whole: ConvertResult = {
    output: "exports.a = 1;",
    declOutput: "declare const a: 1;",
    diagnostics: [],
    ...result,
  };
  for (let session = 0; session < 2; session++) {
    const converted = new ConvertedCells(folderOfCells).converted(declarations, source, () => {
      count++;
      return whole;
    });
    expect(converted).toEqual(whole);
  }
  return count;
}

describe("A cell that a session has converted", () => {
  test("is not converted again", () => {
    expect(conversions("", 'import { kernel } from "warplab";\nconst a = 1;')).toBe(1);
    expect(conversions("", 'import * as path from "node:path";', { hasToplevelAwait: true })).toBe(1);
  });

  test("is converted again behind other declarations, and where its text differs", () => {
    expect(conversions("", "a")).toBe(1);
    expect(conversions("declare const a: 2;", "a")).toBe(1);
    expect(conversions("", "a ")).toBe(1);
  });

  test.each([
    'import { sum } from "./sum";',
    'export * from "../lib";',
    "const { sum } = await import('./sum');",
    'const sum = require("./sum");',
    "const sum = await import(name);",
    'import _ from "lodash";',
    '/// <reference path="own.d.ts" />',
  ])("is converted each time where it reads what may change: %s", (source) => {
    expect(conversions("", source)).toBe(2);
    expect(conversions(source, "const a = 1;")).toBe(2);
  });

  test("is converted each time where TypeScript objects, or writes other files", () => {
    const start = { offset: 0, line: 0, character: 0 };
    const diagnostic: Diagnostic = { start, end: start, messageText: "no", category: 1, code: 2304 };
    expect(conversions("", "a", { diagnostics: [diagnostic] })).toBe(2);
    expect(conversions("", "a", { sideOutputs: [{ path: "b.js", data: "" }] })).toBe(2);
  });

  test("is converted where its file cannot be read or no file can be written", () => {
    expect(conversions("", "a")).toBe(1);
    for (const name of readdirSync(folderOfCells)) writeFileSync(join(folderOfCells, name), "{");
    expect(conversions("", "a")).toBe(1);
    rmSync(folderOfCells, { recursive: true });
    writeFileSync(folderOfCells, "no folder");
    expect(conversions("", "a")).toBe(2);
  });

  test("goes with its compilation", () => {
    for (const name of ["earlier", "dropped"]) mkdirSync(join(folder, "cells", name), { recursive: true });
    conversions("", "a");
    expect(readdirSync(join(folder, "cells")).sort()).toEqual(["earlier", "present"]);
  });
});
