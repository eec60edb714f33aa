/** A share of a GPU's peak bandwidth, 0 to 1, that points rest on. */
export interface Reached {
  readonly gpu: string;
  readonly share: number;
  readonly timeMs: number;
}

/** The result of one check. */
export interface Finding {
  readonly passed: boolean;
  /** Not looked at, as it waits for another check. */
  readonly waits?: true;
  /** For the learner; it names the line where there is one. */
  readonly sentence: string;
  /** The part of the points where that is neither all nor none. */
  readonly share?: number;
  /** The points themselves, in place of a share. */
  readonly points?: number;
  readonly reached?: Reached;
  /** TypeScript to paste, to see what happened. */
  readonly look?: string;
}

/** A check that was not looked at: the sentence says what it waits for. */
export const waiting = (sentence: string): Finding => ({ passed: false, waits: true, sentence });

export const NOT_YET: Finding = waiting("Looked at once the sum is right.");

/** A number for a sentence. */
export function number(value: number): string {
  return String(Number(value.toFixed(2)));
}
