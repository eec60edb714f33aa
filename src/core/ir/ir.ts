/**
 * The whole grammar of the intermediate representation: what a kernel means, typed and with source spans, before any
 * instruction is chosen. The front ends (TypeScript text; later CUDA C++ text) produce it; lowering and the CUDA
 * back end read it.
 *
 * Invariants (checked by verify-ir.ts):
 * - every operand of a binary operation has the operation's type: conversions are explicit `convert` nodes, made by the
 *   front end by CUDA's usual arithmetic conversions;
 * - a pointer expression has one root: a pointer parameter, a shared array, a local array or a pointer variable. The root
 *   of a pointer variable is in turn one of these. Pointers are never stored in memory;
 * - what is stored in memory of 8 or 16 bits is an i32 that such a number can be: the front end narrows it before;
 * - `&&`, `||` and `?:` evaluate their right side only where needed, as in C (`logical`, `select`);
 * - device functions are called, not inlined; lowering inlines them. Recursion is refused by the front end.
 */
import type { SourceText, Span } from "../base/errors.js";
import type { ElementType, PointerType, Scalar, VectorType } from "./types.js";

export type Axis = "x" | "y" | "z";

/** Special values that every thread can read; all but threadIdx and laneId are the same for a whole block. u32. */
export type BuiltinName = "threadIdx" | "blockIdx" | "blockDim" | "gridDim";

export type ArithmeticOp = "add" | "sub" | "mul" | "div" | "rem" | "and" | "or" | "xor" | "shl" | "shr";
export type CompareOp = "eq" | "ne" | "lt" | "le" | "gt" | "ge";
export type UnaryOp = "neg" | "not" | "bitNot";

/** Functions of one float: IEEE or to within CUDA's error bounds. */
export type UnaryMath =
  | "sqrt"
  | "rsqrt"
  | "rcp"
  | "exp"
  | "exp2"
  | "log"
  | "log2"
  | "sin"
  | "cos"
  | "tanh"
  | "exp10"
  | "expm1"
  | "log10"
  | "log1p"
  | "tan"
  | "asin"
  | "acos"
  | "atan"
  | "sinh"
  | "cosh"
  | "asinh"
  | "acosh"
  | "atanh"
  | "cbrt"
  | "sinpi"
  | "cospi";

/**
 * Functions of the language that are operations of the machine. Arguments are positional, in CUDA's order unless said:
 * - integers: min max (of all types but bool) abs mulhi popc ffs clz brev bytePerm mul24
 * - funnel shifts: funnelShiftL(low,high,count) funnelShiftR; the count held to 32: funnelShiftLc funnelShiftRc
 * - floats: fma(a,b,c); sqrt to cospi of one; pow atan2 hypot fmod copysign fdim of two; fastExp ... fastDivide; saturate
 * - floats to whole numbers: floor ceil trunc rint round (halves away from zero); tests: isnan isinf isfinite signbit
 * - bit casts: floatAsInt intAsFloat, of 64 bits where the type is f64
 * - addRn subRn mulRn divRn: rounded by themselves, never contracted
 * - warp before CUDA 9, over the active lanes: legacyShfl(value,sourceLane,width) ... legacyBallot(pred) legacyAny legacyAll
 * - shuffles: shfl(mask,value,sourceLane,width) shflUp shflDown shflXor; votes: ballot(mask,pred) any all; activemask()
 * - matchAny(mask,value), matchAll(mask,value) with its predicate matchAllPredicate; reduceAdd/Min/Max/And/Or/Xor(mask,value)
 * - syncwarp(mask); laneId(); warpSize(), which is 32 but no constant to nvcc
 * - block: syncthreads(), syncthreadsCount(pred) syncthreadsAnd syncthreadsOr; threadfence threadfenceBlock
 * - grid: gridSync() of a cooperative launch; deviceSynchronize() waits for the thread's child grids (CUDA 11 and before)
 */
