/** Texts that are too large or too deep, and local arrays and fields that are too long. */
import { device, i32, kernel, ptr } from "../../../../src/core/frontend/index.js";
import { lower } from "../../../../src/core/lower/lower.js";
import type { CureCase } from "../cures.js";
import { compiled, kernelOf } from "../from-text.js";

const hopper = { computeCapability: { major: 9, minor: 0 }, contractFma: true } as const;

function many(count: number, part: (index: number) => string, between = " "): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(between);
}

/** Statements of a kernel, lowered. */
const body = (text: string) => (): unknown => lower(kernelOf(text, {}), hopper);
const written = (text: string) => (): unknown => compiled(text, { form: "long" });

/** The last of `count` functions, each of which calls the one before twice. */
function doubling(count: number): unknown {
  device("d0", { x: i32 }, new Function("return ({ x }) => x + 1")());
  for (let k = 1; k <= count; k++) {
    device(`d${k}`, { x: i32 }, new Function(`return ({ x }) => d${k - 1}(x) + d${k - 1}(x + 1)`)());
  }
  const text = new Function(`return ({ output }) => { output[0] = d${count}(output[1]); }`)();
  return lower(kernel("k", { output: ptr(i32) }, text).ir, hopper);
}

export const sizeCases: readonly CureCase[] = [
  {
    cure: "Make it smaller, or use an array in global memory with a part for each thread.",
    before: body("const a = local(i32, 200000); a[n] = 1; output[0] = a[n + 1];"),
    after: body("input[n] = 1; output[0] = input[n + 1];"),
  },
  {
    cure: "Make the arrays smaller, or use an array in global memory with a part for each thread.",
    before: body(
      "const a = local(i32, 100000); const b = local(i32, 100000); a[n] = 1; b[n] = a[n + 1]; output[0] = b[n + 1];",
    ),
    after: body(
      "const a = local(i32, 10000); const b = local(i32, 10000); a[n] = 1; b[n] = a[n + 1]; output[0] = b[n + 1];",
    ),
  },
  {
    cure: "Give a width and a precision of 4096 at the most.",
    before: body('printf("%5000d", n);'),
    after: body('printf("%4096d", n);'),
  },
  {
    cure: "Let one loop count over several dimensions, and take its index apart.",
    before: body(`${many(17, (i) => `for (let a${i} = 0; a${i} < n; a${i}++)`)} output[0] += 1;`),
    after: body("for (let i = 0; i < n; i++) output[idiv(i, 4)] += 1;"),
  },
  {
    cure: "Let one loop do the work of several, or split the kernel.",
    before: body(many(257, (i) => `for (let a${i} = 0; a${i} < n; a${i}++) output[${i}] += 1;`)),
    after: body("for (let i = 0; i < 257 * n; i++) output[idiv(i, n)] += 1;"),
  },
  {
    cure: "Look the value up in an array, or test ranges first.",
    before: body(many(300, (i) => `if (n === ${i}) output[0] = ${i};`, " else ")),
    after: body("output[0] = input[n];"),
  },
  {
    cure: "Compute it in several statements, or in a loop.",
    before: body(`output[0] = ${many(1100, () => "n", " + ")};`),
    after: body("let sum = 0; for (let i = 0; i < 1100; i++) sum += n; output[0] = sum;"),
  },
  {
    cure: "Give one function, and nothing after it.",
    before: written("({ output }) => { output[0] = 1; }); (other()"),
    after: written("({ output }) => { output[0] = 1; }"),
  },
  {
    cure: "Put data into a buffer that the launch is given, and split the work over several kernels.",
    before: written(`({ output }) => { output[0] = 1; /* ${"x".repeat(2e6)} */ }`),
    after: written("({ output, input }) => { output[0] = input[0]; }"),
  },
  {
    cure: "Unroll fewer loops in one another (unroll(4) instead of unroll()), call device functions less often in one another, or use loops.",
    before: () => doubling(22),
    after: () => doubling(2),
  },
];
