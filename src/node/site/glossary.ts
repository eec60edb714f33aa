/** The terms of the course, each with the section that uses it first. */
import { join } from "node:path";
import type { Notebook } from "../../course/notebook/notebook.js";
import { textCells } from "./page-facts.js";
import { authoredJson } from "./syllabus.js";

/** A term as notebooks/glossary.json has it. */
export interface TermEntry {
  readonly term: string;
  /** Other names of the same. */
  readonly also?: readonly string[];
  /** Inflected forms under which pages use it; not shown. */
  readonly forms?: readonly string[];
  readonly meaning: string;
}

export interface GlossaryTerm extends TermEntry {
  /** Null where no page uses the term. */
  readonly first: { readonly page: string; readonly section: string } | null;
}

export function readGlossary(notebooks: string): readonly TermEntry[] {
  return authoredJson(join(notebooks, "glossary.json")) as readonly TermEntry[];
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** The page's text by headings, without its code. */
export function sectionsOf(notebook: Notebook): readonly Section[] {
  const sections: { heading: string; text: string }[] = [{ heading: "", text: "" }];
  for (const { source } of textCells(notebook)) {
    for (const line of source.replace(/```.*?```/gs, "").split("\n")) {
      const [, heading] = /^#+\s+(.+)$/.exec(line) ?? [];
      if (heading !== undefined) sections.push({ heading, text: `${heading}\n` });
      else (sections.at(-1) ?? { text: "" }).text += `${line}\n`;
    }
  }
  return sections;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");

function usesTerm({ term, also = [], forms = [] }: TermEntry): RegExp {
  const names = [term, ...also, ...forms].map(escaped).join("|");
  return new RegExp(`(?<![\\w-])(?:${names})(?![\\w-])`, "i");
}

/** @param pages the course's pages in their order */
export function glossaryTerms(
  entries: readonly TermEntry[],
  pages: readonly { readonly name: string; readonly notebook: Notebook }[],
): readonly GlossaryTerm[] {
  const sections = pages.flatMap(({ name, notebook }) =>
    sectionsOf(notebook).map((section) => ({ page: name, ...section })),
  );
  return [...entries]
    .sort((a, b) => (a.term.toLowerCase() < b.term.toLowerCase() ? -1 : 1))
    .map((entry) => {
      const found = sections.find(({ text }) => usesTerm(entry).test(text));
      return { ...entry, first: found === undefined ? null : { page: found.page, section: found.heading } };
    });
}
