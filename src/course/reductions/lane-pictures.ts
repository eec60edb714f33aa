/** Pictures of what a warp's lanes do at a line, drawn from a run: who works, which bank or element each lane touches. */

import { InputError } from "../../core/base/errors.js";
import { checkArgument, checkOptions, type Fields, oneOf, optional, string, whole } from "../../core/base/shape.js";
import { visitsShape } from "../../core/profiler/watch-accesses.js";
import type { Figure } from "../../core/show/figures/figure.js";
import type { FigureTexts } from "../../core/show/figures/frame.js";
import { checkTexts, withFreeTexts } from "../../core/show/figures/frame.js";
import { type LaneKind, laneFigure } from "../../core/show/figures/lane-figure.js";
import { guideColor, okabeIto } from "../../core/show/figures/palette.js";
import { type NumberedRow, numberedLanesFigure, usedKinds } from "./numbered-lanes.js";
import type { LineAccess, LineVisit } from "./watch-line.js";

const BANKS = 32;
const WORD_BYTES = 4;

type Texts = Partial<FigureTexts>;

function checkVisits(call: string, visits: readonly LineVisit[]): void {
  checkArgument(call, "visits", visits, visitsShape);
  if (visits.length > 0) return;
  throw new InputError({
    what: "The picture was given no time at which a warp comes to the line.",
    cure: 'Watch a line that the warp comes to: watchLine(gpu, kernel, { line: "+=" }).',
  });
}

/** Which lanes work each time, and which are masked. */
export function workFigure(visits: readonly LineVisit[], texts: Texts = {}): Figure {
  checkTexts("workFigure", texts);
  checkVisits("workFigure", visits);
  return laneFigure({
    title: "Lanes that work",
    ...texts,
    kinds: [{ name: "works" }, { name: "masked" }],
    steps: visits.map(({ label, lanes }) => ({
      label,
      lanes: lanes.map((works) => (works ? "works" : "masked")),
    })),
  });
}

/** The load or store that the picture is of. */
export interface AccessChoice {
  /** Which of the line's accesses that fit, from 0; 0 unless given. */
  readonly nth?: number;
  readonly kind?: LineAccess["kind"];
  /** The array's name. */
  readonly array?: string;
}

function chosen(visit: LineVisit, space: LineAccess["space"], { nth = 0, kind, array }: AccessChoice): LineAccess {
  const fits = visit.accesses.filter(
    (each) =>
      each.space === space &&
      (kind === undefined || each.kind === kind) &&
      (array === undefined || each.array === array),
  );
  const access = fits[nth];
  if (access !== undefined) return access;
  const all = visit.accesses.map((each) => `${each.kind} of ${each.array} (${each.space})`);
  throw new InputError({
    what: `At ${visit.label} the line has no such access to ${space} memory.`,
    cure: `Its accesses are: ${all.join(", ") || "none"}.`,
  });
}

const ALONE = "alone in its bank";
const SHARING = "in one bank with others";
const NONE = "does not ask";

/** Lanes that ask for another word of their bank: the ones that wait for each other. One word for all is no conflict. */
function bankKinds(words: readonly (number | null)[], wordsOfLane: number): readonly string[] {
  // Accesses of 8 and 16 bytes go in two and four parts of the warp, each for itself.
  const lanesAtOnce = BANKS / wordsOfLane;
  return words.map((word, lane) => {
    if (word === null) return NONE;
    const first = lane - (lane % lanesAtOnce);
    const meets = (other: number | null): boolean => other !== null && other !== word && (other - word) % BANKS === 0;
    return words.slice(first, first + lanesAtOnce).some(meets) ? SHARING : ALONE;
  });
}

const BANK_FIGURE: Fields<Texts & AccessChoice> = withFreeTexts({
  nth: optional(whole(1)),
  kind: optional(oneOf("load", "store", "atomic")),
  array: optional(string),
});

/**
 * The bank of shared memory that each lane asks for, each time, by the first word of its element; the array begins in bank 0.
 * The first load of the line unless told.
 */
export function bankFigure(visits: readonly LineVisit[], texts: Texts & AccessChoice = {}): Figure {
  checkOptions("bankFigure", texts, BANK_FIGURE);
  checkVisits("bankFigure", visits);
  const { nth, kind = "load", array, ...shown } = texts;
  const choice = { kind, ...(nth === undefined ? {} : { nth }), ...(array === undefined ? {} : { array }) };
  const rows = visits.map((visit): NumberedRow => {
    const { elements, elementBytes } = chosen(visit, "shared", choice);
    const wordsOfLane = Math.max(1, elementBytes / WORD_BYTES);
    const words = elements.map((element) =>
      element === null ? null : Math.floor((element * elementBytes) / WORD_BYTES),
    );
    const numbers = words.map((word) => (word === null ? null : word % BANKS));
    return { label: visit.label, numbers, kinds: bankKinds(words, wordsOfLane) };
  });
  const kinds: readonly LaneKind[] = [
    { name: ALONE, color: okabeIto.blue, symbol: "square" },
    { name: SHARING, color: okabeIto.vermillion, symbol: "square" },
    { name: NONE, color: guideColor, symbol: "square-open" },
  ];
  const title = "The bank that each lane asks for";
  return numberedLanesFigure({ title, ...shown }, "Banks", usedKinds(kinds, rows), rows);
}

const TOUCHES = "touches the element";
const TOUCHES_NONE = "touches none";

/** The elements of arrays in global memory that each lane touches, one row a load or store of the line. */
export function elementFigure(visits: readonly LineVisit[], texts: Texts = {}): Figure {
  checkTexts("elementFigure", texts);
  checkVisits("elementFigure", visits);
  const rows = visits.flatMap(({ label, accesses }) =>
    accesses
      .filter(({ space }) => space === "global")
      .map(
        ({ kind, array, elements }, at): NumberedRow => ({
          label: `${label}, ${kind} ${at + 1} of ${array}`,
          numbers: elements,
          kinds: elements.map((element) => (element === null ? TOUCHES_NONE : TOUCHES)),
        }),
      ),
  );
  const partly = rows.some(({ numbers }) => numbers.includes(null));
  const kinds = partly ? [{ name: TOUCHES }, { name: TOUCHES_NONE }] : [{ name: TOUCHES }];
  return numberedLanesFigure({ title: "The element that each lane touches", ...texts }, "Elements", kinds, rows);
}
