/**
 * The faults of a kernel at run time, worded once for both engines: code, place, what happened with the values, and the
 * cure. Codes are CUDA's where CUDA has one. `divisionByZero` and `invalidWarpMask` are undefined behaviour in CUDA, which
 * the engines refuse. run-warning.ts words what they let pass.
 */
import {
  type ErrorParts,
  editorLine,
  type FaultAccess,
  type FaultPlace,
  KernelFault,
  type SourceText,
  type Span,
} from "../base/errors.js";
import { byteSize, cudaName } from "../ir/types.js";
import {
  componentBytes,
  type Instruction,
  type LoopNode,
  type Program,
  type ProgramNode,
  type Region,
} from "../lower/program.js";
import { MOST_PRINTS, type PassedLimit } from "./budget.js";
import type { ChildLaunch, Dim3, FaultSite, PointerArgument, PreparedLaunch } from "./engine.js";

export type { FaultSite } from "./engine.js";

export function coordinates(linear: number, extent: Dim3): readonly [number, number, number] {
  const [x, y] = extent;
  return [linear % x, Math.floor(linear / x) % y, Math.floor(linear / (x * y))];
}

export function faultPlace({ launch, block, warp, lanes }: FaultSite): FaultPlace {
  const lane = lanes === 0 ? 0 : 31 - Math.clz32(lanes & -lanes);
  return {
    kernel: launch.program.name,
    block: coordinates(block, launch.grid),
    thread: coordinates(warp * 32 + lane, launch.block),
    warp,
    lanes: lanes >>> 0,
    ...(launch.launchedBy === undefined ? {} : { launchedBy: launch.launchedBy }),
  };
}

/** A cure of the kernel's text alone, or one that has a host's part. */
type Cure = string | Pick<ErrorParts, "cure" | "hostCure">;

function fault(
  site: FaultSite,
  code: string,
  what: string,
  cure: Cure,
  access: FaultAccess | null = null,
): KernelFault {
  const { program } = site.launch;
  const source: SourceText | undefined = program.sources[site.instruction.source];
  const span: Span = site.instruction.span;
  const cures = typeof cure === "string" ? { cure } : cure;
  return new KernelFault(code, faultPlace(site), { what, ...cures, source, span }, access);
}

function accessOf({ launch, instruction }: FaultSite, address: number): FaultAccess {
  const { name, lowest, start, byteLength } = rootExtent(launch, instruction);
  return {
    space: instruction.space ?? "global",
    does: instruction.op === "ld" ? "read" : instruction.op === "st" ? "write" : "atomic",
    bytes: accessBytes(instruction),
    address,
    allocation: { name, address: lowest, byteLength: byteLength + start - lowest },
  };
}

/** First byte and length of what the instruction's root names, in the address space of its `addr` registers. */
export interface RootExtent {
  readonly name: string;
  readonly start: number;
  readonly byteLength: number;
  /** First byte that may be touched: the start, unless a pointer argument stands in the middle of its allocation. */
  readonly lowest: number;
  readonly elementBytes: number;
  readonly elementName: string;
}

/** Global addresses are bytes in device memory; shared and local ones count from the block's and the thread's own start. */
export function rootExtent(launch: PreparedLaunch, instruction: Instruction): RootExtent {
  const { program } = launch;
  const { root } = instruction;
  if (root === undefined) throw new Error(`instruction ${instruction.pc} (${instruction.op}) has no root`);
  if (root.kind === "param") {
    const param = program.params[root.index];
    const argument = launch.args[root.index];
    if (param?.kind !== "pointer" || typeof argument !== "object") {
      throw new Error(`argument ${root.index} of ${program.name} is no pointer`);
    }
    const { address: start, byteLength, bytesBefore = 0 }: PointerArgument = argument;
    const element = param.type.pointer;
    return {
      name: param.name,
      start,
      byteLength,
      lowest: start - bytesBefore,
      elementBytes: byteSize(element),
      elementName: cudaName(element),
    };
  }
  if (root.kind === "shared") {
    const layout = program.shared[root.array];
    if (layout === undefined) throw new Error(`no shared array ${root.array}`);
    const { element, name } = layout.array;
    const byteLength = layout.sizeBytes ?? program.staticSharedBytes + launch.dynamicSharedBytes - layout.offsetBytes;
    return {
      name,
      start: layout.offsetBytes,
      byteLength,
      lowest: layout.offsetBytes,
      elementBytes: byteSize(element),
      elementName: cudaName(element),
    };
  }
  const layout = program.local[root.array];
  if (layout === undefined) throw new Error(`no local array ${root.array}`);
  const { type, narrow } = instruction;
  const { name, offsetBytes: start, sizeBytes: byteLength } = layout;
  return {
    name,
    start,
    byteLength,
    lowest: start,
    elementBytes: type === "addr" ? 4 : componentBytes(type, narrow),
    elementName: type === "addr" ? "pointer" : cudaName(narrow ?? type),
  };
}

