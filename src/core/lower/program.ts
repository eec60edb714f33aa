/**
 * The lowered program: the one instruction list that is executed, counted and timed. It imitates the code of nvcc -O3
 * (NVCC-RULES.md), on virtual registers.
 *
 * It has two views. `instructions` is the list in program order (index = pc, branches carry `target`), for stepping, a
 * SIMT stack or independent threads. `body` has the same instructions as a tree of structured control flow, for engines
 * that run a warp under a mask.
 *
 * Registers are mutable and typed. A register that is read before it is written in some lane holds 0 there. Signed and
 * unsigned integers of one size share their bits: a u32 operation may read an i32 register and vice versa. The
 * operation's type decides how the bits are read.
 */
import type { SourceText, Span } from "../base/errors.js";
import type { AtomicOp, Axis, CompareOp, LaunchStream, Param, SharedArray, UnaryMath, Warning } from "../ir/ir.js";
import { byteSize, type Narrow, type Scalar, type Space } from "../ir/types.js";
import type { PassName } from "./pass-names.js";

/** Index into `Program.registers`. */
export type Reg = number;

/** `addr` is a byte address in the memory space of its root; engines choose the representation. */
export type RegisterType = Scalar | "addr";

export interface Register {
  readonly type: RegisterType;
  /** The learner's name if the register holds a variable, for stepping. */
  readonly name: string | null;
}

/** Special registers. Roots are in the instructions, so `sharedBase` and the like are not needed. */
export type Special =
  | { readonly name: "threadIdx" | "blockIdx" | "blockDim" | "gridDim"; readonly axis: Axis }
  | { readonly name: "laneId" }
  | { readonly name: "clock" };

export type Operand =
  | { readonly kind: "reg"; readonly reg: Reg }
  /** `value` is a bigint for i64 and u64 operations, a number else (f32 rounded; bool 0 or 1). */
  | { readonly kind: "imm"; readonly value: number | bigint }
  /** A scalar parameter, read from constant memory. */
  | { readonly kind: "param"; readonly index: number }
  | { readonly kind: "special"; readonly special: Special };

/**
 * The instruction acts only in lanes where the bool register is true (false, if `negate`), but is issued regardless.
 */
export interface Guard {
  readonly reg: Reg;
  readonly negate: boolean;
}

/** The object that an address points into, with its bounds. */
export type Root =
  | { readonly kind: "param"; readonly index: number }
  | { readonly kind: "shared"; readonly array: number }
  | { readonly kind: "local"; readonly array: number };

/**
 * Execution pipes. alu: add, logic, shifts, compare, min/max, select. fma: fp32 multiply-add. imad: integer
 * multiply-add, which some GPUs run at another rate. xu: conversions, reciprocal, sin, popc. lsu: memory and
 * shuffles, through the MIO queue. uniform: the uniform datapath. cbu: branches and reconvergence. adu: barriers.
 */
export type Pipe =
  | "alu"
  | "fma"
  | "imad"
  | "fp64"
  | "xu"
  | "lsu"
  | "shuffle"
  | "vote"
  | "uniform"
  | "constant"
  | "special"
  | "cbu"
  | "adu";

/**
 * One machine instruction of an `Instruction`. Most have one; an integer modulo has about 17, each waiting for the
 * previous one unless `independent`. An `Instruction` without any is part of the instruction that reads its result
 * (a negated operand, a shift inside LEA.HI, a test inside LOP3). It takes no time and is not counted.
 */
export interface IssueSlot {
  readonly pipe: Pipe;
  /** SASS-like mnemonic, for listings. */
  readonly mnemonic: string;
  readonly independent: boolean;
}

