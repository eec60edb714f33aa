/** Loads, stores and atomics lane by lane: all lanes are checked before the first one acts. */
import type { AtomicOp } from "../../../../ir/ir.js";
import type { Scalar } from "../../../../ir/types.js";
import { HALF_WARP, spins } from "../../../semantics/spin.js";
import { LANE_ADDRESSES, OPERANDS } from "../../layout.js";
import type { Local } from "../../wasm/body.js";
import { apply, convert, f32, get, i32, i64, load, select } from "../../wasm/expression.js";
import { CONTROL, CONVERT, F32, F64, I32, I64, MEMORY } from "../../wasm/opcodes.js";
import {
  type Access,
  describeAccess,
  loadComponent,
  pushRootStart,
  pushValidOffsets,
  storeComponent,
  wrapShift,
} from "../access.js";
import { countLanes } from "../access-counts.js";
import { BLOCK, type Context, type Mask, SCRATCH } from "../context.js";
import { FAULT, FAULT_PARAMS } from "../library/fault-library.js";
import type { Places } from "../places.js";
import { canonicalNaN, storageOfType } from "../scalar-operation.js";
import { forEachLane, pushLaneAddress, pushLaneOperand, writeLaneResult } from "./lane-loop.js";

/** Emits the load, store or atomic at `pc` for the lanes of the mask (one at least). */
export function emitLaneAccess(context: Context, places: Places, pc: number, mask: Mask): void {
  const { body } = context;
  const access = describeAccess(context, pc);
  checkLanes(context, places, access, mask);
  countLanes(context, access, mask);
  const instruction = context.instruction(pc);
  const { op } = instruction;
  const taken = spins(instruction) ? body.local("i32") : null;
  if (taken !== null) {
    body.set(taken, i32(0));
  }
  forEachLane(context, mask, (lane) => {
    const address = body.local("i32");
    pushLinear(context, access, lane);
    body.set(address);
    if (op === "ld") loadLane(context, places, access, lane, address);
    else if (op === "st") storeLane(context, places, access, lane, address);
    else if (taken === null) updateLane(context, places, access, lane, address);
    else updateOneABank(context, places, access, lane, address, taken);
    body.release(address);
  });
  if (taken !== null) body.release(taken);
}

/** Addresses of the lanes to LANE_ADDRESSES (in their space); faults if some are out of bounds or misaligned. */
function checkLanes(context: Context, places: Places, access: Access, mask: Mask): void {
  const { body } = context;
  const { wide } = access;
  const ops = wide ? I64 : I32;
  const constant = (value: number): void => (wide ? body.i64(value) : body.i32(value));
  const wrap = wrapShift(context, access);
  const bad = body.local("i32");
  body.set(bad, i32(0));
  forEachLane(context, mask, (lane) => {
    const address = body.local(wide ? "i64" : "i32");
    pushLaneOperand(context, places, access.pc, 0, lane);
    constant(access.offset);
    body.op(ops.add);
    if (wrap !== 0) {
      // The upper bits of the offset do not count.
      const [shift, back] = wrap > 0 ? [wrap, I64.shr_s] : [-wrap, I64.shr_u];
      pushRootStart(context, access);
      body.op(I64.sub);
      body.push(i64.shl(i64(shift)), apply(back, i64(shift)));
      pushRootStart(context, access);
      body.op(I64.add);
    }
    body.set(address);
    pushLaneAddress(context, SCRATCH, lane, 4);
    body.get(address);
    if (wide) body.op(CONVERT.i32_wrap_i64);
    body.memory(MEMORY.i32_store, LANE_ADDRESSES, 2);
    pushLaneAddress(context, SCRATCH, lane, 8);
    body.get(address);
    if (!wide) body.op(CONVERT.i64_extend_i32_s);
    body.memory(MEMORY.i64_store, OPERANDS, 3);
    body.get(address);
    pushRootStart(context, access);
    body.op(ops.sub);
    pushValidOffsets(context, access, access.bytes);
    body.op(ops.ge_u);
    if (access.mayBeMisaligned) {
      body.get(address);
      constant(Math.min(access.bytes, 16) - 1);
      body.op(ops.and);
      constant(0);
      body.op(ops.ne, I32.or);
    }
    body.set(bad, i32.or(i32.shl(get(lane)), get(bad)));
    body.release(address);
  });
  body.if(get(bad));
  body.push(
    i32(FAULT.bounds),
    i32(access.pc),
    get(BLOCK),
    get(context.warp),
    get(bad),
    convert.f64_convert_i64_s(
      load(MEMORY.i64_load, OPERANDS, 3, i32.add(i32.shl(i32.ctz(get(bad)), i32(3)), get(SCRATCH))),
    ),
  );
  context.library.callImport(body, "fault", FAULT_PARAMS, []);
  body.end();
  body.release(bad);
}

