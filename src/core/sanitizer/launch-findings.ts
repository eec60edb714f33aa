/** Findings from a launch's fault, and from what CUDA leaves undefined in it. */
import type { KernelFault } from "../base/errors.js";
import { coordinates } from "../engine/faults.js";
import type { CopyActivity, FreedUse } from "../host/activity.js";
import type { LaunchWarning, LaunchWarningKind } from "../host/launch-warning.js";
import {
  type FindingPlace,
  hostPlace,
  placeOf,
  type SanitizerFinding,
  type SanitizerTool,
  textPlace,
} from "./finding.js";
import type { UnwrittenRead } from "./init-watch.js";
import type { UnwrittenElements, WatchedAllocation } from "./memory-state.js";

/** Which tool tells of a fault, and its first line there. */
function faultTitle({ code, access, message }: KernelFault): readonly [SanitizerTool, string] {
  if (access !== null) {
    const size = `__${access.space}__ ${access.does} of size ${access.bytes} bytes`;
    return ["memcheck", code === "cudaErrorMisalignedAddress" ? `Misaligned ${size}` : `Invalid ${size}`];
  }
  if (code === "invalidWarpMask") return ["synccheck", "Barrier error detected. Invalid arguments"];
  if (code === "cudaErrorLaunchTimeout" && message.includes("hangs")) {
    return ["synccheck", "Barrier error detected. Deadlock: no thread can go on"];
  }
  return ["memcheck", `Program hit ${code}`];
}

/** How far out of bounds, as compute-sanitizer says it. */
function addressLines({ access }: KernelFault, whole: WatchedAllocation | null): readonly string[] {
  if (access === null) return [];
  const { address, allocation, bytes, wrapped } = access;
  const end = allocation.address + allocation.byteLength;
  const hex = `Address 0x${(address >= 0 ? address : address + 2 ** 32).toString(16)}`;
  const size = `of size ${allocation.byteLength.toLocaleString("en-US")} bytes`;
  const part = whole !== null && access.space === "global" && whole.bytes > allocation.byteLength;
  const of = part
    ? `the part of a buffer that is given as ${allocation.name}, at 0x${allocation.address.toString(16)} ${size}, in an allocation of ${whole.bytes.toLocaleString("en-US")} bytes`
    : `the allocation of ${allocation.name} at 0x${allocation.address.toString(16)} ${size}`;
  if (wrapped !== undefined) return [`${hex} is out of bounds of ${of}`, `The index has wrapped: ${wrapped}.`];
  if (address >= end) return [`${hex} is out of bounds`, `and is ${address - end + 1} bytes after ${of}`];
  if (address < allocation.address) {
    return [`${hex} is out of bounds`, `and is ${allocation.address - address} bytes before ${of}`];
  }
  return [address + bytes > end ? `${hex} ends behind ${of}` : `${hex} is misaligned`];
}

