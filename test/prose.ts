/** Sentences of comments and Markdown, and which of them a reader would have to read twice; used by prose.test.ts. */

/** A paragraph of a file, with the line on which it begins. */
interface Paragraph {
  readonly line: number;
  readonly text: string;
}

const LONGEST_SENTENCE_WORDS = 25;

/** Tables, code and headings are no sentences. */
function markdownParagraphs(lines: readonly string[]): Paragraph[] {
  const found: { line: number; text: string }[] = [];
  let isOpen = false;
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode || /^(```|\s*\||#|\s*$)/.test(line)) {
      isOpen = false;
      continue;
    }
    const item = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
    if (item !== null || !isOpen) found.push({ line: index + 1, text: item?.[1] ?? line });
    else found.at(-1)!.text += ` ${line.trim()}`;
    isOpen = true;
  }
  return found;
}

const TAG = /^@(?:param \S+|returns|throws \S+|example)\s*/;

function commentParagraphs(lines: readonly string[]): Paragraph[] {
  const found: { line: number; text: string }[] = [];
  let isBlock = false;
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const begin = /^\s*\/\*\*?\s?(.*)$/.exec(line);
    const single = /^\s*\/\/\s?(.*)$/.exec(line);
    const isComment = isBlock || begin !== null || single !== null;
    if (!isComment) {
      isOpen = false;
      continue;
    }
    const raw = isBlock ? line.replace(/^\s*\*(?!\/)\s?/, "") : (begin?.[1] ?? single?.[1] ?? "");
    const text = raw.replace(/\*\/\s*$/, "").trim();
    const beginsAnew = (!isBlock && begin !== null) || text === "" || /^[-|@]/.test(text);
    if (beginsAnew || !isOpen) found.push({ line: index + 1, text: text.replace(/^- /, "").replace(TAG, "") });
    else found.at(-1)!.text += ` ${text}`;
    if (isBlock || begin !== null) isBlock = !/\*\/\s*$/.test(line);
    isOpen = isBlock || single !== null;
  }
  return found;
}

/** Names the sentences of a file that a reader has to read twice, as `line: why: the sentence`. */
export function hardSentences(file: string, text: string): readonly string[] {
  const lines = text.split("\n");
  const paragraphs = file.endsWith(".md") ? markdownParagraphs(lines) : commentParagraphs(lines);
  return paragraphs.flatMap(({ line, text: paragraph }) => {
    const plain = paragraph
      .replace(/`[^`]*`/g, "code")
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/https?:\S+/g, "address");
    const sentences = plain.split(/(?<=[.:;!?])\s+(?=[A-Z("])|(?<=[.!?])\s+/).map((each) => each.trim());
    return sentences.flatMap((sentence) => {
      const words = sentence.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length;
      return words > LONGEST_SENTENCE_WORDS ? [`${line}: ${words} words: ${sentence}`] : [];
    });
  });
}
