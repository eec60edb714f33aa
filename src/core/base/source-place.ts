/**
 * Where a kernel's text stands in what the learner wrote: a file, or a notebook's cell. The text comes from a function at
 * run time, and a notebook or a bundler may have rewritten it. A place counts only where the lines match.
 */
import { alignLines } from "./line-alignment.js";
import { platform } from "./platform.js";

export interface SourcePlace {
  /** `reduce.js`, `cell [3]`, or where the lines cannot be told `reduce.ts:12`, the line at which the kernel is made. */
  readonly where: string;
  /** The line there of each line of the text; null where they cannot be told. */
  readonly lines: readonly number[] | null;
}

/** One frame of a stack: where code was called from. */
export interface CallSite {
  readonly url: string;
  readonly line: number;
}

/** Finds the text at a call's place; null where it knows nothing of the url. */
export type SourceLocator = (text: string, call: CallSite, name: string) => SourcePlace | null;

const locators: SourceLocator[] = [];

/** Notebooks register how to find a cell's text. */
export function addSourceLocator(locator: SourceLocator): void {
  locators.push(locator);
}

/** A frame as V8 writes it, and as Firefox and Safari do: name@url:line:column. */
const FRAME = /^(?:\s*at (?:.*\()?([^()\s]+)|[^@\s]*@([^@\s]+)):(\d+):\d+\)?$/;

function framesOf(stack: string): readonly CallSite[] {
  return stack.split("\n").flatMap((frame) => {
    const found = FRAME.exec(frame);
    return found === null ? [] : [{ url: found[1] ?? found[2] ?? "", line: Number(found[3]) }];
  });
}

/** The folder of this package's modules; null in a bundle, where they and the learner's are one file or have other names. */
function rootOf(frames: readonly CallSite[]): string | null {
  return /^(.*\/)core\/frontend\/kernel\.[jt]s(\?.*)?$/.exec(frames[0]?.url ?? "")?.[1] ?? null;
}

/** True where the package itself has called its function; `stack` is an Error's of that function. */
export function isOwnCall(stack: string | undefined): boolean {
  const frames = framesOf(stack ?? "");
  const own = rootOf(frames);
  return own !== null && (frames[1]?.url ?? "").startsWith(own);
}

/** `stack` is an Error's of the package's own function that the learner has called; its first frame is the package's. */
export function placeOf(text: string, stack: string | undefined, name: string): SourcePlace | undefined {
  const frames = framesOf(stack ?? "");
  const own = rootOf(frames);
  const call = own === null ? frames[1] : frames.find(({ url }) => !url.startsWith(own));
  if (call === undefined) return undefined;
  for (const locate of [...locators, fileLocator]) {
    const place = locate(text, call, name);
    if (place !== null) return place;
  }
  return undefined;
}

const fileLocator: SourceLocator = (text, { url, line }, name) => {
  const path = decodeURIComponent(url.replace(/^file:\/\//, ""));
  if (!path.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(path)) return null;
  const content = platform().readText(path);
  if (content === undefined) return null;
  const file = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const lines = content.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const at = content.indexOf(text, start);
  if (at >= 0) {
    const first = content.slice(0, at).split("\n").length;
    return { where: file, lines: text.split("\n").map((_, index) => first + index) };
  }
  const aligned = alignLines(text.split("\n"), lines, line - 1);
  if (aligned !== null) return { where: file, lines: aligned };
  // A transformed file: its line is the learner's only where the kernel's name stands there.
  const near = lines.slice(line - 1, line + 2).some((one) => one.includes(`"${name}"`) || one.includes(`'${name}'`));
  return { where: near ? `${file}:${line}` : file, lines: null };
};
