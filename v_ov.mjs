import * as w from "warplab";

const { Gpu, kernel, device, ptr, i32 } = w;
const M = 2147483647;
device("f_lt", { x: i32 }, eval("({x}) => x + 100 < x"));
const forms = {
  "i+100<i": "o[0] = i + 100 < i ? 1 : 0",
  let: "let j = i; j += 100; o[0] = j < i ? 1 : 0",
  inlined: "o[0] = f_lt(i) ? 1 : 0",
  if: "if (i + 100 < i) o[0] = 1; else o[0] = 0",
  "i+1>i": "o[0] = i + 1 > i ? 1 : 0",
  "i*2/2": "o[0] = idiv(i * 2, 2) === i ? 1 : 0",
  "i*2>>1": "o[0] = (i * 2) >> 1 === i ? 1 : 0",
  "-i": "o[0] = -(i + n0) < 0 ? 1 : 0",
  abs: "o[0] = abs(i + 1) < 0 ? 1 : 0",
  "i-(-1)": "o[0] = i - n0 - 1 < i ? 1 : 0",
  "i+1<=n": "o[0] = i + 1 <= i ? 1 : 0",
  "i+5>10": "o[0] = i + 5 > 10 ? 1 : 0",
  "i*4>8": "o[0] = i * 4 > 8 ? 1 : 0",
  "i+1==m": "o[0] = i + 1 === j0 ? 1 : 0",
  loopwhile: "let c = 0; let j = i - 3; while (j + 1 > j && c < 10) { j += 1; c += 1; } o[0] = c",
  "loop<=": "let c = 0; for (let j = i - 3; j <= i; j++) { c += 1; if (c > 20) break; } o[0] = c",
  "loop<=s2": "let c = 0; for (let j = i - 3; j <= i; j += 2) { c += 1; if (c > 20) break; } o[0] = c",
  "loop<": "let c = 0; for (let j = i - 3; j < i + 2; j++) { c += 1; if (c > 20) break; } o[0] = c",
  i64: "const a = i64(i + 1); o[0] = a < 0 ? 1 : 0",
  i64b: "const a = i64(i) + 1n; o[0] = a < 0 ? 1 : 0",
  i64loop: "let c = i64(0); for (let j = 0; j < 3; j++) c += i64(i + j); o[0] = c < 0 ? 1 : c > i64(i) * 2 ? 2 : 0",
  idx: "o[(i + 1 - i0) & 7] = 1; o[0] = s0",
  shared: "const s = shared(i32, 64); s[(i + 1) & 63] = 9; o[0] = s[0]",
  globalidx: "o[0] = d[i + 1 + i0]",
  f32: "o[0] = f32(i + 1) < 0.0 ? 1 : 0",
  mod: "o[0] = (i + 1) % 7",
  "i*i<0": "o[0] = i2 * i2 < 0 ? 1 : 0",
  shl: "o[0] = (i << 1) < 0 ? 1 : 0",
  rangecond: "if (i > 0) o[0] = i + 1 > 0 ? 1 : 0; else o[0] = 5",
  rangediv: "if (i > 0) o[0] = idiv(i + 1, 2); else o[0] = 5",
  min: "o[0] = min(i + 1, 5)",
  absmod: "if (i >= 0) o[0] = (i + 1) % 8; else o[0] = 5",
};
const cuts = process.argv.slice(2);
for (const [name, body] of Object.entries(forms)) {
  if (cuts.length && !cuts.includes(name)) continue;
  const row = [];
  let k;
  try {
    k = kernel(
      "k",
      { o: ptr(i32), d: ptr(i32), i: i32, n0: i32, j0: i32, i0: i32, s0: i32, i2: i32 },
      eval(`({o, d, i, n0, j0, i0, s0, i2}) => { ${body}; }`),
    );
  } catch (e) {
    console.log(name, e.what ?? e.message);
    continue;
  }
  for (const dev of ["m2070", "v100", "h200"])
    for (const cfg of [{}, { debug: true }, { schedule: { seed: 1 } }, { debug: true, schedule: { seed: 1 } }]) {
      const gpu = new Gpu(dev);
      const o = gpu.alloc(i32, 8);
      const d = gpu.upload(Int32Array.from({ length: 16 }, (_, q) => q * 3));
      try {
        gpu.launch(k, { grid: 1, block: 1, ...cfg }, { o, d, i: M, n0: 1, j0: -M - 1, i0: -M + 2, s0: 0, i2: 46341 });
        row.push([...o.read()].slice(0, name === "idx" ? 8 : 1).join(""));
      } catch (e) {
        row.push("E:" + (e.code ?? e.message.slice(0, 60)));
      }
    }
  console.log(new Set(row).size === 1 ? "same" : "DIFF", name, row.join(" "));
}
