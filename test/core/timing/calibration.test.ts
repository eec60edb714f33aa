/**
 * The model against the H200's microbenchmarks: simulated and measured values side by side, with a tolerance for each.
 * Kernels are the subject of the validation. `npm run calibrate` prints the table.
 */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type BlockKind, barrierPeriod, blocks, chain, sharedChain, stream, throughput } from "./microbenchmarks.js";

type Row = Readonly<Record<string, number | string>>;

function rows(path: string): readonly Row[] {
  return (
    JSON.parse(readFileSync(new URL(`../../reference/${path}`, import.meta.url), "utf8")) as { rows: readonly Row[] }
  ).rows;
}

function measured(path: string, what: Row, value: string): number {
  const found = rows(path).find((row) => Object.entries(what).every(([key, wanted]) => row[key] === wanted));
  const result = found?.[value];
  if (typeof result !== "number") throw new Error(`${path} has no ${value} of ${JSON.stringify(what)}`);
  return result;
}

const table: string[] = [];

function compare(name: string, simulated: number, real: number, tolerancePercent: number): void {
  const error = 100 * (simulated / real - 1);
  table.push(
    `${name.padEnd(52)} ${simulated.toFixed(2).padStart(9)} ${real.toFixed(2).padStart(9)} ${error.toFixed(1).padStart(7)} %`,
  );
  expect(Math.abs(error), `${name}: simulated ${simulated}, measured ${real}`).toBeLessThanOrEqual(tolerancePercent);
}

afterAll(() => {
  console.log(
    `${"microbenchmark (H200)".padEnd(52)} ${"simulated".padStart(9)} ${"measured".padStart(9)}\n${table.join("\n")}`,
  );
});

const second = "h200/micro/set-2.json";
const extra = "h200/micro/extra.json";

describe("dependent chains take the latency measured", () => {
  it("of a float multiply-add", () => {
    const real = measured(second, { micro: "ffma" }, "cycles_per_statement");
    compare("ffma chain", chain("x = mov.f32 1\n", "x = mad.f32 x, 2, 1"), real, 3);
  });
  it("of an integer multiply-add", () => {
    const real = measured(second, { micro: "imad" }, "cycles_per_statement");
    compare("imad chain", chain("x = add.i32 threadIdx.x, 1\n", "x = mad.i32 x, 3, 5"), real, 3);
  });
  it("of two ALU operations", () => {
    const real = measured(extra, { micro: "op", name: "shf_lop3" }, "latencyCycles");
    compare(
      "shift and xor chain",
      chain("x = add.i32 threadIdx.x, 1\n", "x = shr.i32 x, 1\nx = xor.i32 x, 5"),
      real,
      3,
    );
  });
  it("of a compare and a select", () => {
    const real = measured(second, { micro: "setp_selp" }, "cycles_per_statement");
    compare(
      "compare and select chain",
      chain("x = add.i32 threadIdx.x, 1\n", "p = setp.lt.i32 x, 30\nx = selp.i32 x, 5, p"),
      real,
      3,
    );
  });
  it("of a special function", () => {
    const real = measured(extra, { micro: "op", name: "ex2" }, "latencyCycles");
    compare("popc chain", chain("x = add.i32 threadIdx.x, 1\n", "x = popc.i32 x"), real, 3);
  });
  it("of a shuffle", () => {
    const real = measured(extra, { micro: "op", name: "shfl_bfly" }, "latencyCycles");
    compare("shuffle chain", chain("x = add.i32 threadIdx.x, 1\n", "x = shflXor.i32 0xffffffff, x, 1, 32"), real, 3);
  });
  it("of a shuffle and an add", () => {
    const real = measured(second, { micro: "shfl_add" }, "cycles_per_statement");
    const line = "y = shflXor.i32 0xffffffff, x, 1, 32\nx = xor.i32 x, y";
    compare("shuffle and xor chain", chain("x = add.i32 threadIdx.x, 1\n", line), real, 6);
  });
  for (const stride of [1, 2, 4, 8, 16, 32]) {
    it(`of a shared load of stride ${stride}`, () => {
      const real = measured(second, { micro: "shared_load_chain", stride_words: stride }, "cycles_per_op");
      compare(`shared load chain, stride ${stride}`, sharedChain(stride), real, 5);
    });
  }
});

