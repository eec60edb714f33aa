/**
 * A block's run, recorded line by line, as data: what a reader steps through on a page or in a notebook. A step is what one
 * warp does of one source line; it says what changes, so that a view plays it forwards and backwards.
 */
import { objectWith, oneOf, type Shape, string } from "../base/shape.js";

/** Lanes of the step's warp that are not at its line: at another one, at a barrier, or waiting for other lanes. */
export interface LanesElsewhere {
  /** Bit i is lane i. */
  readonly mask: number;
  readonly line: number;
  readonly waits: "no" | "barrier" | "lanes";
}

/** A request of the step's lanes to memory. */
export interface StepAccess {
  readonly kind: "load" | "store" | "atomic";
  readonly space: "shared" | "global";
  readonly array: string;
  /** The array's element that each lane touches; null in a lane that does not. */
  readonly elements: readonly (number | null)[];
  /** The 32-byte sectors of a request to global memory, the wavefronts of one to shared memory. */
  readonly cost: number;
}

export interface RecordedStep {
  readonly warp: number;
  /** Index of the text in `sources`, and the line as an editor counts it. */
  readonly source: number;
  readonly line: number;
  /** Lanes that act in the line, bit i for lane i; those that a predicate leaves out are masked. */
  readonly active: number;
  readonly live: number;
  readonly elsewhere: readonly LanesElsewhere[];
  /** Values of the warp's variables that the step changes, or is the first to write: 32 texts, empty in a lane without one. */
  readonly variables: Readonly<Record<string, readonly string[]>>;
  /** Elements of shared arrays that are others after the step, or that it is the first to write. */
  readonly shared: Readonly<Record<string, readonly (readonly [element: number, value: string])[]>>;
  readonly accesses: readonly StepAccess[];
}

export interface StepRecord {
  readonly kind: "steps";
  readonly title: string;
  /** What a reader without the picture should know. */
  readonly alt: string;
  readonly warps: number;
  /** The texts of the kernel and its device functions: lines with the numbers that an editor shows. */
  readonly sources: readonly (readonly (readonly [line: number, text: string])[])[];
  readonly arrays: readonly { readonly name: string; readonly length: number }[];
  readonly steps: readonly RecordedStep[];
  /** Why the record ends before the block does; null where the block ended. */
  readonly end: string | null;
}

/** Its MIME type: a page of the course draws it by itself. */
export const STEPS_MIME = "application/vnd.warplab.steps+json";

export const stepRecordShape: Shape = objectWith(
  { kind: oneOf("steps"), title: string, alt: string },
  "what stepView returns",
);
