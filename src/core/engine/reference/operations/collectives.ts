/**
 * Operations that the lanes of a warp do together, in two halves. `collect` puts the lanes' values on the exchange, and
 * `apply` takes the results from it. Lanes that come from different instructions (each branch with its own shuffle)
 * collect one after the other before any applies.
 */
import type { Instruction } from "../../../lower/program.js";
import { operandType } from "../../semantics/operand-type.js";
import {
  ABSENT_LANE_VALUE,
  isShuffleWidth,
  reduceStep,
  type ShuffleOp,
  shuffleSource,
} from "../../semantics/warp-primitives.js";
import { garbageWord, PLACE } from "../garbage.js";
import type { MachineState } from "../machine-state.js";
import { rowWords } from "../register-layout.js";

export interface Collective {
  /** Lanes whose instructions have the same key and mask meet. */
  readonly key: string;
  /** Row of the lanes' masks; null where the operation has none. */
  readonly maskRow: number | null;
  collect(base: number, lanes: number): void;
  /** For match.any: distinct values of `lanes`; null for other operations. */
  readonly distinctValues: ((base: number, lanes: number) => number) | null;
  /** For a shuffle: the source lane of each of `lanes`; null for other operations. */
  readonly sources: ((base: number, lanes: number) => Int32Array) | null;
  /** For a shuffle whose width is known at run time only: those of `lanes` whose width is none. */
  readonly badWidths: ((base: number, lanes: number) => number) | null;
  /** `participants` are all lanes that collected. */
  apply(base: number, lanes: number, participants: number): void;
}

const low = new Int32Array(32);
const high = new Int32Array(32);
/** Predicates of the lanes that collected; cleared by `startExchange`. */
let predicates = 0;

export function startExchange(): void {
  predicates = 0;
}

export function isCollective(instruction: Instruction): boolean {
  switch (instruction.op) {
    case "shfl":
    case "shflUp":
    case "shflDown":
    case "shflXor":
    case "ballot":
    case "any":
    case "all":
    case "matchAny":
    case "matchAll":
    case "matchAllPredicate":
    case "redux":
    case "syncwarp":
      return true;
    default:
      return false;
  }
}

export function compileCollective(instruction: Instruction, machine: MachineState): Collective {
  const { op, type, redux } = instruction;
  const key = op === "syncwarp" ? op : `${op} ${type} ${redux ?? ""}`;
  const maskRow = machine.layout.operand(instruction, 0);
  const sources = sourcesOf(instruction, machine);
  return {
    key,
    maskRow,
    distinctValues: distinctValues(instruction, machine),
    sources,
    badWidths: badWidthsOf(instruction, machine),
    ...halves(instruction, machine, sources),
  };
}

function halves(
  instruction: Instruction,
  machine: MachineState,
  sources: Collective["sources"],
): Pick<Collective, "collect" | "apply"> {
  if (sources !== null) {
    return { collect: collectValues(instruction, machine), apply: shuffle(instruction, machine, sources) };
  }
  switch (instruction.op) {
    case "ballot":
    case "any":
    case "all":
      return { collect: collectPredicates(instruction, machine), apply: vote(instruction, machine) };
    case "syncwarp":
      return { collect: () => {}, apply: () => {} };
    default:
      return { collect: collectValues(instruction, machine), apply: matchOrReduce(instruction, machine) };
  }
}

function collectValues(instruction: Instruction, machine: MachineState): Collective["collect"] {
  const { i32 } = machine.registers;
  const row = machine.layout.operand(instruction, 1);
  if (rowWords(operandType(instruction, 1)) === 64) {
    return (base, lanes) => {
      for (let m = lanes; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        low[lane] = i32[base + row + 2 * lane]!;
        high[lane] = i32[base + row + 2 * lane + 1]!;
      }
    };
  }
  return (base, lanes) => {
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      low[lane] = i32[base + row + lane]!;
    }
  };
}

function collectPredicates(instruction: Instruction, machine: MachineState): Collective["collect"] {
  const { i32 } = machine.registers;
  const row = machine.layout.operand(instruction, 1);
  return (base, lanes) => {
    predicates |= i32[base + row]! & lanes;
  };
}

function badWidthsOf(instruction: Instruction, { layout, registers }: MachineState): Collective["badWidths"] {
  if (shuffleOf(instruction) === null || (instruction.src[3]?.kind ?? "imm") === "imm") return null;
  const row = layout.operand(instruction, 3);
  return (base, lanes) => {
    let bad = 0;
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      if (!isShuffleWidth(registers.i32[base + row + lane]!)) bad |= 1 << lane;
    }
    return bad;
  };
}

const sourceLanes = new Int32Array(32);

