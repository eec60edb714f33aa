/** Faults of compiled code, and the check of affine accesses that finds which lanes fail. */

import type { FunctionBody, Local } from "../../wasm/body.js";
import { CONTROL, CONVERT, I32, I64 } from "../../wasm/opcodes.js";
import type { Library, LibraryFunction } from "./library.js";

/** Kinds of faults that compiled code reports. */
export const FAULT: {
  readonly bounds: 0;
  readonly division: 1;
  readonly outsideMask: 2;
  readonly incompleteMask: 3;
} = { bounds: 0, division: 1, outsideMask: 2, incompleteMask: 3 };

/** Parameters of the imported `fault`: kind, pc, block, warp, lanes, value (address of the first lane, or mask). It throws. */
export const FAULT_PARAMS: readonly ["i32", "i32", "i32", "i32", "i32", "f64"] = [
  "i32",
  "i32",
  "i32",
  "i32",
  "i32",
  "f64",
];

/** The warp in a call of `refill`: the warps of the block go together, or blocks have ended. */
export const WHOLE_BLOCK = -1;
export const BETWEEN_BLOCKS = -2;

/**
 * Where the budget in the local `budget` is below 0, asks the host for more. The imported `refill` takes pc, block, warp,
 * lanes and the budget. It throws where the limit has been reached.
 */
export function emitRefill(body: FunctionBody, library: Library, budget: Local, pushPlace: () => void): void {
  body.get(budget);
  body.i64(0);
  body.op(I64.lt_s);
  body.if();
  pushPlace();
  body.get(budget);
  library.callImport(body, "refill", ["i32", "i32", "i32", "i32", "i64"], ["i64"]);
  body.set(budget);
  body.end();
}

/**
 * (pc, block, warp, mask, offset, stride, offsets, alignment, start, wrap): lane l accesses byte offset + l * stride of a root
 * that starts at `start`. A lane fails if its offset is not below `offsets`, or is no multiple of `alignment` + 1. Reports
 * the active lanes that fail, or returns.
 */
export const CHECK_AFFINE: LibraryFunction = {
  name: "checkAffine",
  params: ["i32", "i32", "i32", "i32", "i64", "i64", "i64", "i64", "i64", "i64"],
  results: [],
  write: (body, library) => {
    const [pc, block, warp, mask, offset, stride, offsets, alignment, start, wrap] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const [rest, bad] = [body.local("i32"), body.local("i32")];
    const [here, first] = [body.local("i64"), body.local("i64")];
    body.get(mask);
    body.set(rest);
    const done = body.block();
    const again = body.loop();
    body.get(rest);
    body.op(I32.eqz);
    body.brIf(done);
    body.get(offset);
    body.get(rest);
    body.op(I32.ctz, CONVERT.i64_extend_i32_u);
    body.get(stride);
    body.op(I64.mul, I64.add);
    body.set(here);
    // Keep the low 64 - wrap bits, with their sign; or the low 64 + wrap bits without.
    body.get(here);
    body.get(wrap);
    body.op(I64.shl);
    body.get(wrap);
    body.op(I64.shr_s);
    body.get(here);
    body.i64(0);
    body.get(wrap);
    body.op(I64.sub);
    body.op(I64.shl);
    body.i64(0);
    body.get(wrap);
    body.op(I64.sub);
    body.op(I64.shr_u);
    body.get(wrap);
    body.i64(0);
    body.op(I64.ge_s, CONTROL.select);
    body.tee(here);
    body.get(offsets);
    body.op(I64.ge_u);
    body.get(here);
    body.get(start);
    body.op(I64.add);
    body.get(alignment);
    body.op(I64.and);
    body.i64(0);
    body.op(I64.ne, I32.or);
    body.if();
    body.get(bad);
    body.op(I32.eqz);
    body.if();
    body.get(here);
    body.set(first);
    body.end();
    body.get(bad);
    body.get(rest);
    body.i32(0);
    body.get(rest);
    body.op(I32.sub, I32.and, I32.or);
    body.set(bad);
    body.end();
    body.get(rest);
    body.get(rest);
    body.i32(1);
    body.op(I32.sub, I32.and);
    body.set(rest);
    body.br(again);
    body.end();
    body.end();
    body.get(bad);
    body.if();
    body.i32(FAULT.bounds);
    for (const local of [pc, block, warp, bad]) body.get(local);
    body.get(first);
    body.get(start);
    body.op(I64.add, CONVERT.f64_convert_i64_s);
    library.callImport(body, "fault", FAULT_PARAMS, []);
    body.end();
  },
};
