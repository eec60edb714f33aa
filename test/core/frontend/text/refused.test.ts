import { describe, expect, test } from "vitest";
import { device, i32, kernel, ptr } from "../../../../src/core/frontend/index.js";
import { printBody } from "../../../../src/core/ir/print.js";
import { compiled, kernelOf, refused } from "../from-text.js";

/** [the construct, its statement, what the caret marks, words of the message, words of the cure] */
type Row = readonly [construct: string, text: string, marked: string, what: string, cure: string];

function rows(list: readonly Row[]): void {
  test.each(list)("%s", (_, text, marked, what, cure) => {
    const refusal = refused(() => kernelOf(text));
    expect(refusal.line).toBe(2);
    expect(refusal.marked).toBe(marked);
    expect(refusal.what).toContain(what);
    expect(refusal.cure).toContain(cure);
  });
}

test("an error quotes the learner's line with a caret and the cure", () => {
  const { message } = refused(() => compiled("({ n, output }, { threadIdx }) => {\n  output[0] = n / 2;\n}"));
  expect(message).toBe(
    [
      "`/` between integers: JavaScript would keep the fraction, CUDA drops it.",
      "  in kernel k, line 2",
      "2 |   output[0] = n / 2;",
      "  |               ^^^^^",
      "Write idiv(a, b) (or Math.trunc(a / b)) for CUDA's integer division, >> for a power of two, or f32(a) / b to keep the fraction.",
    ].join("\n"),
  );
});

describe("text that JavaScript and CUDA would read differently is refused:", () => {
  rows([
    ["/ between integers", "const h = n / 2;", "n / 2", "`/` between integers", "idiv(a, b)"],
    ["/= between integers", "let h = n; h /= 2;", "h /= 2", "`/=` between integers", "h = idiv(h, ...)"],
    [
      "Math.floor of a signed quotient",
      "const h = Math.floor(n / 2);",
      "Math.floor(n / 2)",
      "rounds towards zero",
      "idiv(a, b)",
    ],
    ["a float as a condition", "if (x) output[0] = 1;", "x", "disagree about NaN", "x !== 0"],
    ["&& of numbers as a value", "const h = n && u;", "n", "a number in JavaScript", "c ? a : b"],
    ["a chain of comparisons", "if (0 < n < 5) output[0] = 1;", "0 < n < 5", "a < b < c", "a < b && b < c"],
    [
      "a truth value compared with a number",
      "if ((n > 0) === 1) output[0] = 1;",
      "(n > 0) === 1",
      "compares a truth value with a number",
      "if (flag)",
    ],
    ["a shift by 32", "const h = n << 32;", "n << 32", "shift by 32", "0 to 31"],
    ["a negative shift", "const h = n >> -1;", "n >> -1", "shift by -1", "0 to 31"],
    ["a float cut off by | 0", "const h = x | 0;", "x | 0", "works on integers", "i32(x)"],
    ["% of floats", "const h = x % 2;", "x % 2", "works on integers", "trunc(x / y)"],
    ["** of integers", "const h = n ** 2;", "n ** 2", "between integers", "pow(f32(x)"],
    ["Math.round", "const h = Math.round(x);", "Math.round", "Math.round is not available", "rint(x)"],
    ["a component of a constant vector", "const v = pairs[0]; v.x = 1;", "v.x", "declared with const", "It is a copy"],
    [
      "a condition that assigns",
      "let h = n; if (h = 1) output[0] = 1;",
      "h = 1",
      "An assignment stands where a condition",
      "===",
    ],
  ]);
});

