/** Scores that are known: the same text, exercise and simulator give the same score again. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compiledProgram, courseRoot } from "../course-root.js";
import { replaceFile } from "../setup/replace.js";

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

/** Which simulator gives the scores: the hash of its sources. */
function simulator(): string {
  const records = [compiledProgram(".sources.json"), join(courseRoot(), "src/dist/.sources.json")];
  const record = records.find((path) => existsSync(path));
  return record === undefined ? "" : readFileSync(record, "utf8");
}

function isScore(value: unknown): value is Score {
  const { points, outOf, shares } = (value ?? {}) as Partial<Score>;
  return typeof points === "number" && typeof outOf === "number" && typeof shares === "object" && shares !== null;
}

export class ScoreCache {
  readonly #scores = new Map<string, Score>();
  readonly #simulator: string = simulator();

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
    const hash = createHash("sha256").update(`${this.#simulator}\n${version}\n${name}\n`);
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
