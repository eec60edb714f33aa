/** Pictures of what a warp's lanes do at a line, drawn from a run: who works, which bank or element each lane touches. */
import { InputError } from "../../base/errors.js";
import type { Figure } from "../../show/figure.js";
import type { FigureTexts } from "../../show/frame.js";
import { laneFigure } from "../../show/lane-figure.js";
import { guideColor, okabeIto } from "../../show/palette.js";
import type { LineAccess, LineVisit } from "./watch-line.js";

const BANKS = 32;

type Texts = Partial<FigureTexts>;

function checkVisits(visits: readonly LineVisit[]): void {
  if (visits.length > 0) return;
  throw new InputError({
    what: "The picture was given no time at which a warp comes to the line.",
    cure: 'Watch a line that the warp comes to: watchLine(gpu, kernel, { line: "+=" }).',
  });
}

/** Which lanes work each time, and which only come along. */
export function workFigure(visits: readonly LineVisit[], texts: Texts = {}): Figure {
  checkVisits(visits);
  return laneFigure({
    title: "Lanes that work",
    ...texts,
    kinds: [{ name: "works" }, { name: "comes along" }],
    steps: visits.map(({ label, lanes }) => ({
      label,
      lanes: lanes.map((works) => (works ? "works" : "comes along")),
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

/** The cells' numbers in the text that says the same as the picture. */
function withNumbers(
  figure: Figure,
  what: string,
  rows: readonly { readonly label: string; readonly elements: readonly (number | null)[] }[],
  number: (element: number) => number,
): Figure {
  const texts = rows.map(({ label, elements }) => {
    const numbers = elements.map((element) => (element === null ? "–" : number(element)));
    return `${label}: ${numbers.join(" ")}`;
  });
  return { ...figure, alt: `${figure.alt} ${what} by lane. ${texts.join("; ")}.` };
}

const ALONE = "alone in its bank";
const SHARING = "in one bank with others";
const NONE = "does not ask";

/** Lanes that ask for another word of their bank: the ones that wait for each other. One word for all is no conflict. */
function bankKinds(elements: readonly (number | null)[]): readonly string[] {
  return elements.map((word) => {
    if (word === null) return NONE;
    const meets = (other: number | null): boolean => other !== null && other !== word && (other - word) % BANKS === 0;
    return elements.some(meets) ? SHARING : ALONE;
  });
}

/**
 * The bank of shared memory that each lane asks for, each time; the array's elements are words of 32 bits and begin in bank 0.
 * Of a line's accesses the first load unless told.
 */
export function bankFigure(visits: readonly LineVisit[], texts: Texts & AccessChoice = {}): Figure {
  checkVisits(visits);
  const { nth, kind = "load", array, ...shown } = texts;
  const choice = { kind, ...(nth === undefined ? {} : { nth }), ...(array === undefined ? {} : { array }) };
  const rows = visits.map((visit) => {
    const { elements } = chosen(visit, "shared", choice);
    return { label: visit.label, elements, kinds: bankKinds(elements) };
  });
  const kinds = [
    { name: ALONE, color: okabeIto.blue, symbol: "square" as const },
    { name: SHARING, color: okabeIto.vermillion, symbol: "square" as const },
    { name: NONE, color: guideColor, symbol: "square-open" as const },
  ];
  const figure = laneFigure({
    title: "The bank that each lane asks for",
    ...shown,
    kinds: kinds.filter(({ name }) => rows.some((row) => row.kinds.includes(name))),
    steps: rows.map((row) => ({
      label: row.label,
      lanes: row.kinds,
      texts: row.elements.map((element) => (element === null ? "" : element % BANKS)),
    })),
  });
  return withNumbers(figure, "Banks", rows, (element) => element % BANKS);
}

const TOUCHES = "touches the element";
const TOUCHES_NONE = "touches none";

/** The elements of arrays in global memory that each lane touches, one row a load or store of the line. */
export function elementFigure(visits: readonly LineVisit[], texts: Texts = {}): Figure {
  checkVisits(visits);
  const rows = visits.flatMap(({ label, accesses }) =>
    accesses
      .filter(({ space }) => space === "global")
      .map(({ kind, array, elements }, at) => ({ label: `${label}, ${kind} ${at + 1} of ${array}`, elements })),
  );
  const partly = rows.some(({ elements }) => elements.includes(null));
  const figure = laneFigure({
    title: "The element that each lane touches",
    ...texts,
    kinds: partly ? [{ name: TOUCHES }, { name: TOUCHES_NONE }] : [{ name: TOUCHES }],
    steps: rows.map(({ label, elements }) => ({
      label,
      lanes: elements.map((element) => (element === null ? TOUCHES_NONE : TOUCHES)),
      texts: elements.map((element) => element ?? ""),
    })),
  });
  return withNumbers(figure, "Elements", rows, (element) => element);
}
