/**
 * A random kernel as a tree: what the generator makes, the printer writes as text, the shrinker cuts down and the
 * oracle runs. It is typed and race-free by construction; what belongs together for that (a write, a barrier and a read)
 * stands in one `group`, which is kept or dropped as a whole.
 */
import type { Dim3 } from "../../src/core/engine/engine.js";

/** The types that memory and variables hold. */
export type Numeric = "i32" | "u32" | "i64" | "u64" | "f32" | "f64";
export type Type = Numeric | "bool";

export const NUMERIC: readonly Numeric[] = ["i32", "u32", "i64", "u64", "f32", "f64"];

export type Expr =
  /** `bare`: written without its type, which it takes from the operand beside it. */
  | { readonly k: "lit"; readonly t: Type; readonly v: number | bigint; readonly bare?: true }
  /** A variable, a scalar parameter or a template constant. */
  | { readonly k: "var"; readonly t: Type; readonly name: string }
  /** threadIdx.x and the like, laneId(), warpSize. */
  | { readonly k: "special"; readonly t: "u32" | "i32"; readonly name: string }
  | { readonly k: "unary"; readonly op: "-" | "~" | "!"; readonly t: Type; readonly a: Expr }
  | { readonly k: "binary"; readonly op: BinaryOp; readonly t: Numeric; readonly a: Expr; readonly b: Expr }
  | { readonly k: "compare"; readonly op: CompareOp; readonly t: "bool"; readonly a: Expr; readonly b: Expr }
  | { readonly k: "logical"; readonly op: "&&" | "||"; readonly t: "bool"; readonly a: Expr; readonly b: Expr }
  | { readonly k: "select"; readonly t: Numeric; readonly c: Expr; readonly a: Expr; readonly b: Expr }
  | { readonly k: "cast"; readonly t: Numeric; readonly a: Expr }
  /** A function of the language, without effect on others. */
  | { readonly k: "call"; readonly t: Type; readonly name: string; readonly args: readonly Expr[] }
  | { readonly k: "load"; readonly t: Numeric; readonly array: string; readonly index: Expr }
  /** A row of a two-dimensional shared array: `array[row][index]`. */
  | { readonly k: "load2"; readonly t: Numeric; readonly array: string; readonly row: Expr; readonly index: Expr }
  | { readonly k: "device"; readonly t: Numeric; readonly name: string; readonly args: readonly (Expr | string)[] }
  | { readonly k: "component"; readonly t: Numeric; readonly name: string; readonly component: number };

export type BinaryOp = "+" | "-" | "*" | "/" | "idiv" | "%" | "&" | "|" | "^" | "<<" | ">>" | ">>>";
export type CompareOp = "===" | "!==" | "<" | "<=" | ">" | ">=";

/** What the lanes of a warp do together. */
export type WarpOp =
  | "shfl_sync"
  | "shfl_up_sync"
  | "shfl_down_sync"
  | "shfl_xor_sync"
  | "ballot_sync"
  | "any_sync"
  | "all_sync"
  | "match_any_sync"
  | "match_all_sync"
  | "reduce_add_sync"
  | "reduce_min_sync"
  | "reduce_max_sync"
  | "reduce_and_sync"
  | "reduce_or_sync"
  | "reduce_xor_sync"
  | "activemask";

export type BlockVote = "syncthreadsCount" | "syncthreadsAnd" | "syncthreadsOr";

export type AtomicName =
  | "atomicAdd"
  | "atomicSub"
  | "atomicMin"
  | "atomicMax"
  | "atomicAnd"
  | "atomicOr"
  | "atomicXor"
  | "atomicExch"
  | "atomicCAS"
  | "atomicInc"
  | "atomicDec";