function sourcesOf(instruction: Instruction, machine: MachineState): Collective["sources"] {
  const op = shuffleOf(instruction);
  if (op === null) return null;
  const { i32 } = machine.registers;
  const argument = machine.layout.operand(instruction, 2);
  const width = instruction.src.length > 3 ? machine.layout.operand(instruction, 3) : null;
  return (base, lanes) => {
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const laneWidth = width === null ? 32 : i32[base + width + lane]!;
      sourceLanes[lane] = shuffleSource(op, lane, i32[base + argument + lane]!, laneWidth);
    }
    return sourceLanes;
  };
}

function shuffleOf({ op }: Instruction): ShuffleOp | null {
  return op === "shfl" || op === "shflUp" || op === "shflDown" || op === "shflXor" ? op : null;
}

function shuffle(
  instruction: Instruction,
  machine: MachineState,
  sourcesOf: NonNullable<Collective["sources"]>,
): Collective["apply"] {
  const { i32 } = machine.registers;
  const to = machine.layout.rows[instruction.dst[0] ?? 0] ?? 0;
  const words = rowWords(instruction.type) === 64 ? 2 : 1;
  const badWidths = machine.seed === null ? null : badWidthsOf(instruction, machine);
  return (base, lanes, participants) => {
    const sources = sourcesOf(base, lanes);
    const undefinedWidths = badWidths?.(base, lanes) ?? 0;
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const source = sources[lane]!;
      const present = ((participants >>> source) & ~(undefinedWidths >>> lane) & 1) === 1;
      i32[base + to + words * lane] = present ? low[source]! : absentValue(machine, instruction.pc, source, 0);
      if (words === 2) {
        i32[base + to + 2 * lane + 1] = present ? high[source]! : absentValue(machine, instruction.pc, source, 1);
      }
    }
  };
}

/** A word of the value that lane `source` of the running warp does not give. */
function absentValue({ seed, block, warp }: MachineState, pc: number, source: number, word: number): number {
  if (seed === null) return ABSENT_LANE_VALUE;
  return garbageWord(seed, block, PLACE.lane, ((pc * 64 + warp) * 32 + source) * 2 + word);
}

function distinctValues(instruction: Instruction, machine: MachineState): Collective["distinctValues"] {
  if (instruction.op !== "matchAny") return null;
  const collect = collectValues(instruction, machine);
  const wide = rowWords(operandType(instruction, 1)) === 64;
  return (base, lanes) => {
    collect(base, lanes);
    const values = new Set<number | bigint>();
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      values.add(wide ? (BigInt(high[lane]!) << 32n) | BigInt(low[lane]! >>> 0) : low[lane]!);
    }
    return values.size;
  };
}

/** Writes one result of a vote to all lanes, into a bool (mask word) or an integer row. */
function writer(instruction: Instruction, machine: MachineState): (base: number, lane: number, value: number) => void {
  const reg = instruction.dst[0] ?? 0;
  const { i32 } = machine.registers;
  const to = machine.layout.rows[reg] ?? 0;
  if (machine.launch.program.registers[reg]?.type === "bool") {
    return (base, lane, value) => {
      const bit = 1 << lane;
      i32[base + to] = value !== 0 ? i32[base + to]! | bit : i32[base + to]! & ~bit;
    };
  }
  return (base, lane, value) => {
    i32[base + to + lane] = value;
  };
}

function vote(instruction: Instruction, machine: MachineState): Collective["apply"] {
  const write = writer(instruction, machine);
  const { op } = instruction;
  return (base, lanes, participants) => {
    const holds = predicates & participants;
    const result = op === "ballot" ? holds : op === "any" ? (holds !== 0 ? 1 : 0) : holds === participants ? 1 : 0;
    for (let m = lanes; m !== 0; m &= m - 1) write(base, 31 - Math.clz32(m & -m), result);
  };
}

function matchOrReduce(instruction: Instruction, machine: MachineState): Collective["apply"] {
  const write = writer(instruction, machine);
  const { op, type } = instruction;
  const wide = rowWords(operandType(instruction, 1)) === 64;
  if (op === "redux") {
    const step = reduceStep(instruction.redux ?? "add", type === "u32");
    return (base, lanes, participants) => {
      let result = 0;
      for (let m = participants; m !== 0; m &= m - 1) {
        const raw = low[31 - Math.clz32(m & -m)]!;
        const value = type === "u32" ? raw >>> 0 : raw;
        result = m === participants ? value : step(result, value);
      }
      for (let m = lanes; m !== 0; m &= m - 1) write(base, 31 - Math.clz32(m & -m), result);
    };
  }
  return (base, lanes, participants) => {
    for (let m = lanes; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      let equal = 0;
      for (let other = 0; other < 32; other++) {
        const same = low[other] === low[lane] && (!wide || high[other] === high[lane]);
        if (same) equal |= 1 << other;
      }
      equal &= participants;
      if (op === "matchAny") write(base, lane, equal);
      else {
        const all = equal === participants;
        write(base, lane, op === "matchAll" ? (all ? participants : 0) : all ? 1 : 0);
      }
    }
  };
}
