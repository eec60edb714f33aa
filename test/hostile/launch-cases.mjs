/**
 * Launches that would never end, or would take all memory. `node launch-cases.mjs NAME` runs one, on the compiled package,
 * and prints what came of it as JSON.
 */
import * as warplab from "../../src/dist/node/index.js";

const { Gpu, i32, kernel, ptr } = warplab;
const output = { output: ptr(i32) };

/** Makes a kernel of a text; tools that compile this file would rename what it uses. */
function kernelOf(name, params, body) {
  return kernel(name, params, new Function(`return ({ ${Object.keys(params).join(", ")} }) => { ${body} }`)());
}

/** Launches with one buffer. */
function launch(body, config, { device = "h200", options = {}, length = 1024 } = {}) {
  const gpu = new Gpu(device, options);
  return gpu.launch(kernelOf("hostile", output, body), config, { output: gpu.alloc(i32, length) });
}

const endlessStores = "while (output[0] >= 0) { output[0] = (output[0] + 1) & 1023; }";

const launches = {
  "a child grid of 2,000,000,000 blocks": () =>
    launch("if (gridDim.x < 100000) launch(self, { grid: 2000000000, block: 32 }, { output })", {
      grid: 1,
      block: 32,
    }),
  "clock() in 2^31 - 1 blocks": () => launch("output[0] = clock()", { grid: 2 ** 31 - 1, block: 1 }),
  "clock() in 2^29 blocks, with a time limit": () =>
    launch("output[0] = clock()", { grid: 2 ** 29, block: 1, timeLimitMs: 300 }, { options: { stepLimit: 1e12 } }),
  "printf in an endless loop": () =>
    launch('while (true) printf("%d\\n", output[0])', { grid: 1, block: 32 }, { options: { stepLimit: 1e6 } }),
  "a printf buffer that overflows": () =>
    launch('for (let i = 0; i < 5000; i++) printf("%d of %d\\n", i, threadIdx.x)', { grid: 1, block: 32 }),
  "children from every thread of 65,535 blocks": () =>
    launch(
      "if (gridDim.x > 1) launch(self, { grid: 200, block: 1 }, { output })",
      { grid: 65535, block: 1024 },
      { device: "v100", options: { stepLimit: 1e7 } },
    ),
  "an endless store loop under a seed": () =>
    launch(
      endlessStores,
      { grid: 64, block: 256, schedule: { seed: 1 } },
      { options: { stepLimit: 1e6, warpStepLimit: 1e6 } },
    ),
  "long loops in many blocks": () =>
    launch(
      "for (let i = 0; i < 300000; i++) output[threadIdx.x] += i",
      { grid: 2 ** 20, block: 256 },
      { options: { stepLimit: 1e8 } },
    ),
  "long loops with barriers": () =>
    launch(
      "for (let i = 0; i < 30000; i++) { output[threadIdx.x] += i; syncthreads(); }",
      { grid: 2 ** 16, block: 1024 },
      { options: { stepLimit: 5e7 } },
    ),
  "tanh on 2^19 threads, with a time limit": () =>
    launch(
      "let x = f32(threadIdx.x); for (let i = 0; i < 100000; i++) x = Math.tanh(x + f32(1)); output[threadIdx.x & 1023] = x > f32(0) ? 1 : 0",
      { grid: 512, block: 1024, timeLimitMs: 300 },
    ),
  "an endless loop under a seed, with a time limit": () =>
    launch(
      endlessStores,
      { grid: 64, block: 256, schedule: { seed: 1 }, timeLimitMs: 300 },
      { options: { stepLimit: 1e12 } },
    ),
  "an endless loop, with a time limit": () =>
    launch(endlessStores, { grid: 64, block: 256, timeLimitMs: 300 }, { options: { stepLimit: 1e15 } }),
  "a local array of 1,000,000 ints": () =>
    launch("const a = local(i32, 1000000); a[output[0]] = 1; output[1] = a[output[2]]", { grid: 1, block: 1024 }),
};

/** The text of `count` parts. */
function many(count, part, between = "\n") {
  return Array.from({ length: count }, (_, index) => part(index)).join(between);
}

/** Compiles and launches one block. */
function compile(body) {
  return launch(body, { grid: 1, block: 32 });
}

/** The last of `count` device functions, each of which calls the one before twice. */
function doubling(count) {
  warplab.device("f0", { x: i32 }, new Function("return ({ x }) => x + 1")());
  for (let k = 1; k <= count; k++) {
    const text = `return ({ x }) => f${k - 1}(x) + f${k - 1}(x + 1)`;
    warplab.device(`f${k}`, { x: i32 }, new Function(text)());
  }
  return `output[0] = f${count}(output[1]);`;
}

const compilations = {
  "2,000 statements": () => compile(`let x = output[0]; ${many(2000, (i) => `x = x * 3 + ${i};`)} output[1] = x;`),
  "1,000 branches": () => compile(many(1000, (i) => `if (output[${i % 1000}] > ${i}) output[${i % 1024}] = ${i};`)),
  "5,000 cases of a switch": () =>
    compile(`switch (output[0]) { ${many(5000, (i) => `case ${i}: output[1] = ${i * 3}; break;`)} }`),
  "3,000 else-ifs": () => compile(many(3000, (i) => `if (output[0] === ${i}) output[1] = ${i * 3};`, " else ")),
  "26 levels of doubling device functions": () => compile(doubling(26)),
  "four nested unroll() of 20": () =>
    compile(
      `let x = 0; ${many(4, (i) => `for (let a${i} = 0; a${i} < 20; a${i}++) { unroll();`)} x += output[x + a0]; ${"}".repeat(4)} output[0] = x;`,
    ),
  "20 nested loops": () =>
    compile(`${many(20, (i) => `for (let a${i} = 0; a${i} < output[${i}]; a${i}++)`)} output[0] += 1;`),
  "a sum of 1,500 terms": () => compile(`output[0] = ${many(1500, (i) => `output[${i % 1000}]`, " + ")};`),
  "a text of 5 MB": () => compile(`/*${"x".repeat(5e6)}*/ output[0] = 1;`),
  "a literal of 1.5 MB in a refused line": () => compile(`printf("${"x".repeat(15e5)}"); output.foo = 1;`),
};

export const CASES = { ...launches, ...compilations };

if (process.argv[2] !== undefined) {
  const begin = performance.now();
  let outcome;
  try {
    const result = CASES[process.argv[2]]();
    const warnings = result.warnings.map(({ kind, message }) => ({ kind, message }));
    const last = result.printed.at(-1)?.text ?? null;
    outcome = { error: null, printed: result.printed.length, last, warnings };
  } catch (error) {
    const known = error instanceof warplab.WarplabError;
    outcome = { error: known ? error.name : `${error}`, code: error.code ?? null, message: String(error.message) };
  }
  const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(JSON.stringify({ ...outcome, ms: Math.round(performance.now() - begin), mebibytes }));
}
