/** The order of the course: notebooks/course.json. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/base/errors.js";

/** A page that is there: the name of its notebook, without the ending. */
export interface WrittenPage {
  readonly name: string;
}

/** A page to come. */
export interface PlannedPage {
  readonly title: string;
  readonly about: string;
}

export interface CoursePart {
  readonly title: string;
  readonly about: string;
  readonly pages: readonly (WrittenPage | PlannedPage)[];
}

export interface Syllabus {
  readonly title: string;
  /** It says what the course is, in paragraphs of Markdown. */
  readonly about: string;
  readonly parts: readonly CoursePart[];
}

/**
 * The data of a file that an author writes by hand.
 * @throws InputError where it is no JSON
 */
export function authoredJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new InputError({
      what: `${file} cannot be read as JSON: ${(error as Error).message}`,
      cure: "Look at the place that it names for a missing comma, quote or bracket.",
    });
  }
}

export function isWritten(page: WrittenPage | PlannedPage): page is WrittenPage {
  return "name" in page;
}

/**
 * @param notebooks the folder with course.json
 * @returns null where the folder has no such file: a folder of notebooks in no order but that of their names
 * @throws InputError where a page has no notebook
 */
export function readSyllabus(notebooks: string): Syllabus | null {
  const file = join(notebooks, "course.json");
  if (!existsSync(file)) return null;
  const syllabus = authoredJson(file) as Syllabus;
  for (const name of writtenPages(syllabus)) {
    if (existsSync(join(notebooks, `${name}.ipynb`))) continue;
    throw new InputError({
      what: `${file} names the page ${name}, but there is no ${name}.ipynb beside it.`,
      cure: "Name the notebook as its file, without the ending, or give title and about of a page to come.",
    });
  }
  return syllabus;
}

/** The names of all pages that are there, in the course's order. */
export function writtenPages({ parts }: Syllabus): readonly string[] {
  return parts.flatMap(({ pages }) => pages.flatMap((page) => (isWritten(page) ? [page.name] : [])));
}
