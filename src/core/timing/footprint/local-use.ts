/** What a traced block touches of local memory, which each warp has for itself at the same place as earlier warps of its slot. */
import { LINE_BYTES, SECTOR_BYTES, SECTORS_PER_LINE } from "../base/sector-sizes.js";
import { LOCAL_SECTORS } from "../trace/request-sectors.js";
import { LOAD_WAVEFRONTS_SHIFT, PARTIAL, SECTOR_SHIFT, STORE_WAVEFRONTS_SHIFT } from "../trace/sector-marks.js";
import { type BlockTrace, RECORD_HEADER, RETURNED_SHIFT } from "../trace/trace.js";
import { walkLocal } from "../trace/trace-requests.js";
import type { AccessCode } from "./block-use.js";

/** Bytes of lines. */
export interface LocalUse {
  readonly touched: number;
  readonly written: number;
  /** Lines that a store writes a part of some sector of. */
  readonly partial: number;
}

/** The cost of a whole row of DRAM, in hundredths. */
const WHOLE = 100;

/** Encodes the block's requests of local memory into `encoded`, its memory stream. */
export function markLocal(trace: BlockTrace, encoded: Int32Array, code: AccessCode): LocalUse {
  const { memory, warps } = trace;
  const bytes = { touched: 0, written: 0, partial: 0 };
  for (let warp = 0; warp < warps; warp++) {
    const [touched, written, partial] = [new Set<number>(), new Set<number>(), new Set<number>()];
    walkLocal(trace, warp, code.traced, (pc, record) => {
      const count = memory[record + 2]!;
      const store = code.stores[pc] === 1;
      const inPart = store && memory[record]! * code.bytesPerLane[pc]! < count * SECTOR_BYTES;
      const wavefronts = memory[record + 1]!;
      encoded[record + 1] =
        WHOLE +
        (store ? (wavefronts >>> RETURNED_SHIFT) << STORE_WAVEFRONTS_SHIFT : wavefronts << LOAD_WAVEFRONTS_SHIFT);
      for (let at = record + RECORD_HEADER; at < record + RECORD_HEADER + count; at++) {
        const sector = memory[at]!;
        const line = Math.floor(sector / SECTORS_PER_LINE);
        touched.add(line);
        if (store) written.add(line);
        if (inPart) partial.add(line);
        encoded[at] = (sector - LOCAL_SECTORS) * SECTOR_SHIFT + (inPart ? PARTIAL : 0);
      }
    });
    bytes.touched += LINE_BYTES * touched.size;
    bytes.written += LINE_BYTES * written.size;
    bytes.partial += LINE_BYTES * partial.size;
  }
  return bytes;
}
