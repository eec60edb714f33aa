/** Completion of names in a cell. */
import type { CompletionInfo } from "tslab/dist/converter.js";

type Complete = (source: string, position: number) => CompletionInfo;

/**
 * tslab looks for names that start with two underscores under TypeScript's inner form of them, which has three, and finds
 * none. For `__syncth` this asks for all names at its place, and keeps those that start so.
 */
export function completionsOf(complete: Complete, source: string, position: number): CompletionInfo {
  const prefix = /(?<![\w$])__\w*$/.exec(source.slice(0, position))?.[0];
  if (prefix === undefined) return complete(source, position);
  const start = position - prefix.length;
  const rest = source.slice(position).replace(/^\w+/, "");
  const all = complete(source.slice(0, start) + rest, start);
  return { ...all, start, end: position, candidates: all.candidates.filter((name) => name.startsWith(prefix)) };
}
