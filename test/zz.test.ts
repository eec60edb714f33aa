import { test } from "vitest";
import { device, f32, float4, Gpu, i32, i64, kernel, ptr, u32 } from "../src/index.js";

const P = { a: ptr(i32), f: ptr(f32), n: i32, x: f32 };
const words =
  "threadIdx, blockIdx, blockDim, shared, externShared, syncthreads, syncwarp, atomicAdd, atomicCAS, atomicExch, atomicMax, shfl_sync, shfl_down_sync, ballot_sync, printf, asVector, volatile, tiled_partition, this_thread_block, this_grid, coalesced_threads, local, max, sqrt, idiv, i32, u32, f32, int4, float4, __match_any_sync, reduce, plus, laneId, threadfence, f64, i64";
const K = (body: string, params: any = P) =>
  kernel(
    "k",
    { params },
    new Function(`return ({ ${Object.keys(params).join(", ")} }, { ${words} }) => {\n  ${body}\n}`)() as never,
  );
test("x", () => {
  let n = 0;
  const t = (what: string, go: (gpu: Gpu) => unknown, id = "v100") => {
    const gpu = new Gpu(id, { memoryBytes: 1 << 20, stepLimit: 100000 });
    try {
      const r = go(gpu);
      console.log(`## ${++n} ${what}: ACCEPTED ${typeof r === "object" ? "" : r}`);
    } catch (e) {
      console.log(`## ${++n} ${what}: ${(e as Error).name}: ${(e as Error).message}`);
    }
  };
  const run = (what: string, body: string, config: any = { grid: 2, block: 64 }, id = "v100", over: any = {}) =>
    t(
      what,
      (gpu) =>
        gpu
          .launch(K(body), config, { a: gpu.alloc(i32, 64), f: gpu.alloc(f32, 64), n: 3, x: 2, ...over })
          .printed.map((p) => p.text)
          .join("|"),
      id,
    );
  run("oob write", "a[blockIdx.x * blockDim.x + threadIdx.x] = 1;");
  run("oob negative", "a[i32(threadIdx.x) - 1] = 1;");
  run("shared oob", "const s = shared(i32, 32); s[threadIdx.x] = 1; a[0] = s[0];");
  run("local oob", "const l = local(i32, 4); for (let i = 0; i <= 4; i++) l[i] = i; a[0] = l[n];");
  run("div zero", "a[threadIdx.x] = idiv(5, n - 3);");
  run("mod zero", "a[threadIdx.x] = 5 % (n - 3);");
  run("misaligned", "const part = a.subarray(1); const v = asVector(part, int4); a[0] = v[0].x;");
  run("endless", "while (n > 0) { syncwarp(); }");
  run("endless2", "let i = 0; while (i >= 0) { a[0] = i; }");
  run("barrier in branch", "if (threadIdx.x < 10) syncthreads(); a[threadIdx.x] = 1;");
  run(
    "barrier differ",
    "if (threadIdx.x < 10) { syncthreads(); } else { a[0] = 3; syncthreads(); } a[threadIdx.x] = 1;",
  );
  run("shuffle mask missing self", "if (threadIdx.x < 16) a[threadIdx.x] = shfl_sync(0xff, n, 0);");
  run("shuffle mask of others", "if (threadIdx.x < 16) a[threadIdx.x] = shfl_sync(0xffffffff, n, 0);");
  run(
    "spin fermi",
    "if (threadIdx.x < 32) { while (atomicCAS(a, 0, 0, 1) !== 0) {} a[1] += 1; atomicExch(a, 0, 0); }",
    undefined,
    "m2070",
  );
  run(
    "spin volta",
    "if (threadIdx.x < 32) { while (atomicCAS(a, 0, 0, 1) !== 0) {} a[1] += 1; threadfence(); atomicExch(a, 0, 0); }",
    { grid: 1, block: 64 },
  );
  t("missing arg", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: g.alloc(i32, 4), f: g.alloc(f32, 4), n: 3 } as never),
  );
  t("surplus arg", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, {
      a: g.alloc(i32, 4),
      f: g.alloc(f32, 4),
      n: 3,
      x: 1,
      y: 2,
    } as never),
  );
  t("wrong buffer type", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: g.alloc(f32, 4), f: g.alloc(f32, 4), n: 3, x: 1 }),
  );
  t("typed array as buffer", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: new Int32Array(4) as never, f: g.alloc(f32, 4), n: 3, x: 1 }),
  );
  t("plain array as buffer", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: [1, 2] as never, f: g.alloc(f32, 4), n: 3, x: 1 }),
  );
  t("null buffer", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: null as never, f: g.alloc(f32, 4), n: 3, x: 1 }),
  );
  t("float for int", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: g.alloc(i32, 4), f: g.alloc(f32, 4), n: 3.5, x: 1 }),
  );
  t("buffer for int", (g) =>
    g.launch(
      K("a[0] = n;"),
      { grid: 1, block: 32 },
      { a: g.alloc(i32, 4), f: g.alloc(f32, 4), n: g.alloc(i32, 1), x: 1 },
    ),
  );
  t("string for int", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: g.alloc(i32, 4), f: g.alloc(f32, 4), n: "3" as never, x: 1 }),
  );
  t("NaN for int", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: g.alloc(i32, 4), f: g.alloc(f32, 4), n: NaN, x: 1 }),
  );
  t("too big int", (g) =>
    g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, { a: g.alloc(i32, 4), f: g.alloc(f32, 4), n: 2 ** 31, x: 1 }),
  );
  const ok = (g: Gpu) => ({ a: g.alloc(i32, 64), f: g.alloc(f32, 4), n: 3, x: 1 });
  for (const config of [
    { grid: 0, block: 32 },
    { grid: 1, block: 2048 },
    { grid: 1, block: [32, 64] },
    { grid: 1, block: 0 },
    { grid: 1.5, block: 32 },
    { grid: -1, block: 32 },
    { grid: "1", block: 32 },
    { block: 32 },
    { grid: 1, block: 32, shared: 10 },
    { grid: [1, 70000], block: 32 },
    { grid: [1, 2, 3, 4], block: 32 },
    { grid: NaN, block: 32 },
    5,
    { grid: 1, block: 32, schedule: { seed: 1.5 } },
    { grid: 1, block: 32, cache: "hot" },
  ])
    t(`config ${JSON.stringify(config)}`, (g) => g.launch(K("a[0] = n;"), config as never, ok(g)));
  t("no config", (g) => (g as any).launch(K("a[0] = n;")));
  t("kernel fn", (g) => (g as any).launch(() => {}, { grid: 1, block: 1 }, {}));
  t("freed", (g) => {
    const o = ok(g);
    o.a.free();
    return g.launch(K("a[0] = n;"), { grid: 1, block: 32 }, o);
  });
  t("double free", (g) => {
    const o = ok(g);
    o.a.free();
    o.a.free();
  });
  t("other gpu", (g) =>
    g.launch(
      K("a[0] = n;"),
      { grid: 1, block: 32 },
      { ...ok(g), a: new Gpu("h200", { memoryBytes: 1 << 16 }).alloc(i32, 4) },
    ),
  );
  t("alloc -1", (g) => g.alloc(i32, -1));
  t("alloc too much", (g) => g.alloc(i32, 1e9));
  t("alloc noint", (g) => g.alloc(i32, 1.5));
  t("alloc notype", (g) => (g as any).alloc("i32", 5));
  t("alloc swapped", (g) => (g as any).alloc(5, i32));
  t("upload array", (g) => (g as any).upload([1, 2, 3]));
  t("upload u8", (g) => (g as any).upload(new Uint8Array(4)));
  t("write too long", (g) => g.alloc(i32, 2).write(new Int32Array(3)));
  t("write wrong", (g) => g.alloc(i32, 2).write(new Float32Array(2) as never));
  t("write arr", (g) => g.alloc(i32, 2).write([1, 2] as never));
  t("fill str", (g) => g.alloc(i32, 2).fill("x" as never));
  t("unknown gpu", () => new Gpu("rtx5090"));
  t("unknown option", () => new Gpu("v100", { memory: 5 } as never));
  t("kernel no name", () => (kernel as any)({ params: {} }, () => {}));
  t("kernel no params", () => (kernel as any)("k", {}, () => {}));
  t("kernel no fn", () => (kernel as any)("k", { params: {} }));
  t("kernel bad param", () => kernel("k", { params: { a: "int*" } } as never, (() => {}) as never));
  t("kernel bad param 2", () => kernel("k", { params: { a: Int32Array } } as never, (() => {}) as never));
  t("kernel param fn", () => kernel("k", { params: { a: ptr } } as never, (() => {}) as never));
  t("ptr str", () => ptr("i32" as never));
  t("with unknown", () => K("a[0] = 1;").with({ BLOCK: 3 }));
  t("const string", () => kernel("k", { params: {}, constants: { B: "x" } } as never, (() => {}) as never));
  t("grid sync too large", (g) => g.launch(K("this_grid().sync(); a[0] = 1;"), { grid: 100000, block: 256 }, ok(g)));
  t("grid sync fermi", (g) => g.launch(K("this_grid().sync(); a[0] = 1;"), { grid: 1, block: 256 }, ok(g)), "m2070");
  t(
    "double atomic volta",
    (g) =>
      g.launch(
        kernel(
          "k",
          { params: { d: ptr(f32) } },
          new Function("return ({ d }, { atomicAdd }) => { atomicAdd(d, 0, 1.5); }")() as never,
        ),
        { grid: 1, block: 256 },
        { d: g.alloc(f32, 1) },
      ),
    "m2070",
  );
  run(
    "dyn shared without bytes",
    "const s = externShared(i32); s[threadIdx.x] = 1; syncthreads(); a[threadIdx.x] = s[0];",
  );
  run("dyn shared overflow", "const s = externShared(i32); s[threadIdx.x] = 1; syncthreads(); a[threadIdx.x] = s[0];", {
    grid: 1,
    block: 64,
    sharedBytes: 100,
  });
  run("match on fermi", "a[0] = i32(__match_any_sync(0xffffffff, n));", undefined, "m2070");
  run(
    "coalesced",
    "if (threadIdx.x < 5) { const g = coalesced_threads(); a[threadIdx.x] = reduce(g, i32(threadIdx.x), plus); }",
    undefined,
    "v100",
  );
});
