/** README.md, glossary.md and errata.md of notebooks/, written from the pages themselves. */
import { join } from "node:path";
import { exercise, exerciseIds } from "../../course/exercises/exercise.js";
import type { Notebook } from "../../course/notebook/notebook.js";
import { readNotebook } from "../notebook/notebook.js";
import { type Erratum, errataOf } from "./errata.js";
import { type GlossaryTerm, glossaryTerms, readGlossary } from "./glossary.js";
import { anchorOf } from "./markdown-page.js";
import { addressOf } from "./notebook-page.js";
import { type PageFacts, pageFacts } from "./page-facts.js";
import { isWritten, type PlannedPage, readSyllabus, type Syllabus, writtenPages } from "./syllabus.js";

const file = (page: string): string => `${page}.ipynb`;
const fileLink = (page: string): string => addressOf(page, "ipynb");
/** Markdown ends a link at a bracket. */
const encodedAnchor = (section: string): string =>
  encodeURIComponent(anchorOf(section)).replace(/[()]/g, (bracket) => (bracket === "(" ? "%28" : "%29"));
const sectionLink = (page: string, section: string): string =>
  section === "" ? fileLink(page) : `${fileLink(page)}#${encodedAnchor(section)}`;

const WRITTEN_ANEW = "<!-- Written by `npm run notebooks` from the notebooks, course.json and glossary.json. -->";

function goalList(goals: readonly string[]): string {
  return ["  You can then", ...goals.map((goal, index) => `  - ${goal}${index < goals.length - 1 ? ";" : "."}`)].join(
    "\n",
  );
}

function pageItem({ name, title, goals, minutes, before }: PageFacts, exerciseTitle: string | null): string {
  const time = minutes === null ? "" : ` (${minutes} minutes)`;
  return [
    `- **[${title}](${fileLink(name)})**${time}`,
    ...(before === "" ? [] : [`  *Before:* ${before}`]),
    ...(exerciseTitle === null ? [] : [`  *Exercise:* ${exerciseTitle}.`]),
    ...(goals.length === 0 ? [] : [goalList(goals)]),
  ].join("  \n");
}

function plannedItem({ title, about }: PlannedPage): string {
  return `- ${title} *(not written yet)*  \n  ${about}`;
}

function readmeText({ title, about, parts }: Syllabus, facts: ReadonlyMap<string, PageFacts>): string {
  const ids = exerciseIds();
  const exerciseOf = (name: string): string | null => {
    const id = ids.find((each) => name.startsWith(`${each}-`));
    return id === undefined ? null : exercise(id).title;
  };
  const sections = parts.map(({ title: heading, about: text, pages }) => {
    const items = pages.map((page) => {
      if (!isWritten(page)) return plannedItem(page);
      const found = facts.get(page.name);
      return found === undefined ? "" : pageItem(found, exerciseOf(page.name));
    });
    return `## ${heading}\n\n${text}\n\n${items.join("\n")}\n`;
  });
  const minutes = [...facts.values()].reduce((sum, page) => sum + (page.minutes ?? 0), 0);
  const all = `${facts.size} pages, ${Math.round(minutes / 60)} hours with their exercises. The [glossary](glossary.md) explains each
term and links to its first use. The [errata](errata.md) collect the claims of the sources that a page puts right.
[For instructors](INSTRUCTORS.md): a class, its grades, and exercises of your own.`;
  return `${WRITTEN_ANEW}\n\n# ${title}\n\n${about}\n\n${all}\n\n${sections.join("\n")}`;
}

function glossaryText(terms: readonly GlossaryTerm[], facts: ReadonlyMap<string, PageFacts>): string {
  const items = terms.map(({ term, also = [], meaning, first }) => {
    const others = also.length === 0 ? "" : ` (also ${also.join(", ")})`;
    const title = first === null ? "" : (facts.get(first.page)?.title ?? first.page);
    const at = first === null ? "" : ` First in [${title}](${sectionLink(first.page, first.section)}).`;
    return `**${term}**${others}: ${meaning}${at}\n`;
  });
  return `${WRITTEN_ANEW}\n\n# Glossary\n\nThe course's words, as CUDA and its profilers use them. [The course](README.md)\n\n${items.join("\n")}`;
}

function errataText(errata: readonly Erratum[], facts: ReadonlyMap<string, PageFacts>): string {
  const sections: string[] = [];
  let page = "";
  for (const erratum of errata) {
    if (erratum.page !== page) {
      page = erratum.page;
      sections.push(`## ${facts.get(page)?.title ?? page}\n`);
    }
    const where = `[${erratum.section}](${sectionLink(page, erratum.section)})`;
    const evidence =
      erratum.evidence === ""
        ? ""
        : `\n<details><summary>The output of the page's cell</summary>\n\n${erratum.evidence}\n\n</details>\n`;
    sections.push(`${erratum.text} (Section ${where}.)\n${evidence}`);
  }
  return `${WRITTEN_ANEW}\n\n# Errata

The documents behind this course make claims that do not hold, or no longer. The pages test them; here are all that
failed, ${errata.length} of them, with the output of the cell that shows it. [The course](README.md)\n\n${sections.join("\n")}`;
}

/** The Markdown files beside the notebooks, by their names. */
export interface FrontFiles {
  readonly "README.md": string;
  readonly "glossary.md": string;
  readonly "errata.md": string;
}

/**
 * @param notebooks the folder
 * @param pages the notebooks with their outputs, by name; those that are missing are read from the folder
 * @returns null where the folder has no course.json
 */
export function frontFiles(notebooks: string, pages: ReadonlyMap<string, Notebook> = new Map()): FrontFiles | null {
  const syllabus = readSyllabus(notebooks);
  if (syllabus === null) return null;
  const inOrder = writtenPages(syllabus).map((name) => ({
    name,
    notebook: pages.get(name) ?? readNotebook(join(notebooks, file(name))),
  }));
  const facts = new Map(inOrder.map(({ name, notebook }) => [name, pageFacts(name, notebook)] as const));
  return {
    "README.md": readmeText(syllabus, facts),
    "glossary.md": glossaryText(glossaryTerms(readGlossary(notebooks), inOrder), facts),
    "errata.md": errataText(
      inOrder.flatMap(({ name, notebook }) => errataOf(name, notebook)),
      facts,
    ),
  };
}