export type IntrinsicName =
  | "min"
  | "max"
  | "abs"
  | "fma"
  | "mulhi"
  | "popc"
  | "ffs"
  | "clz"
  | "brev"
  | "bytePerm"
  | "mul24"
  | "funnelShiftL"
  | "funnelShiftR"
  | "funnelShiftLc"
  | "funnelShiftRc"
  | "addRn"
  | "subRn"
  | "mulRn"
  | "divRn"
  | UnaryMath
  | "pow"
  | "atan2"
  | "hypot"
  | "fmod"
  | "copysign"
  | "fdim"
  | "floor"
  | "ceil"
  | "trunc"
  | "rint"
  | "round"
  | "fastExp"
  | "fastSin"
  | "fastCos"
  | "fastLog"
  | "fastTan"
  | "fastExp10"
  | "fastLog2"
  | "fastLog10"
  | "fastPow"
  | "fastDivide"
  | "saturate"
  | "isnan"
  | "isinf"
  | "isfinite"
  | "signbit"
  | "floatAsInt"
  | "intAsFloat"
  | "shfl"
  | "shflUp"
  | "shflDown"
  | "shflXor"
  | "legacyShfl"
  | "legacyShflUp"
  | "legacyShflDown"
  | "legacyShflXor"
  | "legacyBallot"
  | "legacyAny"
  | "legacyAll"
  | "ballot"
  | "any"
  | "all"
  | "activemask"
  | "matchAny"
  | "matchAll"
  | "matchAllPredicate"
  | "reduceAdd"
  | "reduceMin"
  | "reduceMax"
  | "reduceAnd"
  | "reduceOr"
  | "reduceXor"
  | "syncwarp"
  | "laneId"
  | "warpSize"
  | "syncthreads"
  | "syncthreadsCount"
  | "syncthreadsAnd"
  | "syncthreadsOr"
  | "threadfence"
  | "threadfenceBlock"
  | "gridSync"
  | "deviceSynchronize"
  | "clock";

export type AtomicOp = "add" | "sub" | "min" | "max" | "and" | "or" | "xor" | "exch" | "cas" | "inc" | "dec";

interface Node {
  readonly span: Span;
}

export type Expr =
  | ConstExpr
  | ParamExpr
  | BuiltinExpr
  | VariableExpr
  | UnaryExpr
  | BinaryExpr
  | CompareExpr
  | LogicalExpr
  | SelectExpr
  | ConvertExpr
  | IntrinsicExpr
  | LoadExpr
  | AtomicExpr
  | CallExpr
  | ComponentExpr
  | MakeVectorExpr
  | PointerExpr;

/**
 * `value` is a bigint for i64 and u64; a bool is 0 or 1; an f32 is already rounded to float32. `unset`: what a variable declared
 * without a value holds, of which a compiler need make nothing.
 */