export type Stmt =
  | { readonly k: "let"; readonly name: string; readonly t: Type; readonly mutable: boolean; readonly init: Expr }
  /** `op` "" is `=`. */
  | { readonly k: "set"; readonly name: string; readonly t: Type; readonly op: BinaryOp | ""; readonly value: Expr }
  | { readonly k: "step"; readonly name: string; readonly t: Numeric; readonly by: 1 | -1 }
  /** `[a, b] = [b, a]`; all values are found before any is assigned. `declares` where it stands behind const or let. */
  | {
      readonly k: "list";
      readonly declares: "const" | "let" | null;
      readonly targets: readonly Target[];
      readonly values: readonly Expr[];
    }
  | {
      readonly k: "store";
      readonly array: string;
      readonly t: Numeric;
      readonly index: Expr;
      readonly op: BinaryOp | "";
      readonly value: Expr;
    }
  | {
      readonly k: "store2";
      readonly array: string;
      readonly t: Numeric;
      readonly row: Expr;
      readonly index: Expr;
      readonly value: Expr;
    }
  | { readonly k: "if"; readonly c: Expr; readonly then: readonly Stmt[]; readonly else: readonly Stmt[] }
  | {
      readonly k: "for";
      readonly name: string;
      readonly t: "i32" | "u32";
      readonly from: Expr;
      readonly test: CompareOp;
      readonly to: Expr;
      readonly step: "++" | "--" | "+=" | "-=" | "<<=" | ">>=";
      readonly by: Expr;
      /** The loop runs only while this holds, too. */
      readonly and: Expr | null;
      /** 0: all rounds. */
      readonly unroll: number | null;
      readonly body: readonly Stmt[];
    }
  /** Runs while `c` and at most `most` times, counted by the variable `fuel`. An endless one ends by a break at its start. */
  | {
      readonly k: "while";
      readonly form: "while" | "do" | "endless";
      readonly fuel: string;
      readonly most: number;
      readonly c: Expr;
      readonly unroll: number | null;
      readonly body: readonly Stmt[];
    }
  | { readonly k: "block"; readonly body: readonly Stmt[] }
  | { readonly k: "break" }
  | { readonly k: "continue" }
  | { readonly k: "return"; readonly value: Expr | null }
  | {
      readonly k: "switch";
      readonly on: Expr;
      /** `falls`: without a break at its end. */
      readonly arms: readonly { readonly v: number; readonly falls: boolean; readonly body: readonly Stmt[] }[];
      readonly otherwise: readonly Stmt[];
    }
  | { readonly k: "local"; readonly name: string; readonly t: Numeric; readonly length: number }
  /** `const name = array.subarray(offset)`. */
  | { readonly k: "pointer"; readonly name: string; readonly array: string; readonly offset: Expr }
  /** `let name = asVector(array, type)[index]`. */
  | {
      readonly k: "vector";
      readonly name: string;
      readonly t: VectorScalar;
      readonly lanes: 2 | 4;
      readonly array: string;
      readonly index: Expr;
    }
  | {
      readonly k: "component";
      readonly name: string;
      readonly t: Numeric;
      readonly component: number;
      readonly value: Expr;
    }
  /** `asVector(array, type)[index] = make(...)`. */
  | {
      readonly k: "vectorStore";
      readonly t: VectorScalar;
      readonly lanes: 2 | 4;
      readonly array: string;
      readonly index: Expr;
      readonly parts: readonly Expr[];
    }
  | {
      readonly k: "warp";
      readonly name: string;
      readonly t: Type;
      readonly op: WarpOp;
      readonly mask: Expr;
      readonly args: readonly Expr[];
    }
  /** A cooperative group's collective: `reduce(tiled_partition(this_thread_block(), size), value, operator)`. */
  | {
      readonly k: "tile";
      readonly name: string;
      readonly t: "i32" | "u32";
      readonly op: "reduce" | "inclusive_scan" | "exclusive_scan";
      readonly operator: "plus" | "less" | "greater" | "bit_and" | "bit_or" | "bit_xor";
      readonly size: number;
      readonly value: Expr;
    }
  | { readonly k: "blockVote"; readonly name: string; readonly op: BlockVote; readonly value: Expr }
  | {
      readonly k: "atomic";
      readonly op: AtomicName;
      readonly array: string;
      readonly t: Numeric;
      readonly index: Expr;
      readonly args: readonly Expr[];
      /** Variable that takes the value before, or null. */
      readonly result: string | null;
    }
  | { readonly k: "syncthreads" }
  | { readonly k: "syncwarp"; readonly mask: Expr | null }
  | { readonly k: "fence"; readonly block: boolean }
  /** `loose`: its statements do not need each other. */
  | { readonly k: "group"; readonly body: readonly Stmt[]; readonly loose?: true };

export interface Target {
  readonly name: string;
  readonly t: Type;
}

export type VectorScalar = "i32" | "u32" | "f32" | "f64";

export interface DeviceFunctionTree {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly t: Numeric; readonly pointer: boolean }[];
  readonly returns: Numeric;
  readonly body: readonly Stmt[];
}

export type ParamTree =
  | { readonly name: string; readonly t: Numeric; readonly kind: "scalar"; readonly value: number | bigint }
  /** `fill`: "corners" (values with corner cases), "zero", or "atomic" (few bits, for accumulators). */
  | {
      readonly name: string;
      readonly t: Numeric;
      readonly kind: "array";
      readonly length: number;
      readonly fill: "corners" | "zero" | "small";
    };

export interface SharedTree {
  readonly name: string;
  readonly t: Numeric;
  /** null: extern. */
  readonly dims: readonly number[] | null;
}

export interface KernelTree {
  readonly seed: number;
  readonly name: string;
  readonly params: readonly ParamTree[];
  readonly constants: Readonly<Record<string, number>>;
  readonly functions: readonly DeviceFunctionTree[];
  readonly shared: readonly SharedTree[];
  readonly body: readonly Stmt[];
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
}
