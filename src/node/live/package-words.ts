/** The package's names with what their declarations say of them: an editor on a page completes and explains them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cudaWords } from "./cuda-words.js";
import type { PackageWord } from "./package-word.js";

/** Types whose members an editor knows. */
const WITH_MEMBERS = ["Gpu", "DeviceBuffer", "Kernel", "LaunchResult", "Counters", "Metrics"];
/** A type of many alternatives is no help beside a cursor. */
const MOST_SIGNATURE = 300;

const DECLARATION =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export (?:declare )?(?:abstract )?(function|const|class|interface) ([\w$]+)/g;
const MEMBER =
  /^ {4}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?(?:readonly |get |static )*([a-z][\w$]*)(\??[:(<][\s\S]*?;)$/gm;

/** A comment's text without its frame: paragraphs, and what begins with @example or @throws. */
function textOf(comment: string | undefined): string {
  const lines = (comment ?? "").split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  return lines
    .join("\n")
    .replace(/\{@link ([^}]*)\}/g, "$1")
    .trim();
}

function signatureOf(text: string): string {
  const line = text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/^: |;$/g, "")
    .trim();
  return line.length > MOST_SIGNATURE ? `${line.slice(0, MOST_SIGNATURE)} ...` : line;
}

/** From behind the name to the end of the declaration, which is the first line's end that nothing indented follows. */
function restOf(text: string, from: number): string {
  const end = /;\n(?=\S|$)|\n\}/.exec(text.slice(from));
  return text.slice(from, from + (end === null ? 0 : end.index + 1));
}

function wordsOf(text: string, names: ReadonlySet<string>): readonly PackageWord[] {
  const words: PackageWord[] = [];
  for (const { 0: all, 1: comment, 2: kind = "", 3: name = "", index } of text.matchAll(DECLARATION)) {
    const rest = restOf(text, index + all.length);
    const isType = kind === "class" || kind === "interface";
    if (names.has(name)) words.push({ name, kind, signature: isType ? "" : signatureOf(rest), about: textOf(comment) });
    if (!isType || !WITH_MEMBERS.includes(name)) continue;
    for (const [, about, member = "", signature = ""] of rest.matchAll(MEMBER)) {
      if (member === "constructor" || (about === undefined && kind === "class")) continue;
      words.push({ name: member, kind: "member", of: name, signature: signatureOf(signature), about: textOf(about) });
    }
  }
  return words;
}

/**
 * @param folder of the compiled package
 * @param exported the names that a cell can import
 */
export function packageWords(folder: string, exported: readonly string[]): readonly PackageWord[] {
  const names = new Set(exported);
  const files = ["core", "course", "live"].flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".d.ts"))
      .sort()
      .map((file) => join(folder, room, file)),
  );
  const found = new Map<string, PackageWord>();
  for (const file of files) {
    for (const word of wordsOf(readFileSync(file, "utf8"), names)) {
      const key = `${word.of ?? ""}.${word.name}`;
      if ((found.get(key)?.about ?? "") === "") found.set(key, word);
    }
  }
  for (const name of names)
    if (!found.has(`.${name}`)) found.set(`.${name}`, { name, kind: "", signature: "", about: "" });
  const words = [...found.values()];
  return [...words, ...cudaWords(words)].sort((a, b) => (a.name < b.name ? -1 : 1));
}
