/** Whether blocks touch a parameter in laps: from end to end again and again, as `in[i * stride % n]` does. */
import type { BlockUse } from "./block-use.js";
import type { LaunchTraces } from "./trace.js";

/** A block's number and the first of its sectors of a parameter, both counted from the first traced block. */
export type BlockPlace = readonly [number, number];

export function placesOf(
  { blocks: traces }: LaunchTraces,
  blocks: readonly BlockUse[],
  root: number,
): readonly BlockPlace[] {
  const places = traces.flatMap(({ block }, index): BlockPlace[] => {
    const lowest = blocks[index]!.lowest.get(root);
    return lowest === undefined ? [] : [[block, lowest]];
  });
  const [first] = places;
  return first === undefined ? [] : places.map(([block, low]) => [block - first[0], low - first[1]]);
}

/**
 * Sectors of a lap, where blocks that each lie behind the one before by `shift` begin anew at the end of `span`, as far as that was
 * traced: all fall short of `shift` a block by whole laps. Null: they do something else.
 */
export function lapSectors(places: readonly BlockPlace[], shift: number, span: number): number | null {
  const step = Math.abs(shift);
  const short = places.map(([block, sector]) => Math.abs(block * shift - sector)).filter((sectors) => sectors > step);
  const least = Math.min(...short);
  const lap = least / Math.max(1, Math.round(least / span));
  const whole = short.every((sectors) => {
    const laps = Math.round(sectors / lap);
    return Math.abs(sectors - laps * lap) <= laps * step;
  });
  return short.length > 0 && whole && 2 * lap >= span ? lap : null;
}
