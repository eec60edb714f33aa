/** Atomics: lane after lane, in ascending order, each reading what the one before it left. */
import type { AtomicOp } from "../../../ir/ir.js";
import type { Scalar } from "../../../ir/types.js";
import type { Instruction } from "../../../lower/program.js";
import { type AtomicUpdate, atomicBig, atomicNumber } from "../../semantics/atomic.js";
import { bankBit, spins } from "../../semantics/spin.js";
import type { MachineState } from "../machine-state.js";
import { type RegisterViews, readLane, rowWords } from "../register-layout.js";
import { writeLane } from "./general-operation.js";
import type { LaneOperation } from "./lane-operation.js";
import { compileAccess, recordWords, spaceOf } from "./memory-operations.js";

export function atomicOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  const access = compileAccess(instruction, machine);
  const { words, start } = spaceOf(instruction, machine);
  const { layout, registers } = machine;
  const views: RegisterViews = instruction.space === "shared" ? machine.shared : machine.global;
  const op = instruction.atomic ?? "add";
  const type = exchangedType(op, instruction.type as Scalar);
  const wide = rowWords(type) === 64;
  const update = (
    wide && type !== "f64" ? atomicBig(op) : atomicNumber(op, type, instruction.space !== "shared")
  ) as AtomicUpdate<number | bigint>;
  const dst = instruction.dst[0];
  const resultRow = dst === undefined ? null : (layout.rows[dst] ?? 0);
  const first = layout.operand(instruction, 1);
  // cas has the expected value, then the new one.
  const operandRow = op === "cas" ? layout.operand(instruction, 2) : first;
  const oneABank = spins(instruction);
  const { sharedBanks } = machine.launch;
  return (base, mask) => {
    const addresses = access(base, mask);
    let taken = 0;
    if (machine.journal !== null) recordWords(machine, words, start(), mask, wide ? 2 : 1);
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      if (oneABank && resultRow !== null) {
        const bit = bankBit(addresses[lane]!, lane, wide ? 8 : 4, sharedBanks);
        if ((taken & bit) !== 0) {
          const expectedAt = base + first + (wide ? 2 : 1) * lane;
          const at = base + resultRow + (wide ? 2 : 1) * lane;
          registers.i32[at] = ~registers.i32[expectedAt]!;
          if (wide) registers.i32[at + 1] = registers.i32[expectedAt + 1]!;
          continue;
        }
        taken |= bit;
      }
      const word = start() + (addresses[lane]! >>> 2);
      const low = words[word];
      const high = wide ? words[word + 1] : 0;
      const old = readLane(views, word, type, 0);
      const operand = readLane(registers, base + operandRow, type, lane);
      const expected = readLane(registers, base + first, type, lane);
      writeLane(views, word, type, 0, update(old, operand, expected));
      if (words[word] !== low || (wide && words[word + 1] !== high)) machine.version++;
      if (resultRow === null) continue;
      const at = base + resultRow + (wide ? 2 : 1) * lane;
      // The old value's own bits, a NaN's too.
      registers.i32[at] = low ?? 0;
      if (wide) registers.i32[at + 1] = high ?? 0;
    }
  };
}

/** exch and cas move and compare bits, whatever the type. */
function exchangedType(op: AtomicOp, type: Scalar): Scalar {
  if (op !== "exch" && op !== "cas") return type;
  return type === "f32" ? "u32" : type === "f64" ? "u64" : type;
}
