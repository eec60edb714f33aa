import type { Progress } from "../progress.mjs";

export const root: string;
export class PreparationError extends Error {}
export function prepare(progress: Progress): Promise<void>;
export function runCommand(command: () => Promise<void>): Promise<void>;

/** Hash of all that the compiler reads. */
export function sourcesHash(): string;

/** Whether src/dist is what sources of this hash give. */
export function isCompiled(sources: string): boolean;