/** Pushes the lane's place in the linear memory. */
function pushLinear(context: Context, access: Access, lane: Local): void {
  const { body } = context;
  pushLaneAddress(context, SCRATCH, lane, 4);
  body.memory(MEMORY.i32_load, LANE_ADDRESSES, 2);
  if (access.space === "global") return;
  if (access.space === "shared") body.get(context.sharedBase);
  else {
    body.push(
      i32.add(
        get(context.localBase),
        i32.mul(i32.add(i32.shl(get(context.warp), i32(5)), get(lane)), i32(context.localBytes)),
      ),
    );
  }
  body.op(I32.add);
}

function loadLane(context: Context, places: Places, access: Access, lane: Local, address: Local): void {
  const { body } = context;
  for (let component = 0; component < access.components; component++) {
    writeLaneResult(context, places, access.pc, component, lane, access.type, () => {
      body.get(address);
      loadComponent(body, access, component);
    });
  }
}

function storeLane(context: Context, places: Places, access: Access, lane: Local, address: Local): void {
  const { body } = context;
  for (let component = 0; component < access.components; component++) {
    body.get(address);
    pushLaneOperand(context, places, access.pc, 1 + component, lane);
    storeComponent(body, access, component);
  }
}

/** The update of the first lane of each bank (semantics/spin.ts). `taken` has the banks' bits so far. */
function updateOneABank(
  context: Context,
  places: Places,
  access: Access,
  lane: Local,
  address: Local,
  taken: Local,
): void {
  const { body, analysis } = context;
  const wide = access.size === 8;
  const bit = body.local("i32");
  body.i32(1);
  pushLaneAddress(context, SCRATCH, lane, 4);
  body.memory(MEMORY.i32_load, LANE_ADDRESSES, 2);
  body.push(i32.and(i32.shr_u(i32(wide ? 3 : 2)), i32((wide ? analysis.shape.banks / 2 : analysis.shape.banks) - 1)));
  if (wide) {
    body.push(i32.or(i32.and(get(lane), i32(HALF_WARP))));
  }
  body.op(I32.shl);
  body.tee(bit);
  body.if(i32.and(get(taken)));
  // Something else than expected.
  writeLaneResult(context, places, access.pc, 0, lane, access.type, () => {
    pushLaneOperand(context, places, access.pc, 1, lane);
    if (wide) body.i64(0xffffffff);
    else body.i32(-1);
    body.op((wide ? I64 : I32).xor);
  });
  body.else();
  body.set(taken, i32.or(get(taken), get(bit)));
  updateLane(context, places, access, lane, address);
  body.end();
  body.release(bit);
}

