/** Loads and stores of four lanes at a time, inside a segment's loop. */
import { IGNORED_BITS } from "../../../semantics/shared-address.js";
import { DUMMY, LANE_ADDRESSES, OPERANDS } from "../../layout.js";
import type { Local } from "../../wasm/body.js";
import { extract, get, i32, i32x4, i64x2, shuffleWords, tee, v128 } from "../../wasm/expression.js";
import { CONVERT, I32, MEMORY } from "../../wasm/opcodes.js";
import { I32X4, I64X2, V128 } from "../../wasm/simd.js";
import { type Access, loadComponent, pushRootStart, pushValidOffsets, storeComponent } from "../access.js";
import { BLOCK, type Context, type Mask, SCRATCH } from "../context.js";
import { FAULT, FAULT_PARAMS } from "../library/fault-library.js";
import type { Chunk } from "./chunk.js";
import type { VectorValue } from "./vector-target.js";

interface Gathered {
  readonly access: Access;
  /** Lanes that are out of bounds. */
  readonly bad: Local;
}

/** Pushes pc, block and warp, as `fault` takes them. */
export function pushFaultPlace(context: Context, pc: number): void {
  context.body.push(i32(pc), get(BLOCK), get(context.warp));
}

export class ChunkMemory {
  /** Linear addresses of lane 0, by pc of the access. */
  readonly bases: Map<number, Local> = new Map<number, Local>();
  readonly gathers: Gathered[] = [];

  constructor(
    private readonly context: Context,
    private readonly chunk: Chunk,
    private readonly mask: Mask,
  ) {}

  /** Emits a load of the chunk; `define` gets the value of each component. */
  load(access: Access, define: (component: number, value: VectorValue) => void): void {
    const { context, chunk } = this;
    const { body } = context;
    if (access.kind === "unit") {
      const wide = access.size === 8;
      const base = this.bases.get(access.pc)!;
      const parts = (wide ? [0, 1] : [0]).map((part) => {
        const local = body.local("v128");
        chunk.pushRowAddress(base, wide);
        body.memory(V128.load, 16 * part, 2);
        body.set(local);
        return local;
      });
      define(0, { parts, rawNaN: false });
      return;
    }
    if (access.kind === "uniform") {
      for (let component = 0; component < access.components; component++) {
        if (context.shapeOf(context.analysis.table.dst[access.pc]![component]!).kind !== "varying") continue;
        const parts = (access.size === 8 ? [0, 1] : [0]).map(() => {
          const local = body.local("v128");
          body.get(this.bases.get(access.pc)!);
          if (access.narrow !== null) {
            loadComponent(body, access, component);
            body.op(I32X4.splat);
            body.set(local);
            return local;
          }
          const splat = access.size === 8 ? V128.load64_splat : V128.load32_splat;
          body.memory(splat, component * access.size, 2);
          body.set(local);
          return local;
        });
        define(component, { parts, rawNaN: false });
      }
      return;
    }
    const addresses = this.laneAddresses(access);
    if (access.narrow !== null) {
      const local = body.local("v128");
      for (let lane = 0; lane < 4; lane++) {
        if (lane > 0) body.get(local);
        body.push(extract("i32", lane, get(addresses)));
        loadComponent(body, access, 0);
        if (lane === 0) body.op(I32X4.splat);
        else body.replace("i32", lane);
        body.set(local);
      }
      body.release(addresses);
      define(0, { parts: [local], rawNaN: false });
      return;
    }
    for (let component = 0; component < access.components; component++) {
      const wide = access.size === 8;
      const offset = component * access.size;
      const parts = (wide ? [0, 1] : [0]).map((part) => {
        const local = body.local("v128");
        const lanes = wide ? 2 : 4;
        for (let k = 0; k < lanes; k++) {
          body.push(extract("i32", part * 2 + k, get(addresses)));
          if (k === 0) body.memory(0xfd000 + (wide ? 93 : 92), offset, 2);
          else {
            body.get(local);
            body.memoryLane(wide ? V128.load64_lane : V128.load32_lane, k, offset);
          }
          body.set(local);
        }
        return local;
      });
      define(component, { parts, rawNaN: false });
    }
    body.release(addresses);
  }

