/** An exercise as data: what the learner's kernel is given, and what is looked at. The files are labs/<id>/. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../base/errors.js";
import { courseRoot } from "./course-root.js";

/** What a check looks at, with its limit. */
export type CheckSpec =
  /** The sums are right for every size and block. */
  | { readonly kind: "result"; readonly points: number }
  /** Wavefronts over the least possible, on the worst line that touches shared memory. */
  | { readonly kind: "conflict-degree"; readonly points: number; readonly most: number }
  /** Barriers that each warp comes to. */
  | { readonly kind: "barriers"; readonly points: number; readonly most: number }
  /** Requests to shared memory a block, loads and stores. */
  | { readonly kind: "shared-requests"; readonly points: number; readonly most: number }
  /** 32-byte sectors a global load request; 4 is the least for 32 lanes of 4 bytes. */
  | { readonly kind: "sectors-per-request"; readonly points: number; readonly most: number }
  /** Predicted time of a version of the course over the learner's. */
  | { readonly kind: "speed-up"; readonly points: number; readonly over: string; readonly least: number };

export interface ExerciseSpec {
  readonly id: string;
  readonly title: string;
  /** What is asked, in Markdown. */
  readonly task: string;
  /** Whether the kernel has a parameter n and must guard its loads; else the input is padded with zeros. */
  readonly guarded: boolean;
  readonly elementsPerThread: number;
  /** The launch gives one int of shared memory a thread, and one more for every so many threads; 0 for none. */
  readonly paddingEvery: number;
  /** Id of the GPU that the exercise is judged on. */
  readonly device: string;
  /** Blocks and sizes whose sums are compared, every pair. */
  readonly blocks: readonly number[];
  readonly sizes: readonly number[];
  /** The launch whose metrics and time are looked at. */
  readonly measured: { readonly n: number; readonly block: number };
  readonly checks: readonly CheckSpec[];
}

const labs: string = join(courseRoot, "labs");

/** The ids of all exercises, in their order. */
export function exerciseIds(): readonly string[] {
  return readdirSync(labs)
    .filter((name) => existsSync(join(labs, name, "exercise.json")))
    .sort();
}

/**
 * Reads labs/<id>/exercise.json.
 * @throws InputError listing the exercises there are.
 */
export function exercise(id: string): ExerciseSpec {
  if (!exerciseIds().includes(id)) {
    throw new InputError({ what: `There is no exercise "${id}".`, cure: `Name one of: ${exerciseIds().join(", ")}.` });
  }
  return JSON.parse(readFileSync(join(labs, id, "exercise.json"), "utf8")) as ExerciseSpec;
}
