/** Errors that say what happened, where in the learner's source, and the cure. */
import { platform } from "./platform.js";
import { writtenLine, writtenSpan } from "./written-line.js";

/** A place in a kernel's source text: 1-based line, 0-based column, length in characters. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Source text of one kernel, kept so that an error can quote its line. */
export interface SourceText {
  readonly name: string;
  /** The kind of text, for messages; a kernel where it is absent. */
  readonly kind?: "device function" | "program";
  readonly text: string;
  /** Added to `Span.line` when a line is shown, if the text starts inside a larger file. */
  readonly firstLine: number;
  /** The learner's file or cell, where it is known. */
  readonly where?: string;
  /** The line there of each line of the text, where they can be told; shown instead of the text's own. */
  readonly lines?: readonly number[];
}

/** A line of the text as the learner's editor counts it, where that is known. */
export function editorLine(source: SourceText, line: number): number {
  return source.lines?.[line - 1] ?? line + source.firstLine - 1;
}

/** `line 7 of reduce.js`, or `line 3 of its text (reduce.ts:12)`, or `line 3` where nothing is known of its place. */
export function placeText(source: SourceText, line: number): string {
  const number = editorLine(source, line);
  if (source.where === undefined) return `line ${number}`;
  return source.lines === undefined
    ? `line ${number} of its text (${source.where})`
    : `line ${number} of ${source.where}`;
}

/** The quoted source line with a caret under the span, two lines of text; empty when the line does not exist. */
export function caret(source: SourceText, span: Span): string {
  const line = writtenLine(source, span.line);
  if (line === undefined) return "";
  const { column, length } = writtenSpan(source, span);
  const number = String(editorLine(source, span.line));
  const gutter = " ".repeat(number.length);
  const shown = clipped(line, column);
  const marks = "^".repeat(Math.max(1, Math.min(length, shown.text.length - shown.column)));
  const indent = shown.text.slice(0, shown.column).replace(/[^\t]/g, " ");
  return `${number} | ${shown.text}\n${gutter} | ${indent}${marks}`;
}

/** Characters of a source line that a message quotes. */
const MOST_QUOTED = 400;

/** The part of a very long line around the column. */
function clipped(line: string, column: number): { readonly text: string; readonly column: number } {
  if (line.length <= MOST_QUOTED) return { text: line, column };
  const from = Math.max(0, Math.min(column - MOST_QUOTED / 2, line.length - MOST_QUOTED));
  const before = from > 0 ? "... " : "";
  const after = from + MOST_QUOTED < line.length ? " ..." : "";
  return { text: `${before}${line.slice(from, from + MOST_QUOTED)}${after}`, column: column - from + before.length };
}

export interface ErrorParts {
  readonly what: string;
  readonly cure: string;
  /** Another cure, of the host's program: none for a kernel that is somebody else's to launch, as an exercise's is. */
  readonly hostCure?: string;
  readonly source?: SourceText | undefined;
  readonly span?: Span | undefined;
}

function wholeCure({ cure, hostCure }: ErrorParts): string {
  return hostCure === undefined ? cure : `${cure}, or ${hostCure}`;
}

function compose(parts: ErrorParts): string {
  const { what, source, span } = parts;
  const cure = wholeCure(parts);
  if (source === undefined || span === undefined) return `${what}\n${cure}`;
  return `${what}\n  in ${source.kind ?? "kernel"} ${source.name}, ${placeText(source, span.line)}\n${caret(source, span)}\n${cure}`;
}