  /** Emits a unit or strided store of the chunk. */
  store(access: Access): void {
    const { context, chunk, mask } = this;
    const { body } = context;
    const { pc } = access;
    const wide = access.size === 8;
    const base = this.bases.get(pc)!;
    if (access.kind === "unit") {
      for (const part of wide ? ([0, 1] as const) : ([0] as const)) {
        if (mask === "full") {
          chunk.pushRowAddress(base, wide);
          chunk.pushOperand(pc, 1, part, true);
          body.memory(V128.store, 16 * part, 2);
        } else if (access.space === "shared") {
          // Nobody else writes the block's shared memory meanwhile: idle lanes write back what is there.
          const active = chunk.activeLanes()!;
          chunk.pushRowAddress(base, wide);
          chunk.pushOperand(pc, 1, part, true);
          chunk.pushRowAddress(base, wide);
          body.memory(V128.load, 16 * part, 2);
          body.get(active);
          if (wide) body.op(part === 0 ? I64X2.extend_low_s : I64X2.extend_high_s);
          body.op(V128.bitselect);
          body.memory(V128.store, 16 * part, 2);
        } else this.storeActive(access, part, mask, base);
      }
      return;
    }
    const addresses = this.laneAddresses(access);
    for (let component = 0; component < access.components; component++) {
      const offset = component * access.size;
      for (const part of wide ? ([0, 1] as const) : ([0] as const)) {
        const value = body.local("v128");
        chunk.pushOperand(pc, 1 + component, part, true);
        body.set(value);
        for (let k = 0; k < (wide ? 2 : 4); k++) {
          body.push(extract("i32", part * 2 + k, get(addresses)), get(value));
          if (access.narrow !== null) {
            body.extract("i32", k);
            storeComponent(body, access, component);
          } else body.memoryLane(wide ? V128.store64_lane : V128.store32_lane, k, offset);
        }
        body.release(value);
      }
    }
    body.release(addresses);
  }

  /** A chunk of a unit store to global memory: whole if all four lanes are active, else lane by lane. */
  private storeActive(access: Access, part: 0 | 1, mask: Local, base: Local): void {
    const { context, chunk } = this;
    const { body } = context;
    const wide = access.size === 8;
    const bits = body.local("i32");
    const address = body.local("i32");
    const value = body.local("v128");
    chunk.pushRowAddress(base, wide);
    body.set(address);
    chunk.pushOperand(access.pc, 1, part, true);
    body.set(value);
    chunk.pushBitsOf(mask);
    body.if(i32.eq(tee(bits, i32.and(i32(15))), i32(15)));
    body.store(V128.store, 16 * part, 2, get(address), get(value));
    body.else();
    for (let k = 0; k < (wide ? 2 : 4); k++) {
      body.if(i32.and(get(bits), i32(1 << (2 * part + k))));
      body.push(get(address), get(value));
      body.memoryLane(wide ? V128.store64_lane : V128.store32_lane, k, 16 * part + k * access.size);
      body.end();
    }
    body.end();
    body.release(bits, address, value);
  }

  /** The lanes' places in the linear memory (i32x4), a harmless one for lanes that are not active or out of bounds. */
  private laneAddresses(access: Access): Local {
    const { context, chunk } = this;
    const { body } = context;
    const { pc } = access;
    const addresses = body.local("v128");
    const safe = body.local("v128");
    body.set(safe, i32x4.splat(i32.add(get(SCRATCH), i32(DUMMY))));
    if (access.kind === "strided") {
      // Already checked: 32 bits are enough.
      body.get(this.bases.get(pc)!);
      chunk.pushFirstLane();
      const pushStride = (): void => {
        context.pushStride(pc, 0, access.wide ? "i64" : "i32");
        if (access.wide) body.op(CONVERT.i32_wrap_i64);
      };
      pushStride();
      body.op(I32.mul, I32.add, I32X4.splat);
      body.i32x4(0, 1, 2, 3);
      pushStride();
      body.op(I32X4.splat, I32X4.mul, I32X4.add);
      body.set(addresses);
      const active = chunk.activeLanes();
      if (active !== null) {
        body.set(addresses, v128.bitselect(get(addresses), get(safe), get(active)));
      }
    } else this.gatherAddresses(access, addresses, safe);
    body.release(safe);
    return addresses;
  }

