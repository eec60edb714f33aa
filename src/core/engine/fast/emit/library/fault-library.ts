/** Faults of compiled code, and the check of affine accesses that finds which lanes fail. */
import type { FunctionBody, Local } from "../../wasm/body.js";
import { convert, get, i32, i64, select, tee } from "../../wasm/expression.js";
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
  body.if(i64.lt_s(get(budget), i64(0)));
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
    body.set(rest, get(mask));
    const done = body.block();
    const again = body.loop();
    body.brIf(done, i32.eqz(get(rest)));
    body.set(here, i64.add(get(offset), i64.mul(convert.i64_extend_i32_u(i32.ctz(get(rest))), get(stride))));
    // Keep the low 64 - wrap bits, with their sign; or the low 64 + wrap bits without.
    body.if(
      i32.or(
        i64.ge_u(
          tee(
            here,
            select(
              i64.shr_s(i64.shl(get(here), get(wrap)), get(wrap)),
              i64.shr_u(i64.shl(get(here), i64.sub(i64(0), get(wrap))), i64.sub(i64(0), get(wrap))),
              i64.ge_s(get(wrap), i64(0)),
            ),
          ),
          get(offsets),
        ),
        i64.ne(i64.and(i64.add(get(here), get(start)), get(alignment)), i64(0)),
      ),
    );
    body.if(i32.eqz(get(bad)));
    body.set(first, get(here));
    body.end();
    body.set(bad, i32.or(get(bad), i32.and(get(rest), i32.sub(i32(0), get(rest)))));
    body.end();
    body.set(rest, i32.and(get(rest), i32.sub(get(rest), i32(1))));
    body.br(again);
    body.end();
    body.end();
    body.if(get(bad));
    body.i32(FAULT.bounds);
    for (const local of [pc, block, warp, bad]) body.get(local);
    body.push(convert.f64_convert_i64_s(i64.add(get(first), get(start))));
    library.callImport(body, "fault", FAULT_PARAMS, []);
    body.end();
  },
};
