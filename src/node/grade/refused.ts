/** A file that cannot be graded: why, where, and a cure. */

/** The place of a refusal: a line of a file or of a notebook's cell. */
export interface RefusedLine {
  /** `my-kernel.ts`, or `my.ipynb, cell 12`. */
  readonly where: string;
  readonly line: number;
  readonly text: string;
}

export interface RefusedParts {
  readonly what: string;
  readonly cure: string;
  readonly at?: RefusedLine | undefined;
}

/** Thrown by the reader of submissions. Its message is one sentence with the line, and the cure. */
export class Refused extends Error {
  readonly what: string;
  readonly cure: string;
  readonly at: RefusedLine | null;
  constructor({ what, cure, at }: RefusedParts) {
    const line = at === undefined ? "" : ` Line ${at.line} of ${at.where}: ${at.text}.`;
    super(`${what}${line} Cure: ${cure}`);
    this.name = "Refused";
    this.what = what;
    this.cure = cure;
    this.at = at ?? null;
  }
}

/** There is no such file. */
export class MissingFile extends Refused {}
