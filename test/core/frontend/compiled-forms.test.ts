/**
 * A kernel's names between its file and its text at run time, as compilers and bundlers themselves rewrite them. The short
 * form survives all that keep names or modules; the long form survives minifiers too.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as TypeScript from "@tslab/typescript-for-tslab";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { rollup } from "rollup";
import { moduleRunnerTransform } from "vite";
import { afterAll, describe, expect, test } from "vitest";
import { CompileError } from "../../../src/core/base/errors.js";
import * as frontend from "../../../src/core/frontend/index.js";
import * as words from "../../../src/core/frontend/words/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { printBody } from "../../../src/core/ir/print.js";
import * as here from "./forms/kernels.js";

const require = createRequire(createRequire(import.meta.url).resolve("tslab"));
const ts: typeof TypeScript = require("@tslab/typescript-for-tslab");
const warplab = { ...frontend, ...words };

const file = join(import.meta.dirname, "forms/kernels.ts");
const source = readFileSync(file, "utf8");
const FORMS = ["short", "given", "long"] as const;
type Form = (typeof FORMS)[number];

const dist = join(import.meta.dirname, "../../../src/dist");
const folder = mkdtempSync(join(tmpdir(), "warplab-forms-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program of two modules, the first of which has names of its own that the kernels' module imports. */
const clashing = join(folder, "entry.ts");
writeFileSync(join(folder, "kernels.ts"), source);
writeFileSync(
  join(folder, "other.ts"),
  `export const threadIdx = { x: 5 };\nexport const i32 = (x: number) => x | threadIdx.x;
export function syncthreads() { return i32(threadIdx.x); }\nexport const atan2 = Math.atan2;\nexport const warpSum = 3;`,
);
writeFileSync(clashing, 'export * as other from "./other.js";\nexport { short, given, long } from "./kernels.js";');

function typescriptTo(module: "CommonJS" | "ESNext"): string {
  const options = { module: ts.ModuleKind[module], target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(source, { compilerOptions: options }).outputText;
}

async function esbuilt(entry: string, format: "esm" | "cjs", minify: boolean): Promise<string> {
  const options = { bundle: true, external: ["warplab"], logLevel: "silent" as const };
  const { outputFiles } = await build({ entryPoints: [entry], format, minify, write: false, ...options });
  return outputFiles[0].text;
}

async function rolled(entry: string, format: "esm" | "cjs", minify: boolean): Promise<string> {
  const bundle = await rolldown({ input: entry, external: ["warplab"], logLevel: "silent" });
  return (await bundle.generate({ format, minify })).output[0].code;
}

/** Rollup reads JavaScript: of a module whose names clash with the kernels'. */
async function rolledUp(format: "es" | "cjs"): Promise<string> {
  const modules: Readonly<Record<string, string>> = {
    entry: 'export * as other from "other";\nexport { short, given, long } from "kernels";',
    other: ts.transpileModule(readFileSync(join(folder, "other.ts"), "utf8"), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    }).outputText,
    kernels: typescriptTo("ESNext"),
  };
  const plugin = {
    name: "texts",
    resolveId: (id: string): string | null => (id in modules ? id : null),
    load: (id: string): string | null => modules[id] ?? null,
  };
  const bundle = await rollup({ input: "entry", external: ["warplab"], plugins: [plugin] });
  return (await bundle.generate({ format })).output[0].code;
}

type Kernels = Readonly<Record<Form, frontend.Kernel>>;

/** Runs a module of such text, whose only import is the package; `make` stands for the package's kernel(). */
function evaluate(text: string, make: unknown): Kernels {
  const module = { exports: {} };
  const names = (list: string): string => list.replaceAll(/([\w$]+) as ([\w$]+)/g, "$1: $2");
  const exported = (list: string): string => list.replaceAll(/([\w$]+) as ([\w$]+)/g, "$2: $1");
  const script = text
    .replaceAll(
      /import\s*\{([^}]*)\}\s*from\s*["'`]warplab["'`];?/g,
      (_, list: string) => `const {${names(list)}} = require("warplab");`,
    )
    .replaceAll(/export\s*\{([^}]*)\};?/g, (_, list: string) => `Object.assign(module.exports, {${exported(list)}});`)
    .replaceAll(/export const (\w+) =/g, "const $1 = module.exports.$1 =");
  new Function("require", "module", "exports", script)(() => ({ ...warplab, kernel: make }), module, module.exports);
  return module.exports as Kernels;
}

/** The kernels of a text that compile there; the others by what they are refused with. */
function compiled(text: string): Readonly<Record<Form, frontend.Kernel | CompileError>> {
  const refused = (name: string, ...parts: unknown[]): unknown => {
    try {
      return (frontend.kernel as (name: string, ...parts: unknown[]) => frontend.Kernel)(name, ...parts);
    } catch (error) {
      if (error instanceof CompileError) return error;
      throw error;
    }
  };
  return evaluate(text, refused) as Readonly<Record<Form, frontend.Kernel | CompileError>>;
}

const INPUT = Int32Array.from({ length: 256 }, (_, i) => ((i * 7919) % 1013) - 400);
const SUMS = Array.from({ length: 4 }, (_, b) => INPUT.subarray(b * 64, b * 64 + 64).reduce((a, x) => a + x, 0));

function sumsOf(kernel: frontend.Kernel): readonly unknown[] {
  const gpu = new Gpu("h200", { memoryBytes: 1 << 20 });
  const [input, sums, angle] = [gpu.upload(INPUT), gpu.alloc(warplab.i32, 4), gpu.alloc(warplab.f32, 1)];
  const result = gpu.launch(kernel, { grid: 4, block: 64, sharedBytes: 8 }, { input, sums, angle });
  return [...sums.read(), result.printed.length, angle.read()[0]?.toFixed(4)];
}

