import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CheckedPackage, cellComplaints, checkPackage, ts } from "../node/notebook-compiler.js";

const root = join(import.meta.dirname, "../..");
const notebooks = join(root, "notebooks");

/** A package of one declaration file beside the notebook, for the check of the check. */
function checkText(text: string): CheckedPackage {
  return checkPackage(notebooks, "./made-up", new Map([[join(notebooks, "made-up.d.ts"), text]]));
}

describe("the package's types as a notebook sees them", () => {
  test("are read by TypeScript 5.0, the compiler of tslab's cells", () => {
    expect(ts.versionMajorMinor).toBe("5.0");
  });

  const checked = checkPackage(notebooks, "warplab");

  test("have no error under tslab's compiler (npm run build writes them)", () => {
    expect(checked.complaints).toEqual([]);
  });

  test("have no name that is silently any, but for 64-bit integers inside of kernels", () => {
    const wide =
      /^([iu]64\(\)|\w*(ll|longlong)\w*\(\)|(Cuda\.this_grid\(\)|GridGroup|Cuda)\.\w+\(\)|(Parameter|ConstantInput)\(\)|Long)$/;
    expect(checked.anyTypes.filter((path) => !wide.test(path))).toEqual([]);
    expect(checked.anyTypes).toContain("Cuda.i64()");
  });
});

/** The compiler's message about each statement, in a kernel with arrays and numbers of 32 and 64 bits. */
function inKernel(statements: readonly string[]): readonly string[] {
  const head = `import { device, i32, i64, kernel, ptr, u64 } from "warplab";
const add = device("add", { params: { a: i64, b: u64 } }, ({ a, b }) => a + b);
kernel("k", {
  params: { longs: ptr(i64), words: ptr(u64), ints: ptr(i32), l: i64, n: i32 },
  constants: { BIG: 10n, LONG: i64(3) }, functions: { add },
}, ({ longs, words, ints, l, n }, cuda, { BIG, LONG, add }) => {
const { threadIdx, i64, u64, i32, min, max, idiv, abs, atomicAdd, atomicCAS, shfl_xor_sync, shfl_down_sync, printf } = cuda;
const i = threadIdx.x;
`;
  const text = `${head}${statements.map((statement) => `{ ${statement} }`).join("\n")}\n});`;
  const first = head.split("\n").length;
  const complaints = cellComplaints(notebooks, text);
  return statements.map((_, index) =>
    complaints.filter((complaint) => complaint.includes(`__cell__.ts:${first + index}:`)).join("; "),
  );
}

