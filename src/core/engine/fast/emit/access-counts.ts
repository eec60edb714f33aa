/** Counts sectors, lines and wavefronts of accesses: in closed form for affine addresses, else from the lanes' addresses. */
import { APART, ONE_A_BANK, serviceOf, TOGETHER } from "../../semantics/bank-conflicts.js";
import { SPIN_WAVEFRONTS } from "../../semantics/spin.js";
import { LANE_ADDRESSES } from "../layout.js";
import type { Local } from "../wasm/body.js";
import { get, i32, i32x4, loadWord } from "../wasm/expression.js";
import { CONVERT, I32, MEMORY } from "../wasm/opcodes.js";
import { I32X4, V128 } from "../wasm/simd.js";
import type { Access } from "./access.js";
import { type Context, type Mask, SCRATCH } from "./context.js";
import { PATTERN_BYTES, REMEMBERED_COUNT } from "./library/pattern-library.js";
import { SECTORS, UNIT_STRIDE_SECTORS } from "./library/scalar-library.js";
import { ATOMIC_WAVEFRONTS, STRIDE_WAVEFRONTS, WIDE_WAVEFRONTS, WORD_WAVEFRONTS } from "./library/wavefront-library.js";

/** Counts of one access: the low half of a number goes to the first, the high half to the second. */
function addHalves(context: Context, pc: number, space: "global" | "shared"): (pushBoth: () => void) => void {
  const first = context.counters.count();
  const second = context.counters.count();
  context.counters.add(first, space === "global" ? "sectors" : "wavefronts", pc);
  context.counters.add(second, space === "global" ? "lines" : "idealWavefronts", pc);
  return (pushBoth) => {
    const { body } = context;
    const both = body.local("i32");
    pushBoth();
    body.set(both);
    context.bumpI32(first, () => {
      body.push(i32.and(get(both), i32(0xffff)));
    });
    context.bumpI32(second, () => {
      body.push(i32.shr_u(get(both), i32(16)));
    });
    body.release(both);
  };
}

/** Wavefronts of an access that has the same number in every request: one word a lane in a row, or one for all. */
export function fixedWavefronts(context: Context, access: Access, mask: Mask): number | null {
  if (access.space !== "shared" || context.analysis.shape.banks < 32) return null;
  // All lanes at one address: each pass is one word, or a few in different banks.
  if (access.kind === "uniform") return Math.max(1, access.bytes / 8);
  if (access.kind !== "unit") return null;
  if (access.bytes <= 4) return 1;
  return mask === "full" && context.analysis.shape.banks === 32 ? access.bytes / 4 : null;
}

/** Emits the counts of a uniform, unit or strided access whose first lane is at `linear`. */
export function countAffine(context: Context, access: Access, mask: Mask, linear: Local): void {
  if (access.space === "shared") countAffineShared(context, access, mask, linear);
  else countAffineGlobal(context, access, mask, linear);
}

function countAffineGlobal(context: Context, access: Access, mask: Mask, linear: Local): void {
  const { body, counters, library } = context;
  const { pc, bytes } = access;
  if (access.kind === "uniform") {
    // Aligned, so in one sector.
    for (const array of ["sectors", "lines"] as const) {
      const count = counters.count();
      counters.add(count, array, pc);
      context.bumpBy(count, 1);
    }
    return;
  }
  if (access.kind === "unit" && mask === "full") {
    const size = access.size as 4 | 8;
    for (const [array, unit] of [
      ["sectors", 32],
      ["lines", 128],
    ] as const) {
      const count = counters.count();
      counters.add(count, array, pc);
      // As many as fit, and one more if the first does not start a unit.
      context.bumpI32(count, () => {
        body.push(i32.add(i32.ne(i32.and(get(linear), i32(unit - 1)), i32(0)), i32((32 * size) / unit)));
      });
    }
    return;
  }
  addHalves(
    context,
    pc,
    "global",
  )(() => {
    if (access.kind === "unit") {
      body.get(linear);
      context.pushMask(mask);
      library.call(body, UNIT_STRIDE_SECTORS[access.size as 4 | 8]);
    } else {
      fillAddresses(context, access, linear);
      body.get(SCRATCH);
      context.pushMask(mask);
      body.i32(bytes);
      library.call(body, SECTORS);
    }
  });
}

function countAffineShared(context: Context, access: Access, mask: Mask, linear: Local): void {
  const { body, library } = context;
  const { pc } = access;
  if (fixedWavefronts(context, access, mask) !== null) return;
  if (access.kind === "strided" && access.bytes === 4 && context.analysis.shape.banks === 32) {
    const count = context.counters.count();
    context.counters.add(count, "wavefronts", pc);
    const shape = context.operandShape(pc, 0);
    context.bumpI32(count, () => {
      const stride = body.local("i32");
      context.pushStride(pc, 0, access.wide ? "i64" : "i32");
      if (access.wide) body.op(CONVERT.i32_wrap_i64);
      body.set(stride);
      const closed = (): void => {
        body.push(i32.shr_s(get(stride), i32(2)));
        context.pushMask(mask);
        library.call(body, STRIDE_WAVEFRONTS);
      };
      if (shape.kind === "affine" && shape.stride !== "dynamic") closed();
      else {
        // A stride so large that lanes wrap onto each other has no closed form.
        body.if(i32.lt_u(i32.add(get(stride), i32(2 ** 25)), i32(2 ** 26)), "i32");
        closed();
        body.else();
        fillAddresses(context, access, linear);
        body.get(SCRATCH);
        context.pushMask(mask);
        library.call(body, WORD_WAVEFRONTS);
        body.end();
      }
      body.release(stride);
    });
    countIdealWords(context, pc);
    return;
  }
  if (countNarrow(context, access, mask, () => fillAddresses(context, access, linear))) return;
  addHalves(
    context,
    pc,
    "shared",
  )(() => {
    fillAddresses(context, access, linear);
    pushAnyWavefronts(context, access, mask);
  });
}

