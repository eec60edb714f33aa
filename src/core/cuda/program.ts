/**
 * A whole CUDA program for one launch: the kernel and its host code. The host code makes the input, launches, compares the
 * result with the simulator's, and takes the time by events. `nvcc -arch=native` compiles it, so that a learner with a GPU
 * can see whether the simulator was right.
 */
import { InputError } from "../base/errors.js";
import type { HostArray } from "../base/typed-array.js";
import type { Expr, KernelIr, Param, Stmt } from "../ir/ir.js";
import { cudaName, type ElementType, isVector, type Narrow, type Scalar } from "../ir/types.js";
import { expressionsOf, nestedLists, operands } from "../ir/walk.js";
import { checksum, expectedText, fillText, type HostData, lengthOf } from "./host-data.js";
import { cudaKernel } from "./kernel.js";
import { checkText, HOST_FUNCTIONS, timingText } from "./program-text.js";
import { literal, NameTable } from "./type-names.js";

type Size = readonly [x: number, y: number, z: number];

export interface CudaLaunch {
  readonly grid: Size;
  readonly block: Size;
  /** Dynamic shared memory a block. */
  readonly dynamicSharedBytes?: number;
  /** nvcc's -fmad; the program's head says how to compile it. Default true. */
  readonly contractFma?: boolean;
  /** The simulator's time, which the program prints beside the GPU's. */
  readonly predicted?: { readonly device: string; readonly timeMs: number };
}

/** A pointer argument: what it points to before the launch, and after it where that is to be checked. */
export interface CudaArray {
  readonly data: HostData;
  /** The simulator's result, compared bit for bit (any NaN equals any other). */
  readonly expected?: HostArray;
}

/** A pointer to the same memory as another parameter. */
export interface SameArray {
  readonly sameAs: string;
}

/** By parameter name. The elements of a vector pointer are its scalars, one after the other. */
export type CudaArguments = Readonly<Record<string, number | bigint | CudaArray | SameArray>>;

interface BoundArray {
  readonly param: Param & { readonly kind: "pointer" };
  readonly scalar: Scalar | Narrow;
  readonly array: CudaArray;
  /** The host vector and the device pointer. */
  readonly host: string;
  readonly device: string;
  readonly written: boolean;
}

function scalarOf(element: ElementType): Scalar | Narrow {
  return isVector(element) ? element.scalar : element;
}

/** Whether a statement or expression somewhere in the kernel is such. */
function some(ir: KernelIr, test: { stmt?: (stmt: Stmt) => boolean; expr?: (expr: Expr) => boolean }): boolean {
  const expression = (expr: Expr): boolean => test.expr?.(expr) === true || operands(expr).some(expression);
  const list = (stmts: readonly Stmt[]): boolean =>
    stmts.some(
      (stmt) => test.stmt?.(stmt) === true || expressionsOf(stmt).some(expression) || nestedLists(stmt).some(list),
    );
  const kernel = (one: KernelIr): boolean =>
    list(one.body) || one.functions.some((fn) => list(fn.body)) || (one.children ?? []).some(kernel);
  return kernel(ir);
}

/** Whether the kernel may write where parameter `index` points. */
export function mayWrite(ir: KernelIr, index: number): boolean {
  // A pointer variable may hold any parameter's address; so may a child kernel's parameter.
  const hits = (pointer: Extract<Expr, { kind: "pointer" }>): boolean =>
    pointer.root.kind === "variable" || (pointer.root.kind === "param" && pointer.root.index === index);
  return some(ir, {
    stmt: (stmt) => (stmt.kind === "store" && hits(stmt.pointer)) || stmt.kind === "launch",
    expr: (expr) => expr.kind === "atomic" && hits(expr.pointer),
  });
}