/** Bytes that one lane's access touches. */
export function accessBytes(instruction: Instruction): number {
  const { op, dst, src } = instruction;
  return (
    componentBytes(instruction.type, instruction.narrow) * (op === "ld" ? dst.length : op === "st" ? src.length - 1 : 1)
  );
}

/** Words of memory that one lane's access touches. */
export function accessWords(instruction: Instruction): number {
  return Math.ceil(accessBytes(instruction) / 4);
}

function verb(instruction: Instruction): string {
  if (instruction.op === "ld") return "reads";
  return instruction.op === "st" ? "writes" : "updates";
}

function isDynamic({ instruction, launch }: FaultSite): boolean {
  const { root } = instruction;
  return root?.kind === "shared" && launch.program.shared[root.array]?.sizeBytes === null;
}

/** `address` is the first failing lane's, in the space of the root's start. `wrapped`: the sum or product that did not fit. */
export function outOfBounds(site: FaultSite, address: number, wrapped: string | null = null): KernelFault {
  const { instruction, launch } = site;
  const extent = rootExtent(launch, instruction);
  const index = (address - extent.start) / extent.elementBytes;
  const count = extent.byteLength / extent.elementBytes;
  const before = (extent.start - extent.lowest) / extent.elementBytes;
  const where = { global: "", shared: "shared ", local: "local " }[instruction.space ?? "global"];
  const what =
    `an illegal memory access: the thread ${verb(instruction)} ${extent.name}[${index}], but ${where}${extent.name} has ` +
    (before === 0
      ? `${count} ${extent.elementName} elements (${extent.byteLength} bytes)`
      : `${before + count} ${extent.elementName} elements (${extent.byteLength + before * extent.elementBytes} bytes), and the grid that launched this one has moved the pointer ${before} elements on`);
  const cure =
    instruction.space === "global" || instruction.space === undefined
      ? {
          cure: "guard the access with the number of elements (if (i < n) ...)",
          hostCure: "launch fewer threads, or allocate more",
        }
      : isDynamic(site)
        ? {
            cure: `keep the index below ${count}, or guard the access`,
            hostCure: "make the array larger (sharedBytes of the launch)",
          }
        : `keep the index below ${count}: make the array larger, or guard the access`;
  if (wrapped === null) return fault(site, "cudaErrorIllegalAddress", what, cure, accessOf(site, address));
  const wide = "compute the index in 64 bits, i64(a) * i64(b), or test it before it wraps: t > 0 before t - 1";
  const access = { ...accessOf(site, address), wrapped };
  return fault(site, "cudaErrorIllegalAddress", `${what}. The index has wrapped: ${wrapped}`, wide, access);
}

export function misaligned(site: FaultSite, address: number): KernelFault {
  const { instruction, launch } = site;
  const extent = rootExtent(launch, instruction);
  const bytes = accessBytes(instruction);
  const what = `a misaligned address: the thread ${verb(instruction)} ${bytes} bytes of ${extent.name} at byte ${address - extent.start}, which is no multiple of ${bytes}`;
  const cure = `an access of ${bytes} bytes (a vector type) needs an offset that is a multiple of its size: move the pointer by whole vectors only`;
  return fault(site, "cudaErrorMisalignedAddress", what, cure, accessOf(site, address));
}

export function divisionByZero(site: FaultSite): KernelFault {
  const name = site.instruction.op === "div" ? "division" : "remainder";
  const what = `integer ${name} by zero, which CUDA leaves undefined (the GPU gives a meaningless value)`;
  return fault(site, "divisionByZero", what, "make sure that the divisor is not 0, or test it first");
}

/** A thread's `assert` has failed; the instruction's format says which. */
export function assertionFailed(site: FaultSite): KernelFault {
  const cure = "look at the values of this line in this thread: step through its warp, or print them";
  return fault(site, "cudaErrorAssert", site.instruction.format ?? "", cure);
}

/** The fault's line is the loop's, where there is one. */
function timeout(site: FaultSite, what: string, cure: Cure): KernelFault {
  const { program } = site.launch;
  const back = program.instructions[loopAround(program.body, site.instruction.pc)?.backBranch ?? -1];
  return fault({ ...site, instruction: back ?? site.instruction }, "cudaErrorLaunchTimeout", what, cure);
}

/** The warp has issued more instructions than one may. */
export function stepLimitPassed(site: FaultSite): KernelFault {
  const what = `the warp issued more than ${site.launch.stepLimit} instructions: an endless loop, or a very long one`;
  return timeout(site, what, {
    cure: "check the condition of this loop, or share its work among more threads",
    hostCure: "raise the GPU's limit for a warp: new Gpu(id, { warpStepLimit })",
  });
}

