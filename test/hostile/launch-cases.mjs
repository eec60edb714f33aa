/**
 * Launches that would never end, or would take all memory. `node launch-cases.mjs NAME` runs one, on the compiled package,
 * and prints what came of it as JSON.
 */
import * as warplab from "../../src/dist/index.js";

const { Gpu, i32, kernel, ptr } = warplab;
const output = { output: ptr(i32) };

/** Of a kernel's text; tools that compile this file would rename what it uses. */
function kernelOf(name, params, body) {
  return kernel(name, params, new Function(`return ({ ${Object.keys(params).join(", ")} }) => { ${body} }`)());
}

/** Launches with one buffer. */
function launch(body, config, { device = "h200", options = {}, length = 1024 } = {}) {
  const gpu = new Gpu(device, options);
  return gpu.launch(kernelOf("hostile", output, body), config, { output: gpu.alloc(i32, length) });
}

const endlessStores = "while (output[0] >= 0) { output[0] = (output[0] + 1) & 1023; }";

export const CASES = {
  "a child grid of 2,000,000,000 blocks": () =>
    launch(
      "if (gridDim.x < 100000) launch(self, { grid: 2000000000, block: 32 }, { output })",
      { grid: 1, block: 32 },
      {},
    ),
  "clock() in 2^31 - 1 blocks": () => launch("output[0] = clock()", { grid: 2 ** 31 - 1, block: 1 }),
  "clock() in 2^29 blocks, within the steps but not the time": () =>
    launch("output[0] = clock()", { grid: 2 ** 29, block: 1, timeLimitMs: 500 }, { options: { stepLimit: 1e12 } }),
  "printf in an endless loop": () => launch('while (true) printf("%d\\n", output[0])', { grid: 1, block: 32 }),
  "a printf buffer that overflows": () =>
    launch('for (let i = 0; i < 5000; i++) printf("%d of %d\\n", i, threadIdx.x)', { grid: 1, block: 32 }),
  "children from every thread of 65,535 blocks": () =>
    launch(
      "if (gridDim.x > 1) launch(self, { grid: 1, block: 1 }, { output })",
      { grid: 65535, block: 1024 },
      {
        device: "v100",
      },
    ),
  "children that start two each, without an end": () =>
    launch(
      "launch(self, { grid: 2, block: 1 }, { output }); launch(self, { grid: 2, block: 1 }, { output });",
      { grid: 1, block: 1 },
      { device: "v100" },
    ),
  "an endless store loop": () => launch(endlessStores, { grid: 64, block: 256 }),
  "an endless store loop under a seed": () => launch(endlessStores, { grid: 64, block: 256, schedule: { seed: 1 } }),
  "long loops in many blocks": () =>
    launch("for (let i = 0; i < 300000; i++) output[threadIdx.x] += i", { grid: 2 ** 20, block: 256 }),
  "long loops with barriers": () =>
    launch("for (let i = 0; i < 3000000; i++) { output[threadIdx.x] += i; syncthreads(); }", {
      grid: 2 ** 16,
      block: 1024,
    }),
  "tanh on 2^19 threads, with a time limit": () =>
    launch(
      "let x = f32(threadIdx.x); for (let i = 0; i < 100000; i++) x = Math.tanh(x + f32(1)); output[threadIdx.x & 1023] = x > f32(0) ? 1 : 0",
      { grid: 512, block: 1024, timeLimitMs: 500 },
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
  "a local array of 2,000,000,000 ints": () =>
    launch("const a = local(i32, 2000000000); a[output[0]] = 1; output[1] = a[output[2]]", { grid: 1, block: 1 }),
  "a local array of 500 KiB in every thread": () =>
    launch("const a = local(i32, 128000); a[output[0]] = 1; output[1] = a[output[2]]", {
      grid: 8,
      block: 1024,
      timeLimitMs: 2000,
    }),
};

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
