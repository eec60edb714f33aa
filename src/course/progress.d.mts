import type { Progress } from "./start.js";

export function createProgress(write?: (text: string) => void): Progress;