/**
 * Operations. `type` is the operation's type unless said; operands are of that type.
 * - mov; add sub mul neg abs min max; add3 (integer); and or xor not; mulhi; popc ffs clz brev bytePerm
 * - mad: a*b+c, low bits; floats: fma, rounded once
 * - shl shr: count u32; shr is arithmetic for signed types
 * - lea: (a << imm)+b, integer: sources a, b, imm
 * - lop3: three bitwise sources and an imm truth table as PTX's lop3
 * - div rem: integers fault on zero; floats are IEEE div and fmod
 * - sqrt rsqrt rcp and the elementary functions from exp to cospi; the fast forms
 * - floor ceil trunc rint and `round`; saturate; bitcast (same size)
 * - pow atan2 hypot copysign fdim fastPow fastDivide: two sources
 * - isnan isinf: bool of a float source of `type`
 * - slowQuotient (of two) slowReciprocal slowRoot: bool, whether operands of `type` take the slow path of a div or rem, rcp, sqrt
 * - cvt: from `sourceType` to `type`, CUDA's conversions (float to int truncates and saturates, NaN gives 0)
 * - setp: bool := (a `compare` b), operands of `sourceType`; with a third source (bool), combined by `combine`
 * - selp: a if the third source (bool) else b
 * - pand por pxor pnot on bools
 * - addr: dst(addr) := start of `root` + a * `scale` (a integer, extended by the sign of `sourceType`); with an addr as
 *   second source that replaces the start. A 64-bit global address does not overflow. Shared and local addresses wrap,
 *   so an index of 2^32 - 1 is -1 there (core/engine/semantics/shared-address.ts)
 * - ld: dst[0..] := memory[src0(addr) + offset]; `type` is the element, one dst a vector lane. addr: 8 bytes of local
 *   memory, a spilled pointer into global memory. `narrow`: 8 or 16 bits of memory, an i32 in the register
 * - st: memory[src0(addr) + offset] := src1..
 * - atom: dst (or none: a reduction without result) := old; src0 addr, then the operands
 * - shfl shflUp shflDown shflXor: sources mask, value, lane or delta, width
 * - ballot any all: mask, pred; matchAny matchAll matchAllPredicate: mask, value; activemask: nothing, or what `together` says; redux: mask, value with
 *   `redux` the operation; syncwarp: mask
 * - bar: block barrier; with `barrierReduce` src0 is a predicate and dst its count/and/or
 * - fence: memory fence; gridsync
 * - printf: `format` and sources with their types
 * - launch: each lane starts one grid of `launch.child`. Sources: grid x y z, block x y z, bytes of dynamic shared memory
 *   (u32). The child's arguments follow, of its parameters' types (pointers: addr)
 * - deviceSynchronize: waits for the grids that the block's threads have started
 * - bra: to `target`, in lanes where guard holds; bssy/bsync: start and point of reconvergence; exit: lanes end
 * - overhead: issued by the machine, without effect here (stack pointer, memory descriptor, shared base)
 */
export type Op =
  | "mov"
  | "add"
  | "sub"
  | "mul"
  | "neg"
  | "abs"
  | "min"
  | "max"
  | "mad"
  | "add3"
  | "and"
  | "or"
  | "xor"
  | "not"
  | "shl"
  | "shr"
  | "lea"
  | "lop3"
  | "mulhi"
  | "popc"
  | "ffs"
  | "clz"
  | "brev"
  | "bytePerm"
  | "div"
  | "rem"
  | UnaryMath
  | "pow"
  | "atan2"
  | "hypot"
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
  | "bitcast"
  | "isnan"
  | "isinf"
  | "slowQuotient"
  | "slowReciprocal"
  | "slowRoot"
  | "cvt"
  | "setp"
  | "selp"
  | "pand"
  | "por"
  | "pxor"
  | "pnot"
  | "addr"
  | "ld"
  | "st"
  | "atom"
  | "shfl"
  | "shflUp"
  | "shflDown"
  | "shflXor"
  | "ballot"
  | "any"
  | "all"
  | "activemask"
  | "matchAny"
  | "matchAll"
  | "matchAllPredicate"
  | "redux"
  | "syncwarp"
  | "bar"
  | "fence"
  | "gridsync"
  | "printf"
  | "launch"
  | "deviceSynchronize"
  | "bra"
  | "bssy"
  | "bsync"
  | "exit"
  | "overhead";

/** Operations in which the lanes of a warp exchange values or wait for each other. */
export const WARP_PRIMITIVES: ReadonlySet<Op> = new Set<Op>([
  "shfl",
  "shflUp",
  "shflDown",
  "shflXor",
  "ballot",
  "any",
  "all",
  "activemask",
  "matchAny",
  "matchAll",
  "matchAllPredicate",
  "redux",
  "syncwarp",
]);

/** The child kernel of a `launch`. */
export interface LaunchTarget {
  /** Index into `Program.children`, or the program itself. */
  readonly child: number | "self";
  readonly stream: LaunchStream;
  /** For each argument the object that a pointer points into; null for a scalar. */
  readonly roots: readonly (Root | null)[];
  /** The type of each argument, in the order of the child's parameters. */
  readonly types: readonly RegisterType[];
}

