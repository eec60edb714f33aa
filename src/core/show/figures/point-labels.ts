/** Places the labels of a few points so that they cover neither each other, nor other points, nor the plot's edge. */

import { textWidth } from "../text-width.js";
import type { ScatterTrace } from "./figure.js";

export type LabelPosition = NonNullable<ScatterTrace["textposition"]>;

export interface LabelledPoint {
  /** Pixels from the plot's left and top. */
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const POSITIONS: readonly LabelPosition[] = ["middle right", "middle left", "bottom center", "top center"];

function labelBox({ x, y, label }: LabelledPoint, position: LabelPosition, sizePx: number, gapPx: number): Box {
  const [width, height] = [textWidth(label, sizePx), sizePx * 1.3];
  const [across, down] = {
    "middle right": [gapPx, -height / 2] as const,
    "middle left": [-gapPx - width, -height / 2] as const,
    "middle center": [-width / 2, -height / 2] as const,
    "bottom center": [-width / 2, gapPx] as const,
    "top center": [-width / 2, -gapPx - height] as const,
  }[position];
  return { left: x + across, right: x + across + width, top: y + down, bottom: y + down + height };
}

function meet(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * For each point the first position of its label that is free, or undefined where none is.
 * `marks` are the centres of all signs, `markPx` their size, `gapPx` from a point's centre to its label.
 */
export function placeLabels(
  points: readonly LabelledPoint[],
  marks: readonly { readonly x: number; readonly y: number }[],
  plot: { readonly width: number; readonly height: number },
  { sizePx, gapPx, markPx }: { readonly sizePx: number; readonly gapPx: number; readonly markPx: number },
): readonly (LabelPosition | undefined)[] {
  const r = markPx / 2;
  const taken = marks.map(({ x, y }): Box => ({ left: x - r, right: x + r, top: y - r, bottom: y + r }));
  return points.map((point) => {
    const position = POSITIONS.find((each) => {
      const box = labelBox(point, each, sizePx, gapPx);
      const inside = box.left >= 0 && box.right <= plot.width && box.top >= 0 && box.bottom <= plot.height;
      return inside && !taken.some((other) => meet(box, other));
    });
    if (position !== undefined) taken.push(labelBox(point, position, sizePx, gapPx));
    return position;
  });
}
