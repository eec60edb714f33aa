import type { Progress } from "../progress.mjs";

export { PreparationError } from "../setup/failure.mjs";

export const root: string;
export function prepare(progress: Progress): Promise<void>;
export function runCommand(command: () => Promise<void>): Promise<void>;
export function userPath(path: string, script: string): string;
export function terminalWidth(): number;
