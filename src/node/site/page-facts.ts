/** The facts that a page states in its first cell. */
import type { Notebook, TextCell } from "../../course/notebook/notebook.js";
import { notebookTitle } from "./notebook-page.js";

export interface PageFacts {
  readonly name: string;
  readonly title: string;
  /** The paragraph that begins with "The question."; empty where there is none. */
  readonly question: string;
  /** "tell from counters whether a branch divides a warp", and others. */
  readonly goals: readonly string[];
  /** Markdown, with links to other pages. */
  readonly before: string;
  readonly minutes: number | null;
}

export function textCells(notebook: Notebook): readonly TextCell[] {
  return notebook.cells.filter((cell): cell is TextCell => cell.cell_type === "markdown");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

export function pageFacts(name: string, notebook: Notebook): PageFacts {
  const head = textCells(notebook)[0]?.source ?? "";
  const [, question = ""] = /\*\*The question\.\*\*(.*?)(?:\n\s*\n|$)/s.exec(head) ?? [];
  const [, list = ""] = /\*\*After this page you can\*\*\s*\n((?:[-*] .*(?:\n(?: +\S.*|[-*] .*))*))/.exec(head) ?? [];
  const [, before = ""] = /\*\*Before:\*\*(.*?)(?:\*\*Time:\*\*|\n\s*\n|$)/s.exec(head) ?? [];
  const [, minutes] = /\*\*Time:\*\*\s*(\d+)\s+minutes/.exec(head) ?? [];
  return {
    name,
    title: notebookTitle(notebook, name),
    question: oneLine(question),
    goals: list
      .split(/^[-*] /m)
      .map((goal) => oneLine(goal).replace(/[;.]$|; and$/, ""))
      .filter((goal) => goal !== ""),
    before: oneLine(before),
    minutes: minutes === undefined ? null : Number(minutes),
  };
}
