/** An exercise as data: what the learner's kernel is given, and what is looked at. */
import type { Op } from "../../core/lower/program.js";

/** A number, or one that grows with the block: so much for each of its warps or halvings, and `plus`. */
export type Limit = number | { readonly per: "warp" | "halving"; readonly times: number; readonly plus: number };

/** The property that a check measures, with its limit. */
export type CheckSpec =
  /** The sums are right for every size and block, on every GPU and schedule. */
  | { readonly kind: "result"; readonly points: number }
  /** No race in shared memory, nothing read before it is written, every barrier for the whole block. */
  | { readonly kind: "hazards"; readonly points: number }
  /** Additions of data that one thread makes at the most, and the share of them that one warp of a large block makes. */
  | { readonly kind: "additions"; readonly points: number; readonly perThread: Limit; readonly warpShare: number }
  /** Interleaved: the sum of 2s neighbouring elements from element 2st on is made from its halves, by thread t. */
  | { readonly kind: "order"; readonly points: number }
  /** Each thread loads its own elements, a block's width apart; or so many that are so far apart; or so many. */
  | { readonly kind: "loads"; readonly points: number; readonly which?: "own" | "apart" | "any" }
  /** Warp instructions of each list that a block executes at the least, and those that none executes. */
  | {
      readonly kind: "primitives";
      readonly points: number;
      readonly executed: readonly { readonly ops: readonly Op[]; readonly least: number }[];
      readonly none: readonly Op[];
    }
  /** Wavefronts over the least possible, on the worst line that touches shared memory. */
  | { readonly kind: "conflict-degree"; readonly points: number; readonly most: Limit }
  /** Barriers that each warp comes to. */
  | { readonly kind: "barriers"; readonly points: number; readonly most: Limit }
  /** Warp instructions that a warp executes on average. */
  | { readonly kind: "instructions-per-warp"; readonly points: number; readonly most: Limit }
  /** Requests to shared memory a block, loads and stores. */
  | { readonly kind: "shared-requests"; readonly points: number; readonly most: Limit }
  /** Requests to local memory a warp, loads and stores. */
  | { readonly kind: "local-memory"; readonly points: number; readonly most: Limit }
  /** 32-byte sectors a global load request; 4 is the least for 32 lanes of 4 bytes. */
  | { readonly kind: "sectors-per-request"; readonly points: number; readonly most: Limit }
  /** Branches of the whole launch at which a warp's lanes go both ways. */
  | { readonly kind: "divergent-branches"; readonly points: number; readonly most: Limit }
  /** Share of the SMs' time, in percent, that they idle while the busiest one works; by exact instructions, on each GPU. */
  | { readonly kind: "idle-sms"; readonly points: number; readonly most: Limit }
  /** Warps that an SM could hold beside those of the launch's resident blocks. */
  | { readonly kind: "empty-warp-places"; readonly points: number; readonly most: Limit }
  /**
   * Grids that the kernel launches itself: from `least`, in the measured launch, to `most`, in every launch. `loadShare` is their
   * part of all requests to load from global memory, at the most. `activeShare` is the part of their warps' lanes that is active in
   * an instruction, at the least. Without this check a kernel may not launch any.
   */
  | {
      readonly kind: "child-grids";
      readonly points: number;
      readonly least: number;
      readonly most: number;
      readonly loadShare: number;
      readonly activeShare: number;
    }
  /** Predicted time of a version of the course over the learner's. */
  | { readonly kind: "speed-up"; readonly points: number; readonly over: string; readonly least: number }
  /**
   * The share of a GPU's peak bandwidth that the measured launch reaches, predicted: the input's bytes over the time of the whole
   * launch. Each step that it reaches gives that step's points; the last one gives all.
   */
  | {
      readonly kind: "bandwidth";
      readonly points: number;
      readonly gpu: string;
      readonly steps: readonly BandwidthStep[];
    };

/** For each 32 elements of the measured launch, in the reference solution; `times` as much is allowed. */
export interface WorkSpec {
  readonly warpInstructions: number;
  readonly loadRequests: number;
  readonly loadSectors: number;
  readonly times: number;
}

export interface BandwidthStep {
  /** The part of the data sheet's peak, 0 to 1. */
  readonly share: number;
  readonly points: number;
}

/** Whole numbers to draw from. */
export interface DrawRange {
  readonly least: number;
  readonly most: number;
  readonly powersOfTwo?: boolean;
}

