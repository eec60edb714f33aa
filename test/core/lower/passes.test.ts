/**
 * The effect of single passes on small kernels. Source of the numbers: listings of nvcc 13.0 -O3 -arch=sm_90, and
 * arithmetic.
 */
import { describe, expect, it } from "vitest";
import { listing } from "../../../src/core/lower/machine/listing.js";
import { execute } from "../engine/launch.js";
import { compileCuda, count } from "./kernel-code.js";

describe("unrolling", () => {
  const loop = (head: string): string =>
    `__global__ void k(int *o, int n) { int x = o[threadIdx.x]; ${head} x = (x ^ j) * 3; o[threadIdx.x] = x; }`;

  it("leaves nothing of a loop of eight rounds", () => {
    const program = compileCuda(loop("for (int j = 0; j < 8; j++)"));
    expect([count(program, "BRA"), count(program, "LOP3"), count(program, "ISETP")]).toEqual([0, 7, 0]);
  });

  it("makes sixteen, eight, four and one of a loop to a bound that is a parameter", () => {
    expect(count(compileCuda(loop("for (int j = 0; j < n; j++)")), "LOP3.LUT")).toBe(16 + 8 + 4 + 1 + 1);
  });

  it("leaves a loop of one round where it is left out", () => {
    const program = compileCuda(loop("for (int j = 0; j < n; j++)"), { without: ["loop-runtime-unroll"] });
    expect(count(program, "LOP3")).toBe(1);
  });
});

describe("unrolling once more", () => {
  const sum = (step: string): string =>
    `__global__ void k(const float *in, float *o, int n) { int d = gridDim.x * blockDim.x; float s = 0.0f; for (int i = threadIdx.x; i < n; i += ${step}) s += in[i]; o[threadIdx.x] = s; }`;

  it("makes sixteen loads of a loop by a constant, four of a loop by a step known at run time", () => {
    expect(count(compileCuda(sum("3")), "LDG")).toBe(16 + 8 + 4 + 1);
    expect(count(compileCuda(sum("d")), "LDG")).toBe(4 + 1);
  });

  it("makes one round of a loop by a step known at run time whose atomics others see", () => {
    const loop = (body: string): string =>
      `__global__ void k(const int *in, int *o, int n) { int d = gridDim.x * blockDim.x; for (int i = threadIdx.x; i < n; i += d) ${body} }`;
    expect(count(compileCuda(loop("atomicAdd(&o[in[i]], 1);")), "LDG")).toBe(1);
    expect(count(compileCuda(loop("o[i] = in[i] + 1;")), "LDG")).toBe(4 + 1);
  });

  it("leaves a sum by a signed step known at run time what it is, for any number of rounds", () => {
    const input = Float32Array.from({ length: 40 }, (_, i) => i + 1);
    const program = compileCuda(sum("d"));
    for (let n = 0; n <= 40; n++) {
      const { read } = execute(program, { block: 2, args: { in: input, o: new Float32Array(2), n } });
      const of = (first: number): number => input.filter((_, i) => i < n && i % 2 === first).reduce((a, b) => a + b, 0);
      expect([n, ...read<Float32Array>("o")]).toEqual([n, of(0), of(1)]);
    }
  });
});

describe("a loop of run-time rounds in which lanes talk to each other", () => {
  const rounds = (mask: string): string =>
    `__global__ void k(int *o, int n) { int t = threadIdx.x, c = 0; for (int i = t; i < n; i += 32) c += __shfl_xor_sync(${mask}, o[i], 1); o[t] = c; }`;

  it("is unrolled by four, with one more for the rest, if a shuffle names all lanes", () => {
    expect(count(compileCuda(rounds("0xffffffff")), "SHFL")).toBe(5);
  });

  it.each(["__activemask()", "0xffff", "o[0]"])(
    "is not if its mask is %s: lanes in other rounds would meet",
    (mask) => {
      expect(count(compileCuda(rounds(mask)), "SHFL")).toBe(1);
    },
  );
});

describe("the end of the kernel", () => {
  it("leaves where either side of a branch ends in a branch", () => {
    const swap = "{ o[t] = b; o[t ^ n] = a; }";
    const text = `__global__ void k(const int *x, int *o, int n) { int t = threadIdx.x; int a = x[t]; int b = x[t ^ n]; if ((t & n) == 0) { if (a > b) ${swap} } else { if (a < b) ${swap} } }`;
    expect(count(compileCuda(text), "EXIT")).toBe(4);
  });
});

