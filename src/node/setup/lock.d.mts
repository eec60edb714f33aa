/** Names one process of one machine. */
export interface ProcessMark {
  readonly pid: number;
  readonly begun: string;
  readonly host: string;
}

export function processMark(pid?: number): ProcessMark;
export function isAlive(mark: ProcessMark): boolean | undefined;
export function withLock<T>(path: string, work: () => Promise<T>, onWait?: () => void): Promise<T>;
export function tryLock(path: string): (() => void) | null;
