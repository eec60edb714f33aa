/** A finding of a sanitizer as data. The text, a notebook's table and a grader's reason are made of it. */
import { editorLine, type SourceText, type Span } from "../base/errors.js";
import { writtenLine } from "../base/written-line.js";
import type { PreparedLaunch } from "../engine/engine.js";
import { accessBytes, coordinates } from "../engine/faults.js";
import type { Instruction } from "../lower/program.js";

export type SanitizerTool = "memcheck" | "racecheck" | "initcheck" | "synccheck";

export const SANITIZER_TOOLS: readonly SanitizerTool[] = Object.freeze([
  "memcheck",
  "racecheck",
  "initcheck",
  "synccheck",
]);

/**
 * error: CUDA leaves the result open, or the launch fails. warning: it is against the rules, and this run's result does not
 * depend on it. note: right on this GPU, not on later ones.
 */
export type Severity = "error" | "warning" | "note";

type Triple = readonly [number, number, number];

/** One access or wait in the learner's text. */
export interface FindingPlace {
  readonly kernel: string;
  /** As the learner's editor counts; null where nothing is known of the place. */
  readonly line: number | null;
  /** The text of that line. */
  readonly text: string;
  /** The learner's file or cell, where it is known. */
  readonly file: string | null;
  readonly does: "read" | "write" | "atomic" | "wait";
  /** The first case; null on the host. */
  readonly block: Triple | null;
  readonly thread: Triple | null;
  readonly bytes: number | null;
  /** Who launched the grid, for a child grid; null for a grid of the host's. */
  readonly launchedBy: string | null;
  /** The text that the line is of, to mark it. */
  readonly source: SourceText | null;
  readonly span: Span | null;
}

export interface SanitizerFinding {
  readonly tool: SanitizerTool;
  readonly severity: Severity;
  /** compute-sanitizer's first line: "Invalid __global__ read of size 4 bytes". */
  readonly title: string;
  /** One place, or both sides of a race in the order of the run. */
  readonly places: readonly FindingPlace[];
  /** Further lines: addresses, values, lanes. */
  readonly details: readonly string[];
  readonly cure: string;
  /** Cases found: hazards of a pair of lines, words, threads. */
  readonly count: number;
}

/** The place of an instruction, as thread `thread` (linear in the block) executes it. */
export function placeOf(
  launch: PreparedLaunch,
  instruction: Instruction,
  does: FindingPlace["does"],
  block: number,
  thread: number,
): FindingPlace {
  const { program } = launch;
  const source = program.sources[instruction.source] ?? null;
  return {
    kernel: program.name,
    ...textPlace(source, instruction.span),
    does,
    block: coordinates(block, launch.grid),
    thread: coordinates(thread, launch.block),
    bytes: does === "wait" ? null : accessBytes(instruction),
    launchedBy: launch.launchedBy?.split("\n")[0] ?? null,
  };
}

/** A place in the host's program, whose lines are not known. */
export function hostPlace(does: FindingPlace["does"], name: string = "host"): FindingPlace {
  return { kernel: name, ...textPlace(null, null), does, block: null, thread: null, bytes: null, launchedBy: null };
}

export function textPlace(
  source: SourceText | null | undefined,
  span: Span | null | undefined,
): Pick<FindingPlace, "line" | "text" | "file" | "source" | "span"> {
  if (source === null || source === undefined || span === null || span === undefined) {
    return { line: null, text: "", file: null, source: null, span: null };
  }
  return {
    line: editorLine(source, span.line),
    text: writtenLine(source, span.line)?.trim() ?? "",
    file: source.where ?? null,
    source,
    span,
  };
}