describe("a loss that is not written down is refused:", () => {
  rows([
    ["a float stored as an integer", "output[0] = x;", "output[0] = x", "the fraction would be lost", "i32(...)"],
    [
      "a float added to an integer variable",
      "let sum = 0; sum += x;",
      "sum += x",
      "the fraction would be lost",
      "let x = f32(0)",
    ],
    ["a double stored as a float", "floats[0] = d;", "floats[0] = d", "digits would be lost", "f32(...)"],
    ["64 bits stored as 32", "output[0] = l;", "output[0] = l", "upper 32 bits", "i32(...)"],
    ["a number assigned to a flag", "let flag = n > 0; flag = n;", "flag = n", "which is a bool", "x !== 0"],
    ["a fractional index", "output[x] = 1;", "x", "An index is an integer", "i32(x)"],
    ["an integer given to sqrt", "const h = sqrt(n);", "n", "works on floats", "sqrt(f32(x))"],
    ["a float given to popc", "const h = popc(x);", "x", "works on integers", "float_as_int"],
    [
      "a number too large to be exact",
      "const h = 9007199254740993;",
      "9007199254740993",
      "too large to be exact",
      "9007199254740993n",
    ],
  ]);
});

describe("a name from outside is refused with the cure:", () => {
  rows([
    ["a plain one", "output[0] = total;", "total", "total is not a name of this kernel", "constants: { total }"],
    ["one of an earlier notebook cell", "output[0] = exports.a1;", "a1", "a1 is not a name", "constants: { a1 }"],
    ["an imported function in a notebook", "(0, lib_1.sub)(n);", "sub", "sub is not a name", "functions: { sub }"],
    [
      "an imported function under a test runner",
      "output[0] = __vi_import_0__.sub(n);",
      "sub",
      "sub is not a name",
      "functions: { sub }",
    ],
    [
      "an import in vite's other form",
      "output[0] = (0, __vite_ssr_import_1__.sub)(n);",
      "sub",
      "sub is not a name",
      "functions: { sub }",
    ],
    ["an assigned outer variable", "total = 1;", "total", "total is not a name of this kernel", "parameter"],
    ["an assigned outer variable in a notebook", "exports.total = 1;", "total", "total is not a name", "parameter"],
    ["a misspelt variable", "const index = 1; output[0] = indx;", "indx", "indx is not a name", "Did you mean index?"],
    ["console", "console.log(n);", "console", "console does not exist in a kernel", "printf"],
    ["Math.random", "floats[0] = Math.random();", "Math.random", "Math.random is not available", "input array"],
  ]);

  const forms = [
    "exports.f32",
    "(0, warplab_1.f32)",
    "(0, import_warplab.f32)",
    "_warplab.f32",
    "warplab.f32",
    "f32$1",
    "(0, warplab__WEBPACK_IMPORTED_MODULE_0__.f32)",
  ];
  test.each(forms)("a type is the type in the form %s", (form) => {
    expect(printBody(compiled(`({ floats }) => { floats[0] = ${form}(1); }`))).toBe("floats[0] = 1f");
  });

  test("a type from outside is the type, whatever a notebook made of its name", () => {
    const text =
      "({ output }, { shared }) => { const s = shared(exports.i32, 4); s[0] = (0, warplab_1.i32)(1.5); output[0] = __vi_import_0__.u32(s[0]); }";
    expect(compiled(text).sharedArrays[0].element).toBe("i32");
  });
});

