/** The registers that instructions read: those that they wait for, and the register file's banks. */
import { generationOf } from "../../device/gpus/capability.js";
import type { DeviceSpec } from "../../device/spec.js";
import type { Instruction, Program } from "../../lower/program.js";
import type { PipeName } from "../base/pipe-names.js";
import { READS_BANKS, READS_LONG } from "./slot-info.js";

/** For each register that an instruction without issue slots defines: its sources. A reader waits for those instead. */
export function foldedSources(program: Program): ReadonlyMap<number, ReadonlySet<number>> {
  const sources = new Map<number, ReadonlySet<number>>();
  for (const { issue, dst, src } of program.instructions) {
    if (issue.length > 0) continue;
    const from = src.flatMap((source) =>
      source.kind === "reg" ? [source.reg, ...(sources.get(source.reg) ?? [])] : [],
    );
    for (const reg of dst) sources.set(reg, new Set([...(sources.get(reg) ?? []), ...from]));
  }
  return sources;
}

/** The registers that an instruction waits for, each once. */
export function readsOf(
  { src, guard, dst }: Instruction,
  folded: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlySet<number> {
  const reads = new Set<number>();
  for (const source of src) {
    if (source.kind !== "reg") continue;
    reads.add(source.reg);
    for (const reg of folded.get(source.reg) ?? []) reads.add(reg);
  }
  if (guard !== null) reads.add(guard.reg);
  // An instruction waits until an outstanding load to its destination has completed.
  for (const reg of dst) reads.add(reg);
  return reads;
}

/** Banks of the register file. nvcc gives the two registers that one instruction reads different parities. */
const BANKS = 2;

function registersRead({ src }: Instruction): ReadonlySet<number> {
  return new Set(src.flatMap((source) => (source.kind === "reg" ? [source.reg] : [])));
}

/**
 * The register file delivers two operands a cycle, one a bank, so three different registers take two cycles. This
 * stands for the 2.03 cycles of v = v * a + b (h200/micro/memory.json, fma_operands). The operand cache keeps an
 * operand that the previous instruction read in the same position, unless this instruction has to wait for that one.
 */
function readsThreeOperands(
  instruction: Instruction,
  registers: ReadonlySet<number>,
  before: Instruction | undefined,
  device: DeviceSpec,
): boolean {
  if (!generationOf(device.computeCapability).twoRegisterBanks) return false;
  if (registers.size <= BANKS) return false;
  if (before === undefined || before.src.length !== instruction.src.length) return true;
  const waits = before.dst.some((reg) => registers.has(reg));
  const kept = instruction.src.some((source, place) => {
    const other = before.src[place];
    return source.kind === "reg" && other?.kind === "reg" && other.reg === source.reg;
  });
  return waits || !kept;
}

/** The bits READS_BANKS and READS_LONG of an instruction on pipe `name` that follows `before`. */
export function bankBits(
  instruction: Instruction,
  before: Instruction | undefined,
  name: PipeName,
  device: DeviceSpec,
): number {
  const registers = registersRead(instruction);
  const long = name === "fma" && readsThreeOperands(instruction, registers, before, device);
  return (registers.size >= BANKS ? READS_BANKS : 0) | (long ? READS_LONG : 0);
}