/** The message without the place, which a finding has as data. */
function factLines(message: string): readonly string[] {
  const lines = message.split("\n").map((line) => line.trim());
  return lines.filter((line) => !/^block \(.*\), thread \(/.test(line));
}

/** `whole`: the allocation that holds the memory, where the watched program has made it. */
export function faultFinding(fault: KernelFault, whole: WatchedAllocation | null): SanitizerFinding {
  const [tool, title] = faultTitle(fault);
  const { kernel, block, thread, lanes } = fault.place;
  let count = 0;
  for (let m = lanes; m !== 0; m &= m - 1) count++;
  const { source, span, access } = fault;
  const place: FindingPlace = {
    kernel,
    ...textPlace(source, span),
    does: access?.does ?? "wait",
    block,
    thread,
    bytes: access?.bytes ?? null,
    launchedBy: fault.place.launchedBy?.split("\n")[0] ?? null,
  };
  const details = access === null ? factLines(fault.what) : addressLines(fault, whole);
  const cure = fault.cure.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return { tool, severity: "error", title, places: [place], details, cure, count: Math.max(1, count) };
}

const WARNED: Readonly<Partial<Record<LaunchWarningKind, readonly [SanitizerTool, string]>>> = {
  "uninitialized-shared": ["initcheck", "Uninitialized __shared__ memory read"],
  "uninitialized-local": ["initcheck", "Uninitialized __local__ memory read"],
  "missing-lanes": ["synccheck", "Barrier error detected. Missing thread(s) of the mask"],
  "lane-outside-mask": ["synccheck", "Barrier error detected. Thread(s) outside of the mask"],
  "undefined-shuffle-source": ["synccheck", "Barrier error detected. Shuffle from a thread that takes no part"],
  "shuffle-width": ["synccheck", "Barrier error detected. Shuffle of a width that is no power of two"],
  "divergent-barrier": ["synccheck", "Barrier error detected. Divergent thread(s) in block"],
};

/** null for warnings that are no sanitizer's. */
export function warningFinding(warning: LaunchWarning, launch: Parameters<typeof placeOf>[0]): SanitizerFinding | null {
  const known = WARNED[warning.kind];
  if (known === undefined) return null;
  const [tool, title] = known;
  const { block = null, warp = 0, lanes = 1, source, span, message, other } = warning;
  const place = (where: Pick<FindingPlace, "line">, inWarp: number, mask: number): FindingPlace => {
    const [x, y, z] = launch.block;
    const thread = inWarp * 32 + (mask === 0 ? 0 : 31 - Math.clz32(mask & -mask));
    return {
      kernel: launch.program.name,
      ...textPlace(null, null),
      ...where,
      does: tool === "initcheck" ? "read" : "wait",
      block: block === null ? null : coordinates(block, launch.grid),
      // A mask may name lanes that the block does not have.
      thread: thread < x * y * z ? coordinates(thread, launch.block) : null,
      bytes: null,
      launchedBy: launch.launchedBy?.split("\n")[0] ?? null,
    };
  };
  const places = [place(textPlace(source, span), warp, lanes)];
  if (other !== undefined) places.push(place(textPlace(other.source, other.span), other.warp, other.lanes));
  const [what = message, ...cure] = message.replace(/^[^:]*: /, "").split(". ");
  const severity = warning.defined === true ? "note" : "error";
  return { tool, severity, title, places, details: [what], cure: cure.join(". "), count: 1 };
}

export function unwrittenFinding({
  launch,
  instruction,
  block,
  thread,
  address,
  count,
}: UnwrittenRead): SanitizerFinding {
  const does = instruction.op === "ld" ? "read" : "atomic";
  const place = placeOf(launch, instruction, does, block, thread);
  return {
    tool: "initcheck",
    severity: "error",
    title: `Uninitialized __global__ memory ${does} of size ${place.bytes} bytes`,
    places: [place],
    details: [`Address 0x${address.toString(16)} was allocated, and nobody has written to it since.`],
    cure: "cudaMalloc promises no values: buffer.fill(0) or buffer.write(values) before the launch.",
    count,
  };
}

/** A copy to the host of memory that nobody has written, which compute-sanitizer does not look at. */
export function unwrittenCopyFinding(
  { bytes, elementBytes, address }: CopyActivity,
  { first, last, count }: UnwrittenElements,
): SanitizerFinding {
  const range = first === last ? `element ${first}` : `elements ${first} to ${last}`;
  const some = count === last - first + 1 ? "" : `, ${count} of them,`;
  return {
    tool: "initcheck",
    severity: "error",
    title: "Uninitialized __global__ memory copied to the host",
    places: [hostPlace("read")],
    details: [
      `The array has ${bytes / elementBytes} elements from 0x${address.toString(16)} on. Nobody has written ${range}${some} since the memory was allocated. cudaMalloc promises no values, though here they are 0.`,
    ],
    cure: "Let the kernel write all of them, read only what it writes (buffer.sub(0, n).read()), or fill the buffer before the launch: buffer.fill(0).",
    count,
  };
}

export function leakFinding({ address, bytes, number }: WatchedAllocation): SanitizerFinding {
  return {
    tool: "memcheck",
    severity: "error",
    title: `Leaked ${bytes.toLocaleString("en-US")} bytes at 0x${address.toString(16)}`,
    places: [],
    details: [`Allocation ${number} of the program was not freed.`],
    cure: "Free it: buffer.free().",
    count: 1,
  };
}

export function unusedFinding({ address, bytes, number }: WatchedAllocation): SanitizerFinding {
  return {
    tool: "initcheck",
    severity: "warning",
    title: `Unused memory in allocation 0x${address.toString(16)} of size ${bytes.toLocaleString("en-US")} bytes`,
    places: [],
    details: [`No launch and no copy uses allocation ${number} of the program.`],
    cure: "Leave the allocation out.",
    count: 1,
  };
}

const FREED: Readonly<Record<FreedUse, string>> = {
  launch: "Use after free: a launch is given memory that was freed",
  copy: "Use after free: a copy to or from memory that was freed",
  free: "Double free: the memory was freed before",
};

/** `user`: the kernel and its parameter that the memory was given to. */
export function freedFinding(use: FreedUse, bytes: number, cure: string, user: string | null): SanitizerFinding {
  const given = user === null ? "" : ` It was given to ${user}.`;
  const details = [`The buffer had ${bytes.toLocaleString("en-US")} bytes.${given}`];
  return {
    tool: "memcheck",
    severity: "error",
    title: FREED[use],
    places: [hostPlace("wait")],
    details,
    cure,
    count: 1,
  };
}

/** Copies that may still read page-locked memory when the host changes it; `names` in the order of the calls. */
export function changedFinding(names: readonly string[]): SanitizerFinding {
  const [name = ""] = names;
  return {
    tool: "racecheck",
    severity: "error",
    title: "Race reported between Read access and Write access of page-locked memory (WAR)",
    places: [hostPlace("read", name), hostPlace("write", "host program")],
    details: [
      `The host changed the array while ${name} could still read it: the GPU gets old values, new ones or some of each.`,
    ],
    cure: "Wait before the change: stream.synchronize(), or event.synchronize() behind the copy. Or use another array in turn.",
    count: names.length,
  };
}