describe("JavaScript without a meaning on a GPU is refused:", () => {
  rows([
    ["a string", 'const s = "a";', '"a"', "A string has no place", "numbers"],
    ["an array literal", "const a = [1, 2];", "[1, 2]", "An array literal", "local(i32, 4)"],
    ["an object", "const o = { a: 1 };", "{ a: 1 }", "Objects have no place", "make_float4"],
    ["a function inside", "const f = () => 1;", "() => 1", "closure", "device"],
    ["a function declaration", "function f() {}", "function f() {}", "closure", "device"],
    ["a class", "class A {}", "class A {}", "Classes", "device functions"],
    ["new", "const a = new Int32Array(4);", "new Int32Array(4)", "`new` makes an object", "local(f32, n)"],
    ["try", "try { output[0] = 1; } catch { }", "try { output[0] = 1; } catch { }", "no exceptions", "if (i < n)"],
    ["throw", "throw n;", "throw n;", "no exceptions", "printf"],
    ["for-of", "for (const a of input) output[0] = a;", "for (const a of input) output[0] = a;", "for-of", "let i = 0"],
    ["for-in", "for (const a in input) output[0] = 1;", "for (const a in input) output[0] = 1;", "for-in", "let i = 0"],
    ["a label", "outer: for (;;) break outer;", "outer: for (;;) break outer;", "Labels", "flag"],
    ["a template string", `const s = \`a\${n}\`;`, `\`a\${n}\``, "template string", "printf"],
    ["a regular expression", "const r = /a/;", "/a/", "regular expression", "numbers"],
    ["typeof", "const t = typeof n;", "typeof n", "typeof", "Leave it out"],
    ["delete", "delete output[0];", "delete output[0]", "delete", "Leave it out"],
    ["this", "output[0] = this;", "this", "`this`", "parameters"],
    ["arguments", "output[0] = arguments;", "arguments", "arguments does not exist", "Name the parameters"],
    ["null", "const a = null;", "null", "null is no value", "Use a number"],
    ["undefined", "const a = undefined;", "undefined", "undefined does not exist", "Use a number"],
    ["?.", "const a = input?.[0];", "input?.[0]", "`?.`", "without the question mark"],
    ["??", "const a = n ?? 1;", "n ?? 1", "`??`", "c ? a : b"],
    ["spread", "const a = max(...input);", "...input", "`...`", "one by one"],
    ["in", "const a = n in input;", "n in input", "`in`", "Compare numbers"],
    ["a comma in a value", "const a = (n, u);", "n, u", "commas", "one statement"],
    [
      "an assignment in a value",
      "let a = 1; output[0] = (a = 2) + 1;",
      "a = 2",
      "inside an expression",
      "statement of its own",
    ],
    ["++ in a value", "let i = 0; output[i++] = 1;", "i++", "`++` inside an expression", "i++;"],
    ["var", "var a = 1;", "var a = 1;", "`var`", "const"],
    ["a variable without a value", "let a;", "a", "without a value", "let x = 0"],
    ["a list taken apart", "const [a, b] = input;", "input", "as many values", "Write both sides out"],
    ["a statement without effect", "n + 1;", "n + 1", "no effect", "Assign its value"],
    ["`debugger`", "debugger;", "debugger;", "debugger", "printf"],
    ["&&=", "let a = n > 0; a &&= u > 0;", "a &&= u > 0", "`&&=`", "if (x)"],
    ["input.length", "output[0] = input.length;", "input.length", "does not know its length", "n: i32"],
    ["input.map", "input.map(n);", "input.map(n)", "no map()", "loop"],
  ]);
});