/** Its kind, with the GPU where it is of one: each check of an exercise has another name. */
export function checkName(check: CheckSpec): string {
  return check.kind === "bandwidth" ? `${check.kind} ${check.gpu}` : check.kind;
}

export interface ExerciseSpec {
  readonly id: string;
  readonly title: string;
  /** The task, in Markdown. */
  readonly task: string;
  /** Whether the kernel has a parameter n and must guard its loads; else the input is whole blocks of data. */
  readonly guarded: boolean;
  readonly elementsPerThread: number;
  /** The kernel's template constant that each launch sets to its threads a block; null for a kernel without. */
  readonly blockConstant: string | null;
  /** A larger input gets no more blocks than these; null where each block has its own elements alone. */
  readonly mostBlocks: number | null;
  /** The kernel's template constant by which the learner says how many blocks a launch has; null where its size says it. */
  readonly gridConstant: string | null;
  /** The kernel's template constant by which the learner says the threads a block; null where the exercise says them. */
  readonly threadsConstant: string | null;
  /**
   * The kernel's template constant by which the learner says how many blocks a launch has for each SM of its GPU. A small input gets
   * no more blocks than it fills.
   */
  readonly blocksPerSmConstant: string | null;
  /** The output's values when the launch begins; zeros as after cudaMemset, in two more ints than there are blocks. */
  readonly outputBegins: "garbage" | "zeros";
  /** The launch gives one int of shared memory a thread, and one more for every so many threads; 0 for none. */
  readonly paddingEvery: number;
  /**
   * "block": output[b] is the sum of block b's elements, written by block b. "total": the outputs' sum alone counts. "first":
   * output[0] is the sum of all elements, and the other outputs are the kernel's to use. "scan": output[i] is the sum of its
   * block's elements up to element i. "histogram": output[b] is the number of elements that are b modulo `bins`.
   */
  readonly sums: "block" | "total" | "first" | "scan" | "histogram";
  /** Outputs of a histogram, a power of two; null for sums. */
  readonly bins: number | null;
  /**
   * The GPUs that have to get the sums right, each as a list of ids: the first of them that has what the kernel uses. Figures are
   * those of the first GPU.
   */
  readonly devices: readonly (readonly string[])[];
  /** Threads a block and sizes whose sums are compared: every pair of the named ones, and so many drawn pairs. */
  readonly blocks: { readonly named: readonly number[]; readonly drawn: DrawRange };
  readonly sizes: { readonly named: readonly number[]; readonly drawn: DrawRange };
  readonly drawn: number;
  /** Seeded schedules that the sums are compared under, on each GPU. */
  readonly schedules: number;
  /** The launch whose time is looked at, with its other figures. */
  readonly measured: { readonly n: DrawRange; readonly block: DrawRange };
  /** null where the time alone says what work costs. */
  readonly work: WorkSpec | null;
  /** The kernel declares no shared memory beside what the launch gives. */
  readonly givenShared: boolean;
  /** Points that the checks give to the untouched starter, at the most: an answer's points count from there up. */
  readonly starterPoints: number;
  readonly checks: readonly CheckSpec[];
}

/** All points that an exercise gives. */
export function pointsOf({ checks }: Pick<ExerciseSpec, "checks">): number {
  return checks.reduce((sum, { points }) => sum + points, 0);
}

/** Times that a block can be halved until one thread is left, odd ones rounded up. */
export function halvings(block: number): number {
  return Math.ceil(Math.log2(block));
}

/** A limit's number for a block of so many threads. */
export function limitFor(limit: Limit, block: number): number {
  if (typeof limit === "number") return limit;
  return limit.times * (limit.per === "warp" ? Math.ceil(block / 32) : halvings(block)) + limit.plus;
}

/** Whether the learner chooses how many blocks there are. */
export function choosesBlocks({ gridConstant, blocksPerSmConstant }: ExerciseSpec): boolean {
  return gridConstant !== null || blocksPerSmConstant !== null;
}

/** Blocks of a launch over so many elements. */
export function gridFor(spec: ExerciseSpec, count: number, block: number): number {
  return Math.min(Math.ceil(count / blockElements(spec, block)), spec.mostBlocks ?? Number.POSITIVE_INFINITY);
}

/** Elements that a whole block sums; at the least, where the number of blocks is limited. */
export function blockElements(spec: ExerciseSpec, block: number): number {
  return block * spec.elementsPerThread;
}