/** The package's folder, whose frames tell a reader nothing; null in a bundle, where they and the caller's are one file. */
const OWN = /[^\s(]*\/(?=core\/base\/errors\.[jt]s)/.exec(new Error().stack ?? "")?.[0] ?? null;
/** Frames that are enough to reach the caller's own behind the package's. */
const DEEP = 60;

/** Leaves the frames of the caller, where there are any. WARPLAB_STACK=1 in the environment leaves all. */
function cutStack(error: Error): void {
  if (platform().environment("WARPLAB_STACK") === "1") return;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Math.max(limit, DEEP);
  Error.captureStackTrace?.(error);
  Error.stackTraceLimit = limit;
  const frames = /(?:\n {4}at .*)+$/.exec(error.stack ?? "")?.[0] ?? "";
  if (frames === "") return;
  const each = frames.split("\n").slice(1);
  const isOwn = (frame: string): boolean => OWN !== null && frame.includes(OWN);
  const callers = each.filter((frame) => !isOwn(frame) && !frame.includes("wasm://"));
  const kept = callers.some((frame) => !/node:|<anonymous>/.test(frame)) ? callers : each;
  error.stack = [error.stack!.slice(0, -frames.length), ...kept.slice(0, limit)].join("\n");
}

/** Node prints an uncaught error's enumerable fields too, and the message has said it all. */
function hide<E extends Error>(error: E, ...fields: readonly (keyof E)[]): void {
  for (const field of fields) Object.defineProperty(error, field, { enumerable: false });
}

/** Any error of warplab that a learner can cause. `message` is complete; the parts are for programs. */
export class WarplabError extends Error {
  readonly what: string;
  readonly cure: string;
  /** The part of the cure that the kernel's text alone can follow. */
  readonly kernelCure: string;
  readonly source: SourceText | undefined;
  readonly span: Span | undefined;
  constructor(parts: ErrorParts) {
    super(compose(parts));
    this.name = new.target.name;
    this.what = parts.what;
    this.cure = wholeCure(parts);
    this.kernelCure = parts.cure;
    this.source = parts.source;
    this.span = parts.span;
    cutStack(this);
    hide(this, "what", "cure", "kernelCure", "source", "span");
  }
}

/** The kernel's text cannot be compiled. */
export class CompileError extends WarplabError {}

/** A launch that CUDA would refuse; `code` is CUDA's name of the error, such as `cudaErrorInvalidConfiguration`. */
export class LaunchError extends WarplabError {
  readonly code: string;
  constructor(code: string, parts: ErrorParts) {
    super({ ...parts, what: `${code}: ${parts.what}` });
    this.code = code;
    hide(this, "code");
  }
}

/** Where in the grid a kernel failed. `lanes` is the mask of the warp's lanes that failed together. */
export interface FaultPlace {
  readonly kernel: string;
  readonly block: readonly [number, number, number];
  readonly thread: readonly [number, number, number];
  readonly warp: number;
  readonly lanes: number;
  /** For a child grid: the grids that launched it, up to the host's, as text. */
  readonly launchedBy?: string;
}

/** The access that failed: in bytes of its memory space. `allocation` is what the pointer was made from. */
export interface FaultAccess {
  readonly space: "global" | "shared" | "local";
  readonly does: "read" | "write" | "atomic";
  readonly bytes: number;
  readonly address: number;
  readonly allocation: { readonly name: string; readonly address: number; readonly byteLength: number };
  /** The sum or product of the index that did not fit into 32 bits; absent where none is known. */
  readonly wrapped?: string;
}

/** A kernel did at run time what a GPU or its checker would refuse: out of bounds, division by zero, endless loop. */
export class KernelFault extends WarplabError {
  readonly code: string;
  readonly place: FaultPlace;
  /** For an access out of bounds or misaligned. */
  readonly access: FaultAccess | null;
  constructor(code: string, place: FaultPlace, parts: ErrorParts, access: FaultAccess | null = null) {
    const where = `block (${place.block.join(",")}), thread (${place.thread.join(",")}), warp ${place.warp}, lanes 0x${(place.lanes >>> 0).toString(16).padStart(8, "0")}`;
    const launch = place.launchedBy === undefined ? "" : `\n  in a child grid, launched by ${place.launchedBy}`;
    super({ ...parts, what: `${code} in kernel ${place.kernel}: ${parts.what}\n  ${where}${launch}` });
    this.code = code;
    this.place = place;
    this.access = access;
    hide(this, "code", "place", "access");
  }
}

/** A value given to the host API or a device file is missing or impossible. */
export class InputError extends WarplabError {}
