import type { ChildProcess, SpawnOptions } from "node:child_process";

export interface ChildOptions extends SpawnOptions {
  /** The signal that ends it with this process; SIGKILL unless told. */
  readonly endSignal?: NodeJS.Signals;
}

export function atEnd(action: () => void): () => void;
export function endChild(child: ChildProcess, signal?: NodeJS.Signals): void;
export function startChild(command: string, args: readonly string[], options?: ChildOptions): ChildProcess;
export function childEnd(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