describe("many warps reach the throughput measured", () => {
  const four = ["x", "y", "z", "w"];
  const setup = `${four.map((name, k) => `${name} = add.i32 threadIdx.x, ${k}`).join("\n")}\n`;
  for (const threads of [128, 1024]) {
    it(`of integer multiply-adds, ${threads} threads`, () => {
      const real = measured(extra, { micro: "op", name: "imad" }, `opsPerCycleSM_${threads / 32}warps`);
      const simulated = throughput(
        setup,
        four.map((x) => `${x} = mad.i32 ${x}, 3, 5`),
        threads,
      );
      compare(`imad throughput, ${threads} threads`, simulated, real, 6);
    });
    it(`of special functions, ${threads} threads`, () => {
      const real = measured(extra, { micro: "op", name: "popc" }, `opsPerCycleSM_${threads / 32}warps`);
      const simulated = throughput(
        setup,
        four.map((x) => `${x} = popc.i32 ${x}`),
        threads,
      );
      compare(`popc throughput, ${threads} threads`, simulated, real, 6);
    });
    it(`of shuffles, ${threads} threads`, () => {
      const real = measured(extra, { micro: "op", name: "shfl_bfly" }, `opsPerCycleSM_${threads / 32}warps`);
      const simulated = throughput(
        setup,
        four.map((x) => `${x} = shflXor.i32 0xffffffff, ${x}, 1, 32`),
        threads,
      );
      compare(`shuffle throughput, ${threads} threads`, simulated, real, 6);
    });
  }
  for (const stride of [1, 2, 4, 32]) {
    it(`of shared loads of stride ${stride}`, () => {
      const where = `shared S i32 4096\nt = and.i32 threadIdx.x, 31\ni = mul.i32 t, ${stride}\na = addr S[i]\n`;
      const loads = ["x", "y", "z", "w"].map((x) => `${x} = ld.i32 S[a]`);
      const real = measured(extra, { micro: "shared", name: "load", strideWords: stride }, "cyclesPerWarpOp_32warps");
      compare(`shared loads of 32 warps, stride ${stride}, cycles each`, 1 / throughput(where, loads, 1024), real, 6);
    });
  }
  it("of shared loads of one warp", () => {
    const where = "shared S i32 1024\na = addr S[threadIdx.x]\n";
    const loads = ["x", "y", "z", "w", "u", "v", "q", "r"].map((x) => `${x} = ld.i32 S[a]`);
    const real = measured(extra, { micro: "shared", name: "load", strideWords: 1 }, "cyclesPerWarpOp_1warp");
    compare("shared loads of one warp, cycles each", 1 / throughput(where, loads, 32), real, 6);
  });
});

describe("a slow pipe's instructions between fast ones take the issue slots measured", () => {
  const sums = Array.from({ length: 7 }, (_, k) => `f${k} = mad.f32 f${k}, 2, 1`);
  const setup = `x = add.i32 threadIdx.x, 1
    y = mul.i32 x, 3
    ${Array.from({ length: 7 }, (_, k) => `f${k} = mov.f32 ${k}`).join("\n")}
  `;
  const operations = [
    ["POPC", "x = popc.i32 x"],
    ["SHFL", "x = shflXor.i32 0xffffffff, x, 1, 32"],
    ["LOP3", "x = xor.i32 x, y"],
    ["IMAD", "x = mad.i32 x, 3, 5"],
  ] as const;
  for (const [instruction, line] of operations) {
    for (const [count, field] of [
      [0, "alone"],
      [3, "with3ffma"],
      [7, "with7ffma"],
    ] as const) {
      it(`${instruction} with ${count} FFMA`, () => {
        const lines = [line, ...sums.slice(0, count)];
        const simulated = lines.length / (throughput(setup, lines, 1024, 16) / 4);
        const loop = count === 0 ? 0 : LOOP_CYCLES;
        const real = measured("h200/micro/set-6.json", { instruction, warpsPerScheduler: 8 }, field) - loop;
        compare(`${instruction} with ${count} FFMA, 8 warps, cycles`, simulated, real, 30);
      });
    }
  }
});

/** The loop itself adds to a group: 7.39 cycles for 7 FFMA and an omitted instruction (h200/micro/set-6.json). */
const LOOP_CYCLES = 0.39;

describe("block barriers take the time measured", () => {
  for (const threads of [32, 64, 128, 256, 512, 1024]) {
    it(`by a block of ${threads}`, () => {
      const real = measured(extra, { micro: "barrier", warps: threads / 32, blocksPerSM: 1 }, "cycles");
      compare(`barrier, ${threads} threads`, barrierPeriod(threads), real, 8);
    });
  }
});

describe("streams from DRAM reach the bandwidth measured", () => {
  for (const [loads, warps] of [
    [1, 1],
    [1, 8],
    [1, 32],
    [1, 64],
    [2, 16],
    [2, 64],
    [4, 8],
    [4, 32],
    [4, 64],
    [8, 64],
    [8, 16],
  ] as const) {
    it(`with ${loads} loads a thread and ${warps} warps an SM`, () => {
      const real = measured(extra, { micro: "inflight", loadsPerThread: loads, warpsPerSM: warps }, "readGBps");
      compare(`stream, ${loads} loads a thread, ${warps} warps`, stream(loads, warps), real, 15);
    });
  }
});

describe("grids of small blocks take the time measured", () => {
  const kinds: readonly BlockKind[] = ["empty", "load", "store", "shared+barrier", "load+barrier+load"];
  for (const kind of kinds) {
    for (const threads of [32, 256, 1024]) {
      for (const shared of [4096, 200000]) {
        it(`${kind}, ${threads} threads, ${shared} bytes of shared memory`, () => {
          const what = { micro: "blocks", kind, threads, sharedBytes: shared };
          const count = measured(extra, what, "blocks");
          compare(
            `blocks ${kind}, ${threads} threads, ${shared} B, us`,
            1000 * blocks(kind, threads, shared, count),
            1000 * measured(extra, what, "ms"),
            18,
          );
        });
      }
    }
  }
});
