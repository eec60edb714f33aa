/**
 * Refused texts, each with the text that its cure leads to when it is followed to the letter. A case fails where the first
 * is not refused with that cure, or the second is refused.
 */
import { readFileSync } from "node:fs";
import type { FormName } from "../../../src/core/frontend/declare/form.js";
import {
  device,
  f32,
  f64,
  float4,
  i32,
  kernel,
  ptr,
  sharedPtr,
  u64,
  volatile,
} from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import { sizeCases } from "./cures/sizes.js";
import { deviceOfText } from "./device-of-text.js";
import { compiled, kernelOf, type Surroundings } from "./from-text.js";

export interface CureCase {
  /** Part of the cure. */
  readonly cure: string;
  readonly before: () => unknown;
  readonly after: () => unknown;
}

const f = device("f", { params: { x: i32 } }, ({ x }) => x + 1);
const two = device("two", { params: { a: i32, b: f32 } }, ({ a }) => a);
const sums = device("sums", { params: { sdata: ptr(i32), at: i32 } }, ({ sdata, at }) => sdata[at]);
const inShared = device("inShared", { params: { sdata: sharedPtr(i32) } }, ({ sdata }) => sdata[0]);
const child = kernel("child", { params: { data: ptr(i32), count: i32 } }, ({ data, count }) => {
  data[0] = count;
});

export const surroundings: Surroundings = {
  constants: { C: 8, FLAG: true },
  functions: { f, two, sums, inShared, child },
};

type Case = readonly [before: string, cure: string, after: string];

