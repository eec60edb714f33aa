/** The calibration's errors as figures of a group, and what test/DEVIATIONS.md states that they stay within. */

import { deviations } from "../validate/error-figures.js";
import type { Calibration } from "./calibrate.js";

export interface GroupFigures {
  readonly rows: number;
  readonly meanPercent: number;
  /** Without its sign. */
  readonly worstPercent: number;
  readonly worstRow: string;
}

/** By group. */
export type CalibrationFigures = Readonly<Record<string, GroupFigures>>;

export function calibrationFigures({ groups }: Calibration): CalibrationFigures {
  return Object.fromEntries(
    groups.map(({ group, rows, meanAbsolutePercent, worstPercent, worstRow }) => [
      group,
      { rows, meanPercent: meanAbsolutePercent, worstPercent: Math.abs(worstPercent), worstRow },
    ]),
  );
}

/** A line of test/DEVIATIONS.md that begins with a group in quotes. */
export interface StatedGroup extends Omit<GroupFigures, "worstRow"> {
  readonly group: string;
}

export function statedGroups(text: string = deviations()): readonly StatedGroup[] {
  return [...text.matchAll(/^\| "([^"]+)" \| *(\d+) \| *([\d.]+) % \| *([\d.]+) % \|$/gm)].map(
    ([, group = "", rows, mean, worst]) => ({
      group,
      rows: Number(rows),
      meanPercent: Number(mean),
      worstPercent: Number(worst),
    }),
  );
}

/** One line for each stated bound that the figures exceed; empty where they keep to all. */
export function exceededGroups(figures: CalibrationFigures, stated: readonly StatedGroup[]): readonly string[] {
  const unstated = Object.keys(figures).filter((name) => !stated.some(({ group }) => group === name));
  return [
    ...unstated.map((group) => `${group}: test/DEVIATIONS.md states nothing of it`),
    ...stated.flatMap(({ group, rows, meanPercent, worstPercent }) => {
      const of = figures[group];
      if (of === undefined) return [`${group}: there is no such group`];
      return [
        ...(of.rows === rows ? [] : [`${group}: ${of.rows} microbenchmarks, stated ${rows}`]),
        ...(of.meanPercent <= meanPercent
          ? []
          : [`${group}: error in the mean ${of.meanPercent.toPrecision(4)} %, stated ${meanPercent}`]),
        ...(of.worstPercent <= worstPercent
          ? []
          : [`${group}: error of ${of.worstRow} ${of.worstPercent.toPrecision(4)} %, stated ${worstPercent}`]),
      ];
    }),
  ];
}