describe("64-bit integers in a kernel, under tslab's compiler", () => {
  test("take 10n beside a parameter, an element, a variable, a cast, a constant, and what words of CUDA give", () => {
    const accepted = [
      "longs[i] = l * 10n;",
      "longs[i] = 10n * l + 3n;",
      "longs[i] += 10n;",
      "longs[i] = i64(i) * 10n;",
      "words[i] = u64(n) << 40n;",
      "words[i] = 0xffffffffffffffffn;",
      "let sum = i64(10n); sum += longs[i]; sum *= 10n; longs[i] = sum;",
      "if (l > 10n && longs[i] === 3n) ints[i] = i32(l % 10n);",
      "longs[i] = min(l, 10n); longs[i] = max(10n, l); longs[i] = idiv(l, 10n) + 10n; longs[i] = abs(l) * 2n;",
      "longs[i] = atomicAdd(longs, 0, 10n) + 10n; atomicAdd(longs, 0, n);",
      "const seen = words[0]; words[i] = atomicCAS(words, 0, seen, seen + 1n);",
      "longs[i] = shfl_xor_sync(0xffffffff, l, 1) + 10n;",
      "let part = l; part += shfl_down_sync(0xffffffff, part, 16); longs[i] = part * 10n;",
      "const tile = cuda.tiled_partition(cuda.this_thread_block(), 32); longs[i] = cuda.reduce(tile, l, cuda.plus) * 10n;",
      "longs[i] = cuda.this_grid().thread_rank() * 10n;",
      "longs[i] = BIG * 10n; longs[i] = LONG * 10n;",
      "longs[i] = add(10n, l) * 10n;",
      'printf("%lld %llu\\n", 10n, words[i]);',
      "const s = cuda.shared(i64, 32); s[i] = 10n; longs[i] = s[i] * 10n;",
      "longs[i] = cuda.double_as_longlong(cuda.longlong_as_double(10n)) + 10n; ints[i] = cuda.popcll(10n);",
      // CUDA's other operands beside 64 bits.
      "longs[i] = longs[i] + 1;",
      "longs[i] = l * n;",
      "longs[i64(i) * 4] = n;",
    ];
    const complaints = inKernel(accepted);
    expect(accepted.filter((_, index) => complaints[index] !== "")).toEqual([]);
  });

  test("take it beside a product of two, which is a number to TypeScript, by i64 around that", () => {
    const [product, cast] = inKernel(["longs[i] = l * l + 10n;", "longs[i] = i64(l * l) + 10n;"]);
    expect(product).toContain("Operator '+' cannot be applied to types 'number' and");
    expect(cast).toBe("");
  });

  test("and an int's mistakes are still found", () => {
    const [product, value, atomic, text] = inKernel([
      "ints[i] = n * 10n;",
      "ints[i] = 10n;",
      "atomicAdd(ints, 0, 10n);",
      'longs[i] = cuda.popc("a");',
    ]);
    expect(product).toContain("Operator '*' cannot be applied to types 'number' and");
    expect(value).toContain("Type 'bigint' is not assignable to type 'number'");
    expect(atomic).toContain("is not assignable to parameter of type 'number'");
    expect(text).toContain("is not assignable to parameter of type 'number'");
  });
});

test("a buffer is read as one type under tslab's compiler, a vector's as its scalars", () => {
  const arrays = { i32: "Int32Array", u64: "BigUint64Array", int4: "Int32Array", uint2: "Uint32Array" };
  const floats = { f32: "Float32Array", float2: "Float32Array", float4: "Float32Array", double2: "Float64Array" };
  const all = Object.entries({ ...arrays, ...floats });
  const text = all.map(
    ([type, array], index) => `const b${index} = gpu.alloc(${type}, 4);
const right${index}: ${array} = b${index}.read();
const wrong${index}: Int8Array = b${index}.read();
b${index}.write(new ${array}(8));`,
  );
  const complaints = cellComplaints(
    notebooks,
    `import { Gpu, ${all.map(([type]) => type).join(", ")} } from "warplab";\nconst gpu = new Gpu("v100");\n${text.join("\n")}`,
  );
  expect(
    complaints.map((complaint) => /Type '(\w+)' is not assignable to type 'Int8Array'/.exec(complaint)?.[1]),
  ).toEqual(all.map(([, array]) => array));
});

describe("the check of published types", () => {
  test("finds a type that TypeScript 5.0 does not know, which tslab would show as any", () => {
    const { complaints, anyTypes } = checkText("export declare const sums: Float32Array<ArrayBuffer>;");
    expect(complaints.join()).toContain("Type 'Float32Array' is not generic");
    expect(anyTypes).toEqual(["sums"]);
  });

  test("finds any in a parameter, a result, a member, and a class", () => {
    const { anyTypes } = checkText(`
      export declare function run(input: any): { inner: { time: any } };
      export declare class Gpu { constructor(name: any); launch(): Promise<any>; }
      export type Row = { name: string; value: any };
    `);
    expect([...anyTypes].sort()).toEqual(
      ["Gpu(name)", "Gpu().launch()<>", "Row.value", "run().inner.time", "run(input)"].sort(),
    );
  });

  test("finds an import that leads nowhere", () => {
    const { complaints } = checkText('export { missing } from "./nowhere.js";');
    expect(complaints.join()).toContain("Cannot find module './nowhere.js'");
  });

  test("lets plain types and unknown pass", () => {
    const text = "export declare function sum(values: Int32Array, of?: unknown): ReadonlyMap<string, number>;";
    expect(checkText(text)).toEqual({ complaints: [], anyTypes: [], exportedNames: ["sum"] });
  });
});