/** The cases of a file in cures/: a line of the cure, `-` and the refused text, `+` and the text that follows the cure. */
function casesOf(name: string): readonly Case[] {
  const text = readFileSync(new URL(`./cures/${name}.txt`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n\n")
    .map((block): Case => {
      const [, cure = "", before = "", after = ""] = /^(.+)\n- (.*)\n\+ ?(.*)$/.exec(block) ?? [];
      if (cure === "" || before === "") throw new Error(`cures/${name}.txt: ${block}`);
      return [before, cure, after];
    });
}

/** Statements of a kernel. */
function statements(cases: readonly Case[]): readonly CureCase[] {
  return cases.map(([before, cure, after]) => ({
    cure,
    before: () => kernelOf(before, surroundings),
    after: () => kernelOf(after, surroundings),
  }));
}

/** A kernel's whole text. */
function texts(cases: readonly Case[], form: FormName): readonly CureCase[] {
  return cases.map(([before, cure, after]) => ({
    cure,
    before: () => compiled(before, { ...surroundings, form }),
    after: () => compiled(after, { ...surroundings, form }),
  }));
}

/** Statements for a GPU of a compute capability; where the cure names another GPU, `after` is for that. */
function lowered(major: number, cases: readonly Case[], afterMajor = major): readonly CureCase[] {
  const on = (text: string, capability: number) => (): unknown =>
    lower(kernelOf(text, surroundings), { computeCapability: { major: capability, minor: 0 }, contractFma: true });
  return cases.map(([before, cure, after]) => ({ cure, before: on(before, major), after: on(after, afterMajor) }));
}

/** A device function's text, called once by a kernel. */
function inDevice(cases: readonly Case[]): readonly CureCase[] {
  const made = (text: string) => (): unknown => {
    const g = deviceOfText("g", { x: i32 }, text);
    return kernelOf("g(1);", { functions: { g } });
  };
  return cases.map(([before, cure, after]) => ({ cure, before: made(before), after: made(after) }));
}

/** Device functions that call each other in a circle: `back` has the name of the one that it should not call. */
function roundAbout(back: string): unknown {
  device("forth", { x: i32 }, new Function(`return ({ x }) => { return back(x); }`)());
  device("back", { x: i32 }, new Function(`return ({ x }) => { ${back} }`)());
  return kernel("k", { output: ptr(i32) }, new Function("return ({ output }) => { output[0] = forth(1); }")());
}

const definitions: readonly CureCase[] = [
  {
    cure: "Write a loop, with local(i32, n) as its stack where it needs one.",
    before: () => roundAbout("return forth(x - 1);"),
    after: () => roundAbout("let sum = 0; for (let i = x; i > 0; i--) sum += i; return sum;"),
  },
  {
    cure: 'Give the device function another name: device("my_brev", ...).',
    before: () => {
      device("brev", { x: i32 }, ({ x }) => x);
      return kernel("k", { output: ptr(i32) }, new Function("return ({ output }) => { output[0] = brev(1); }")());
    },
    after: () => {
      device("my_brev", { x: i32 }, ({ x }) => x);
      // brev means the word again where this file's names are seen: a kernel's name hides none.
      kernel("brev", {}, () => {});
      return kernel("k", { output: ptr(i32) }, new Function("return ({ output }) => { output[0] = my_brev(1); }")());
    },
  },
  {
    cure: "Give a number, a truth value or a type: { SIZE: 256 }.",
    before: () => kernelOf("output[0] = SIZE;", { constants: { SIZE: "256" as never } }),
    after: () => kernelOf("output[0] = SIZE;", { constants: { SIZE: 256 } }),
  },
  {
    cure: 'Make it one: const g = device("g", { x: i32 }, ({ x }) => ...).',
    before: () => kernelOf("output[0] = g(1);", { functions: { g: ((x: number) => x) as never } }),
    after: () => kernelOf("output[0] = g(1);", { functions: { g: device("g", { params: { x: i32 } }, ({ x }) => x) } }),
  },
  {
    cure: "Give it among the constants: constants: { T }.",
    before: () => kernelOf("floats[0] = T(n);", { functions: { T: f32 as never } }),
    after: () => kernelOf("floats[0] = T(n);", { constants: { T: f32 } }),
  },
  {
    cure: "Declare it: { data: ptr(i32) } or { data: i32 }.",
    before: () => kernel("k", { params: { data: undefined as never } }, () => {}),
    after: () => [
      kernel("k", { params: { data: ptr(i32) } }, () => {}),
      kernel("k", { params: { data: i32 } }, () => {}),
    ],
  },
  {
    cure: "Write sdata: ptr(i32).",
    before: () => kernel("k", { params: { sdata: sharedPtr(i32) } }, () => {}),
    after: () => kernel("k", { params: { sdata: ptr(i32) } }, () => {}),
  },
  {
    cure: "Write v: ptr(float4), or one of i32, u32, f32, f64, i64, u64.",
    before: () => kernel("k", { params: { v: float4 } }, () => {}),
    after: () => [kernel("k", { params: { v: ptr(float4) } }, () => {}), kernel("k", { params: { v: f64 } }, () => {})],
  },
  {
    cure: "or declare it: { sdata: ptr(f32) }",
    before: () => kernelOf("output[0] = sums(floats, 0);", surroundings),
    after: () => {
      const g = device("g", { params: { sdata: ptr(f32), at: i32 } }, ({ sdata, at }) => sdata[at]);
      return kernelOf("floats[0] = g(floats, 0);", { functions: { g } });
    },
  },
  {
    cure: "Declare it: { sdata: volatile(ptr(i32)) }.",
    before: () => kernelOf("output[0] = sums(vol, 0);", surroundings),
    after: () => {
      const g = device("g", { params: { sdata: volatile(ptr(i32)), at: i32 } }, ({ sdata, at }) => sdata[at]);
      return kernelOf("output[0] = g(vol, 0);", { functions: { g } });
    },
  },
  {
    cure: "or declare data as ptr(f32)",
    before: () => kernelOf("launch(child, { grid: 1, block: 1 }, [floats, 1]);", surroundings),
    after: () => {
      const g = kernel("g", { params: { data: ptr(f32), count: i32 } }, ({ data, count }) => {
        data[0] = count;
      });
      return kernelOf("launch(g, { grid: 1, block: 1 }, [floats, 1]);", { functions: { g } });
    },
  },
];

/** The cures that a GPU too old, or too new, asks for; `words` of 64 bits stand where the cure names one. */
function wide(text: string, parameter: "sum" | "best"): unknown {
  const ir = kernel(
    "k",
    { params: { [parameter]: ptr(u64), x: parameter === "sum" ? f64 : u64 } },
    new Function(
      `return ({ ${parameter}, x }, { atomicCAS, double_as_longlong, longlong_as_double, min }) => { ${text} }`,
    )(),
  ).ir;
  return lower(ir, { computeCapability: { major: 2, minor: 0 }, contractFma: true });
}

const capabilities: readonly CureCase[] = [
  ...lowered(2, [
    [
      "output[0] = shfl_xor_sync(0xffffffff, n, 16);",
      "exchange the values through shared memory: s[threadIdx.x] = x; syncthreads(); then read s[threadIdx.x ^ 16]",
      "const s = shared(i32, 64); s[threadIdx.x] = n; syncthreads(); output[0] = s[threadIdx.x ^ 16];",
    ],
    ["launch(child, { grid: 1, block: 1 }, [output, 1]);", "launch the grids from the host", "output[0] = 1;"],
    [
      "this_grid().sync(); output[0] = 1;",
      "end the kernel there and launch a second one for the rest",
      "output[0] = 1;",
    ],
  ]),
  ...lowered(6, [
    [
      "words[0] = match_any_sync(0xffffffff, n);",
      "compare with each lane's value in a loop: if (shfl_sync(0xffffffff, x, lane) === x) mask |= 1 << lane",
      "let mask = 0; for (let lane = 0; lane < 32; lane++) if (shfl_sync(0xffffffff, n, lane) === n) mask |= 1 << lane; words[0] = mask;",
    ],
  ]),
  ...lowered(7, [
    [
      "output[0] = reduce_add_sync(0xffffffff, n);",
      "reduce by shuffles: x += shfl_xor_sync(0xffffffff, x, offset) for the offsets 16, 8, 4, 2, 1",
      "let v = n; for (let offset = 16; offset > 0; offset >>= 1) v += shfl_xor_sync(0xffffffff, v, offset); output[0] = v;",
    ],
    [
      "output[0] = __shfl_xor(n, 16);",
      "Replace it with __shfl_xor_sync(0xffffffff, ...), whose first argument",
      "output[0] = __shfl_xor_sync(0xffffffff, n, 16);",
    ],
  ]),
  ...lowered(
    7,
    [
      [
        "output[0] = __shfl_xor(n, 16);",
        "or choose a GPU of compute capability 3.0 to 6.2",
        "output[0] = __shfl_xor(n, 16);",
      ],
    ],
    6,
  ),
  ...lowered(
    2,
    [["atomicAdd(doubles, 0, d);", "Choose a GPU of compute capability 6.0 or more, or", "atomicAdd(doubles, 0, d);"]],
    6,
  ),
  ...lowered(9, [
    [
      "output[0] = 1; launch(child, { grid: 1, block: 1 }, [output, 1]); deviceSynchronize(); output[0] *= 2;",
      "Split the kernel: what comes after the wait goes into a kernel of its own, launched with stream:",
      'output[0] = 1; launch(child, { grid: 1, block: 1 }, [output, 1]); launch(child, { grid: 1, block: 1, stream: "tail" }, [output, 2]);',
    ],
  ]),
  ...lowered(7, [
    [
      'launch(child, { grid: 1, block: 1, stream: "tail" }, [output, 1]); deviceSynchronize();',
      'Move what comes after the wait into a kernel that is launched with stream: "tail", and leave the wait out.',
      'launch(child, { grid: 1, block: 1, stream: "tail" }, [output, 1]);',
    ],
  ]),
  ...lowered(3, [
    [
      'launch(child, { grid: 1, block: 1, stream: "fireAndForget" }, [output, 1]);',
      "launch into the block's stream, or from the host",
      "output[0] = 1;",
    ],
  ]),
  {
    cure: "and add by a loop: let old = sum[0]; let seen = old; do { seen = old; old = atomicCAS(sum, 0, seen,",
    before: lowered(2, [["atomicAdd(doubles, 0, d);", "", ""]])[0].before,
    after: () =>
      wide(
        "let old = sum[0]; let seen = old; do { seen = old; old = atomicCAS(sum, 0, seen, u64(double_as_longlong(longlong_as_double(i64(seen)) + x))); } while (old !== seen);",
        "sum",
      ),
  },
  {
    cure: "and update it by a loop: let old = best[0]; let seen = old; do { seen = old; old = atomicCAS(best, 0, seen, min(seen, x)); } while (old !== seen);",
    before: lowered(2, [["atomicMin(longs, 0, l);", "", ""]])[0].before,
    after: () =>
      wide(
        "let old = best[0]; let seen = old; do { seen = old; old = atomicCAS(best, 0, seen, min(seen, x)); } while (old !== seen);",
        "best",
      ),
  },
];

export const cureCases: readonly CureCase[] = [
  ...`expressions literals assignments names calls groups memory warps printing launches control absent-words`
    .split(" ")
    .flatMap((name) => statements(casesOf(name))),
  ...texts(casesOf("whole-texts"), "long"),
  ...texts(casesOf("short-texts"), "short"),
  ...texts(casesOf("template-texts"), "template"),
  ...inDevice(casesOf("device-functions")),
  ...definitions,
  ...capabilities,
  ...sizeCases,
];
