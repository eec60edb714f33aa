/** Scores that are known: the same text, exercise and simulator give the same score again. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "../setup/replace.js";
import { programVersion } from "../source-hashes.js";

/** A try's score. */
export interface Score {
  readonly points: number;
  readonly outOf: number;
  readonly passed: boolean;
  /** By the GPU's id, 0 to 1, predicted; empty where it was not measured. */
  readonly shares: Readonly<Record<string, number>>;
  /** Why there are not all points: one sentence; null for none. */
  readonly reason: string | null;
}

/** More than a learner commits; the oldest go first. */
const MOST_SCORES = 2000;

function isScore(value: unknown): value is Score {
  const { points, outOf, shares } = (value ?? {}) as Partial<Score>;
  return typeof points === "number" && typeof outOf === "number" && typeof shares === "object" && shares !== null;
}

export class ScoreCache {
  readonly #scores = new Map<string, Score>();
  readonly #grader: string = programVersion("src/node/grade/grade-child.ts");

  /** Reads the file; one that is missing or broken is begun anew. */
  constructor(private readonly path: string) {
    try {
      const entries: unknown = JSON.parse(readFileSync(path, "utf8"));
      for (const [key, value] of Object.entries(entries ?? {})) if (isScore(value)) this.#scores.set(key, value);
    } catch {
      // Scores are only known sooner with it.
    }
  }

  /** @param version the exercise's */
  keyOf(version: string, name: string, text: Buffer): string {
    const hash = createHash("sha256").update(`${this.#grader}\n${version}\n${name}\n`);
    return hash.update(text).digest("hex");
  }

  get(key: string): Score | undefined {
    return this.#scores.get(key);
  }

  /** Keeps a score, at once: a command that is ended has lost none. A folder that cannot be written keeps nothing. */
  keep(key: string, score: Score): void {
    this.#scores.set(key, score);
    const kept = [...this.#scores].slice(-MOST_SCORES);
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      replaceFile(this.path, `${JSON.stringify(Object.fromEntries(kept))}\n`);
    } catch {
      // The next call works it out again.
    }
  }
}