export interface ConstExpr extends Node {
  readonly kind: "const";
  readonly type: Scalar;
  readonly value: number | bigint;
  readonly unset?: true;
}
/** A scalar parameter of the kernel. */
export interface ParamExpr extends Node {
  readonly kind: "param";
  readonly type: Scalar;
  readonly index: number;
}
export interface BuiltinExpr extends Node {
  readonly kind: "builtin";
  readonly type: "u32";
  readonly name: BuiltinName;
  readonly axis: Axis;
}
/** A scalar or vector local variable or parameter of a device function. */
export interface VariableExpr extends Node {
  readonly kind: "variable";
  readonly type: Scalar | VectorType;
  readonly variable: number;
}
export interface UnaryExpr extends Node {
  readonly kind: "unary";
  readonly op: UnaryOp;
  readonly type: Scalar;
  readonly operand: Expr;
}
/** Shifts: `right` is u32, taken as CUDA does (counts of 32 and more give 0, or the sign). */
export interface BinaryExpr extends Node {
  readonly kind: "binary";
  readonly op: ArithmeticOp;
  readonly type: Scalar;
  readonly left: Expr;
  readonly right: Expr;
}
/** `operandType` is the common type of both sides; the result is bool. */
export interface CompareExpr extends Node {
  readonly kind: "compare";
  readonly op: CompareOp;
  readonly type: "bool";
  readonly operandType: Scalar;
  readonly left: Expr;
  readonly right: Expr;
}
export interface LogicalExpr extends Node {
  readonly kind: "logical";
  readonly op: "and" | "or";
  readonly type: "bool";
  readonly left: Expr;
  readonly right: Expr;
}
export interface SelectExpr extends Node {
  readonly kind: "select";
  readonly type: Scalar | VectorType;
  readonly condition: Expr;
  readonly whenTrue: Expr;
  readonly whenFalse: Expr;
}
export interface ConvertExpr extends Node {
  readonly kind: "convert";
  readonly type: Scalar;
  readonly operand: Expr;
}
export interface IntrinsicExpr extends Node {
  readonly kind: "intrinsic";
  readonly name: IntrinsicName;
  readonly type: Scalar | "void";
  readonly args: readonly Expr[];
}
/** Loads `pointer[index]`; `index` counts elements and is i32, u32, i64 or u64. Of 8 and 16 bits it is an i32. */
export interface LoadExpr extends Node {
  readonly kind: "load";
  readonly type: Scalar | VectorType;
  readonly pointer: PointerExpr;
  readonly index: Expr;
}
/** Value before the operation, as CUDA's. `args`: the operand; for cas the compare value, then the new one. */
export interface AtomicExpr extends Node {
  readonly kind: "atomic";
  readonly op: AtomicOp;
  readonly type: Scalar;
  readonly pointer: PointerExpr;
  readonly index: Expr;
  readonly args: readonly Expr[];
}
export interface CallExpr extends Node {
  readonly kind: "call";
  readonly type: Scalar | VectorType | "void";
  readonly callee: number;
  readonly args: readonly Expr[];
}
export interface ComponentExpr extends Node {
  readonly kind: "component";
  readonly type: Scalar;
  readonly vector: Expr;
  readonly component: 0 | 1 | 2 | 3;
}
export interface MakeVectorExpr extends Node {
  readonly kind: "makeVector";
  readonly type: VectorType;
  readonly components: readonly Expr[];
}
/**
 * A pointer: a root and how many elements it is moved (`offset`), as `input.subarray(offset)` writes it. `type.pointer`
 * may differ from the root's element (a reinterpretation, such as int* as int4*). `offset` and the index of a load or
 * store count elements of `type.pointer`.
 */
export interface PointerExpr extends Node {
  readonly kind: "pointer";
  readonly type: PointerType;
  readonly root: PointerRoot;
  readonly offset: Expr | null;
}

export type PointerRoot =
  | { readonly kind: "param"; readonly index: number }
  | { readonly kind: "shared"; readonly array: number }
  | { readonly kind: "local"; readonly array: number }
  /** A pointer variable, or a pointer parameter of a device function. */
  | { readonly kind: "variable"; readonly variable: number };

export type Stmt =
  | DeclareStmt
  | AssignStmt
  | StoreStmt
  | ExprStmt
  | IfStmt
  | LoopStmt
  | BreakStmt
  | ContinueStmt
  | ReturnStmt
  | PrintfStmt
  | LaunchStmt
  | BlockStmt;

export interface DeclareStmt extends Node {
  readonly kind: "declare";
  readonly variable: number;
  readonly value: Expr;
}
/** `component` set: assigns one component of a vector variable. */
export interface AssignStmt extends Node {
  readonly kind: "assign";
  readonly variable: number;
  readonly component: 0 | 1 | 2 | 3 | null;
  readonly value: Expr;
}
/** `compound` keeps `a[i] += x` apart from `a[i] = a[i] + x` for printing only; both have the load in `value`. */
export interface StoreStmt extends Node {
  readonly kind: "store";
  readonly pointer: PointerExpr;
  readonly index: Expr;
  readonly value: Expr;
  readonly compound: boolean;
}
export interface ExprStmt extends Node {
  readonly kind: "expr";
  readonly value: Expr;
}
export interface IfStmt extends Node {
  readonly kind: "if";
  readonly condition: Expr;
  readonly then: readonly Stmt[];
  readonly else: readonly Stmt[];
  /** An arm of a switch: what the other values do is its else side. */
  readonly arm?: true;
}
/** for, while and do-while. `testFirst` is false for do-while; `condition` null means true. `update` runs on continue too. */
export interface LoopStmt extends Node {
  readonly kind: "loop";
  readonly init: readonly Stmt[];
  readonly condition: Expr | null;
  readonly testFirst: boolean;
  readonly update: readonly Stmt[];
  readonly body: readonly Stmt[];
  readonly unroll: number | "full" | null;
}
export interface BreakStmt extends Node {
  readonly kind: "break";
}
export interface ContinueStmt extends Node {
  readonly kind: "continue";
}
export interface ReturnStmt extends Node {
  readonly kind: "return";
  readonly value: Expr | null;
}
export interface PrintfStmt extends Node {
  readonly kind: "printf";
  readonly format: string;
  readonly args: readonly Expr[];
  /** What `assert` does where its condition is false: the launch ends here, and `format` says what has failed. */
  readonly asserts?: true;
}
/**
 * The stream of a child grid. block: the default stream of the launching block, whose grids run one after the other.
 * fireAndForget: ordered with nothing but the end of the launching grid. tail: after the launching grid, and all that it has
 * started, have ended.
 */