describe("a wrong use of the language is refused:", () => {
  rows([
    ["a constant that is assigned", "const a = 1; a = 2;", "a", "declared with const", "let a"],
    ["a built-in that is assigned", "threadIdx = 1;", "threadIdx", "cannot be assigned", "let x = threadIdx.x"],
    ["an array that is assigned", "const s = shared(i32, 4); s = input;", "s = input", "it is an array", "s[i] = ..."],
    ["a pointer that changes its array", "let p = input; p = output;", "p = output", "another array", "two variables"],
    [
      "a whole array as a number",
      "output[0] = input;",
      "input",
      "A value is needed here; this is an array",
      "input[i]",
    ],
    [
      "threadIdx without a dimension",
      "output[0] = threadIdx;",
      "threadIdx",
      "threadIdx (it has .x, .y and .z)",
      "threadIdx.x",
    ],
    ["a dimension that is not there", "output[0] = threadIdx.w;", "threadIdx.w", "threadIdx has no w", "x, y, z"],
    ["a function without its call", "output[0] = laneId;", "laneId", "the function laneId", "laneId(...)"],
    ["syncthreads as a value", "output[0] = syncthreads();", "syncthreads()", "gives no value", "statement of its own"],
    ["printf as a value", 'output[0] = printf("a");', 'printf("a")', "gives no value", "statement of its own"],
    [
      "a shuffle without its mask",
      "const a = shfl_down_sync(n, 16);",
      "shfl_down_sync(n, 16)",
      "it is given 2",
      "mask",
    ],
    ["a shuffle of width 12", "const a = shfl_sync(0xffffffff, n, 0, 12);", "12", "width 12", "power of two"],
    [
      "a shared array of unknown size",
      "const s = shared(i32, n);",
      "n",
      "known when the kernel is compiled",
      "externShared",
    ],
    ["a shared array without a type", "const s = shared(256, 4);", "256", "needs a type", "i32, u32"],
    ["a shared array of bool", "const s = shared(bool, 4);", "bool", "bool has no place in memory", "i32"],
    [
      "an atomic on a local array",
      "const a = local(i32, 4); atomicAdd(a, 0, 1);",
      "atomicAdd(a, 0, 1)",
      "no other thread sees",
      "shared",
    ],
    [
      "an atomic that CUDA lacks",
      "atomicMin(floats, 0, x);",
      "atomicMin(floats, 0, x)",
      "no atomicMin on float",
      "arrays of i32, u32, i64, u64",
    ],
    ["an atomic on a number", "atomicAdd(n, 0, 1);", "n", "element of an array", "atomicAdd(array, index, value)"],
    [
      "a reduction of floats by redux",
      "const a = reduce_add_sync(0xffffffff, x);",
      "x",
      "32-bit integers",
      "shfl_xor_sync",
    ],
    ["printf with too few values", 'printf("%d %d", n);', 'printf("%d %d", n)', "asks for 2 values", "%%"],
    ["printf of a float as %d", 'printf("%d", x);', "x", "%d of the format does not fit an f32", "%f"],
    ["printf of an int as %f", 'printf("%f", n);', "n", "%f of the format does not fit an i32", "%d"],
    ["printf of 64 bits as %d", 'printf("%d", l);', "l", "does not fit an i64", "%lld"],
    ["printf of text", 'printf("%s", n);', "n", "%s prints a text in quotes", "Write the text itself"],
    ["printf of an address", 'printf("%p", n);', "n", "%p is not supported", "%d"],
    ["printf with a computed format", "printf(n);", "n", "a text in quotes", "printf"],
    [
      "a tile of 5 threads",
      "const t = tiled_partition(this_thread_block(), 5);",
      "tiled_partition(this_thread_block(), 5)",
      "2, 4, 8, 16 or 32",
      "32",
    ],
    [
      "a shuffle over a block",
      "output[0] = this_thread_block().shfl(n, 0);",
      "this_thread_block().shfl(n, 0)",
      "has no shfl()",
      "tiled_partition",
    ],
    ["a division by a constant zero", "const a = idiv(n, 0);", "idiv(n, 0)", "by zero", "not 0"],
    ["idiv of floats", "const a = idiv(x, 2);", "idiv(x, 2)", "one side is a float", "a / b"],
    ["a vector in arithmetic", "const a = pairs[0] + 1;", "pairs[0]", "A number is needed here; this is an int2", ".x"],
    ["a component that is not there", "const a = pairs[0].z;", "pairs[0].z", "An int2 has no z", "x, y"],
    ["unroll in the wrong place", "unroll(4);", "unroll(4)", "no loop begins", "first statement"],
    [
      "a case that is no constant",
      "switch (n) { case u: output[0] = 1; }",
      "u",
      "A case is a constant",
      "template constant",
    ],
    ["a kernel that returns a value", "return n;", "return n;", "returns no value", "output[i]"],
    [
      "a child grid on shared memory",
      "const s = shared(i32, 4); launch(self, { grid: 1, block: 1 }, [s, output, words, floats, doubles, longs, vectors, pairs, vol, n, u, x, d, l, ul]);",
      "s",
      "global memory only",
      "pointer parameter",
    ],
    [
      "a group made in a loop's condition",
      "while (coalesced_threads().size() > 1) output[0] = 1;",
      "coalesced_threads()",
      "again and again",
      "const group",
    ],
    ["a population count of 64 bits", "const h = popc(l);", "l", "32 bits", "popcll"],
    ["a launch without a block", "launch(self, { grid: 1 });", "{ grid: 1 }", "its grid and its block", "block: 128"],
    [
      "floats seen as int4",
      "const v = asVector(floats, int4);",
      "asVector(floats, int4)",
      "cannot be seen as int4",
      "float",
    ],
  ]);
});

