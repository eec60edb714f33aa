/** The form that learners write: CUDA's words as imported names, device functions and kernels by theirs. */
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { compileKernel } from "../../../src/core/frontend/compile.js";
import { builtinNames } from "../../../src/core/frontend/translate/calls/builtins.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { printKernel } from "../../../src/core/ir/print.js";
import * as warplab from "../../../src/index.js";
import {
  blockDim,
  blockIdx,
  device,
  externShared,
  i32,
  idiv,
  kernel,
  launch,
  ptr,
  shared,
  sharedPtr,
  shfl_down_sync,
  syncthreads,
  threadIdx,
  volatile,
} from "../../../src/index.js";
import { sequential as longForm } from "../../kernels/labs.js";
import { ts } from "../../node/notebook-compiler.js";

const gpu = new Gpu("v100");
const ints = { input: ptr(i32), output: ptr(i32) };

const sequential = kernel("sequential", ints, ({ input, output }) => {
  const sdata = externShared(i32);
  const tid = threadIdx.x;
  sdata[tid] = input[blockIdx.x * blockDim.x + tid];
  syncthreads();
  for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    syncthreads();
  }
  if (tid === 0) output[blockIdx.x] = sdata[0];
});

/** The kernel's first output over 0, 1, 2 ... */
function run(made: warplab.Kernel, elements: number, block: number): readonly number[] {
  const [input, output] = [gpu.upload(Int32Array.from({ length: elements }, (_, i) => i)), gpu.alloc(i32, elements)];
  gpu.launch(made, { grid: 1, block, sharedBytes: 4 * block }, { input, output });
  return [...output.read()];
}