export type LaunchStream = "block" | "fireAndForget" | "tail";

/** Dynamic parallelism: every thread that comes here launches one child grid. All sizes are u32. */
export interface LaunchStmt extends Node {
  readonly kind: "launch";
  /** Index into `KernelIr.children`, or this kernel itself. */
  readonly kernel: number | "self";
  readonly grid: readonly [Expr, Expr, Expr];
  readonly block: readonly [Expr, Expr, Expr];
  readonly sharedBytes: Expr;
  readonly stream: LaunchStream;
  /** One for each parameter of the child: a scalar of its type, or a pointer into global memory. */
  readonly args: readonly Expr[];
}
export interface BlockStmt extends Node {
  readonly kind: "block";
  readonly body: readonly Stmt[];
}

/** A local variable or a device function's parameter. Names repeat in inner scopes; ids do not. */
export interface Variable {
  readonly name: string;
  readonly type: Scalar | VectorType | PointerType;
  readonly mutable: boolean;
  readonly span: Span;
}

/** Shared memory of the block. `dims` null: `extern __shared__`, sized by the launch; all such arrays start at one address. */
export interface SharedArray {
  readonly name: string;
  readonly element: ElementType;
  readonly dims: readonly number[] | null;
  readonly volatile: boolean;
  readonly span: Span;
}

/** An array of each thread's own. */
export interface LocalArray {
  readonly name: string;
  readonly element: ElementType;
  readonly dims: readonly number[];
  readonly span: Span;
}

export type Param =
  | { readonly name: string; readonly kind: "scalar"; readonly type: Scalar }
  | {
      readonly name: string;
      readonly kind: "pointer";
      readonly type: PointerType;
      /** The kernel asks whether it is null, and was translated for one that is not. */
      readonly notNull?: true;
    };

export interface DeviceFunction {
  readonly name: string;
  readonly source: SourceText;
  /** The kernel names it freely, and has the one that was defined last when it was made. */
  readonly byName?: true;
  /** CUDA's own: its instructions stand at the line that calls it. */
  readonly library?: true;
  /** Variable ids of the parameters, in order. */
  readonly params: readonly number[];
  readonly returns: Scalar | VectorType | "void";
  readonly body: readonly Stmt[];
}

/** Something legal that may surprise: `where` as in an error, `cure` likewise. */
export interface Warning {
  readonly message: string;
  readonly span: Span;
  /** The text that `span` counts in, where it is a device function's and not the kernel's. */
  readonly source?: SourceText;
}

export interface KernelIr {
  readonly name: string;
  readonly source: SourceText;
  readonly params: readonly Param[];
  /** Template parameters and their values, for printing; uses of them are `const` nodes. */
  readonly constants: readonly { readonly name: string; readonly type: Scalar; readonly value: number | bigint }[];
  readonly variables: readonly Variable[];
  readonly sharedArrays: readonly SharedArray[];
  readonly localArrays: readonly LocalArray[];
  readonly functions: readonly DeviceFunction[];
  readonly body: readonly Stmt[];
  readonly warnings: readonly Warning[];
  /** Kernels that this one launches (dynamic parallelism), by `LaunchStmt.kernel`; absent where there are none. */
  readonly children?: readonly KernelIr[];
}
