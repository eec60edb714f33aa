/** Warp primitives in general form: votes, matches, reductions, and shuffles lane by lane. */
import { OPERANDS } from "../../layout.js";
import { Unsupported } from "../../unsupported.js";
import type { Local } from "../../wasm/body.js";
import { apply, convert, get, i32, i64, select, tee } from "../../wasm/expression.js";
import { CONTROL, CONVERT, I32, MEMORY } from "../../wasm/opcodes.js";
import { BLOCK, type Context, type Mask, SCRATCH } from "../context.js";
import { FAULT, FAULT_PARAMS } from "../library/fault-library.js";
import { pushLaneMask } from "../mask-operation.js";
import type { Places } from "../places.js";
import { forEachLane, laneStorage, pushLaneAddress, pushLaneOperand, writeLaneResult } from "./lane-loop.js";

/** Emits the primitive for the lanes `acting`; `guarded`: there may be none. */
export function emitWarpPrimitive(
  context: Context,
  places: Places,
  pc: number,
  acting: Mask,
  live: Mask,
  guarded: boolean,
): void {
  const { body } = context;
  const { op } = context.instruction(pc);
  const participants = body.local("i32");
  if (guarded && acting !== "full") {
    body.if(get(acting));
  }
  if (op === "activemask") context.pushMask(acting);
  else pushParticipants(context, pc, acting, live);
  body.set(participants);
  switch (op) {
    case "activemask":
      body.get(participants);
      setResult(context, places, pc, false, participants);
      break;
    case "ballot":
    case "any":
    case "all":
      vote(context, places, pc, participants);
      break;
    case "redux":
      reduce(context, places, pc, participants);
      break;
    case "syncwarp":
      break;
    case "matchAny":
    case "matchAll":
    case "matchAllPredicate":
      match(context, places, pc, acting, participants);
      break;
    default:
      shuffle(context, places, pc, acting, participants);
  }
  if (guarded && acting !== "full") body.end();
  body.release(participants);
}

/**
 * Pushes the lanes that do the primitive together. From compute capability 7.0 on every live lane that the mask names
 * must be there, and no other. Before 7.0, the lanes that are there and named take part.
 */
function pushParticipants(context: Context, pc: number, acting: Mask, live: Mask): void {
  const { body } = context;
  const [operand] = context.instruction(pc).src;
  const all = operand?.kind === "imm" && (Number(operand.value) | 0) === -1;
  if (all && (context.analysis.shape.lockstep || acting === live)) {
    context.pushMask(acting);
    return;
  }
  if (context.operandShape(pc, 0).kind !== "uniform")
    throw new Unsupported("a warp primitive whose mask differs between lanes");
  context.pushScalar(pc, 0);
  if (context.analysis.shape.lockstep) {
    context.pushMask(acting);
    body.op(I32.and);
    return;
  }
  context.mayWait = true;
  const mask = body.local("i32");
  const bad = body.local("i32");
  body.set(mask);
  const fault = (kind: number): void => {
    body.push(i32(kind), i32(pc), get(BLOCK), get(context.warp), get(bad), convert.f64_convert_i32_s(get(mask)));
    context.library.callImport(body, "fault", FAULT_PARAMS, []);
  };
  body.push(i32.xor(get(mask), i32(-1)));
  context.pushMask(acting);
  body.op(I32.and);
  body.tee(bad);
  body.if();
  fault(FAULT.outsideMask);
  body.end();
  body.get(mask);
  context.pushMask(live);
  body.op(I32.and);
  context.pushMask(acting);
  body.if(tee(bad, i32.and(i32.xor(i32(-1)))));
  fault(FAULT.incompleteMask);
  body.end();
  context.pushMask(acting);
  body.release(mask, bad);
}

function vote(context: Context, places: Places, pc: number, participants: Local): void {
  const { body } = context;
  const { op } = context.instruction(pc);
  const web = context.analysis.table.dst[pc]![0]!;
  if (op === "all") {
    pushLaneMask(context, pc, 1);
    body.push(i32.eqz(i32.and(i32.xor(i32(-1)), get(participants))));
  } else {
    pushLaneMask(context, pc, 1);
    body.push(i32.and(get(participants)));
    if (op === "any") {
      body.push(i32.ne(i32(0)));
    }
  }
  setResult(context, places, pc, web.type === "bool", participants);
}

/** Gives the (uniform) result on the stack to the destination. */
function setResult(context: Context, places: Places, pc: number, bool: boolean, participants: Local): void {
  const { body } = context;
  const web = context.analysis.table.dst[pc]![0]!;
  if (context.shapeOf(web).kind !== "varying") {
    body.set(context.scalar(web));
    return;
  }
  const value = body.local("i32");
  body.set(value);
  if (!bool) {
    forEachLane(context, participants, (lane) => {
      writeLaneResult(context, places, pc, 0, lane, "i32", () => body.get(value));
    });
    body.release(value);
    return;
  }
  const mask = context.scalar(web);
  body.set(
    mask,
    i32.or(i32.and(get(mask), i32.xor(get(participants), i32(-1))), select(get(participants), i32(0), get(value))),
  );
  body.release(value);
}

