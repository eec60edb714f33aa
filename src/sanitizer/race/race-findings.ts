/** Races as findings: which are errors, in words with both sides. */
import { coordinates } from "../../engine/faults.js";
import { type FindingPlace, hostPlace, placeOf, type SanitizerFinding, type Severity } from "../finding.js";
import type { HazardKind, Race, RaceSide } from "./races.js";

const SHORT: Readonly<Record<HazardKind, string>> = {
  "read-after-write": "RAW",
  "write-after-read": "WAR",
  "write-after-write": "WAW",
};

const ACCESS: Readonly<Record<RaceSide["does"], string>> = { read: "Read", write: "Write", atomic: "Atomic" };

/** Writes of one value do no harm; in lockstep the instructions of a warp come one after the other. */
function severityOf(race: Race): Severity {
  if (race.first.launch?.lockstep === true && race.withinWarp === race.count) return "note";
  return race.kind === "write-after-write" && race.sameValue === race.count ? "warning" : "error";
}

const STREAMS_CURE =
  "Let the later one wait: event.record(first), second.wait(event). Or use one stream for both, or gpu.synchronize() between them.";

/** The cure of a race of two grids or copies; null within a grid. */
function cureBetween({ relation, kind, space }: Race): string | null {
  switch (relation) {
    case "streams":
      return space === "host" ? `${STREAMS_CURE} Or give each copy an array of its own.` : STREAMS_CURE;
    case "parent-child":
      if (kind === "write-after-read") break;
      return "A child sees what its thread wrote before the launch, and what that one knew by a barrier. Write before, and syncthreads(); other blocks' writes are seen in a tail launch.";
    case "relatives":
      return 'Launch both from one block into its stream, the later one by stream: "tail", or let each write elements of its own.';
    case "one-grid":
      return null;
    case "child-parent":
      break;
  }
  return 'Wait for the child grid (cudaDeviceSynchronize, before 9.0), then syncthreads() for other threads. Or read its results in a tail launch (stream: "tail") or a later launch.';
}

function cureOf(race: Race, severity: Severity): string {
  const { first, second, space } = race;
  const between = cureBetween(race);
  if (between !== null || first.launch === null || second.launch === null) return between ?? STREAMS_CURE;
  if (severity === "note") {
    return "This GPU runs a warp in lockstep. From compute capability 7.0 on put syncwarp() between the two accesses.";
  }
  if (first.block !== second.block) {
    return space === "global" && race.kind === "write-after-write"
      ? "Let each block write elements of its own, or use an atomic (atomicAdd)."
      : "Blocks run in any order: end the kernel between the two accesses, or hand over by threadfence() and an atomic.";
  }
  if (first.instruction.pc === second.instruction.pc) {
    return "Let each thread write an element of its own, or use an atomic (atomicAdd).";
  }
  return race.acrossWarps === 0
    ? "Put syncwarp() between the two accesses, or exchange registers by shuffles. volatile orders nothing from 7.0 on."
    : "Put syncthreads() between the two accesses, where all threads of the block reach it.";
}

const BITS = new DataView(new ArrayBuffer(4));

/** The bits of a word as the second access has them: a float, an integer, or half of 64 bits. */
function valueText(bits: number, { second }: Race): string {
  const type = second.launch === null ? "u32" : second.instruction.type;
  if (type === "i32") return String(bits);
  if (type !== "f32") return type === "u32" ? String(bits >>> 0) : `0x${(bits >>> 0).toString(16).padStart(8, "0")}`;
  BITS.setInt32(0, bits);
  return String(BITS.getFloat32(0));
}

function who(side: RaceSide, relation: Race["relation"]): string {
  if (side.launch === null) return `${ACCESS[side.does]} by ${side.operation.name}`;
  const { launch, block, thread, does, operation } = side;
  const triple = (values: readonly number[]): string => `(${values.join(",")})`;
  const stream = relation === "streams" ? ` of ${operation.name}` : "";
  return `${ACCESS[does]} by thread ${triple(coordinates(thread, launch.block))} in block ${triple(coordinates(block, launch.grid))}${stream}`;
}

function racePlace(side: RaceSide): FindingPlace {
  if (side.launch === null) return hostPlace(side.does, side.operation.name);
  return placeOf(side.launch, side.instruction, side.does, side.block, side.thread);
}

export function raceFinding(race: Race): SanitizerFinding {
  const { kind, space, relation, first, second, count, values, address } = race;
  const memory = space === "host" ? "page-locked" : `__${space}__`;
  const severity = severityOf(race);
  const changed =
    values === null ? "" : `, the word was ${valueText(values[0], race)} and becomes ${valueText(values[1], race)}`;
  const same = race.sameValue > 0 && severity === "warning" ? " The threads write the same value." : "";
  return {
    tool: "racecheck",
    severity,
    title: `Race reported between ${ACCESS[first.does]} access and ${ACCESS[second.does]} access of ${memory} memory (${SHORT[kind]})`,
    places: [racePlace(first), racePlace(second)],
    details: [
      `${who(first, relation)}, then ${who(second, relation)}: ${memory} address 0x${address.toString(16)}${changed}.${same}`,
    ],
    cure: cureOf(race, severity),
    count,
  };
}
