import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hardSentences } from "./prose.js";

const root = join(import.meta.dirname, "..");

/** Sources and texts below a folder of the project. */
function textsOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => /\.(m?ts|mjs|cjs|js|md)$/.test(file) && !/\/(dist|node_modules)\//.test(file));
}

describe("a comment or a README", () => {
  it.each(["src", "labs"])("of %s has no sentence that must be read twice", (folder) => {
    const hard = textsOf(folder).flatMap((file) =>
      hardSentences(file, readFileSync(join(root, file), "utf8")).map((each) => `${file}:${each}`),
    );
    expect(hard).toEqual([]);
  });
});

describe("the check of sentences", () => {
  const long = Array.from({ length: 26 }, (_, i) => `word${i}`).join(" ");

  it("names a sentence of more than 25 words, with its line", () => {
    expect(hardSentences("a.ts", `const a = 1;\n/**\n * Short.\n * ${long}.\n */`)).toEqual([`2: 26 words: ${long}.`]);
    expect(hardSentences("a.md", `# Title\n\n${long}`)).toEqual([`3: 26 words: ${long}`]);
    expect(hardSentences("a.ts", `// ${long.replace("word9 ", "word9\n// ")}`)).toEqual([`1: 26 words: ${long}`]);
  });

  it("passes over code, tables and links", () => {
    expect(hardSentences("a.md", `| ${long} |\n\n\`\`\`\n${long}\n\`\`\`\n\n\`${long}\` is code.`)).toEqual([]);
    expect(hardSentences("a.ts", `const text = "${long}";`)).toEqual([]);
  });
});