function reduce(context: Context, places: Places, pc: number, participants: Local): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const kind = instruction.redux ?? "add";
  const unsigned = instruction.type === "u32";
  const result = body.local("i32");
  const value = body.local("i32");
  const identity = { add: 0, or: 0, xor: 0, and: -1, min: unsigned ? -1 : 0x7fffffff, max: unsigned ? 0 : -0x80000000 }[
    kind
  ];
  body.set(result, i32(identity));
  forEachLane(context, participants, (lane) => {
    pushLaneOperand(context, places, pc, 1, lane);
    if (kind === "min" || kind === "max") {
      body.tee(value);
      body.push(get(result), get(value), get(result));
      body.op(I32[`${kind === "min" ? "lt" : "gt"}_${unsigned ? "u" : "s"}`], CONTROL.select);
    } else {
      body.get(result);
      body.op(I32[kind]);
    }
    body.set(result);
  });
  const web = context.analysis.table.dst[pc]![0]!;
  if (context.shapeOf(web).kind === "varying") {
    forEachLane(context, participants, (lane) => {
      writeLaneResult(context, places, pc, 0, lane, "i32", () => body.get(result));
    });
  } else {
    body.set(context.scalar(web), get(result));
  }
  body.release(result, value);
}

/** Copies the value of each participant to OPERANDS, 8 bytes a lane (4-byte values zero-extended). */
function gatherValues(context: Context, places: Places, pc: number, participants: Mask): void {
  const { body } = context;
  forEachLane(context, participants, (lane) => {
    pushLaneAddress(context, SCRATCH, lane, 8);
    pushLaneOperand(context, places, pc, 1, lane);
    const storage = laneStorage(context, pc, 1);
    if (storage === "f32") body.op(CONVERT.i32_reinterpret_f32);
    if (storage === "f64") body.op(CONVERT.i64_reinterpret_f64);
    if (storage === "i32" || storage === "f32") body.op(CONVERT.i64_extend_i32_u);
    body.memory(MEMORY.i64_store, OPERANDS, 3);
  });
}

function pushGathered(context: Context, lane: Local): void {
  pushLaneAddress(context, SCRATCH, lane, 8);
  context.body.memory(MEMORY.i64_load, OPERANDS, 3);
}

function match(context: Context, places: Places, pc: number, acting: Mask, participants: Local): void {
  const { body } = context;
  const { op } = context.instruction(pc);
  gatherValues(context, places, pc, participants);
  const equal = body.local("i32");
  const own = body.local("i64");
  forEachLane(context, acting, (lane) => {
    body.set(equal, i32(0));
    pushGathered(context, lane);
    body.set(own);
    forEachLane(context, participants, (other) => {
      pushGathered(context, other);
      body.set(equal, i32.or(i32.shl(i64.eq(get(own)), get(other)), get(equal)));
    });
    writeLaneResult(context, places, pc, 0, lane, op === "matchAllPredicate" ? "bool" : "i32", () => {
      body.get(equal);
      if (op === "matchAny") return;
      body.push(i32.eq(get(participants)));
      if (op === "matchAllPredicate") return;
      body.push(i32.mul(get(participants)));
    });
  });
  body.release(equal, own);
}

/** Each lane computes its source (as shuffleSource in semantics/warp-primitives.ts) and takes the value, 0 if it is not there. */
function shuffle(context: Context, places: Places, pc: number, acting: Mask, participants: Local): void {
  const { body } = context;
  const instruction = context.instruction(pc);
  const { op } = instruction;
  const type = instruction.type;
  gatherValues(context, places, pc, participants);
  const [segment, b, source, edge] = [0, 0, 0, 0].map(() => body.local("i32")) as [Local, Local, Local, Local];
  const value = body.local("i64");
  forEachLane(context, acting, (lane) => {
    // segment: mask of the lane bits that name the segment.
    if (instruction.src.length > 3) {
      body.i32(32);
      pushLaneOperand(context, places, pc, 3, lane);
      body.op(I32.sub);
      body.push(i32.and(i32(31)));
    } else body.i32(0);
    body.set(segment);
    pushLaneOperand(context, places, pc, 2, lane);
    body.set(b, i32.and(i32(31)));
    const pushBase = (): void => {
      body.push(i32.and(get(lane), get(segment)));
    };
    const pushNotSegment = (): void => {
      body.push(i32.xor(get(segment), i32(31)));
    };
    if (op === "shfl") {
      pushBase();
      body.get(b);
      pushNotSegment();
      body.op(I32.and, I32.or);
      body.set(source);
    } else {
      body.set(source, apply(op === "shflUp" ? I32.sub : op === "shflDown" ? I32.add : I32.xor, get(lane), get(b)));
      pushBase();
      if (op !== "shflUp") {
        pushNotSegment();
        body.op(I32.or);
      }
      body.set(edge);
      body.set(
        source,
        select(get(source), get(lane), apply(op === "shflUp" ? I32.ge_s : I32.le_s, get(source), get(edge))),
      );
    }
    pushGathered(context, source);
    body.set(value, select(i64(0), i32.and(i32.shr_u(get(participants), get(source)), i32(1))));
    writeLaneResult(context, places, pc, 0, lane, type, () => {
      body.get(value);
      if (type === "f64") body.op(CONVERT.f64_reinterpret_i64);
      else if (type !== "i64" && type !== "u64") body.op(CONVERT.i32_wrap_i64);
      if (type === "f32") body.op(CONVERT.f32_reinterpret_i32);
    });
  });
  body.release(segment, b, source, edge, value);
}