describe("a kernel in the short form", () => {
  it("is the same kernel as in the long form", () => {
    expect(printKernel(sequential.ir)).toBe(printKernel(longForm.ir));
    expect(run(sequential, 64, 64)[0]).toBe((64 * 63) / 2);
  });

  it("takes template constants between its parameters and its function", () => {
    const scaled = kernel("scaled", ints, { FACTOR: 3 }, ({ input, output }, { FACTOR }) => {
      output[threadIdx.x] = FACTOR * input[threadIdx.x];
    });
    expect(run(scaled, 4, 4)).toEqual([0, 3, 6, 9]);
    expect(run(scaled.with({ FACTOR: 5 }), 4, 4)).toEqual([0, 5, 10, 15]);
  });

  it("may have a parameter that is called params", () => {
    const made = kernel("odd", { params: ptr(i32) }, ({ params }) => {
      params[threadIdx.x] = 1;
    });
    expect(made.ir.params.map(({ name }) => name)).toEqual(["params"]);
  });

  it("still takes words from its second argument, and mixes both", () => {
    const mixed = kernel("mixed", ints, ({ input, output }, { threadIdx }) => {
      output[threadIdx.x] = idiv(input[threadIdx.x], 2);
    });
    expect(run(mixed, 6, 6)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("says what is missing where it is called wrongly", () => {
    const untyped = kernel as unknown as (...given: unknown[]) => unknown;
    expect(() => untyped("k", ints)).toThrow(/kernel "k" has no function as its last argument/);
    expect(() => untyped("k", () => {})).toThrow(/kernel "k" has no function|no parameters/);
    expect(() => untyped("k", ints, 256, () => {})).toThrow(/no template constants between/);
    expect(() => untyped("", ints, () => {})).toThrow(/without a name/);
    expect(() => kernel("k", ints, { B: 1 }, ((_: unknown, __: unknown, third: unknown) => third) as never)).toThrow(
      /two arguments: its parameters and the constants/,
    );
  });
});

describe("a device function", () => {
  const warpSum = device("warpSum", { value: i32 }, ({ value }) => {
    for (let offset = 16; offset > 0; offset >>= 1) value += shfl_down_sync(0xffffffff, value, offset);
    return value;
  });

  it("is called by its own name", () => {
    const summed = kernel("summed", ints, ({ input, output }) => {
      const sum = warpSum(input[threadIdx.x]);
      if (threadIdx.x === 0) output[0] = sum;
    });
    expect(run(summed, 32, 32)[0]).toBe((32 * 31) / 2);
    expect(summed.toCuda()).toContain("warpSum(");
  });

  it("takes shared arrays, volatile ones too", () => {
    const lastWarp = device("lastWarp", { data: volatile(sharedPtr(i32)), tid: i32 }, ({ data, tid }) => {
      data[tid] += data[tid + 32];
    });
    const half = kernel("halved", ints, ({ input, output }) => {
      const sdata = shared(i32, 64);
      sdata[threadIdx.x] = input[threadIdx.x];
      syncthreads();
      if (threadIdx.x < 32) lastWarp(sdata, threadIdx.x);
      syncthreads();
      output[threadIdx.x] = sdata[threadIdx.x];
    });
    expect(run(half, 64, 64).slice(0, 3)).toEqual([32, 34, 36]);
  });

  it("is the one that was made last when the kernel is made, and stays it in other instances", () => {
    const twice = device("times", { x: i32 }, ({ x }) => 2 * x);
    const made = kernel("made", ints, { PLUS: 0 }, ({ output }, { PLUS }) => {
      output[threadIdx.x] = twiceOrThrice(threadIdx.x) + PLUS;
    });
    expect(twice.name).toBe("times");
    expect(run(made, 2, 2)).toEqual([0, 2]);
    device("twiceOrThrice", { x: i32 }, ({ x }) => 3 * x);
    expect(run(made.with({ PLUS: 10 }), 2, 2)).toEqual([10, 12]);
    const later = kernel("later", ints, ({ output }) => {
      output[threadIdx.x] = twiceOrThrice(threadIdx.x);
    });
    expect(run(later, 2, 2)).toEqual([0, 3]);
  });

  it("is refused where it calls itself through another", () => {
    device("ping", { x: i32 }, ({ x }) => pong(x));
    device("pong", { x: i32 }, ({ x }) => ping(x));
    const made = (): unknown =>
      kernel("rally", ints, ({ output }) => {
        output[0] = ping(1);
      });
    expect(made).toThrow(/ping calls itself: ping calls pong calls ping/);
  });

  it("is launched by its own name where it is a kernel", () => {
    const child = kernel("child", { output: ptr(i32) }, ({ output }) => {
      output[threadIdx.x] = 7;
    });
    const parent = kernel("parent", ints, ({ output }) => {
      if (threadIdx.x === 0) launch(child, { grid: 1, block: 4 }, { output });
    });
    expect(run(parent, 4, 4)).toEqual([7, 7, 7, 7]);
  });

  it("has its name suggested where a name is near, and a name that nobody knows is refused", () => {
    const near = (): unknown =>
      kernel("near", ints, ({ output }) => {
        output[0] = warpSun(1);
      });
    expect(near).toThrow(/warpSun/);
    expect(near).toThrow(/Did you mean warpSum\?/);
  });
});

const twiceOrThrice = device("twiceOrThrice", { x: i32 }, ({ x }) => 2 * x);
declare function pong(x: number): number;
declare function ping(x: number): number;
declare function warpSun(x: number): number;

const BODY = `({ input, output }) => {
  const sdata = externShared(i32);
  sdata[threadIdx.x] = input[blockIdx.x * blockDim.x + threadIdx.x];
  syncthreads();
  for (let k = 0; k < 4; k++) { unroll(); sdata[threadIdx.x] += k; }
  if (threadIdx.x === 0) printf("%d\\n", sdata[0]);
  output[threadIdx.x] = min(sdata[threadIdx.x], 3);
}`;
const IMPORTS = "blockDim, blockIdx, externShared, i32, kernel, min, printf, ptr, syncthreads, threadIdx, unroll";
const MODULE = `import { ${IMPORTS} } from "warplab";
export const made = kernel("made", { input: ptr(i32), output: ptr(i32) }, ${BODY});`;

/** The text of the kernel's function in a program that compilers have rewritten. */
function bodyIn(program: string): string {
  const from = program.search(/\(\{\s*input(:\s*\w+)?,\s*output(:\s*\w+)?\s*\}\)\s*=>/);
  let depth = 0;
  for (let at = program.indexOf("=>", from); at < program.length; at++) {
    if (program[at] === "{") depth++;
    if (program[at] === "}" && --depth === 0) return program.slice(from, at + 1);
  }
  throw new Error(`no function in ${program}`);
}

const compiled = (text: string): string =>
  printKernel(compileKernel({ name: "made", text, params: ints, constants: {}, functions: {} }));

async function bundled(minify: boolean, module: string = MODULE): Promise<string> {
  const bundle = await rolldown({
    input: "entry",
    external: ["warplab"],
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? id : null),
        load: (id) => (id === "entry" ? module : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify });
  await bundle.close();
  return output[0].code;
}

describe("the short form's words", () => {
  const plain = compiled(BODY);

  it("are known as TypeScript's CommonJS writes them, in tslab's cells", () => {
    const { outputText } = ts.transpileModule(MODULE, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    expect(outputText).toContain("(0, warplab_1.syncthreads)()");
    expect(compiled(bodyIn(outputText))).toBe(plain);
  });

  it.each([
    ["an earlier cell of tslab", (word: string) => `exports.${word}`],
    ["vitest", (word: string) => `__vi_import_0__.${word}`],
    ["webpack", (word: string) => `warplab__WEBPACK_IMPORTED_MODULE_0__.${word}`],
    ["esbuild to CommonJS", (word: string) => `import_warplab.${word}`],
    ["Babel to CommonJS", (word: string) => `_warplab.${word}`],
    ["a namespace import", (word: string) => `w.${word}`],
    ["rollup, where two modules have the name", (word: string) => `${word}$1`],
  ])("are known as %s writes them", (_, form) => {
    const words = IMPORTS.split(", ").filter((word) => word !== "kernel" && word !== "ptr");
    const text = words.reduce((all, word) => all.replaceAll(new RegExp(`\\b${word}\\b`, "g"), () => form(word)), BODY);
    expect(compiled(text)).toBe(plain);
    const called = text.replaceAll(/([\w$]+\.[\w$]+)\(/g, "(0, $1)(");
    expect(compiled(called)).toBe(plain);
  });

  it("survive a bundler that does not minify", async () => {
    expect(compiled(bodyIn(await bundled(false)))).toBe(plain);
  });

  it("are lost to a minifier, and the error says so; what the second argument gives is not", async () => {
    const minified = await bundled(true);
    expect(minified).toMatch(/threadIdx as \w/);
    expect(() => compiled(bodyIn(minified))).toThrow(/is not a name of this kernel/);
    const taken = `({ input, output }, { threadIdx, syncthreads }) => { output[threadIdx.x] = input[0]; syncthreads(); }`;
    const module = `import { kernel, ptr, i32 } from "warplab";
export const made = kernel("made", { input: ptr(i32), output: ptr(i32) }, ${taken});`;
    const renamed = await bundled(true, module);
    const body = renamed.slice(renamed.search(/\(\{\s*input:/), renamed.search(/\)\s*;?\s*export/));
    expect(compiled(body)).toBe(compiled(taken));
  });

  it("are no words on objects of JavaScript", () => {
    expect(() => compiled(BODY.replace("min(", "console.log("))).toThrow(/console/);
  });

  it("are all exported by the package, with every word of the language", () => {
    const missing = builtinNames().filter((name) => !(name in warplab) && !name.startsWith("__"));
    expect(missing).toEqual([]);
  });
});

describe("a word on the host", () => {
  it("throws an error that says where it belongs", () => {
    expect(() => syncthreads()).toThrow(/syncthreads is a word for kernels, and was used on the host/);
    expect(() => threadIdx.x).toThrow(/threadIdx is a word for kernels/);
    expect(() => Number(warplab.warpSize) + 1).toThrow(/warpSize is a word for kernels/);
    expect(() => shared(i32, 4)).toThrow(/Write it inside of the function that kernel/);
  });

  it("can be printed and awaited without harm", async () => {
    expect(String((await import("node:util")).inspect(syncthreads))).toContain("syncthreads");
    expect(await Promise.resolve(threadIdx)).toBe(threadIdx);
  });
});
