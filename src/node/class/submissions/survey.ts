/** Which file is whose answer to which exercise, before anything is graded. */
import { join } from "node:path";
import { codeCells, handedInExercises } from "../../grade/notebook-cells.js";
import { Refused } from "../../grade/refused.js";
import { readSubmissionBytes, sha256Of, submissionText } from "../../grade/submission-file.js";
import type { DownloadName } from "./download-names.js";
import { isCopy, naturalOrder } from "./exercise-names.js";
import { type FoundFile, NO_FORM, type Passed, type SubmissionTree } from "./submission-tree.js";

/** A reason for no points that is known without a check. */
export interface Refusal {
  readonly what: string;
  readonly cure: string;
}

/** A file as an answer to one exercise. */
export interface Attempt {
  readonly student: string;
  /** From the folder of submissions. */
  readonly path: string;
  /** null where nobody can tell. */
  readonly exercise: string | null;
  /** Names the file's bytes; null where they cannot be read, or are not. */
  readonly sha256: string | null;
  /** Set where the file gets no points without being checked. */
  readonly refusal: Refusal | null;
  /** A later file of the student counts for the exercise in its stead. */
  readonly superseded: boolean;
  /** From a learning platform's name of the file or its folder; null for other names. */
  readonly download: DownloadName | null;
}

export interface Missing {
  readonly student: string;
  readonly exercise: string | null;
}

export interface Survey {
  /** By student, exercise and name; of a student's files for an exercise the last one counts. */
  readonly attempts: readonly Attempt[];
  /** Students without a file for an exercise that was asked for; any file, where none was. */
  readonly missing: readonly Missing[];
  readonly passed: readonly Passed[];
}

/** A file is checked with what its student has handed in beside it; more files for one exercise are passed over. */
const MOST_ATTEMPTS = 8;

type Read = { readonly sha256: string | null; readonly refusal: Refusal | null; readonly exercises: readonly string[] };

/** The bytes' hash, and the exercises that a notebook's cells hand in. */
function readFound(path: string, { name, isLink, isOtherForm }: FoundFile, ids: readonly string[]): Read {
  if (isLink) {
    const refusal = { what: `${name} is a link to another file.`, cure: "Hand in the file itself." };
    return { sha256: null, refusal, exercises: [] };
  }
  if (isOtherForm) {
    const refusal = { what: `${name} is ${NO_FORM}.`, cure: "Hand in a .ts file, a .cu file or an .ipynb file." };
    return { sha256: null, refusal, exercises: [] };
  }
  let sha256: string | null = null;
  try {
    const read = readSubmissionBytes(path);
    sha256 = sha256Of(read);
    if (read.kind !== "notebook") return { sha256, refusal: null, exercises: [] };
    const cells = codeCells(name, submissionText(read).text);
    const exercises = handedInExercises(cells).filter((id) => ids.includes(id));
    return { sha256, refusal: null, exercises };
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    // A file that can be read is refused by its check, too, which says where.
    const { cure } = problem;
    const what = problem.what.replace(path, name);
    return { sha256, refusal: sha256 === null ? { what, cure } : null, exercises: [] };
  }
}

interface Candidate extends FoundFile, Read {}

function attempt({ student, path, sha256, refusal, download }: Candidate, exercise: string | null): Attempt {
  return { student, path, exercise, sha256, refusal, superseded: false, download };
}

/** Nothing says which exercise a file is for. */
function unknown(name: string): Refusal {
  const cure = name.toLowerCase().endsWith(".ipynb")
    ? 'Put the call checkExercise("lab-28", answer) back into a cell'
    : "Name the file lab-28.ts";
  return { what: `Nothing says which exercise ${name} is for.`, cure: `${cure}, or name the exercise in the command.` };
}

/**
 * The attempts that a student's files are. A file that says no exercise is the answer where the command names one, and no other
 * file is it.
 */
function attemptsOf(candidates: readonly Candidate[], asked: readonly string[], passed: Passed[]): readonly Attempt[] {
  const attempts: Attempt[] = [];
  const silent: Candidate[] = [];
  for (const candidate of candidates) {
    const { exercises, named, path } = candidate;
    const said = exercises.length > 0 || named === null ? exercises : [named];
    const wanted = said.filter((id) => asked.length === 0 || asked.includes(id));
    attempts.push(...wanted.map((id) => attempt(candidate, id)));
    if (said.length === 0) silent.push(candidate);
    else if (wanted.length === 0) passed.push({ path, why: `for ${said.join(", ")}, which is not asked for` });
  }
  if (attempts.length > 0) {
    const why = "another file of the student names the exercise";
    passed.push(...silent.map(({ path }) => ({ path, why })));
    return attempts;
  }
  const [only, more] = asked;
  if (only !== undefined && more === undefined) return silent.map((each) => attempt(each, only));
  return silent.map((each) => {
    const found = attempt(each, null);
    return { ...found, refusal: found.refusal ?? unknown(each.name) };
  });
}

