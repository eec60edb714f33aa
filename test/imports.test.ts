import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { allImports, cycles, importsOf, LEVELS, wrongDirections } from "./import-direction.js";

const src = join(import.meta.dirname, "../src");
const imports = allImports(src);
const MOST_FILES = 20;

describe("the sources", () => {
  test("import downward only, from one layer to a lower one", () => {
    expect(wrongDirections(imports)).toEqual([]);
  });

  test("have no cycle of imports", () => {
    expect(cycles(imports)).toEqual([]);
  });

  test("have a level for every folder of src", () => {
    const known = new Set(LEVELS.flat());
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const others = folders.map(({ name }) => name).filter((name) => !known.has(name));
    expect(others.filter((name) => name !== "dist" && name !== "node_modules")).toEqual([]);
  });

  test("lie at most twenty to a folder", () => {
    const files = readdirSync(src, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
    const sources = files.filter((file) => /\.(ts|mjs|js)$/.test(file) && !/^(dist|node_modules)\//.test(file));
    const counts = new Map<string, number>();
    for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });

  test("are all read: base/errors.ts is imported by more than one file", () => {
    expect(imports.filter(({ specifier }) => specifier.endsWith("core/base/errors.js")).length).toBeGreaterThan(1);
  });

  test("lie where the checks of a clean checkout look for them", () => {
    const root = join(src, "..");
    const named = readFileSync(join(root, ".ci/run"), "utf8").matchAll(/(?:\.\/)?(?:src|test)\/[\w./-]+\.\w+/g);
    const paths = [...named].map(([path]) => path);
    expect(paths).toContain("src/node/commands/build.mjs");
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("name Node in its own storey and in the tools alone", () => {
    const files = readdirSync(src, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
    const portable = files.filter((file) => /^((core|course|live)\/.*\.(ts|mjs)|\w+\.ts)$/.test(file));
    expect(portable.length).toBeGreaterThan(400);
    const named = portable.flatMap((file) => {
      // Words in comments and in the texts of errors are no use of Node.
      const code = readFileSync(join(src, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
      const use =
        /from "node:|import\("node:|(?<![\w.])(?:process\.\w|Buffer\.\w|require\(["'`]|__dirname)|import\.meta\.\w/.exec(
          code,
        );
      return use === null ? [] : [`${file}: ${use[0]}`];
    });
    expect(named).toEqual([]);
  });
});

describe("the check of imports", () => {
  test("names the file and the import that leads upward", () => {
    expect(wrongDirections([{ file: "core/ir/types.ts", specifier: "../engine/fast/run.js" }])).toEqual([
      'core/ir/types.ts imports "../engine/fast/run.js": core/ir lies below core/engine',
    ]);
  });

  test("names an import between siblings", () => {
    expect(wrongDirections([{ file: "core/device/h200.ts", specifier: "../ir/types.js" }])).toEqual([
      'core/device/h200.ts imports "../ir/types.js": core/device and core/ir are siblings',
    ]);
  });

  test("names an import upward from room to room of a folder", () => {
    expect(wrongDirections([{ file: "core/timing/base/fraction.ts", specifier: "../trace/trace.js" }])).toEqual([
      'core/timing/base/fraction.ts imports "../trace/trace.js": core/timing/base lies below core/timing/trace',
    ]);
    expect(wrongDirections([{ file: "core/timing/sm/sm.ts", specifier: "../footprint/laps.js" }])).toEqual([
      'core/timing/sm/sm.ts imports "../footprint/laps.js": core/timing/sm and core/timing/footprint are siblings',
    ]);
  });

  test("lets a deeper folder import its own layer and lower ones", () => {
    const own = { file: "core/engine/fast/emit.ts", specifier: "../engine.js" };
    expect(wrongDirections([own, { file: "core/engine/fast/emit.ts", specifier: "../../ir/types.js" }])).toEqual([]);
  });

  test("lets nothing import the package's front or what lies outside of src", () => {
    const front = { file: "core/show/table.ts", specifier: "../../index.js" };
    expect(wrongDirections([front, { file: "core/show/table.ts", specifier: "../../../labs/x.js" }])).toHaveLength(2);
  });

  test("sees imports of types, re-exports and dynamic imports", () => {
    const text = 'import type { A } from "./a.js";\nexport * from "./b.js";\nconst c = await import("./c.js");';
    expect(importsOf("x.ts", text).map(({ specifier }) => specifier)).toEqual(["./a.js", "./b.js", "./c.js"]);
  });

  test("names the files of a cycle", () => {
    const around = [
      { file: "core/ir/a.ts", specifier: "./b.js" },
      { file: "core/ir/b.ts", specifier: "./c.js" },
      { file: "core/ir/c.ts", specifier: "./b.js" },
    ];
    expect(cycles(around)).toEqual(["core/ir/b.ts -> core/ir/c.ts -> core/ir/b.ts"]);
  });
});