const EXPECTED = [...SUMS, 4, Math.atan2(1, 2).toFixed(4)];

/** Which of the three forms mean the same after a text's journey. */
function surviving(text: string): readonly Form[] {
  const kernels = compiled(text);
  return FORMS.filter((form) => {
    const kernel = kernels[form];
    if (kernel instanceof CompileError) return false;
    // A minifier's text has other names and other statements, and is run.
    if (printBody(kernel.ir) !== printBody(here.long.ir)) expect(sumsOf(kernel)).toEqual(EXPECTED);
    return true;
  });
}

const ALL: readonly Form[] = FORMS;

test("a kernel's three forms mean the same", () => {
  expect(printBody(here.short.ir)).toBe(printBody(here.long.ir));
  expect(printBody(here.given.ir)).toBe(printBody(here.long.ir));
  expect(here.short.toCuda({ comments: false })).toBe(here.long.toCuda({ comments: false }));
});

describe("all three forms survive", () => {
  const commonJs = typescriptTo("CommonJS");
  test.each([
    ["Vitest", null],
    ["TypeScript to CommonJS, as tslab does it", commonJs],
    ["TypeScript to ECMAScript modules", typescriptTo("ESNext")],
    [
      "webpack's names",
      commonJs
        .replaceAll("(0, warplab_1.", "(0,warplab_1.")
        .replaceAll("warplab_1", "warplab__WEBPACK_IMPORTED_MODULE_0__"),
    ],
    ["Babel's and SWC's names", commonJs.replaceAll("warplab_1", "_warplab")],
    ["a namespace of any name", commonJs.replaceAll("warplab_1", "gpuLanguage")],
  ])("%s", (_, text) => {
    if (text === null) {
      for (const kernel of [here.short, here.given, here.long]) expect(sumsOf(kernel)).toEqual(EXPECTED);
    } else expect(surviving(text)).toEqual(ALL);
  });

  test("Vite's modules for the server", async () => {
    const moved = await moduleRunnerTransform(typescriptTo("ESNext"), null, "kernels.js", source);
    const text = (moved?.code ?? "")
      .replaceAll(/const (\w+) = await __vite_ssr_import__\([^;]*\);/g, 'const $1 = require("warplab");')
      .replaceAll(/__vite_ssr_exportName__\("(\w+)".*\n?/g, "");
    expect(text).toContain("(0,__vite_ssr_import_0__.syncthreads)()");
    expect(surviving(`${text}\nObject.assign(module.exports, { short, given, long });`)).toEqual(ALL);
  });

  test.each(["esm", "cjs"] as const)(
    "esbuild's bundles (%s), also where another module has the same names",
    async (format) => {
      expect(surviving(await esbuilt(file, format, false))).toEqual(ALL);
      const clash = await esbuilt(clashing, format, false);
      if (format === "esm") expect(clash).toContain("threadIdx2.x");
      expect(surviving(clash)).toEqual(ALL);
    },
  );

  test.each(["esm", "cjs"] as const)("Rolldown's bundles (%s)", async (format) => {
    expect(surviving(await rolled(file, format, false))).toEqual(ALL);
  });

  test.each(["es", "cjs"] as const)("Rollup's bundles (%s), whose other module has the same names", async (format) => {
    expect(surviving(await rolledUp(format))).toEqual(ALL);
  });
});

test.each(["one file", "a chunk of its own"])(
  "a program bundled with the package in %s runs its kernels",
  async (kind) => {
    const entry = join(folder, "program.ts");
    const forms = FORMS.map((form) => `bodies.push(printBody(${form}.ir), ${form}.spec.place?.where ?? "");`).join(
      "\n",
    );
    const printer = JSON.stringify(join(dist, "core/ir/print.js"));
    writeFileSync(
      entry,
      `import { printBody } from ${printer};\nimport { short, given, long } from "./kernels.js";\nconst bodies: string[] = [];
${forms}\nconsole.log(JSON.stringify(bodies));`,
    );
    const bundle = await rolldown({
      input: entry,
      resolve: { alias: { warplab: join(dist, "node/index.js") } },
      platform: "node",
      logLevel: "silent",
    });
    const groups = [{ name: "package", test: /[\\/]\.cache[\\/]builds[\\/]/ }];
    const output = join(folder, kind === "one file" ? "whole" : "parted");
    const chunks = kind === "one file" ? {} : { codeSplitting: { groups } };
    await bundle.write({
      dir: output,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name].mjs",
      ...chunks,
    });
    const printed = execFileSync(process.execPath, [join(output, "program.mjs")], { encoding: "utf8" });
    const where = "program.mjs";
    const body = printBody(here.long.ir);
    expect(JSON.parse(printed)).toEqual([body, where, body, where, body, where]);
  },
);

describe("a minifier that renames identifiers", () => {
  test.each([
    ["esbuild", esbuilt],
    ["Rolldown, which Vite uses", rolled],
  ] as const)("(%s) leaves the long form, and the short one where the module is an object", async (_, bundle) => {
    expect(surviving(await bundle(file, "esm", true))).toEqual(["long"]);
    // CUDA's words are still members of the package's object; a device function's own name is gone.
    expect(surviving(await bundle(file, "cjs", true))).toEqual(["given", "long"]);
  });

  test("is named as the cause, with the way out", async () => {
    const { short } = compiled(await esbuilt(file, "esm", true));
    expect(short).toBeInstanceOf(CompileError);
    expect((short as CompileError).cure).toContain("If a minifier has renamed it, keep names in this file");
  });
});