/** The launch, with its child grids, has spent more than it may. `site`: where it was. */
export function budgetPassed(site: FaultSite, limit: PassedLimit): KernelFault {
  const { budget } = site.launch;
  if (limit === "time") {
    const what = `the launch, with its child grids, ran for longer than ${budget?.timeLimitMs} milliseconds`;
    return timeout(site, what, {
      cure: "check the loops' conditions",
      hostCure: "launch fewer threads, or raise the launch's timeLimitMs",
    });
  }
  if (limit === "trace") {
    const what =
      "the launch is too long for a seeded schedule, a cooperative grid or child grids, whose blocks are recorded as a whole for the predicted time";
    return timeout(site, what, {
      cure: "check the loops' conditions",
      hostCure: "launch fewer threads with less work each",
    });
  }
  if (limit === "prints") {
    const what = `the launch, with its child grids, called printf more than ${MOST_PRINTS} times`;
    return timeout(
      site,
      what,
      "check the loop's condition, or print from fewer threads: the printf buffer keeps the last calls alone",
    );
  }
  const what = `the launch, with its child grids, issued more than ${budget?.stepLimit} warp instructions`;
  return timeout(site, what, {
    cure: "check the conditions of loops and child launches",
    hostCure: "launch fewer threads, or raise the GPU's limit: new Gpu(id, { stepLimit })",
  });
}

/** The innermost loop that holds instruction `pc`. */
function loopAround(region: Region, pc: number): LoopNode | null {
  for (const node of region) {
    const parts = node.kind === "if" ? [node.then, node.else] : node.kind === "loop" ? [node.body, node.latch] : [];
    for (const part of parts) {
      const inner = loopAround(part, pc);
      if (inner !== null) return inner;
    }
    if (node.kind === "loop" && pc <= node.backBranch && pc >= firstPc(node)) return node;
  }
  return null;
}

function firstPc(node: ProgramNode): number {
  if (node.kind === "run") return node.first;
  if (node.kind === "if") return node.branch;
  if (node.kind !== "loop") return node.pc;
  const first = node.body[0] ?? node.latch[0];
  return first === undefined ? node.backBranch : firstPc(first);
}

/** A lane executes a warp primitive whose mask does not name it. */
export function laneOutsideMask(site: FaultSite, mask: number): KernelFault {
  const what = `a lane executes a warp primitive whose mask ${hexMask(mask)} does not name it (lanes ${hexMask(site.lanes)}), which CUDA leaves undefined`;
  const cure = "name in the mask every lane that executes the primitive, as ballot_sync before the branch gives them";
  return fault(site, "invalidWarpMask", what, cure);
}

/** Nothing can go on. `waiting` says who waits where, one line each. */
export function hang(site: FaultSite, waiting: readonly string[], cure: string): KernelFault {
  const what = `the kernel hangs: no thread can go on\n  ${waiting.join("\n  ")}`;
  return fault(site, "cudaErrorLaunchTimeout", what, cure);
}

/** CUDA refuses a child grid. In CUDA the launch does nothing and leaves an error that nobody has to look at. */
export function childLaunchRefused(
  site: FaultSite,
  { program, grid, block, dynamicSharedBytes }: Pick<ChildLaunch, "program" | "grid" | "block" | "dynamicSharedBytes">,
  code: string,
  why: string,
  cure: Cure,
): KernelFault {
  const shared = dynamicSharedBytes === 0 ? "" : `, ${dynamicSharedBytes}`;
  const child = `${program.name}<<<(${grid.join(",")}), (${block.join(",")})${shared}>>>`;
  return fault(site, code, `child grid ${child} cannot be launched: ${why}`, cure);
}

/** A grid waits for its children deeper than cudaLimitDevRuntimeSyncDepth, which the program has set. */
export function syncDepthExceeded(site: FaultSite, depth: number, levels: number): KernelFault {
  return fault(
    site,
    "cudaErrorSyncDepthExceeded",
    `cudaDeviceSynchronize() in a grid at depth ${depth}, but cudaLimitDevRuntimeSyncDepth is ${levels}: grids at depth 0 to ${levels - 1} may wait`,
    `raise the limit before the launch, gpu.setLimit("cudaLimitDevRuntimeSyncDepth", ${depth + 1}), or end the recursion earlier. On a GPU the wait returns at once and the kernel goes on: ask for its return value`,
  );
}

export function hexMask(mask: number): string {
  return `0x${(mask >>> 0).toString(16).padStart(8, "0")}`;
}

/** Source line as an editor shows it. */
export function sourceLine(program: Program, instruction: Instruction): number {
  const source = program.sources[instruction.source];
  return source === undefined ? instruction.span.line : editorLine(source, instruction.span.line);
}
