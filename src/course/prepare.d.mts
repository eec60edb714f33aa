import type { Progress } from "./start.js";

export const root: string;
export class PreparationError extends Error {}
export function prepare(progress: Progress): Promise<void>;
export function runCommand(command: () => Promise<void>): Promise<void>;
