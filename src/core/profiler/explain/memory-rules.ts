/** Rules on memory: accesses that are not coalesced, bank conflicts, the bandwidth of each memory, atomics on one address. */
import type { LaunchResult } from "../../host/launch-result.js";
import type { Instruction } from "../../lower/program.js";
import { type Cause, exact, lineWithMost, predicted, shortNumber } from "./finding.js";
import { endlessDram, endlessL2, timeLeft, withoutBankConflicts, withoutInstructions } from "./what-if/what-if.js";
import { withWholeRequests } from "./what-if/whole-requests.js";

const SECTOR_BYTES = 32;
/** Sectors beyond the least: of the line's own, and of all that the launch moves. */
const EXCESS_OF_LINE = 0.3;
const EXCESS_OF_LAUNCH = 0.1;
/** Bank conflicts matter from this degree and this share of the SM's cycles on. */
const CONFLICT_DEGREE = 1.5;
const CONFLICT_CYCLES = 0.03;
/** Share of the peak bandwidth, or of the time, from which on DRAM or L2 may bound a kernel. */
const BUSIEST = 0.5;
const L2_BUSY = 50;
/** Operations a cycle on one sector from which on they hold up a launch. */
const ATOMIC_RATE = 0.1;
const SECTORS_OF_ONE = 2;
const LEAST_REQUESTS = 8;

/** Sectors that a request of so many bytes needs at the least. */
function leastSectors({ rawCounters: raw }: LaunchResult, pc: number): number {
  const requests = raw.requests[pc] ?? 0;
  return requests * Math.max(1, Math.ceil((raw.bytes[pc] ?? 0) / Math.max(1, requests) / SECTOR_BYTES));
}

function isPlainGlobal({ op, space }: Instruction): boolean {
  return space === "global" && (op === "ld" || op === "st");
}

export function uncoalesced(launch: LaunchResult): Cause | null {
  const { program, rawCounters: raw } = launch;
  const accesses = program.instructions.filter(isPlainGlobal);
  const sectorsOf = (pc: number): number => raw.sectors[pc] ?? 0;
  const excess = new Map(
    accesses.map(({ pc }) => {
      const over = sectorsOf(pc) - leastSectors(launch, pc);
      return [pc, over > EXCESS_OF_LINE * sectorsOf(pc) ? over : 0] as const;
    }),
  );
  const all = accesses.reduce((sum, { pc }) => sum + sectorsOf(pc), 0);
  const wasted = [...excess.values()].reduce((sum, each) => sum + each, 0);
  if (all === 0 || wasted < EXCESS_OF_LAUNCH * all) return null;
  const line = lineWithMost(launch, (pc) => excess.get(pc) ?? 0);
  const worst = accesses.reduce((most, each) =>
    (excess.get(each.pc) ?? 0) > (excess.get(most.pc) ?? 0) ? each : most,
  );
  const requests = raw.requests[worst.pc] ?? 0;
  const perRequest = sectorsOf(worst.pc) / requests;
  const kind = worst.op === "ld" ? "load" : "store";
  const least = leastSectors(launch, worst.pc) / requests;
  const efficiency =
    kind === "load" ? launch.metrics.globalLoadEfficiencyPercent : launch.metrics.globalStoreEfficiencyPercent;
  return {
    rule: "uncoalesced access",
    sentence: `A warp's global ${kind}s are not coalesced: a request touches ${shortNumber(perRequest)} sectors where ${shortNumber(least)} would do.`,
    advice: "Let consecutive lanes access consecutive addresses, or go through shared memory.",
    evidence: [
      exact(`sectors per request of the ${kind}`, perRequest, "sectors"),
      ...(efficiency === null ? [] : [exact(kind === "load" ? "gld_efficiency" : "gst_efficiency", efficiency, "%")]),
    ],
    line,
    without: "excessive sectors",
    tryWithout: (tried) =>
      timeLeft(
        tried,
        withWholeRequests(tried, (pc) => leastSectors(tried, pc)),
      ),
  };
}

export function bankConflicts(launch: LaunchResult): Cause | null {
  const { program, rawCounters: raw, time, device, counters } = launch;
  const shared = program.instructions.filter(({ space, op }) => space === "shared" && (op === "ld" || op === "st"));
  const extraOf = (pc: number): number => (raw.wavefronts[pc] ?? 0) - (raw.idealWavefronts[pc] ?? 0);
  const sum = (of: (pc: number) => number): number => shared.reduce((total, { pc }) => total + of(pc), 0);
  const [extra, least] = [sum(extraOf), sum((pc) => raw.idealWavefronts[pc] ?? 0)];
  const sms = Math.min(device.smCount, counters.blocks);
  const share = extra / sms / Math.max(1, time.cycles);
  if (least === 0 || (extra + least) / least < CONFLICT_DEGREE || share < CONFLICT_CYCLES) return null;
  return {
    rule: "bank conflicts",
    sentence: `Lanes of a warp ask for different words of one bank: shared memory takes ${shortNumber((extra + least) / least)} times the least possible wavefronts.`,
    advice: "Pad the array by one word a row, or let consecutive lanes access consecutive words.",
    evidence: [
      exact("conflict degree (shared_load/store_transactions_per_request)", (extra + least) / least),
      predicted("share of the SM's cycles that the conflicts take", 100 * share, "%"),
    ],
    line: lineWithMost(launch, (pc) => (shared.some((each) => each.pc === pc) ? extraOf(pc) : 0)),
    without: "bank conflicts",
    tryWithout: (tried) => timeLeft(tried, withoutBankConflicts(tried)),
  };
}