function bind(ir: KernelIr, args: CudaArguments): { arrays: readonly BoundArray[]; texts: readonly string[] } {
  const names = new NameTable();
  const arrays: BoundArray[] = [];
  const known = ir.params.map((param) => param.name);
  for (const name of Object.keys(args)) {
    if (known.includes(name)) continue;
    throw new InputError({
      what: `The CUDA program of ${ir.name} is given ${name}, which is no parameter.`,
      cure: `Its parameters are: ${known.join(", ")}.`,
    });
  }
  const texts = ir.params.map((param, index) => {
    const given = args[param.name];
    if (given === undefined || (typeof given === "object") !== (param.kind === "pointer")) {
      throw new InputError({
        what: `The CUDA program of ${ir.name} needs ${param.kind === "pointer" ? "an array" : "a number"} for ${param.name}.`,
        cure:
          param.kind === "pointer" ? `Give ${param.name}: { data: { values } }.` : `Give ${param.name} as a number.`,
      });
    }
    if (param.kind === "scalar" || typeof given !== "object") {
      return literal(scalarOf(param.kind === "scalar" ? param.type : "i32"), given as number);
    }
    if ("sameAs" in given) return sameArray(ir, param, given.sameAs, arrays);
    const host = names.claim(`h_${param.name}`);
    const device = names.claim(`d_${param.name}`);
    const scalar = scalarOf(param.type.pointer);
    const { expected } = given;
    if (expected !== undefined && expected.length !== lengthOf(given.data)) {
      throw new InputError({
        what: `${param.name} has ${lengthOf(given.data)} elements before the launch and ${expected.length} after it.`,
        cure: "Give the whole array as it is after the launch.",
      });
    }
    const aliases = ir.params.flatMap(({ name }, other) => {
      const value = args[name];
      return typeof value === "object" && "sameAs" in value && value.sameAs === param.name ? [other] : [];
    });
    const written = expected !== undefined || [index, ...aliases].some((one) => mayWrite(ir, one));
    arrays.push({ param, scalar, array: given, host, device, written });
    return device;
  });
  return { arrays, texts };
}

/** The other parameter's device pointer, as a pointer of this one's type. */
function sameArray(ir: KernelIr, param: BoundArray["param"], other: string, arrays: readonly BoundArray[]): string {
  const found = arrays.find((array) => array.param.name === other);
  if (found === undefined) {
    throw new InputError({
      what: `The CUDA program of ${ir.name}: ${param.name} is said to be the same array as ${other}, which is none before it.`,
      cure: "Name a pointer parameter that stands before it.",
    });
  }
  const type = cudaName(param.type.pointer);
  return type === cudaName(found.param.type.pointer) ? found.device : `(${type}*)${found.device}`;
}

function dim3([x, y, z]: Size): string {
  if (z !== 1) return `dim3(${x}, ${y}, ${z})`;
  return y === 1 ? `dim3(${x})` : `dim3(${x}, ${y})`;
}

function allocation({ array, scalar, host, device, param, written }: BoundArray, fill: string): string {
  const type = cudaName(scalar);
  const pointer = cudaName(param.type.pointer);
  const bytes = `${host}.size() * sizeof(${type})`;
  const copy = written ? "" : `\n  check(cudaMemcpy(${device}, ${host}.data(), ${bytes}, cudaMemcpyHostToDevice));`;
  return (
    `  // ${param.name}: ${lengthOf(array.data)} ${type} values\n` +
    `  std::vector<${type}> ${host}(${lengthOf(array.data)});\n  ${fill}\n` +
    `  ${pointer}* ${device} = nullptr;\n  check(cudaMalloc(&${device}, ${bytes}));${copy}\n`
  );
}

/** Functions that a GPU approximates, each in its own way. */
const APPROXIMATE: ReadonlySet<string> = new Set(
  `rsqrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan tanh asin acos atan sinh cosh asinh acosh atanh cbrt sinpi
  cospi pow atan2 hypot fastExp fastExp10 fastSin fastCos fastTan fastLog fastLog2 fastLog10 fastPow fastDivide`.split(
    /\s+/,
  ),
);

function isApproximate(expr: Expr): boolean {
  if (expr.kind === "atomic") return expr.op === "add" && (expr.type === "f32" || expr.type === "f64");
  return expr.kind === "intrinsic" && APPROXIMATE.has(expr.name);
}

/** Values of a large approximate result that are compared. */
const SAMPLED_VALUES = 1024;

function expectation(
  { array, scalar, host, device, param }: BoundArray,
  inexact: boolean,
): { globals: string; text: string } {
  const { expected } = array;
  if (expected === undefined) return { globals: "", text: "" };
  const approximate = inexact && (scalar === "f32" || scalar === "f64");
  const whole = expectedText(`e_${host.slice(2)}`, expected, scalar);
  const step = whole === null && approximate ? Math.ceil(expected.length / SAMPLED_VALUES) : 1;
  const sample = (expected as Float32Array).filter((_, index) => index % step === 0);
  const made = step === 1 ? whole : expectedText(`e_${host.slice(2)}`, sample, scalar);
  const text = checkText({
    name: param.name,
    type: cudaName(scalar),
    host,
    device,
    expected: made === null ? null : { vector: `e_${host.slice(2)}`, fill: made.fill },
    checksum: checksum(expected),
    approximate,
    step,
  });
  return { globals: made?.globals ?? "", text };
}