/** Files in another form stand for an answer, without points, where the student has none that can be graded. */
function attemptsOfForms(
  candidates: readonly Candidate[],
  asked: readonly string[],
  passed: Passed[],
): readonly Attempt[] {
  const others = candidates.filter(({ isOtherForm }) => isOtherForm);
  const proper = attemptsOf(
    candidates.filter(({ isOtherForm }) => !isOtherForm),
    asked,
    passed,
  );
  if (proper.length === 0) return attemptsOf(others, asked, passed);
  passed.push(...others.map(({ path }) => ({ path, why: NO_FORM })));
  return proper;
}

/** Where a student has several files for an exercise, the last attempt counts, or else the last by name; a copy comes before all others. */
function withoutRepeats(attempts: readonly Attempt[], passed: Passed[]): readonly Attempt[] {
  const groups = new Map<string, Attempt[]>();
  for (const each of attempts) {
    const key = each.exercise ?? "";
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.flatMap(([, group]) => {
    group.sort(byName);
    const kept = group.slice(-MOST_ATTEMPTS);
    for (const { path } of group.slice(0, -MOST_ATTEMPTS)) {
      passed.push({
        path,
        why: `the student has ${group.length} files for the exercise; the last ${MOST_ATTEMPTS} are looked at`,
      });
    }
    return kept.map((each, index) => (index === kept.length - 1 ? each : { ...each, superseded: true }));
  });
}

function byName(a: Attempt, b: Attempt): number {
  const [one, other] = [stemOf(a.path), stemOf(b.path)];
  const copies = Number(isCopy(other)) - Number(isCopy(one));
  const attempts = (a.download?.order ?? 0) - (b.download?.order ?? 0);
  return copies || attempts || naturalOrder(one, other) || (a.path < b.path ? -1 : 1);
}

/** "lab-28" comes before "lab-28 (2)": the ending does not take part. */
function stemOf(path: string): string {
  return path.replace(/\.[^./]*$/, "");
}

function lackingOf(student: string, kept: readonly Attempt[], ids: readonly string[]): readonly Missing[] {
  return ids.filter((id) => !kept.some(({ exercise }) => exercise === id)).map((exercise) => ({ student, exercise }));
}

/**
 * @param folder the submissions' full path
 * @param asked the exercises that the command names; none for whatever is handed in
 * @param ids all exercises
 * @param everyone whether a student without a file for an exercise that others hand in is missing
 */
export function survey(
  folder: string,
  tree: SubmissionTree,
  asked: readonly string[],
  ids: readonly string[],
  everyone = false,
): Survey {
  const byStudent = new Map<string, Candidate[]>(tree.students.map((student) => [student, []]));
  for (const file of tree.files) {
    byStudent.get(file.student)?.push({ ...file, ...readFound(join(folder, file.path), file, ids) });
  }
  const broken = new Map(tree.broken.map((each) => [each.student, each]));
  const attempts: Attempt[] = [];
  const missing: Missing[] = [];
  const passed = [...tree.passed];
  for (const [student, candidates] of byStudent) {
    const found = [...attemptsOfForms(candidates, asked, passed)];
    const fault = broken.get(student);
    if (fault !== undefined) {
      const refusal = { what: fault.why, cure: "Hand in the kernel's file alone." };
      const parts = { student, path: fault.path, sha256: null, refusal, superseded: false, download: null };
      const others = (asked.length === 0 ? [null] : asked).filter(
        (id) => !found.some(({ exercise }) => exercise === id),
      );
      found.push(...others.map((exercise) => ({ ...parts, exercise })));
    }
    const kept = withoutRepeats(found, passed);
    attempts.push(...kept);
    if (asked.length === 0 && kept.length === 0) missing.push({ student, exercise: null });
    missing.push(...lackingOf(student, kept, asked));
  }
  if (everyone && asked.length === 0) {
    const seen = [...new Set(attempts.flatMap(({ exercise }) => exercise ?? []))].sort();
    const handedIn = new Map(tree.students.map((student): [string, Attempt[]] => [student, []]));
    for (const each of attempts) handedIn.get(each.student)?.push(each);
    const all = [...handedIn].flatMap(([student, own]) => lackingOf(student, own, seen));
    if (seen.length > 0) missing.splice(0, missing.length, ...all);
  }
  return { attempts, missing, passed: passed.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
