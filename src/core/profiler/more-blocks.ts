/** The change of a launch that lets an SM hold one block more. */
import type { LimitingFactor, Occupancy, OccupancySpec } from "../device/index.js";

export interface Launch {
  readonly block: number;
  readonly registersPerThread: number;
  readonly sharedBytesPerBlock: number;
}

type Calculate = (launch: Launch) => Occupancy;

/** The largest multiple of `step` below `from` that `fits`, as all smaller ones do; null if none from `least` on. */
function largestBelow(from: number, step: number, least: number, fits: (value: number) => boolean): number | null {
  let fitting = Math.ceil(least / step) - 1;
  let tooMany = Math.ceil(from / step);
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle * step)) fitting = middle;
    else tooMany = middle;
  }
  return fitting * step < least ? null : fitting * step;
}

/** The change of one resource that lets it hold `wanted` blocks, in words; null where no value does. */
function change(spec: OccupancySpec, launch: Launch, factor: LimitingFactor, wanted: number, calculate: Calculate) {
  if (factor === "registers") {
    const registers = largestBelow(
      launch.registersPerThread,
      1,
      1,
      (registersPerThread) => calculate({ ...launch, registersPerThread }).limits.registers >= wanted,
    );
    return registers === null
      ? null
      : {
          words: `at most ${registers} registers a thread (now ${launch.registersPerThread})`,
          with: { registersPerThread: registers },
        };
  }
  if (factor === "shared") {
    const bytes = largestBelow(
      launch.sharedBytesPerBlock + 1,
      1,
      0,
      (sharedBytesPerBlock) => calculate({ ...launch, sharedBytesPerBlock }).limits.sharedMemory >= wanted,
    );
    return bytes === null
      ? null
      : {
          words: `at most ${bytes} bytes of shared memory a block (now ${launch.sharedBytesPerBlock})`,
          with: { sharedBytesPerBlock: bytes },
        };
  }
  if (factor !== "warps") return null;
  const block = largestBelow(
    launch.block,
    spec.warpSize,
    spec.warpSize,
    (threads) => calculate({ ...launch, block: threads }).limits.warps >= wanted,
  );
  return block === null ? null : { words: `at most ${block} threads a block (now ${launch.block})`, with: { block } };
}

function reaches(found: Occupancy, spec: OccupancySpec): string {
  const { activeBlocksPerSm, activeWarpsPerSm, theoreticalOccupancy } = found;
  return `${activeBlocksPerSm === 1 ? "1 block" : `${activeBlocksPerSm} blocks`}, ${activeWarpsPerSm} of ${spec.limits.maxWarpsPerSm} warps, ${Math.round(100 * theoreticalOccupancy)} %`;
}

/** Sentences; at least one. */
export function moreBlocks(spec: OccupancySpec, launch: Launch, calculate: Calculate): readonly string[] {
  const found = calculate(launch);
  if (found.activeWarpsPerSm === spec.limits.maxWarpsPerSm) return ["The SM is full: there is nothing to gain."];
  const wanted = found.activeBlocksPerSm + 1;
  const changes = found.limitingFactors.map((factor) => change(spec, launch, factor, wanted, calculate));
  const possible = changes.filter((each) => each !== null);
  if (possible.length < changes.length) {
    return [
      `${spec.name} holds at most ${found.activeBlocksPerSm} blocks at a time, whatever they take: larger blocks give more warps.`,
    ];
  }
  const changed = Object.assign({}, launch, ...possible.map((each) => each.with)) as Launch;
  const after = calculate(changed);
  const aim =
    found.activeBlocksPerSm === 0 ? "No block fits, so the launch fails. For one block" : "For one block more";
  const gain = `${aim}: ${possible.map(({ words }) => words).join(" and ")}. That gives ${reaches(after, spec)}.`;
  return after.activeWarpsPerSm > found.activeWarpsPerSm ? [gain] : [gain, "Those are no more warps than now."];
}
