/** Completion and Shift-Tab on CUDA's words in a notebook, by tslab's own language service. */
import { createRequire } from "node:module";
import type { Converter } from "tslab/dist/converter.js";
import { afterAll, describe, expect, test } from "vitest";
import { builtinNames } from "../../src/core/frontend/translate/calls/builtins.js";
import { completionsOf } from "../../src/node/notebook/completion.js";

const require = createRequire(import.meta.url);
const { createConverter } = require("tslab/dist/converter.js") as typeof import("tslab/dist/converter.js");
const { printQuickInfo } = require("tslab/dist/inspect.js") as typeof import("tslab/dist/inspect.js");

const converter: Converter = createConverter({ isJS: false, isBrowser: false });
afterAll(() => converter.close());

/** The text that Shift-Tab shows where `|` stands in a cell. */
function shown(cell: string): string {
  const info = converter.inspect("", cell.replace("|", ""), cell.indexOf("|"));
  return info === undefined ? "" : printQuickInfo(info);
}

describe("Shift-Tab on a word of CUDA", () => {
  test.each([
    ["syncthreads", "Waits until all threads of the block are here", "() => void"],
    ["__syncthreads", "Waits until all threads of the block are here", "() => void"],
    ["threadIdx", "This thread's index in its block", "Dimensions"],
    [
      "shfl_down_sync",
      "The value of the lane `delta` above",
      "<T>(mask: number, value: T, delta: number, width?: number) => T",
    ],
    [
      "__shfl_down_sync",
      "The value of the lane `delta` above",
      "<T>(mask: number, value: T, delta: number, width?: number) => T",
    ],
    [
      "atomicAdd",
      "Adds `value` to `array[index]` in one step",
      "<T extends number>(array: DeviceArray<T>, index: number, value: T) => T",
    ],
    ["externShared", "extern __shared__ int sdata[]", "(type: E) => DeviceArray<"],
    ["printf", "Device printf", "(format: string"],
  ])("%s gives its documentation and CUDA's parameters", (word, text, type) => {
    const info = shown(`import { ${word} } from "warplab";\nconst f = () => ${word}|;`);
    expect(info).toContain(text);
    expect(info).toContain(type);
  });

  test("gives the same where a kernel takes it as an argument", () => {
    const cell = `import { kernel } from "warplab";
const k = kernel("k", { params: {} }, (_, { syncthreads }) => { syncthr|eads(); });`;
    expect(shown(cell)).toContain("syncthreads: () => void");
  });

  test("finds documentation for every one", () => {
    const names = builtinNames();
    const lines = names.map((name) => `${name};`);
    const head = `import { ${names.join(", ")} } from "warplab";\nfunction f() {\n`;
    const cell = `${head}${lines.join("\n")}\n}`;
    let position = head.length;
    const bare = lines.filter((line) => {
      const info = converter.inspect("", cell, position + 1);
      position += line.length + 1;
      return (info?.documentation ?? []).every(({ text }) => text.trim() === "");
    });
    expect(bare).toEqual([]);
  });
});

test("completion knows CUDA's words under both names", () => {
  const candidates = (cell: string): readonly string[] => {
    const source = `import * as w from "warplab";\n${cell}`;
    return completionsOf((text, at) => converter.complete("", text, at), source, source.length).candidates;
  };
  expect(candidates("w.shfl_d")).toEqual(expect.arrayContaining(["shfl_down_sync", "shfl_down"]));
  expect(candidates("w.__sync")).toEqual(expect.arrayContaining(["__syncthreads", "__syncwarp"]));
  expect(candidates("w.__sync")).not.toContain("syncthreads");
});
