import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { reached } from "../../../src/node/source-hashes.js";
import { changedSources, validationSources } from "../../../src/tools/accuracy/checked-sources.js";
import { importsOf } from "../../import-direction.js";

const src = join(import.meta.dirname, "../../../src");

/** What a compiled module loads, by the compiler's own reading of it: types are gone there. */
function loadedFrom(module: string): readonly string[] {
  const found = new Set<string>();
  const waiting = [module];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const imports = importsOf(file, readFileSync(join(src, "dist", file), "utf8"));
    const relatives = imports.filter(({ specifier }) => specifier.startsWith("."));
    waiting.push(...relatives.map(({ specifier }) => relative("/", resolve("/", file, "..", specifier))));
  }
  return [...found].map((file) => `src/${file.replace(/\.js$/, ".ts")}`).sort();
}

describe("what a check depends on", () => {
  it.each(["tools/accuracy/validate/validate", "tools/accuracy/calibrate/calibrate"])(
    "is all that %s loads",
    (module) => {
      expect(reached([`src/${module}.ts`])).toEqual(loadedFrom(`${module}.js`));
    },
  );

  it("has the lowering, the engine, the timing, the devices and the measured data", () => {
    const folders = [
      "src/core/device",
      "src/core/engine",
      "src/core/lower",
      "src/core/timing",
      "src/core/frontend",
      "test/reference",
    ];
    expect(Object.keys(validationSources())).toEqual(expect.arrayContaining(folders));
  });

  it("has changed where a folder's hash has, or a folder has come or gone", () => {
    const before = { a: "1", b: "2", c: "3" };
    expect(changedSources(before, before)).toEqual([]);
    expect(changedSources({ a: "1", b: "0", d: "4" }, before)).toEqual(["b", "c", "d"]);
  });
});