  /** Any addresses: bad lanes are noted, and get the safe place. */
  private gatherAddresses(access: Access, addresses: Local, safe: Local): void {
    const { context, chunk } = this;
    const { body } = context;
    const bad = context.takeReserved("i32");
    this.gathers.push({ access, bad });
    const wrong = body.local("v128");
    const alignment = access.mayBeMisaligned ? Math.min(access.bytes, 16) - 1 : 0;
    if (access.wide) this.wideAddresses(access, addresses, wrong);
    else this.narrowAddresses(access, addresses, wrong);
    chunk.storeWords(LANE_ADDRESSES, () => body.get(addresses));
    if (alignment !== 0) {
      body.set(
        wrong,
        v128.or(
          get(wrong),
          i32x4.ne(v128.and(get(addresses), i32x4(alignment, alignment, alignment, alignment)), i32x4(0, 0, 0, 0)),
        ),
      );
    }
    if (access.space === "shared") {
      body.set(addresses, i32x4.add(get(addresses), i32x4.splat(get(context.sharedBase))));
    }
    const active = chunk.activeLanes();
    body.push(get(safe), get(addresses), get(wrong));
    if (active !== null) {
      body.push(v128.or(v128.not(get(active))));
    }
    body.op(V128.bitselect);
    body.set(addresses);
    body.get(wrong);
    if (active !== null) {
      body.push(v128.and(get(active)));
    }
    chunk.collect(bad);
    body.release(wrong);
  }

  /** Sets the lanes' addresses, of 64 bits each at first, and which of them are out of bounds. */
  private wideAddresses(access: Access, addresses: Local, wrong: Local): void {
    const { context, chunk } = this;
    const { body } = context;
    const halves = [body.local("v128"), body.local("v128")] as const;
    for (const part of [0, 1] as const) {
      const half = halves[part];
      chunk.pushOperand(access.pc, 0, part, false);
      if (access.offset !== 0) {
        body.push(i64x2.add(i64x2(BigInt(access.offset), BigInt(access.offset))));
      }
      if (access.space !== "global") {
        body.push(i64x2.shr_s(i64x2.shl(i32(IGNORED_BITS)), i32(IGNORED_BITS)));
      }
      body.set(half);
      chunk.pushRowAddress(SCRATCH, true);
      body.get(half);
      body.memory(V128.store, OPERANDS + 16 * part, 4);
      // offset < 0 or offset >= number of valid offsets
      const offset = body.local("v128");
      body.get(half);
      pushRootStart(context, access);
      body.op(I64X2.splat, I64X2.sub);
      body.tee(offset);
      body.push(i64x2.lt_s(i64x2(0n, 0n)), get(offset));
      pushValidOffsets(context, access, access.bytes);
      body.op(I64X2.splat, I64X2.ge_s, V128.or);
      body.release(offset);
    }
    body.shuffleWords(0, 2, 4, 6);
    body.set(wrong);
    body.set(addresses, shuffleWords(0, 2, 4, 6, get(halves[0]), get(halves[1])));
    body.release(...halves);
  }

  /** The same where the addresses have 32 bits. */
  private narrowAddresses(access: Access, addresses: Local, wrong: Local): void {
    const { context, chunk } = this;
    const { body } = context;
    chunk.pushOperand(access.pc, 0, 0, false);
    body.push(tee(addresses, i32x4.add(i32x4.splat(i32(access.offset)))));
    pushRootStart(context, access);
    body.op(I32X4.splat, I32X4.sub);
    pushValidOffsets(context, access, access.bytes);
    body.op(I32X4.splat, I32X4.ge_u);
    body.set(wrong);
  }

  /** Faults if lanes were out of bounds. */
  reportGather(access: Access, bad: Local): void {
    const { context } = this;
    const { body } = context;
    body.if(get(bad));
    body.i32(FAULT.bounds);
    pushFaultPlace(context, access.pc);
    body.push(get(bad), i32.add(get(SCRATCH), i32.shl(i32.ctz(get(bad)), i32(access.wide ? 3 : 2))));
    if (access.wide) {
      body.memory(MEMORY.i64_load, OPERANDS, 3);
      body.op(CONVERT.f64_convert_i64_s);
    } else {
      body.memory(MEMORY.i32_load, LANE_ADDRESSES, 2);
      body.op(CONVERT.f64_convert_i32_s);
    }
    context.library.callImport(body, "fault", FAULT_PARAMS, []);
    body.end();
  }
}
