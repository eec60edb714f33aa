/** Races as findings: which are errors, in words with both sides. */
import { coordinates } from "../../engine/faults.js";
import { type FindingPlace, hostPlace, placeOf, type SanitizerFinding, type Severity } from "../finding.js";
import { cureOf } from "./race-cures.js";
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

export function racePlace(side: RaceSide): FindingPlace {
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
