/** Lines about a run, from progress.mjs. */
export interface Progress {
  say(line: string): void;
  during<T>(label: string, work: () => Promise<T>, detail?: () => string): Promise<T>;
}

export function createProgress(write?: (text: string) => void): Progress;
