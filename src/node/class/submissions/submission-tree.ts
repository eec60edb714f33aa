/** Looks through a folder of submissions: files by student, and all that was passed over. No link is followed. */
import { existsSync, opendirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { InputError } from "../../../core/base/errors.js";
import { isSubmissionName } from "../../grade/submission-file.js";
import { failureText } from "../../setup/failure.mjs";
import { type DownloadName, downloadName } from "./download-names.js";
import { exerciseInName, isExerciseName, plainStem, withoutExercise } from "./exercise-names.js";

/** Folders below a student's own. */
const DEEPEST = 12;
/** A repository of a class has some hundred files; whole packages are passed over by their folders' names. */
const MOST_OF_STUDENT = 5000;
const MOST_STUDENTS = 20_000;

/** Folders of tools, and what they leave. */
const PASSED_FOLDERS = new Set(["node_modules", "__pycache__", "__MACOSX"]);

/** These hold solutions and their tests: in a copy of the whole course a learner writes in other folders. */
const COURSE_FOLDERS = new Set(["labs", "src", "test"]);

function isCourseFolder(path: string): boolean {
  return ["notebooks/course.json", "labs/exercise.schema.json"].every((file) => existsSync(join(path, file)));
}

export interface FoundFile {
  /** From the folder of submissions, with slashes. */
  readonly path: string;
  readonly student: string;
  /** The last part of its path. */
  readonly name: string;
  readonly isLink: boolean;
  /** Neither a .ts file nor a notebook: it stands for an answer only where there is no other. */
  readonly isOtherForm: boolean;
  /** The exercise that its name, or else a folder's, says; null where none does. */
  readonly named: string | null;
  /** From a learning platform's name of the file or its folder; null for other names. */
  readonly download: DownloadName | null;
}

export interface Passed {
  readonly path: string;
  readonly why: string;
}

export interface SubmissionTree {
  readonly files: readonly FoundFile[];
  /** Each student once, also those without a file. */
  readonly students: readonly string[];
  readonly passed: readonly Passed[];
  /** Students whose folder cannot be looked through. */
  readonly broken: readonly { readonly student: string; readonly path: string; readonly why: string }[];
  /** Canvas's numbers of students, by student. */
  readonly canvasIds: ReadonlyMap<string, string>;
}

type Kind = "file" | "folder" | "link" | "other";

interface Entry {
  readonly name: string;
  readonly kind: Kind;
}

/** In the order of their names, which is the same on every machine. */
function entriesOf(folder: string, most: number): readonly Entry[] | null {
  const entries: Entry[] = [];
  const open = opendirSync(folder);
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (entries.length >= most) return null;
      const kind = entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
      entries.push({ name: entry.name, kind });
    }
  } finally {
    open.closeSync();
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Said about a file whose ending is none of an answer. */
export const NO_FORM = "neither a .ts file nor a .cu file nor a notebook";

/** Answers that were packed, or written in another language. */
const OTHER_FORM = /\.(zip|tar|t?gz|7z|rar|[mc]?js|[mc]ts|tsx|py|cuh|cpp)$/i;

/** Whether a file may stand for an answer, though it cannot be graded: by its ending, or as its name tells an exercise. */
function isOtherForm(name: string, ids: readonly string[]): boolean {
  return !/\.d\.ts$/i.test(name) && (OTHER_FORM.test(name) || exerciseInName(name, ids) !== null);
}

/** Why a name is passed over, whatever stands behind it; null for those that are looked at. */
function passedName({ name, kind }: Entry): string | null {
  if (name.startsWith(".")) return "hidden";
  return kind === "folder" && PASSED_FOLDERS.has(name) ? "a folder of tools" : null;
}

interface Numbered {
  readonly name: string;
  readonly download: DownloadName;
  readonly folder: string;
}

/** Learners of one name, whom a platform's numbers tell apart. */
class Namesakes {
  private readonly found = new Map<string, Numbered>();

  /** @returns a name that no namesake has */
  whole(name: string, download: DownloadName, folder: string): string {
    const whole = `${name} (${download.id})`;
    this.found.set(whole, { name, download, folder });
    return whole;
  }

  /** The names that are shown, by those that `whole` gave: without the number where it tells nobody apart. */
  shown(): ReadonlyMap<string, string> {
    const groups = new Map<string, [string, Numbered][]>();
    for (const each of this.found) {
      const key = `${each[1].download.platform} ${each[1].name}`;
      groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    const shown = new Map<string, string>();
    for (const group of groups.values()) {
      // Moodle numbers a learner anew in each assignment: two numbers are two learners in one folder alone.
      const places = new Set(group.map(([, { download, folder }]) => (download.platform === "moodle" ? folder : "")));
      for (const [whole, { name }] of group) shown.set(whole, places.size < group.length ? whole : name);
    }
    return shown;
  }

  canvasIds(): readonly (readonly [whole: string, id: string])[] {
    return [...this.found].flatMap(([whole, { download }]) =>
      download.platform === "canvas" ? [[whole, download.id] as const] : [],
    );
  }
}

class Walk {
  readonly files: FoundFile[] = [];
  readonly students: Set<string> = new Set();
  readonly namesakes: Namesakes = new Namesakes();
  readonly passed: Passed[] = [];
  readonly broken: SubmissionTree["broken"][number][] = [];

  constructor(
    private readonly root: string,
    private readonly level: number,
    private readonly ids: readonly string[],
  ) {}

  /**
   * Folders above the students: one a level, and those that are named by an exercise alone.
   * @param above the names that belong to the student's
   */
  above(path: string, above: readonly string[]): void {
    const entries = entriesOf(join(this.root, path), MOST_STUDENTS);
    if (entries === null) {
      const what = `${path === "" ? "The folder" : path} has more than ${MOST_STUDENTS} entries.`;
      throw new InputError({ what, cure: "Grade its parts one by one." });
    }
    for (const entry of entries) {
      const at = path === "" ? entry.name : `${path}/${entry.name}`;
      const why = passedName(entry);
      if (why !== null) this.passed.push({ path: at, why });
      else if (entry.kind === "folder" && !isSubmissionName(entry.name)) this.folderAbove(at, entry.name, above);
      else this.fileAbove(at, entry, above);
    }
  }

  private folderAbove(path: string, name: string, above: readonly string[]): void {
    if (isExerciseName(name, this.ids)) this.above(path, above);
    else if (above.length + 1 < this.level) this.above(path, [...above, name]);
    else this.ofStudent(path, name, above);
  }

  /** The student whom a name above all others tells, of a folder or without a file's ending. */
  private learner(path: string, own: string, download: DownloadName | null, above: readonly string[]): string {
    if (download === null) return this.student(own, above);
    return this.namesakes.whole(this.student(download.learner, above), download, dirname(path));
  }

  private ofStudent(path: string, name: string, above: readonly string[]): void {
    const download = downloadName(name);
    const student = this.learner(path, withoutExercise(name, this.ids), download, above);
    this.students.add(student);
    try {
      const count = { left: MOST_OF_STUDENT };
      const before = this.files.length;
      if (this.below(path, { student, download }, 0, count)) return;
      this.files.length = before;
      this.broken.push({ student, path, why: `It has more than ${MOST_OF_STUDENT} files and folders.` });
    } catch (problem) {
      this.broken.push({ student, path, why: failureText(problem) });
    }
  }

  private fileAbove(path: string, entry: Entry, above: readonly string[]): void {
    if (!this.isHandedIn(entry) && entry.kind !== "link") {
      this.passed.push({ path, why: NO_FORM });
      return;
    }
    const stem = plainStem(entry.name.slice(0, entry.name.length - extname(entry.name).length));
    const own = isExerciseName(stem, this.ids) ? "" : withoutExercise(stem, this.ids);
    const download = downloadName(stem);
    this.add(path, entry, { student: this.learner(path, own, download, above), download });
  }

  /** Whether an entry counts as a submission, by its name. */
  private isHandedIn({ name, kind }: Entry): boolean {
    return isSubmissionName(name) || (kind === "file" && isOtherForm(name, this.ids));
  }

  /** A student is the same however a system writes the signs of the name. */
  private student(own: string, above: readonly string[]): string {
    const names = [...above, own].filter((name) => name !== "");
    return (names.length === 0 ? basename(this.root) : names.join("/")).normalize("NFC");
  }

  private add(path: string, { name, kind }: Entry, of: Pick<FoundFile, "student" | "download">): void {
    this.students.add(of.student);
    const parts = path.split("/").reverse();
    const named = parts.map((part) => exerciseInName(part, this.ids)).find((id) => id !== null) ?? null;
    this.files.push({ path, name, ...of, named, isLink: kind === "link", isOtherForm: !isSubmissionName(name) });
  }

  /** @returns whether all of it has been looked at */
  private below(
    path: string,
    of: Pick<FoundFile, "student" | "download">,
    depth: number,
    count: { left: number },
  ): boolean {
    const entries = entriesOf(join(this.root, path), count.left);
    if (entries === null) return false;
    count.left -= entries.length;
    const isCourse = isCourseFolder(join(this.root, path));
    for (const entry of entries) {
      const at = `${path}/${entry.name}`;
      const why = passedName(entry) ?? (isCourse && COURSE_FOLDERS.has(entry.name) ? "the course's own" : null);
      if (why !== null) this.passed.push({ path: at, why });
      else if (this.isHandedIn(entry)) this.add(at, entry, of);
      else if (entry.kind === "link") this.passed.push({ path: at, why: "a link" });
      else if (entry.kind !== "folder") this.passed.push({ path: at, why: NO_FORM });
      else if (depth >= DEEPEST) this.passed.push({ path: at, why: `more than ${DEEPEST} folders deep` });
      else if (!this.below(at, of, depth + 1, count)) return false;
    }
    return true;
  }
}

/** The tree with other names for students; those that are none of `names` stay. */
export function withNames(tree: SubmissionTree, names: ReadonlyMap<string, string>): SubmissionTree {
  const renamed = <T extends { readonly student: string }>(each: T): T => {
    return { ...each, student: names.get(each.student) ?? each.student };
  };
  return {
    ...tree,
    files: tree.files.map(renamed),
    students: [...new Set(tree.students.map((student) => names.get(student) ?? student))].sort(),
    broken: tree.broken.map(renamed),
  };
}

/**
 * @param root the folder's full path
 * @param level how many folders' names make a student's, from 1
 * @param ids all exercises
 * @throws InputError for a folder that has more students than a class
 */
export function submissionTree(root: string, level: number, ids: readonly string[]): SubmissionTree {
  const walk = new Walk(root, level, ids);
  walk.above("", []);
  const shown = walk.namesakes.shown();
  const canvasIds = walk.namesakes.canvasIds().map(([whole, id]) => [shown.get(whole) ?? whole, id] as const);
  const tree = { files: walk.files, students: [...walk.students], passed: walk.passed, broken: walk.broken };
  return withNames({ ...tree, canvasIds: new Map(canvasIds) }, shown);
}
