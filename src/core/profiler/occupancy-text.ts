/** The occupancy calculator's answer as text of 60 columns. */
import { count, formatNumber } from "../show/number-format.js";
import { wrap } from "../show/output/plain-text.js";
import type { OccupancyFacts } from "./occupancy-facts.js";

const COLUMNS = 60;

const wrapped = (text: string): readonly string[] => wrap(text, COLUMNS);

function row(name: string, cells: readonly string[], mark: string): string {
  const [takes = "", has = "", blocks = ""] = cells;
  return `${name.padEnd(22)}${takes.padStart(13)}${has.padStart(12)}${blocks.padStart(10)} ${mark}`.trimEnd();
}

export function occupancyText(of: OccupancyFacts): string {
  const { device, choice } = of;
  const { major, minor } = device.computeCapability;
  const number = (value: number): string => formatNumber(value, count);
  const rule = "-".repeat(COLUMNS);
  const blocks = of.residentBlocks === 1 ? "1 block" : `${of.residentBlocks} blocks`;
  return [
    ...wrapped(`Occupancy on ${device.name} (${major}.${minor})`),
    ...wrapped(
      `${choice.block} threads a block, ${choice.registersPerThread} registers a thread, ${number(choice.sharedBytesPerBlock)} bytes shared`,
    ),
    rule,
    row("resource", ["block takes", "SM has", "blocks"], ""),
    ...of.limits.map((limit) =>
      row(
        limit.title,
        [number(limit.blockTakes), number(limit.smHas), limit.blocks === null ? "no limit" : number(limit.blocks)],
        limit.limits ? "<" : "",
      ),
    ),
    rule,
    ...wrapped(
      `${blocks}, ${of.residentWarps} of ${of.maxWarps} warps: ${Math.round(of.percent)} %, ${of.limitedBy} (<).`,
    ),
    ...of.advice.flatMap(wrapped),
  ].join("\n");
}
