/**
 * Loops without any effect but their time: nvcc 13.0 (--ptx -O3, sm_90) removes those whose end it can prove, and keeps
 * the others, which may wait for ever. Each row is the loop, as compiled there.
 */
import { describe, expect, it, test } from "vitest";
import { compileKernel, i32, i64, ptr, u32, u64 } from "../../../../src/core/frontend/index.js";
import { lower } from "../../../../src/core/lower/lower.js";
import { Gpu, kernel, shared, syncthreads, threadIdx } from "../../../../src/index.js";

const KEPT = [
  "while (f[0] === 0) {}",
  "do {} while (f[0] === 0);",
  "let x = 1; while (f[0] === 0) { x = x * 3; }",
  "const s = shared(i32, 1); if (threadIdx.x === 0) s[0] = f[0]; syncthreads(); while (s[0] === 0) {}",
  "for (;;) { if (f[0] !== 0) break; }",
  "while (n !== 0) {}",
  "while (f[0] === 0) { if (o[1] === 3) break; }",
  "let i = 0; while (f[i] !== 0) i = f[i];",
  "for (let i = 0; f[i] === 0; i++) {}",
  "for (let i = u32(0); i !== m; i += 2) {}",
  "for (let i = u32(0); i <= m; i++) {}",
  "for (let i = u32(0); i < m; i += 2) {}",
  "for (let i = threadIdx.x; i < m; i += blockDim.x * gridDim.x) {}",
  "for (let i = threadIdx.x; i < 1000; i += blockDim.x) {}",
  "for (let s = 1; s < n; s *= 2) {}",
  "for (let s = 1; s < n; s <<= 1) {}",
  "for (let i = u64(0); i < wide; i += 4n) {}",
  "for (let i = 0; i < n; i -= k) {}",
  "for (let i = n; i > 0; i -= k) {}",
  "let x = m; while (x !== 1) { x = (x & 1) !== 0 ? 3 * x + 1 : x >>> 1; }",
  "let x = m; while (x !== 0) { x &= x - 1; }",
  "let x = n; while ((x & 1) !== 0) { x = x >> 1; }",
  "for (let i = 0; i < n; i++) { let k = i; while (k > 0) k = (k * 5 + 1) & 1023; }",
  "for (let i = f32(0); i < f32(n); i += 1.0) {}",
  "if (f[0] === 0) { while (n === 3) {} }",
];

const REMOVED = [
  "for (let i = 0; i < n; i++) {}",
  "for (let i = 0; i <= n; i++) {}",
  "for (let i = 0; i !== n; i++) {}",
  "for (let i = 0; i !== n; i += 2) {}",
  "for (let i = 0; i < n; i += k) {}",
  "for (let i = n; i > 0; i--) {}",
  "for (let i = n; i >= 0; i -= 2) {}",
  "for (let i = m; i > 0; i--) {}",
  "for (let i = m; i > 4; i -= 4) {}",
  "for (let i = m; i < 1000; i += 7) {}",
  "for (let s = n; s > 0; s >>= 1) {}",
  "for (let s = m; s > 0; s >>>= 1) {}",
  "for (let s = m; s !== 0; s >>>= 1) {}",
  "for (let i = 0; i < n && f[i] === 0; i++) {}",
  "for (let i = 0; i < n; i++) { if (f[i] !== 0) break; }",
  "let i = 0; while (i < f[0]) i++;",
  "for (let i = i64(0); i < long; i += 3n) {}",
  "for (let i = u64(0); i < wide; i++) {}",
  "for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) {}",
  "let s = 0; for (let i = 0; i < n; i++) { s = s * 3 + i; }",
  "let i = 0; do { i++; } while (i < n);",
  "let x = 1; while (x !== 1024) { x = x * 2; }",
];

function program(text: string, major: number, debug: boolean) {
  const ir = compileKernel({
    name: "loops",
    text: `({ f, o, n, k, m, long, wide }, { threadIdx, blockDim, gridDim, shared, syncthreads, i32, u32, i64, u64, f32 }) => { ${text} o[0] = 7; }`,
    params: { f: ptr(i32), o: ptr(i32), n: i32, k: i32, m: u32, long: i64, wide: u64 },
    constants: {},
    functions: {},
  });
  return lower(ir, { computeCapability: { major, minor: 0 }, contractFma: true, debug });
}

const hasLoop = (text: string, major: number, debug = false): boolean =>
  JSON.stringify(program(text, major, debug).body).includes('"kind":"loop"');

describe.each([2, 7, 9])("on compute capability %i.0", (major) => {
  test.each(KEPT)("%s stays", (text) => {
    expect(hasLoop(text, major)).toBe(true);
    expect(hasLoop(text, major, true)).toBe(true);
  });
  test.each(REMOVED)("%s goes, but not with -G", (text) => {
    expect(hasLoop(text, major)).toBe(false);
    expect(hasLoop(text, major, true)).toBe(true);
  });
});

describe.each(["m2070", "v100", "h200"] as const)("on %s a loop that waits for ever", (device) => {
  const waits = kernel("waits", { f: ptr(i32), o: ptr(i32) }, ({ f, o }) => {
    while (f[0] === 0) {}
    o[0] = 7;
  });
  const computes = kernel("computes", { f: ptr(i32), o: ptr(i32) }, ({ f, o }) => {
    let x = 1;
    do {
      x = x * 3;
    } while (f[0] === 0);
    o[0] = 7;
  });
  const sharedFlag = kernel("sharedFlag", { f: ptr(i32), o: ptr(i32) }, ({ f, o }) => {
    const s = shared(i32, 1);
    if (threadIdx.x === 0) s[0] = f[0];
    syncthreads();
    while (s[0] === 0) {}
    o[0] = 7;
  });
  it.each([
    ["by default", {}],
    ["with a seed", { schedule: { seed: 2 } }],
    ["with -G", { debug: true }],
  ] as const)("ends the launch with a timeout %s, and goes on where the flag is set", (_, way) => {
    for (const each of [waits, computes, sharedFlag]) {
      const gpu = new Gpu(device, { warpStepLimit: 20_000 });
      const [f, o] = [gpu.alloc(i32, 1), gpu.alloc(i32, 1)];
      const launch = () => gpu.launch(each, { grid: 1, block: 64, ...way }, { f, o });
      expect(launch, each.name).toThrow("cudaErrorLaunchTimeout");
      expect(o.read()[0]).toBe(0);
      f.fill(1);
      launch();
      expect(o.read()[0]).toBe(7);
    }
  });
});