/** Share of DRAM's peak bandwidth that the launch reaches. */
export function dramShare({ time, device }: LaunchResult): number {
  const bytes = time.dramBytesRead + time.dramBytesWritten;
  return bytes / (time.durationMicroseconds * 1000) / device.dram.peakBandwidthGBps;
}

export function memoryBound(launch: LaunchResult): Cause | null {
  const { time } = launch;
  const share = dramShare(launch);
  if (share < BUSIEST) return time.bound === "l2" || time.l2BusyPercent >= L2_BUSY ? l2Bound(launch) : null;
  const gigabytes = (time.dramBytesRead + time.dramBytesWritten) / (time.durationMicroseconds * 1000);
  return {
    rule: "memory bound",
    sentence: `DRAM bounds the kernel: it moves ${shortNumber(gigabytes)} GB/s, ${shortNumber(100 * share)} % of the peak, which is near the memory roof.`,
    advice:
      "Only fewer bytes help: read data once, keep it in registers or shared memory, fuse kernels, use smaller types.",
    evidence: [
      predicted("dram_read_throughput + dram_write_throughput", gigabytes, "GB/s"),
      predicted("share of peak bandwidth", 100 * share, "%"),
    ],
    line: lineWithMost(launch, (pc) =>
      launch.program.instructions[pc]?.space === "global" ? (launch.rawCounters.sectors[pc] ?? 0) : 0,
    ),
    without: "a limit of DRAM's bandwidth",
    tryWithout: (tried) => timeLeft(tried, endlessDram),
  };
}

function l2Bound(launch: LaunchResult): Cause {
  const { l2HitRatePercent } = launch.time;
  const { globalLoadSectors, globalStoreSectors } = launch.counters;
  const gigabytes =
    ((globalLoadSectors + globalStoreSectors) * SECTOR_BYTES) / (launch.time.durationMicroseconds * 1000);
  return {
    rule: "memory bound",
    sentence: `L2's bandwidth bounds the kernel: its requests ask for ${shortNumber(gigabytes)} GB/s.`,
    advice: "Let each block load what it shares once, into shared memory, and ask for whole sectors.",
    evidence: [
      predicted("requested global throughput", gigabytes, "GB/s"),
      ...(l2HitRatePercent === null ? [] : [predicted("l2 hit rate", l2HitRatePercent, "%")]),
    ],
    line: lineWithMost(launch, (pc) =>
      launch.program.instructions[pc]?.space === "global" ? (launch.rawCounters.sectors[pc] ?? 0) : 0,
    ),
    without: "a limit of L2's bandwidth",
    tryWithout: (tried) => timeLeft(tried, endlessL2),
  };
}

/** More than one, of means that are not whole. */
const MORE_THAN_ONE = 1.5;

/** Names the next step that the kernel has not taken: one addition a warp, one a block, fewer blocks. */
function adviceOnAtomics(lanes: number, ofBlock: number): string {
  if (lanes > MORE_THAN_ONE)
    return "Reduce within the warp (shuffles) and the block (shared memory) first, then let one thread a block add.";
  if (ofBlock > MORE_THAN_ONE) return "Reduce within the block (shared memory) first, then let one thread a block add.";
  return "Launch fewer blocks that do more each, or let each block write its result to a place of its own and add those up in a second launch.";
}

export function atomicsOnOneAddress(launch: LaunchResult): Cause | null {
  const { rawCounters: raw, time, stallSamples, counters } = launch;
  const meetings = stallSamples.atomics.filter(
    ({ requests, sectors }) => requests >= LEAST_REQUESTS && sectors <= SECTORS_OF_ONE,
  );
  const requestsOf = (pc: number): number => raw.requests[pc] ?? 0;
  const sum = (of: (meeting: (typeof meetings)[number]) => number): number =>
    meetings.reduce((total, each) => total + of(each), 0);
  const operations = sum((each) => (requestsOf(each.pc) * each.operations) / each.requests);
  const requests = sum(({ pc }) => requestsOf(pc));
  const rate = operations / Math.max(1, time.cycles);
  if (rate < ATOMIC_RATE) return null;
  const meets = (pc: number): boolean => meetings.some((each) => each.pc === pc);
  return {
    rule: "atomics on one address",
    sentence: `All warps' atomics meet at one address, where L2 does them one after the other: ${shortNumber(operations)} operations in ${shortNumber(time.cycles)} cycles.`,
    advice: adviceOnAtomics(operations / Math.max(1, requests), requests / Math.max(1, counters.blocks)),
    evidence: [exact("atomic operations on one sector", operations), predicted("of them a cycle", rate)],
    line: lineWithMost(launch, (pc) => (meets(pc) ? requestsOf(pc) : 0)),
    without: "these atomics",
    tryWithout: (tried) =>
      timeLeft(
        tried,
        withoutInstructions(({ pc }) => meets(pc)),
      ),
  };
}