/** Counts an access of 8 or 16 bits of shared memory by the words that its lanes touch; false for other accesses. */
function countNarrow(context: Context, access: Access, mask: Mask, fill: () => void): boolean {
  if (access.narrow === null || context.analysis.shape.banks !== 32) return false;
  const count = context.counters.count();
  context.counters.add(count, "wavefronts", access.pc);
  context.bumpI32(count, () => {
    fill();
    context.body.get(SCRATCH);
    context.pushMask(mask);
    context.library.call(context.body, WORD_WAVEFRONTS);
  });
  countIdealWords(context, access.pc);
  return true;
}

function countIdealWords(context: Context, pc: number): void {
  const ideal = context.counters.count();
  context.counters.add(ideal, "idealWavefronts", pc);
  context.bumpBy(ideal, 1);
}

/** Writes the addresses of all 32 lanes to LANE_ADDRESSES: linear for global memory, from the block's start for shared. */
function fillAddresses(context: Context, access: Access, linear: Local): void {
  const { body } = context;
  const { pc } = access;
  const value = body.local("v128");
  const step = body.local("v128");
  const pushStride = (): void => {
    context.pushStride(pc, 0, access.wide ? "i64" : "i32");
    if (access.wide) body.op(CONVERT.i32_wrap_i64);
  };
  body.get(linear);
  if (access.space === "shared") {
    body.push(i32.sub(get(context.sharedBase)));
  }
  body.op(I32X4.splat);
  pushStride();
  body.op(I32X4.splat);
  body.set(value, i32x4.add(i32x4.mul(i32x4(0, 1, 2, 3))));
  pushStride();
  body.set(step, i32x4.splat(i32.mul(i32(4))));
  for (let k = 0; k < 8; k++) {
    body.store(V128.store, LANE_ADDRESSES + 16 * k, 4, get(SCRATCH), get(value));
    body.set(value, i32x4.add(get(value), get(step)));
  }
  body.release(value, step);
}

/** Pushes wavefronts + 2^16 * least wavefronts of the addresses at LANE_ADDRESSES, by the rules of bank-conflicts.ts. */
function pushAnyWavefronts(context: Context, access: Access, mask: Mask): void {
  const { body, library } = context;
  const { bytes } = access;
  const service = serviceOf(context.instruction(access.pc));
  if ((bytes === 8 || bytes === 16) && service === TOGETHER && context.analysis.shape.banks === 32) {
    body.get(SCRATCH);
    context.pushMask(mask);
    library.call(body, WIDE_WAVEFRONTS[bytes]);
    return;
  }
  body.get(SCRATCH);
  context.pushMask(mask);
  body.push(i32(bytes), i32(service));
  library.callImport(body, "wavefronts", ["i32", "i32", "i32", "i32"], ["i32"]);
}

/** Emits the counts of an access whose lanes' addresses stand at LANE_ADDRESSES. */
export function countLanes(context: Context, access: Access, mask: Mask): void {
  const { body, library } = context;
  const { pc, space } = access;
  if (space === "local") return;
  if (space === "global") {
    addHalves(
      context,
      pc,
      "global",
    )(() => {
      const count = (): void => {
        body.get(SCRATCH);
        context.pushMask(mask);
        body.i32(access.bytes);
        library.call(body, SECTORS);
      };
      // The pattern of a remembered count has words for its unit.
      if (access.narrow === null) pushRemembered(context, mask, "line", count);
      else count();
    });
    return;
  }
  if (countNarrow(context, access, mask, () => {})) return;
  const service = serviceOf(context.instruction(pc));
  if (access.bytes === 4 && context.analysis.shape.banks === 32) {
    const count = context.counters.count();
    context.counters.add(count, "wavefronts", pc);
    if (service === ONE_A_BANK) context.bumpBy(count, SPIN_WAVEFRONTS);
    else
      context.bumpI32(count, () =>
        pushRemembered(context, mask, "any", () => {
          body.get(SCRATCH);
          context.pushMask(mask);
          library.call(body, service === APART ? ATOMIC_WAVEFRONTS : WORD_WAVEFRONTS);
        }),
      );
    countIdealWords(context, pc);
    return;
  }
  addHalves(
    context,
    pc,
    "shared",
  )(() => {
    if (access.narrow === null) pushRemembered(context, mask, "any", () => pushAnyWavefronts(context, access, mask));
    else pushAnyWavefronts(context, access, mask);
  });
}

/**
 * Pushes a count of the addresses at LANE_ADDRESSES, which `compute` pushes and is not 0. It is remembered, for
 * the same lanes at the same distances have the same count. Sectors and lines also need the same place in a line.
 */
function pushRemembered(context: Context, mask: Mask, place: "line" | "any", compute: () => void): void {
  const { body, library, layout } = context;
  const at = body.local("i32");
  const count = body.local("i32");
  body.push(get(SCRATCH), i32(layout.takeCleared(PATTERN_BYTES[place])));
  context.pushMask(mask);
  if (place === "any") body.i32(0);
  else {
    body.push(i32.shr_u(i32.and(loadWord(LANE_ADDRESSES, get(SCRATCH)), i32(127)), i32(2)));
  }
  library.call(body, REMEMBERED_COUNT[place]);
  body.tee(at);
  body.memory(MEMORY.i32_load, 0, 2);
  body.tee(count);
  body.op(I32.eqz);
  body.if();
  body.get(at);
  compute();
  body.tee(count);
  body.memory(MEMORY.i32_store, 0, 2);
  body.end();
  body.get(count);
  body.release(at, count);
}