describe("the form of a kernel", () => {
  const whole: readonly (readonly [string, string, string, string])[] = [
    ["a default value", "({ n = 1 }) => {}", "A default value", "launch"],
    ["a rest as a list", "({ output }, ...words) => { output[0] = 1; }", "list of unknown length", "one by one"],
    ["a fourth argument", "(p, c, k, more) => {}", "three arguments", "Write (parameters"],
    ["an async kernel", "async ({ n }) => {}", "cannot be async", "Remove async"],
    ["a generator", "function* ({ n }) {}", "cannot be a generator", "Remove the *"],
    ["a parameter that is not declared", "({ m }) => {}", "m is not among the parameters", "params: { m: i32 }"],
    [
      "a constant that is not given",
      "(p, c, { BLOCK }) => {}",
      "BLOCK is not among the constants",
      "constants: { BLOCK: 256 }",
    ],
    ["a built-in that is not there", "(p, { syncthread }) => {}", "has no syncthread", "Did you mean syncthreads?"],
    ["text that does not parse", "({ n }) => { let = ; }", "not a function that can be read", "arrow function"],
    ["text that is no function", "42", "not a function that can be read", "arrow function"],
    ["a bound function", "function () { [native code] }", "bound or built in", "written in place"],
    [
      "break outside of a loop by the parser",
      "({ n }) => { break; }",
      "not a function that can be read",
      "arrow function",
    ],
  ];
  test.each(whole)("refuses %s", (_, text, what, cure) => {
    const refusal = refused(() => compiled(text));
    expect(refusal.what).toContain(what);
    expect(refusal.cure).toContain(cure);
  });

  test("a device function that calls itself is refused as recursion", () => {
    const body = new Function("return ({ n }) => n * fact(n - 1)")() as (parameters: { n: number }) => number;
    const fact = device("fact", { params: { n: i32 } }, body);
    const { what, cure } = refused(() =>
      kernel("k", { params: { output: ptr(i32) }, functions: { fact } }, ({ output }, _, { fact }) => {
        output[0] = fact(3);
      }),
    );
    expect(what).toContain("fact calls itself");
    expect(cure).toContain("Write a loop");
  });

  test.each(["clamp", "parseInt", "Float32Array", "Number", "Date"])(
    "%s of JavaScript is answered with what to write",
    (word) => {
      const { what, cure } = refused(() => compiled(`({ n, output }) => { output[0] = ${word}(n); }`));
      expect(what).toBe(`${word} does not exist in a kernel.`);
      expect(cure).not.toContain("constants");
    },
  );

  test("a recursion by the function's own name is refused", () => {
    const { what } = refused(() => compiled("function fact({ n, output }) { output[0] = fact(n); }"));
    expect(what).toContain("fact calls itself");
  });

  const forms: readonly (readonly [string, string])[] = [
    ["an arrow function", "({ output }, { threadIdx }) => { output[threadIdx.x] = 1; }"],
    ["an arrow function with one statement", "({ output }, { threadIdx }) => output[threadIdx.x] = 1"],
    ["a function expression", "function ({ output }, { threadIdx }) { output[threadIdx.x] = 1; }"],
    ["a named function expression", "function name({ output }, { threadIdx }) { output[threadIdx.x] = 1; }"],
    ["a method", "run({ output }, { threadIdx }) { output[threadIdx.x] = 1; }"],
    ["whole arguments", "(p, cuda) => { p.output[cuda.threadIdx.x] = 1; }"],
    ["renamed parts", "({ output: out }, { threadIdx: t }) => { out[t.x] = 1; }"],
    [
      "parts taken in the body",
      "(p, cuda) => { const { output } = p; const { threadIdx: t } = cuda; output[t.x] = 1; }",
    ],
  ];
  test.each(forms)("may be %s", (_, text) => {
    expect(compiled(text).body).toMatchObject([{ kind: "store", index: { kind: "builtin", name: "threadIdx" } }]);
  });

  test("may take a part of a part", () => {
    const ir = compiled("({ output }, { threadIdx: { x: tid } }) => { output[tid] = 1; }");
    expect(printBody(ir)).toBe("let tid: u32 = threadIdx.x\noutput[tid] = 1");
  });
});
