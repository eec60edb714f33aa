/** Files of several students with the same bytes, however many have them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exerciseFolder } from "../../files-on-disk.js";
import { readSubmissionBytes, sha256Of } from "../../grade/submission-file.js";
import type { Attempt } from "../submissions/survey.js";

export interface IdenticalFiles {
  readonly students: readonly string[];
  /** The file of the exercise that these are, as it was given out. */
  readonly published: "starter" | "solution" | null;
}

function publishedHash(id: string, name: "starter" | "solution"): string | null {
  const path = join(exerciseFolder(id), `${name}.ts`);
  return existsSync(path) ? sha256Of(readSubmissionBytes(path)) : null;
}

/** @param attempts those that count, of one exercise. @returns the largest groups first */
export function identicalFiles(id: string, attempts: readonly Attempt[]): readonly IdenticalFiles[] {
  const groups = new Map<string, Set<string>>();
  for (const { sha256, student } of attempts) {
    if (sha256 !== null) groups.set(sha256, (groups.get(sha256) ?? new Set()).add(student));
  }
  const shared = [...groups].filter(([, students]) => students.size > 1);
  const names = shared.length === 0 ? [] : (["starter", "solution"] as const);
  return shared
    .map(([sha256, students]): IdenticalFiles => {
      const published = names.find((name) => publishedHash(id, name) === sha256) ?? null;
      return { students: [...students].sort(), published };
    })
    .sort((a, b) => b.students.length - a.students.length || (a.students.join() < b.students.join() ? -1 : 1));
}
