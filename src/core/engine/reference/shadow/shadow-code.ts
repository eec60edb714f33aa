/** The effect of each instruction on undefined values: which registers hand them on, and where something depends on them. */
import {
  type Instruction,
  type Operand,
  type Reg,
  type RegisterType,
  WARP_PRIMITIVES,
} from "../../../lower/program.js";
import type { PreparedLaunch } from "../../engine.js";
import { operandType } from "../../semantics/operand-type.js";
import { scalarFunction } from "../../semantics/scalar.js";
import { type RegisterLayout, type RegisterViews, readLane } from "../register-layout.js";

export const SHADOW_ROLE = {
  /** The result depends on the sources. */
  value: 0,
  /** The result comes from memory. */
  memory: 1,
  /** The result comes from other lanes, or from what the lanes before have made of memory. */
  exchange: 2,
  /** Decides where lanes go, or what others see. */
  control: 3,
} as const;

/** Lanes of `lanes` whose result depends on an undefined source; `undefinedIn`: the lanes in which a register is undefined. */
export type Depends = (base: number, lanes: number, undefinedIn: (register: Reg) => number) => number;

export interface ShadowInstruction {
  readonly role: number;
  /** Registers of the values; of what is stored or exchanged -1 for what is no register. */
  readonly sources: readonly Reg[];
  readonly results: readonly Reg[];
  /** -1 where there is none. */
  readonly guard: Reg;
  /** Registers on which something depends that is seen from outside, and what the instruction does with them. */
  readonly sinks: readonly { readonly register: Reg; readonly does: string }[];
  /** Tells lanes whose result is the same whatever the undefined values are; null: it always depends on them. */
  readonly depends: Depends | null;
}

/** By pc. */
export type ShadowCode = readonly ShadowInstruction[];

export function shadowCode(launch: PreparedLaunch, layout: RegisterLayout, views: RegisterViews): ShadowCode {
  return launch.program.instructions.map((instruction): ShadowInstruction => {
    const { dst, guard } = instruction;
    return { results: dst, guard: guard?.reg ?? -1, ...flowOf(instruction, launch, layout, views) };
  });
}

function registerOf(operand: Operand | undefined): Reg {
  return operand?.kind === "reg" ? operand.reg : -1;
}

type Flow = Pick<ShadowInstruction, "role" | "sources" | "sinks" | "depends">;

function flowOf(instruction: Instruction, launch: PreparedLaunch, layout: RegisterLayout, views: RegisterViews): Flow {
  const { op, src, space, root } = instruction;
  const registers = src.map(registerOf);
  const sink = (operands: readonly Reg[], does: string): Flow["sinks"] =>
    operands.filter((register) => register >= 0).map((register) => ({ register, does }));
  const [address = -1, ...values] = registers;
  const memory = space ?? "global";
  const name = root?.kind === "param" ? (launch.program.params[root.index]?.name ?? "") : "memory";
  const none = { sources: [], sinks: [], depends: null };
  if (WARP_PRIMITIVES.has(op) && op !== "activemask") {
    // The value; a lane or width is as good as a value.
    return {
      ...none,
      role: SHADOW_ROLE.exchange,
      sources: values,
      sinks: sink([address], "uses it as a mask of lanes"),
    };
  }
  switch (op) {
    case "ld":
      return { ...none, role: SHADOW_ROLE.memory, sinks: sink([address], "uses it as an index") };
    case "st":
    case "atom": {
      const place = sink([address], "uses it as an index");
      if (memory !== "global") return { ...none, role: SHADOW_ROLE.exchange, sources: values, sinks: place };
      const stored = sink(
        values,
        op === "st" ? `stores what comes of it in ${name}` : `updates ${name} with what comes of it`,
      );
      return { ...none, role: SHADOW_ROLE.memory, sinks: [...place, ...stored] };
    }
    case "bra":
    case "exit":
    case "gridsync":
      return { ...none, role: SHADOW_ROLE.control };
    case "bar":
      return { ...none, role: SHADOW_ROLE.control, sinks: sink(registers, "counts it at a barrier") };
    case "printf":
      return { ...none, role: SHADOW_ROLE.control, sinks: sink(registers, "prints it") };
    case "activemask":
      return { ...none, role: SHADOW_ROLE.value };
    case "launch":
      return { ...none, role: SHADOW_ROLE.control, sinks: sink(registers, "launches a grid with it") };
    default:
      return {
        role: SHADOW_ROLE.value,
        sources: registers.filter((register) => register >= 0),
        sinks: [],
        depends: dependsOf(instruction, layout, views),
      };
  }
}

/**
 * Values that are tried in the place of undefined ones, besides those that are there. A result that is the same for all
 * of them does not depend on them.
 */
function probesOf(type: RegisterType): readonly (number | bigint)[] {
  switch (type) {
    case "bool":
      return [0, 1];
    case "i32":
      return [0, 1, -1, 0x4e123457, -0x4e123457];
    case "u32":
      return [0, 1, 0xffffffff, 0x4e123457, 0xce123457];
    case "i64":
      return [0n, 1n, -1n, 0x4e12345700000003n, -0x4e12345700000003n];
    case "u64":
      return [0n, 1n, 0xffffffffffffffffn, 0x4e12345700000003n, 0xce12345700000003n];
    default:
      return [0, 1, -1, 5e8, -5e8];
  }
}

function dependsOf(instruction: Instruction, layout: RegisterLayout, views: RegisterViews): Depends | null {
  const evaluate = instruction.op === "selp" ? chosen : (scalarFunction(instruction) as Compute | null);
  if (evaluate === null || instruction.op === "div" || instruction.op === "rem") return null;
  const types = instruction.src.map((_, index) => operandType(instruction, index));
  const rows = instruction.src.map((_, index) => layout.operand(instruction, index));
  const registers = instruction.src.map(registerOf);
  const tries = Math.max(1, ...types.map((type) => probesOf(type).length));
  return (base, lanes, undefinedIn) => {
    const unknown = registers.map(undefinedIn);
    // The other side of a comparison with an undefined value is no probe: only a defined condition beside it can decide.
    const compared = instruction.op === "setp" ? lanes & (unknown[0]! | unknown[1]!) : 0;
    let depending = compared & ~decidedBeside(instruction, base, rows[2] ?? -1, unknown[2] ?? -1, views);
    for (let m = lanes & ~compared; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const results = new Set<number | bigint>();
      for (let attempt = -1; attempt < tries && results.size < 2; attempt++) {
        const operands = types.map((type, index) => {
          const known = attempt < 0 || ((unknown[index]! >>> lane) & 1) === 0;
          if (known) return readLane(views, base + rows[index]!, type, lane);
          const probes = probesOf(type);
          // Two undefined values need not be the same.
          return probes[(attempt + index) % probes.length]!;
        });
        results.add(evaluate(...operands));
      }
      if (results.size > 1) depending |= 1 << lane;
    }
    return depending;
  };
}

/** Lanes in which the condition that a comparison is combined with decides: it is defined, and false in an `and`, true in an `or`. */
function decidedBeside(
  { op, combine, src }: Instruction,
  base: number,
  row: number,
  unknown: number,
  { i32 }: RegisterViews,
): number {
  if (op !== "setp" || combine === undefined || src.length < 3 || row < 0) return 0;
  const holds = i32[base + row]!;
  return (combine === "and" ? ~holds : holds) & ~unknown;
}

type Compute = (...operands: (number | bigint)[]) => number | bigint;

function chosen(a: number | bigint, b: number | bigint, condition: number | bigint): number | bigint {
  return Number(condition) === 1 ? a : b;
}