export interface Instruction {
  readonly pc: number;
  readonly op: Op;
  readonly type: RegisterType;
  readonly dst: readonly Reg[];
  readonly src: readonly Operand[];
  readonly guard: Guard | null;
  readonly issue: readonly IssueSlot[];
  readonly span: Span;
  /** Index into `Program.sources`: 0 the kernel's text, then the device functions' texts. */
  readonly source: number;
  readonly sourceType?: RegisterType;
  readonly compare?: CompareOp;
  readonly combine?: "and" | "or";
  readonly root?: Root;
  readonly space?: Space;
  readonly scale?: number;
  readonly offset?: number;
  readonly volatile?: boolean;
  /** ld and st of 8 or 16 bits: a load extends by the number's sign, a store takes the low bits. */
  readonly narrow?: Narrow;
  readonly atomic?: AtomicOp;
  /** Compare-and-swap by one lane per shared memory bank; the others fail (`semantics/spin.ts`). */
  readonly spin?: boolean;
  /**
   * activemask: of those active lanes that are in this lane's round of each loop around, and whose sources, of `argTypes`,
   * equal this lane's. One of them does an atomic for all.
   */
  readonly together?: boolean;
  readonly redux?: "add" | "min" | "max" | "and" | "or" | "xor";
  readonly barrierReduce?: "count" | "and" | "or";
  readonly format?: string;
  /** printf: the launch ends here, as by a failed `assert`. */
  readonly asserts?: true;
  readonly argTypes?: readonly Scalar[];
  readonly launch?: LaunchTarget;
  /** For bra: the pc to go to. For bssy: the pc of its bsync. */
  readonly target?: number;
}

/** Bytes in memory of one component of a ld, st or atom. */
export function componentBytes(type: RegisterType, narrow: Narrow | undefined): number {
  return type === "addr" ? 8 : byteSize(narrow ?? type);
}

/** Structured control flow over the instructions. Every pc of a program appears in the tree exactly once, in order. */
export type Region = readonly ProgramNode[];

export type ProgramNode = RunNode | IfNode | LoopNode | JumpNode;

/**
 * Straight-line instructions `first` to `first + count - 1`. bssy and bsync are in runs, as instructions without
 * effect.
 */
export interface RunNode {
  readonly kind: "run";
  readonly first: number;
  readonly count: number;
}

/**
 * `branch` is the bra that skips `then` in lanes where `condition` does not hold (its guard is the opposite of
 * `condition`). `jumpOver` is the bra at the end of `then` past `else`, null where `else` is empty.
 */
export interface IfNode {
  readonly kind: "if";
  readonly branch: number;
  readonly condition: Guard;
  readonly then: Region;
  readonly jumpOver: number | null;
  readonly else: Region;
}

/** Runs `body`, then the bra `backBranch`: lanes where `condition` holds (all, if null) run it again. */
export interface LoopNode {
  readonly kind: "loop";
  readonly id: number;
  readonly body: Region;
  readonly latch: Region;
  readonly backBranch: number;
  readonly condition: Guard | null;
}

/**
 * Lanes where `condition` holds (all, if null) jump: break goes past the end of loop `loop`, continue to its latch,
 * exit ends them. One instruction: a bra, or exit.
 */
export interface JumpNode {
  readonly kind: "break" | "continue" | "exit";
  readonly pc: number;
  readonly condition: Guard | null;
  /** Loop id; -1 for exit. */
  readonly loop: number;
}

export interface SharedLayout {
  readonly array: SharedArray;
  /** From the start of the block's shared memory; dynamic arrays start after the static ones. */
  readonly offsetBytes: number;
  /** null: up to the end of the dynamic shared memory of the launch. */
  readonly sizeBytes: number | null;
}

export interface LocalLayout {
  readonly name: string;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /** It has the values that did not fit into registers; no array of the kernel. */
  readonly spills?: true;
}

export interface Program {
  readonly name: string;
  readonly sources: readonly SourceText[];
  readonly params: readonly Param[];
  readonly registers: readonly Register[];
  readonly instructions: readonly Instruction[];
  readonly body: Region;
  readonly shared: readonly SharedLayout[];
  readonly local: readonly LocalLayout[];
  readonly staticSharedBytes: number;
  readonly usesDynamicShared: boolean;
  readonly localBytesPerThread: number;
  /** As ptxas reports it: the maximum of live 32-bit registers, plus the reserved ones. */
  readonly registersPerThread: number;
  readonly cooperative: boolean;
  readonly computeCapability: { readonly major: number; readonly minor: number };
  readonly warnings: readonly Warning[];
  /** Kernels that this one launches, by `LaunchTarget.child`; absent if it launches none but itself. */
  readonly children?: readonly Program[];
}

export interface LoweringOptions {
  readonly computeCapability: { readonly major: number; readonly minor: number };
  /** nvcc's -fmad, on by default: contracts a float multiply and add into one rounding. */
  readonly contractFma: boolean;
  /** Optimization passes to leave out, to see what each does. Leaving out all of `PASS_NAMES` is like nvcc's -O0. */
  readonly without?: readonly PassName[];
  /**
   * nvcc's -G: no pass, no predication, each basic block ends in a jump. The default is off. Results do not change, but for
   * a float multiply and add, which are not contracted.
   */
  readonly debug?: boolean;
  /** Fewer registers a thread than the GPU allows, as nvcc's -maxrregcount: other values go to local memory. */
  readonly mostRegisters?: number;
}
