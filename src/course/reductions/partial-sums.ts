/** The tree of partial sums that a block makes in one array, as its loads and stores tell. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument } from "../../core/base/shape.js";
import { visitsShape } from "../../core/profiler/watch-accesses.js";
import type { Figure } from "../../core/show/figures/figure.js";
import type { FigureTexts } from "../../core/show/figures/frame.js";
import { checkTexts } from "../../core/show/figures/frame.js";
import { shuffleFigure } from "../../core/show/figures/shuffle-figure.js";
import type { LineVisit } from "./watch-line.js";

const PLACES = 32;

/** A place of the array takes up another one. */
interface Addition {
  readonly into: number;
  readonly from: number;
}

/** A line such as `data[i] += data[i + offset]` loads two places and stores to the first. */
export function additionsOf({ label, accesses }: LineVisit): readonly Addition[] {
  const [into, from, ...others] = accesses.filter(({ kind }) => kind === "load");
  const stored = accesses.find(({ kind }) => kind === "store");
  if (into === undefined || from === undefined || others.length > 0 || stored === undefined) {
    throw new InputError({
      what: `At ${label} the line does not add one place of an array to another.`,
      cure: 'Watch a line such as "data[i] += data[i + s]", which loads twice and stores once.',
    });
  }
  return into.elements.flatMap((place, lane) => {
    const other = from.elements[lane];
    return place === null || other === null || other === undefined ? [] : [{ into: place, from: other }];
  });
}

/**
 * Draws which places of the array add which, for a block of 32 threads. The number in a place is how many elements its sum has.
 * @throws InputError for a line that does something else, or a block with more than 32 places.
 * @example
 * display(partialSumsFigure(watchLine(gpu, neighbored, { line: "+=", block: 32 })));
 */
export function partialSumsFigure(visits: readonly LineVisit[], texts: Partial<FigureTexts> = {}): Figure {
  checkArgument("partialSumsFigure", "visits", visits, visitsShape);
  checkTexts("partialSumsFigure", texts);
  const places = Array.from({ length: PLACES }, (_, place) => place);
  let held: readonly number[] = places.map(() => 1);
  const steps = visits.map((visit) => {
    const additions = additionsOf(visit);
    const outside = additions.find(({ into, from }) => into >= PLACES || from >= PLACES);
    if (outside !== undefined) {
      throw new InputError({
        what: `At ${visit.label} element ${outside.from} is added to element ${outside.into}.`,
        cure: "Watch a block of 32 threads, { block: 32 }: the picture has 32 places.",
      });
    }
    const sources = [...places];
    const values = [...held];
    for (const { into, from } of additions) {
      sources[into] = from;
      values[into] = (held[into] ?? 0) + (held[from] ?? 0);
    }
    held = values;
    const [first] = additions;
    const distance = first === undefined ? visit.label : `offset ${Math.abs(first.from - first.into)}`;
    return { label: `${distance}: ${additions.length} add`, values, sources };
  });
  const figure = shuffleFigure({
    title: "Partial sums",
    ...texts,
    steps: [{ label: "loaded", values: places.map(() => 1) }, ...steps],
    follow: 0,
  });
  const rows = steps.map(({ label, values }) => `${label}: ${values.join(" ")}`);
  const xaxis = { ...figure.layout.xaxis, title: { ...figure.layout.xaxis.title, text: "Element of the block" } };
  return {
    ...figure,
    alt: `Elements in the sum of each place, by step. ${rows.join("; ")}. The tree of place 0 is coloured.`,
    layout: { ...figure.layout, xaxis },
  };
}