/** One lane's atomic update, as semantics/atomic.ts defines it. */
function updateLane(context: Context, places: Places, access: Access, lane: Local, address: Local): void {
  const { body } = context;
  const instruction = context.instruction(access.pc);
  const atomic: AtomicOp = instruction.atomic ?? "add";
  // exch and cas move and compare bits, whatever the type.
  const moves = atomic === "exch" || atomic === "cas";
  const type: Scalar = moves ? (access.size === 8 ? "u64" : "u32") : access.type;
  const storage = storageOfType(type);
  const bits = access.size === 8 ? "i64" : "i32";
  const loadOpcode = { i32: MEMORY.i32_load, i64: MEMORY.i64_load, f32: MEMORY.f32_load, f64: MEMORY.f64_load }[
    storage
  ];
  const store = { i32: MEMORY.i32_store, i64: MEMORY.i64_store, f32: MEMORY.f32_store, f64: MEMORY.f64_store }[storage];
  const align = access.size === 8 ? 3 : 2;
  const operand = (index: number): void => {
    pushLaneOperand(context, places, access.pc, index, lane);
    if (moves && access.type === "f32") body.op(CONVERT.i32_reinterpret_f32);
    if (moves && access.type === "f64") body.op(CONVERT.i64_reinterpret_f64);
  };
  const old = body.local(bits);
  body.set(old, load(bits === "i64" ? MEMORY.i64_load : MEMORY.i32_load, 0, align, get(address)));
  body.get(address);
  if (storage === "f32" || storage === "f64") {
    updateFloat(
      context,
      access,
      atomic,
      storage,
      () => {
        body.push(load(loadOpcode, 0, align, get(address)));
      },
      () => operand(1),
    );
  } else updateInteger(context, atomic, type, old, operand);
  body.memory(store, 0, align);
  if (instruction.dst.length > 0) {
    const resultType = access.type;
    writeLaneResult(context, places, access.pc, 0, lane, resultType, () => {
      body.get(old);
      if (resultType === "f32") body.op(CONVERT.f32_reinterpret_i32);
      if (resultType === "f64") body.op(CONVERT.f64_reinterpret_i64);
    });
  }
  body.release(old);
}

function updateInteger(
  context: Context,
  atomic: AtomicOp,
  type: Scalar,
  old: Local,
  operand: (index: number) => void,
): void {
  const { body } = context;
  const wide = type === "i64" || type === "u64";
  const ops = wide ? I64 : I32;
  const sign = type === "i32" || type === "i64" ? "s" : "u";
  const constant = (value: number): void => (wide ? body.i64(value) : body.i32(value));
  const value = body.local(wide ? "i64" : "i32");
  switch (atomic) {
    case "add":
    case "sub":
    case "and":
    case "or":
    case "xor":
      body.get(old);
      operand(1);
      body.op(ops[atomic]);
      break;
    case "min":
    case "max":
      operand(1);
      body.tee(value);
      body.push(select(get(old), apply(ops[`${atomic === "min" ? "lt" : "gt"}_${sign}`], get(value), get(old))));
      break;
    case "exch":
      operand(1);
      break;
    case "cas":
      operand(2);
      body.push(get(old), get(old));
      operand(1);
      body.op(ops.eq, CONTROL.select);
      break;
    case "inc":
      constant(0);
      body.get(old);
      constant(1);
      body.op(ops.add);
      body.get(old);
      operand(1);
      body.op(ops[`ge_${sign}`], CONTROL.select);
      break;
    case "dec":
      operand(1);
      body.tee(value);
      body.get(old);
      constant(1);
      body.op(ops.sub);
      body.push(select(i32.or(apply(ops.eqz, get(old)), apply(ops[`gt_${sign}`], get(old), get(value)))));
  }
  body.release(value);
}

function updateFloat(
  context: Context,
  access: Access,
  atomic: AtomicOp,
  storage: "f32" | "f64",
  pushOld: () => void,
  pushOperand: () => void,
): void {
  const { body, library } = context;
  if (atomic === "add" || atomic === "sub") {
    const flush = storage === "f32" && access.space === "global" && atomic === "add";
    const flushed = (push: () => void): void => {
      push();
      if (!flush) return;
      // A subnormal becomes a zero of its sign.
      const value = body.local("f32");
      body.tee(value);
      body.push(select(f32.copysign(f32(0), get(value)), i32.eqz(f32.lt(f32.abs(get(value)), f32(2 ** -126)))));
      body.release(value);
    };
    flushed(() => {
      flushed(pushOld);
      flushed(pushOperand);
      body.op((storage === "f32" ? F32 : F64)[atomic]);
    });
  } else {
    pushOld();
    pushOperand();
    library.callImport(body, `lane ${atomic} ${storage}  `, [storage, storage], [storage]);
  }
  canonicalNaN(body, storage);
}