describe("predication", () => {
  const body = (statement: string): string =>
    `__global__ void k(int *o, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = o[t]; __syncthreads(); ${statement} __syncthreads(); o[t] = s[t]; }`;

  it("guards a short body in shared memory", () => {
    expect(count(compileCuda(body("if (t < n) s[t] += s[t + n];")), "BSSY")).toBe(0);
  });

  it("branches over a body with a shuffle", () => {
    expect(count(compileCuda(body("if (t < n) s[t] += __shfl_xor_sync(0xffffffff, t, 1);")), "BRA")).toBe(1);
  });

  it("branches over a body of more than eight instructions", () => {
    const long = "if (t < n) { s[t] = s[t + 1] * s[t + 2] + s[t + 3] * s[t + 4] + s[t + 5] * s[t + 6]; }";
    expect(count(compileCuda(body(long)), "BSSY")).toBe(1);
  });
});

describe("invariant code", () => {
  it("moves a product of the grid's sizes in front of a grid-stride loop", () => {
    const program = compileCuda(
      "__global__ void k(int *o, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) o[i] = i; }",
    );
    const lines = listing(program).split("\n");
    const product = lines.findIndex((line) => / IMAD /.test(line) && line.includes("blockDim") === false);
    expect(count(program, "IMAD ")).toBe(0);
    expect(product).toBeLessThan(lines.findIndex((line) => line.includes("STG")));
  });

  it("makes a test inside a branch of a loop there, as a predicate is kept for no block that not every round enters", () => {
    const program = compileCuda(`__global__ void k(int *g, int lim, int m) {
      __shared__ int s[1024]; int t = threadIdx.x; s[t] = g[t]; __syncthreads();
      for (int k = m; k > 0; k >>= 1) {
        if (t < k) { int a = s[t], b = s[t + k]; if ((t & lim) == 0) { s[t] = a + b; s[t + k] = a; } else { s[t] = b; s[t + k] = a * b; } }
        __syncthreads();
      }
      g[t] = s[t];
    }`);
    const test = program.instructions.findIndex(({ issue }) => issue[0]?.mnemonic === "LOP3.LUT");
    const branch = program.instructions.findIndex(({ op }) => op === "bssy");
    expect(test).toBeGreaterThan(branch);
  });
});

describe("vector accesses", () => {
  it("join neighbouring shared loads of an unrolled loop whose counter is a multiple of four", () => {
    const program = compileCuda(`__global__ void k(int *o, int n) {
      __shared__ int s[1024]; int t = threadIdx.x, v = 0; s[t] = o[t]; __syncthreads();
      for (int k = 0; k < n; k++) v += s[k];
      o[t] = v;
    }`);
    const lanes = program.instructions
      .filter(({ op, space }) => op === "ld" && space === "shared")
      .map((i) => i.dst.length);
    expect(lanes).toEqual([4, 4, 4, 4, 4, 4, 4, 1]);
  });
});

describe("division by a constant", () => {
  const DIVISORS = [1, 2, 3, 5, 7, 10, 16, 100, 641, 1000, 65535, 2147483647];
  const values = Int32Array.from(
    [0, 1, 2, 3, 6, 7, 99, 100, 101, 65534, 65535, 65536, 2147483646, 2147483647].flatMap((x) => [x, -x, ~x]),
  );

  it.each(DIVISORS)("by %i gives what C gives, signed and unsigned", (divisor) => {
    const program = compileCuda(`__global__ void k(const int *in, int *q, int *r, unsigned *uq) {
      int x = in[threadIdx.x]; q[threadIdx.x] = x / ${divisor}; r[threadIdx.x] = x % ${divisor};
      uq[threadIdx.x] = (unsigned)x / ${divisor}u;
    }`);
    expect(program.instructions.some(({ op }) => op === "div" || op === "rem")).toBe(false);
    const { length } = values;
    const run = execute(program, {
      block: length,
      args: { in: values, q: new Int32Array(length), r: new Int32Array(length), uq: new Uint32Array(length) },
    });
    expect([...run.read<Int32Array>("q")]).toEqual([...values].map((x) => Math.trunc(x / divisor) | 0));
    expect([...run.read<Int32Array>("r")]).toEqual([...values].map((x) => (x % divisor) | 0));
    expect([...run.read<Uint32Array>("uq")]).toEqual([...values].map((x) => Math.floor((x >>> 0) / divisor)));
  });
});

