/** The names of kernels in the short form: every word of CUDA's, and device functions and kernels by their own. */
import { describe, expect, test } from "vitest";
import { CompileError, InputError } from "../../../src/core/base/errors.js";
import { device, f32, i32, kernel, ptr } from "../../../src/core/frontend/index.js";
import { builtinNames, builtinValue } from "../../../src/core/frontend/translate/calls/builtins.js";
import * as words from "../../../src/core/frontend/words/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { printBody } from "../../../src/core/ir/print.js";
import * as warplab from "../../../src/index.js";
import { compiled, refused } from "./from-text.js";

const { atomicAdd, blockIdx, launch, printf, threadIdx } = words;

describe("the exported words", () => {
  test("are those of the language, no more and no fewer", () => {
    expect(Object.keys(words).sort()).toEqual([...builtinNames()].sort().filter((name) => name !== ""));
  });

  test("are the package's exports under their names", () => {
    const missing = Object.entries(words).filter(([name, word]) => Reflect.get(warplab, name) !== word);
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  test.each(builtinNames())("%s means the word in a text that declares no such name", (name) => {
    const value = builtinValue(name);
    const use = value?.kind === "dim3" ? `output[0] = i32(${name}.x);` : `const word = ${name};`;
    for (const free of [name, `exports.${name}`, `(0, warplab_1.${name})`, `__vi_import_0__.${name}`]) {
      expect(() => compiled(`({ output }) => { ${use.replace(name, free)} }`, { form: "template" })).not.toThrow();
    }
  });

  const functions = Object.entries(words).filter(
    ([name, word]) => typeof word === "function" && builtinValue(name)?.kind === "builtin" && name !== "volatile",
  );
  test.each(functions)("%s fails on the host and says where it belongs", (name, word) => {
    const run = (): unknown => (word as (...args: readonly unknown[]) => unknown)(0, 0);
    expect(run).toThrow(InputError);
    expect(run).toThrow(`${name} is a word for kernels, and was used on the host.`);
    expect(run).toThrow(`kernel("name", { ... }, ({ ... }) => { ... }) is given`);
  });

  test.each([
    ["threadIdx", () => words.threadIdx.x],
    ["gridDim", () => words.gridDim.z],
    ["warpSize", () => words.warpSize + 1],
    ["self", () => words.self.name],
    ["plus", () => words.plus()],
    ["less", () => words.less.operator],
  ])("%s fails on the host where it is computed with", (name, use) => {
    expect(use).toThrow(`${name}`);
    expect(use).toThrow("is a word for kernels");
  });

  test("can be looked at on the host", () => {
    expect(Object.keys(words.threadIdx)).toEqual(["x", "y", "z"]);
  });
});

describe("a kernel in the short form", () => {
  test("is the kernel of the long form", () => {
    const short = kernel("k", { output: ptr(i32), n: i32 }, { STEP: 4 }, ({ output, n }, { STEP }) => {
      output[threadIdx.x * STEP] = n;
    });
    const long = kernel(
      "k",
      { params: { output: ptr(i32), n: i32 }, constants: { STEP: 4 } },
      ({ output, n }, { threadIdx }, { STEP }) => {
        output[threadIdx.x * STEP] = n;
      },
    );
    expect(printBody(short.ir)).toBe(printBody(long.ir));
    expect(short.ir.params).toEqual(long.ir.params);
    expect(printBody(short.with({ STEP: 2 }).ir)).toContain("output[(threadIdx.x *u32 2u)]");
    expect(() => short.with({ STEPS: 2 })).toThrow("It takes STEP.");
  });

  test("may have no parameters, and one that is called params", () => {
    expect(
      printBody(
        kernel("hello", {}, () => {
          printf("hello\n");
        }).ir,
      ),
    ).toBe('printf "hello\\n"');
    const odd = kernel("odd", { params: ptr(i32) }, ({ params }) => {
      params[0] = 1;
    });
    expect(printBody(odd.ir)).toBe("params[0] = 1");
  });

  test("takes device functions and kernels among its constants", () => {
    const third = device("third", { x: i32 }, ({ x }) => x * 3);
    const k = kernel("k", { output: ptr(i32) }, { third, N: 2 }, ({ output }, { third, N }) => {
      output[0] = third(N);
    });
    expect(printBody(k.ir)).toBe("output[0] = third#0(2)");
  });

  test("shows in its errors and in CUDA's text the names that were written", () => {
    const { message } = refused(() =>
      compiled("({ output }) => {\n  (0, warplab_1.syncthreads)();\n  output[warplab_1.threadIdx.x] = n$1 / 2;\n}", {
        form: "short",
      }),
    );
    expect(message).toContain("3 |   output[threadIdx.x] = n / 2;\n  |                         ^");
    const k = kernel("k", { output: ptr(i32) }, ({ output }) => {
      output[threadIdx.x] = i32(blockIdx.x);
    });
    expect(k.toCuda()).toContain(": output[threadIdx.x] = i32(blockIdx.x);");
  });

  test.each([
    ["no function", ["k", { a: i32 }], "has no function as its last argument"],
    ["constants behind the function", ["k", { a: i32 }, () => {}, { N: 1 }], ""],
    [
      "constants that are none",
      ["k", { a: i32 }, 5, () => {}],
      "has no template constants between its parameters and its function",
    ],
  ] as const)("with %s", (_, args, what) => {
    const make = (): unknown => (kernel as unknown as (...given: readonly unknown[]) => unknown)(...args);
    if (what === "") expect(make).not.toThrow();
    else expect(make).toThrow(what);
  });
});

describe("a device function", () => {
  test("is known by its name, whatever the variable is called", () => {
    const f = device("plusTen", { x: i32 }, ({ x }) => x + 10);
    expect(f.name).toBe("plusTen");
    for (const call of ["plusTen(1)", "exports.plusTen(1)", "(0, lib_1.plusTen)(1)", "plusTen$1(1)", "plusTen2(1)"]) {
      expect(printBody(compiled(`({ output }) => { output[0] = ${call}; }`))).toBe("output[0] = plusTen#0(1)");
    }
  });

  test("is the one defined last when the kernel is made, also in other instances of that kernel", () => {
    device("factor", { x: i32 }, ({ x }) => x * 2);
    const make = (): ReturnType<typeof kernel> =>
      kernel(
        "scale",
        { output: ptr(i32) },
        { N: 5 },
        new Function("return ({ output }, { N }) => { output[0] = factor(N); }")(),
      );
    const before = make();
    device("factor", { x: i32 }, ({ x }) => x * 3);
    const after = make();
    const bodyOf = (k: ReturnType<typeof kernel>): string => JSON.stringify(k.ir.functions[0].body);
    expect(bodyOf(after)).not.toBe(bodyOf(before));
    expect(bodyOf(before.with({ N: 6 }))).toBe(bodyOf(before));
    expect(bodyOf(after.with({ N: 6 }))).toBe(bodyOf(after));
  });

  test("is said in CUDA's text to be the last of its name, with its place", () => {
    device("twiceHere", { x: f32 }, ({ x }) => x * 2);
    const named = kernel(
      "k",
      { output: ptr(f32) },
      new Function("return ({ output }) => { output[0] = twiceHere(1.5); }")(),
    );
    expect(named.toCuda()).toMatch(
      /\/\/ twiceHere: as defined last when this kernel was made \(line \d+ of .*short-form-names\.test\.ts.*\)\n__device__/,
    );
  });

  test("may call others by their names, but not itself, nor in a circle", () => {
    device("inner", { x: i32 }, ({ x }) => x + 1);
    device("outer", { x: i32 }, new Function("return ({ x }) => inner(x) * 2")());
    expect(compiled("({ output }) => { output[0] = outer(3); }").functions.map(({ name }) => name)).toEqual([
      "inner",
      "outer",
    ]);
    device("alone", { x: i32 }, new Function("return ({ x }) => alone(x - 1)")());
    expect(refused(() => compiled("({ output }) => { output[0] = alone(3); }")).what).toContain("alone calls itself");
    device("ping", { x: i32 }, new Function("return ({ x }) => pong(x - 1)")());
    device("pong", { x: i32 }, new Function("return ({ x }) => ping(x - 1)")());
    expect(refused(() => compiled("({ output }) => { output[0] = ping(3); }")).what).toContain(
      "ping calls itself: ping calls pong calls ping",
    );
  });

  test("with a word's name is refused where the name is used", () => {
    device("clzll", { x: i32 }, ({ x }) => x);
    expect(refused(() => compiled("({ output }) => { output[0] = clzll(3); }")).what).toContain(
      "a word of CUDA, and a device function",
    );
    kernel("clzll", {}, () => {});
    expect(() => compiled("({ output }) => { output[0] = clzll(i64(3)); }")).not.toThrow();
  });

  test("called on the host says where it belongs", () => {
    const f = device("onHost", { x: i32 }, ({ x }) => x);
    expect(() => f(1)).toThrow("The device function onHost was called on the host.");
  });
});

describe("names", () => {
  test("of kernels mean what they meant, however many others were made since", () => {
    const text = (body: string): (() => void) => new Function(`return ({ data }) => { ${body} }`)() as () => void;
    const make = (name: string, body: string): ReturnType<typeof kernel> =>
      kernel(name, { data: ptr(i32) }, text(body)) as ReturnType<typeof kernel>;
    const run = (k: ReturnType<typeof kernel>): number => {
      const gpu = new Gpu("h200");
      const data = gpu.alloc(i32, 1);
      gpu.launch(k, { grid: 1, block: 1 }, { data });
      return Number(data.read()[0]);
    };
    device("addHere", { data: ptr(i32), x: i32 }, ({ data, x }) => {
      atomicAdd(data, 0, x);
    });
    make("early", "addHere(data, 5);");
    make("early1", "launch(early, { grid: 1, block: 1 }, { data }); addHere(data, 100);");
    device("addHere", { data: ptr(i32), x: i32 }, ({ data, x }) => {
      atomicAdd(data, 0, x * 1000);
    });
    for (let i = 0; i < 40; i++) make(`other${i}`, "data[0] = 1;");
    expect(run(make("late", "launch(early1, { grid: 1, block: 1 }, { data });"))).toBe(105);
    // A name that is defined again means the new kernel, but not in a kernel that was made before.
    const before = make("before", "launch(early, { grid: 1, block: 1 }, { data });");
    make("early", "data[0] = 7;");
    expect(run(before)).toBe(5);
    expect(run(before.with({}))).toBe(5);
    expect(run(make("after", "launch(early, { grid: 1, block: 1 }, { data });"))).toBe(7);
  });

  test("of kernels that end in a digit are their own, also beside one without the digit", () => {
    const grow = `({ data }) => { if (atomicAdd(data, 0, 1) < 3) launch(grow2, { grid: 1, block: 1 }, { data }); }`;
    kernel("grow", { data: ptr(i32) }, ({ data }) => {
      data[0] = -100;
    });
    const own = kernel("grow2", { data: ptr(i32) }, new Function(`return ${grow}`)());
    const gpu = new Gpu("h200");
    const data = gpu.alloc(i32, 1);
    gpu.launch(own, { grid: 1, block: 1 }, { data });
    expect(data.read()[0]).toBe(4);
  });

  test("of kernels are kernels to launch; a kernel's own is the kernel itself", () => {
    const add = kernel("addOne", { data: ptr(i32) }, ({ data }) => {
      atomicAdd(data, 0, 1);
    });
    void add;
    const tree = kernel(
      "tree",
      { data: ptr(i32), left: i32 },
      new Function(
        "return ({ data, left }) => { launch(addOne, { grid: 1, block: 2 }, { data }); if (left > 0) launch(tree, { grid: 1, block: 1 }, { data, left: left - 1 }); }",
      )(),
    );
    const gpu = new Gpu("h200", { memoryBytes: 1 << 20 });
    const data = gpu.alloc(i32, 1);
    expect(gpu.launch(tree, { grid: 1, block: 1 }, { data, left: 2 }).children?.count).toBe(5);
    expect(data.read()[0]).toBe(6);
  });

  test("that are unknown are answered with those that are known", () => {
    device("nearby", { x: i32 }, ({ x }) => x);
    const { cure } = refused(() =>
      compiled("({ output, n }, { C }) => { const here = n + C; output[0] = therefore; }", {
        form: "template",
        constants: { C: 3 },
      }),
    );
    expect(cure).toMatch(
      /^Known are here, output, n, C, the functions .*nearby, and the words of LANGUAGE\.md\. A number is a constant: kernel\("name", \{ \.\.\. \}, \{ therefore \}/,
    );
  });

  test("of the package's own kernels are none of the learner's", () => {
    expect(warplab.labReductions.length).toBeGreaterThan(0);
    const { cure } = refused(() => compiled("({ output }) => { output[0] = sequentialx; }"));
    expect(cure).not.toContain("firstAddDuringLoad");
    expect(cure).not.toContain("sequential,");
  });

  test("that the kernel declares are its own, whatever a word is called", () => {
    const k = kernel("own", { output: ptr(i32) }, ({ output }) => {
      const clock = 3;
      const min = clock + 1;
      output[0] = min;
    });
    expect(printBody(k.ir)).toBe("let clock: i32 = 3\nlet min: i32 = 4\noutput[0] = 4");
  });

  test("a misspelt tile is no module whose member shfl would be", () => {
    expect(() => compiled("({ output, n }) => { output[0] = tiel.shfl(n, 1); }")).toThrow(CompileError);
    expect(refused(() => compiled("({ output, n }) => { output[0] = tiel.shfl(n, 1); }")).what).toContain(
      "tiel is not a name",
    );
  });
});

test("words can be used in host code that is never run, as a kernel's text is", () => {
  const text = String(() => launch(words.self, { grid: 1, block: 1 }));
  expect(text).toContain("launch");
});

test("a parameter taken by its name in quotes is that parameter, as a notebook's compiler may write it", () => {
  const body = (name: string): string =>
    printBody(compiled(`({ ${name}: data }) => { data[threadIdx.x] = 7; }`, { form: "template" }));
  expect(body('"output"')).toBe(body("output"));
  const unknown = (): unknown => compiled('({ "none": data }) => { data[0] = 7; }', { form: "template" });
  expect(refused(unknown).what).toContain("none");
});
