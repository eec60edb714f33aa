/** Races as findings: which are errors, in words with both sides. */
import { coordinates } from "../../engine/faults.js";
import { placeOf, type SanitizerFinding, type Severity } from "../finding.js";
import type { HazardKind, Race, RaceSide } from "./races.js";

const SHORT: Readonly<Record<HazardKind, string>> = {
  "read-after-write": "RAW",
  "write-after-read": "WAR",
  "write-after-write": "WAW",
};

const ACCESS: Readonly<Record<RaceSide["does"], string>> = { read: "Read", write: "Write", atomic: "Atomic" };

/** Writes of one value do no harm; in lockstep the instructions of a warp come one after the other. */
function severityOf(race: Race): Severity {
  if (race.first.launch.lockstep && race.withinWarp === race.count) return "note";
  return race.kind === "write-after-write" && race.sameValue === race.count ? "warning" : "error";
}

function cureOf(race: Race, severity: Severity): string {
  const { first, second, space } = race;
  const sameGrid = first.launch === second.launch;
  if (!sameGrid) {
    return "Wait for the child grid (cudaDeviceSynchronize, before 9.0) or read its results in a later launch.";
  }
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
  const { type } = second.instruction;
  if (type === "i32") return String(bits);
  if (type !== "f32") return type === "u32" ? String(bits >>> 0) : `0x${(bits >>> 0).toString(16).padStart(8, "0")}`;
  BITS.setInt32(0, bits);
  return String(BITS.getFloat32(0));
}

function who({ launch, block, thread, does }: RaceSide): string {
  const triple = (values: readonly number[]): string => `(${values.join(",")})`;
  return `${ACCESS[does]} by thread ${triple(coordinates(thread, launch.block))} in block ${triple(coordinates(block, launch.grid))}`;
}

export function raceFinding(race: Race): SanitizerFinding {
  const { kind, space, first, second, count, values, address } = race;
  const severity = severityOf(race);
  const changed =
    values === null ? "" : `, the word was ${valueText(values[0], race)} and becomes ${valueText(values[1], race)}`;
  const same = race.sameValue > 0 && severity === "warning" ? " The threads write the same value." : "";
  return {
    tool: "racecheck",
    severity,
    title: `Race reported between ${ACCESS[first.does]} access and ${ACCESS[second.does]} access of __${space}__ memory (${SHORT[kind]})`,
    places: [first, second].map((side) => placeOf(side.launch, side.instruction, side.does, side.block, side.thread)),
    details: [`${who(first)}, then ${who(second)}: __${space}__ address 0x${address.toString(16)}${changed}.${same}`],
    cure: cureOf(race, severity),
    count,
  };
}