/**
 * The whole .cu. It prints the GPU, whether each checked array equals the simulator's, and the median time of 20 runs.
 * Its exit status is 0 where all are equal, 1 where not, 2 where CUDA reports an error.
 * @throws InputError for missing or surplus arguments, and for data that is too large to write out and has no formula.
 */
export function toCudaProgram(ir: KernelIr, launch: CudaLaunch, args: CudaArguments): string {
  const { name, text } = cudaKernel(ir);
  const { arrays, texts } = bind(ir, args);
  const fills = arrays.map(({ param, host, array, scalar }) => fillText(param.name, host, array.data, scalar));
  const inexact = some(ir, { expr: isApproximate });
  const expected = arrays.map((array) => expectation(array, inexact));
  const sharedBytes = launch.dynamicSharedBytes ?? 0;
  const cooperative = some(ir, { expr: (expr) => expr.kind === "intrinsic" && expr.name === "gridSync" });
  const launches = some(ir, { stmt: (stmt) => stmt.kind === "launch" });
  const prints = some(ir, { stmt: (stmt) => stmt.kind === "printf" });
  const shape = `${dim3(launch.grid)}, ${dim3(launch.block)}, ${sharedBytes}`;
  const pointers = texts.map((_, index) => `&argument${index}`).join(", ");
  const call = cooperative
    ? `check(cudaLaunchCooperativeKernel((void*)::${name}, ${dim3(launch.grid)}, ${dim3(launch.block)}, arguments, ${sharedBytes}, 0));`
    : `::${name}<<<${shape}>>>(${texts.join(", ")});\n    check(cudaGetLastError());`;
  const flags = [
    "-arch=native",
    ...(launch.contractFma === false ? ["-fmad=false"] : []),
    ...(launches ? ["-rdc=true", "-lcudadevrt"] : []),
  ];
  const restore = arrays
    .filter(({ written }) => written)
    .map(
      ({ device, host, scalar }) =>
        `    check(cudaMemcpy(${device}, ${host}.data(), ${host}.size() * sizeof(${cudaName(scalar)}), cudaMemcpyHostToDevice));\n`,
    )
    .join("");
  const preparations = [
    ...(sharedBytes > 48 * 1024
      ? [
          `  check(cudaFuncSetAttribute((void*)::${name}, cudaFuncAttributeMaxDynamicSharedMemorySize, ${sharedBytes}));\n`,
        ]
      : []),
    ...(cooperative
      ? [
          ...texts.map((argument, index) => `  ${argumentType(ir, index)} argument${index} = ${argument};\n`),
          `  void* arguments[] = {${pointers === "" ? "nullptr" : pointers}};\n`,
        ]
      : []),
  ].join("");
  return [
    `// ${ir.name}, as the simulator ran it. Compile and run: nvcc ${flags.join(" ")} -o ${name} ${name}.cu && ./${name}\n`,
    "#include <cuda_runtime.h>\n\n#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <cstdio>\n",
    "#include <cstdlib>\n#include <cstring>\n#include <vector>\n\n",
    text,
    "\n",
    HOST_FUNCTIONS,
    ...fills.map(({ globals }) => globals),
    ...expected.map(({ globals }) => globals),
    "\nint main() {\n  cudaDeviceProp gpu;\n  check(cudaGetDeviceProperties(&gpu, 0));\n",
    `  printf("%s on %s (compute capability %d.%d)\\n", "${name}<<<${shape}>>>", gpu.name, gpu.major, gpu.minor);\n\n`,
    ...arrays.map((array, index) => allocation(array, fills[index]?.fill ?? "")),
    preparations === "" ? "" : `\n${preparations}`,
    "\n  // Every run starts from the same data; only the kernel itself is timed.\n",
    `  auto run = [&](cudaEvent_t start, cudaEvent_t stop) {\n${restore}    check(cudaEventRecord(start));\n    ${call}\n`,
    "    check(cudaEventRecord(stop));\n    check(cudaDeviceSynchronize());\n  };\n",
    timingText(prints, launch.predicted),
    ...expected.map(({ text: one }) => one),
    ...arrays.map(({ device }) => `  check(cudaFree(${device}));\n`),
    "  return failures == 0 ? 0 : 1;\n}\n",
  ].join("");
}

function argumentType(ir: KernelIr, index: number): string {
  const param = ir.params[index];
  return param === undefined ? "int" : cudaName(param.type);
}
