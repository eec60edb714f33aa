/**
 * Checks that the GPU has the features a kernel uses. Source: CUDA C++ Programming Guide, "Compute Capabilities" and
 * the sections on warp functions and atomics. `_sync` shuffles are accepted from 3.0 and votes from 2.0, as CUDA 9
 * maps them to older instructions. compute_90 removed cudaDeviceSynchronize in kernels ("CUDA Dynamic Parallelism").
 */
import { CompileError } from "../../base/errors.js";
import type { KernelIr } from "../../ir/ir.js";
import type { Inst, SsaFunction } from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";

export interface Capability {
  readonly major: number;
  readonly minor: number;
}

interface Need {
  readonly what: string;
  readonly major: number;
  readonly minor: number;
  readonly instead: string;
}

const need = (what: string, major: number, minor: number, instead: string): Need => ({
  what,
  major,
  minor,
  instead,
});

const CHILD_GRIDS = need("child grids (dynamic parallelism)", 3, 5, "launch the grids from the host");

/** First major compute capability without __shfl, __ballot and the like (CUDA's sm_30_intrinsics.h). */
const NO_LEGACY_WARP_FUNCTIONS = 7;

/** First major compute capability without cudaDeviceSynchronize in kernels. */
const NO_DEVICE_SYNCHRONIZE = 9;

/** Atomics with 64-bit forms from sm_35 (CUDA's sm_32_atomic_functions.h has them from 3.2). */
const WIDE_ATOMICS: ReadonlySet<string> = new Set(["min", "max", "and", "or", "xor"]);

const ADD_BITS =
  "keep the sum's bits in a u64, sum: ptr(u64), and add by a loop: let old = sum[0]; let seen = old; do { seen = old; old = atomicCAS(sum, 0, seen, u64(double_as_longlong(longlong_as_double(i64(seen)) + x))); } while (old !== seen);";

const UPDATE_WIDE =
  "keep the value in a u64, best: ptr(u64), and update it by a loop: let old = best[0]; let seen = old; do { seen = old; old = atomicCAS(best, 0, seen, min(seen, x)); } while (old !== seen);";

function needOf(inst: Inst): Need | null {
  switch (inst.op) {
    case "shfl":
    case "shflUp":
    case "shflDown":
    case "shflXor":
      return need(
        "warp shuffles",
        3,
        0,
        "exchange the values through shared memory: s[threadIdx.x] = x; syncthreads(); then read s[threadIdx.x ^ 16]",
      );
    case "matchAny":
    case "matchAll":
    case "matchAllPredicate":
      return need(
        "the warp match functions",
        7,
        0,
        "compare with each lane's value in a loop: if (shfl_sync(0xffffffff, x, lane) === x) mask |= 1 << lane",
      );
    case "redux":
      return need(
        "the warp reduce functions (__reduce_*_sync)",
        8,
        0,
        "reduce by shuffles: x += shfl_xor_sync(0xffffffff, x, offset) for the offsets 16, 8, 4, 2, 1",
      );
    case "launch":
      if ((inst.mods.launch?.stream ?? "block") !== "block") {
        return need(
          "tail and fire-and-forget launches (CUDA 12)",
          5,
          0,
          "launch into the block's stream, or from the host",
        );
      }
      return CHILD_GRIDS;
    case "deviceSynchronize":
      return CHILD_GRIDS;
    case "gridsync":
      return need(
        "synchronisation of the whole grid (cooperative groups)",
        6,
        0,
        "end the kernel there and launch a second one for the rest",
      );
    case "atom":
      if (inst.mods.atomic === "add" && inst.type === "f64") return need("atomicAdd on double", 6, 0, ADD_BITS);
      if ((inst.type === "i64" || inst.type === "u64") && WIDE_ATOMICS.has(inst.mods.atomic ?? "add"))
        return need("64-bit atomicMin, Max, And, Or and Xor", 3, 5, UPDATE_WIDE);
      return null;
    default:
      return null;
  }
}

function waits(fn: SsaFunction): boolean {
  let found = false;
  walkInstructions(fn.body, ({ op }) => {
    found ||= op === "deviceSynchronize";
  });
  return found;
}

/** Throws a CompileError at the first use of a feature that `capability` lacks. */
export function checkCapability(ir: KernelIr, fn: SsaFunction, capability: Capability): void {
  const sources = [ir.source, ...ir.functions.map((callee) => callee.source)];
  walkInstructions(fn.body, (node) => {
    const { major, minor } = capability;
    const { legacy } = node.mods;
    if (legacy !== undefined && major >= NO_LEGACY_WARP_FUNCTIONS) {
      throw new CompileError({
        what: `This GPU has compute capability ${major}.${minor}; ${legacy}() is not valid on 7.0 and above: there the lanes of a warp no longer run in lockstep, so a warp function has to say which lanes take part.`,
        cure: `Replace it with ${legacy}_sync(0xffffffff, ...), whose first argument is the mask of the lanes that take part, or choose a GPU of compute capability 3.0 to 6.2.`,
        source: sources[node.source],
        span: node.span,
      });
    }
    if (node.op === "launch" && (node.mods.launch?.stream ?? "block") !== "block" && waits(fn)) {
      throw new CompileError({
        what: "cudaDeviceSynchronize() in a kernel is of CUDA's first device runtime, and this launch is of the second one: a program has one of the two.",
        cure: 'Move what comes after the wait into a kernel that is launched with stream: "tail", and leave the wait out.',
        source: sources[node.source],
        span: node.span,
      });
    }
    const required = needOf(node);
    if (required === null) return;
    if (node.op === "deviceSynchronize" && major >= NO_DEVICE_SYNCHRONIZE) {
      throw new CompileError({
        what: `This GPU has compute capability ${major}.${minor}; cudaDeviceSynchronize() in a kernel is gone there: CUDA 12 removed it, as a block that waits for its child grids would keep its place on the SM.`,
        cure: 'Split the kernel: what comes after the wait goes into a kernel of its own, launched with stream: "tail" (cudaStreamTailLaunch) or by the host: launch(after, { grid, block, stream: "tail" }, { ... }). A grid ends when its child grids have ended.',
        source: sources[node.source],
        span: node.span,
      });
    }
    if (major > required.major || (major === required.major && minor >= required.minor)) return;
    throw new CompileError({
      what: `This GPU has compute capability ${major}.${minor}; ${required.what} ${/^(synchronisation|atomicAdd)/.test(required.what) ? "needs" : "need"} ${required.major}.${required.minor}.`,
      cure: `Choose a GPU of compute capability ${required.major}.${required.minor} or more, or ${required.instead}.`,
      source: sources[node.source],
      span: node.span,
    });
  });
}
