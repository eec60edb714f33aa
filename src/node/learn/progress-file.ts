/**
 * How far a learner is, in one small file. An update of the course leaves it valid: exercises and fields that this version does not
 * know are kept as they are.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "../setup/replace.js";
import { freeName } from "./free-name.js";

export interface ExerciseProgress {
  /** The most points so far. */
  readonly points?: number;
  /** The version of the exercise that was passed; absent before. */
  readonly passed?: string;
  /** Hints that were shown. */
  readonly hints?: number;
}

interface ProgressData {
  readonly exercises: Readonly<Record<string, ExerciseProgress>>;
  readonly current?: string;
  /** That of the learner's files; TypeScript where it is absent. */
  readonly language?: string;
}

/** The languages of an answer, by the endings of its file. */
export const LANGUAGES = { typescript: ".ts", cuda: ".cu" } as const;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The file's data where it is sound; null where it is not. */
function parsed(text: string): ProgressData | null {
  try {
    const data: unknown = JSON.parse(text);
    if (!isRecord(data) || !isRecord(data.exercises)) return null;
    if (!Object.values(data.exercises).every(isRecord)) return null;
    // Its exercises are objects; their fields may be those of another version, and all are optional.
    return data as unknown as ProgressData;
  } catch {
    return null;
  }
}

export class LearnProgress {
  #data: ProgressData = { exercises: {} };
  /** Where a file that could not be read was put aside; null for none. */
  readonly putAside: string | null;

  /** Reads the file, or begins anew without one. A file that is no progress file is put aside, never written over. */
  constructor(private readonly path: string) {
    const data = existsSync(path) ? parsed(readFileSync(path, "utf8")) : this.#data;
    this.#data = data ?? this.#data;
    this.putAside = data === null ? freeName(path) : null;
    if (this.putAside !== null) renameSync(path, this.putAside);
  }

  of(id: string): ExerciseProgress {
    return Object.hasOwn(this.#data.exercises, id) ? (this.#data.exercises[id] ?? {}) : {};
  }

  get current(): string | null {
    return typeof this.#data.current === "string" ? this.#data.current : null;
  }

  get language(): Language {
    const { language } = this.#data;
    return typeof language === "string" && isLanguage(language) ? language : "typescript";
  }

  speak(language: Language): void {
    if (language !== this.language) this.#write({ ...this.#data, language });
  }

  choose(id: string): void {
    this.#write({ ...this.#data, current: id });
  }

  /** Adds what is new of an exercise. */
  note(id: string, change: ExerciseProgress): void {
    const exercises = { ...this.#data.exercises, [id]: { ...this.of(id), ...change } };
    this.#write({ ...this.#data, exercises });
  }

  /** Replaced as a whole: a run that ends meanwhile leaves the file as it was. */
  #write(data: ProgressData): void {
    mkdirSync(dirname(this.path), { recursive: true });
    replaceFile(this.path, `${JSON.stringify(data, null, 1)}\n`);
    this.#data = data;
  }
}