describe("the half of a sum, rounded towards zero", () => {
  it("adds the sum's own sign, as in nvcc's code: VIADD, LEA.HI, SHF.R.S32.HI", () => {
    const program = compileCuda(
      "__global__ void k(const int *in, int *out) { out[threadIdx.x] = (in[threadIdx.x] + 1) / 2; }",
    );
    const names = program.instructions.flatMap(({ issue }) => issue.map(({ mnemonic }) => mnemonic));
    expect(names.filter((name) => /^(IADD3|LEA|SHF)/.test(name))).toEqual(["IADD3", "LEA.HI", "SHF.R.S32.HI"]);
  });
});

describe("a pointer that is only indexed", () => {
  /** The number of machine instructions of the loop in nvcc 13.0's listing for sm_90. */
  const loopLength = (parameters: string, before: string, body: string): number => {
    const { instructions } = compileCuda(
      `__global__ void k(${parameters}, float *out, int n) { ${before} float s = 0; for (int i = threadIdx.x; i < n; i += blockDim.x) ${body} out[threadIdx.x] = s; }`,
    );
    const back = instructions.find((i) => i.op === "bra" && (i.target ?? i.pc + 1) <= i.pc);
    return instructions.slice(back?.target, (back?.pc ?? 0) + 1).reduce((sum, { issue }) => sum + issue.length, 0);
  };

  it.each([
    [9, "const float *in", "const float *row = in + blockIdx.x * n;", "s += row[i];"],
    [10, "const float *in", "int r = blockIdx.x; const float *row = in + r * n;", "s += row[i];"],
    [10, "const float *in", "const float *row = in + blockIdx.x * n;", "s += row[i] * row[i + 1];"],
    [9, "const float *in", "const float *row = in + (size_t)blockIdx.x * n;", "s += row[i];"],
    [
      14,
      "const float *in",
      "const float *row = in + blockIdx.x * n; float *o = out + blockIdx.x * n;",
      "o[i] = row[i] * 2;",
    ],
  ])("adds its indices in each round: %i instructions", (length, parameters, before, body) => {
    expect(loopLength(parameters, before, body)).toBe(length);
  });

  it("is made once where it is read from itself", () => {
    expect(
      loopLength("const float *in", "const float *row = in + blockIdx.x * n; out[n] = row[0];", "s += row[i];"),
    ).toBe(6);
  });
});

describe("registers", () => {
  it("of values that are joined are one: a loop's counter takes no move", () => {
    const program = compileCuda(
      "__global__ void k(int *o, int n) { int x = 1; while (x < n) x = x * 3 + o[x]; o[0] = x; }",
    );
    const back = program.instructions.filter((i) => i.op === "bra" && (i.target ?? i.pc) < i.pc).at(-1);
    const body = program.instructions.slice(back?.target, back?.pc);
    expect(body.filter(({ op }) => op === "mov")).toEqual([]);
  });
});

describe("a choice", () => {
  const least =
    "__global__ void k(const float *in, int *out, int n) { int t = threadIdx.x, at = 0; float least = in[t]; for (int c = 1; c < n; c++) { float x = in[c * n + t]; if (x < least) { least = x; at = c; } } out[t] = at; }";

  it("of an index finds the first of the least", () => {
    const [rows, columns] = [40, 4];
    const input = Float32Array.from({ length: rows * rows + columns }, (_, i) => (i * 37) % 29);
    const { read } = execute(compileCuda(least), {
      block: columns,
      args: { in: input, out: new Int32Array(columns), n: rows },
    });
    const expected = Array.from({ length: columns }, (_, t) => {
      const column = Array.from({ length: rows }, (_, c) => input[c * rows + t] ?? 0);
      return column.indexOf(Math.min(...column));
    });
    expect([...read<Int32Array>("out")]).toEqual(expected);
  });
});

describe("the address of a word of shared memory by a shifted index", () => {
  it.each([
    [2, 0],
    [4, 1],
  ])("%i bits to the right takes %i LEA: a mask does where the word's size shifts it back", (bits, additions) => {
    const program = compileCuda(
      `__global__ void k(const int *in, int *o) { __shared__ int s[256]; int t = threadIdx.x; s[0] = t; __syncthreads(); o[t] = s[in[t] >> ${bits}]; }`,
    );
    expect(count(program, "LEA")).toBe(additions);
  });
});

describe("the listing", () => {
  it("names the machine instruction, its registers and the source line", () => {
    const lines = listing(compileCuda("__global__ void k(int *o) {\n  o[threadIdx.x] = 7;\n}")).split("\n");
    expect(lines[0]).toMatch(/^ +0 +LDC R1 +2: o\[threadIdx\.x\] = 7;$/);
    expect(lines.at(-2)).toMatch(/^ +\d+ +STG\.E \[R\d+\], R\d+$/);
  });
});
