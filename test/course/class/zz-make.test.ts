import { mkdirSync, writeFileSync } from "node:fs";
import { it } from "vitest";
import { answerTexts } from "./answer-texts.js";

it("makes", () => {
  for (const id of ["lab-28", "lab-30"]) {
    const texts = answerTexts(id);
    console.log(id, texts.length, texts.map((t) => t.kind[0]).join(""));
    const dir = `/tmp/class-300-${id}`;
    mkdirSync(dir, { recursive: true });
    for (let i = 0; i < 300; i++) {
      const { text } = texts[i % texts.length]!;
      const dirS = `${dir}/student-${String(i).padStart(3, "0")}`;
      mkdirSync(dirS, { recursive: true });
      writeFileSync(`${dirS}/${id}.ts`, `// Answer ${i}\n${text.replaceAll("sdata", `shared${i}`)}`);
    }
  }
});
