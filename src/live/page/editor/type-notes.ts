/** What the checker of types objects to, as text. */
import type { TypeMark } from "../../types/checker.js";

/** Marks as lines below the editor, where a finger and a screen reader find them, too. */
export function typeNotes(list: HTMLElement, marks: readonly TypeMark[]): void {
  const most = 3;
  const lines = marks.slice(0, most).map(({ line, what }) => `Line ${line}: ${what}`);
  if (marks.length > most) lines.push(`And ${marks.length - most} more.`);
  list.hidden = marks.length === 0;
  list.replaceChildren(
    ...lines.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
}
