/** The workbench's examples run as a page's session runs them, and show what they promise. */
import { describe, expect, test } from "vitest";
import { NotebookOutputs } from "../../../src/course/notebook/cell-outputs.js";
import { Session } from "../../../src/live/cells/session.js";
import * as warplab from "../../../src/live/index.js";
// clang, which a page has in its worker.
import "../../../src/node/clang/cuda.js";
import { hasClang } from "../../../src/node/clang/clang.js";
import { examples } from "../../../src/node/site/play-page.js";

type Language = (typeof LANGUAGES)[number];
const LANGUAGES = ["TypeScript", ...(hasClang() ? (["CUDA C++"] as const) : [])] as const;

/** What the cells of the example put out, as text. */
async function outputsOf(title: string, language: Language): Promise<readonly string[]> {
  const { texts: own, cuda } = examples.find((each) => each.title === title)!;
  const texts = language === "CUDA C++" ? [cuda, ...own.slice(1)] : own;
  const session = new Session(new Map([["warplab", warplab]]));
  const outputs = new NotebookOutputs();
  const before = globalThis.console;
  globalThis.console = session.console as unknown as Console;
  try {
    for (const [index, text] of texts.entries()) {
      const failure = await session.run(text, index + 1, outputs.sink(index, index + 1));
      expect(failure).toBeUndefined();
    }
  } finally {
    globalThis.console = before;
  }
  return texts.map((_, index) =>
    outputs
      .of(index)
      .map((output) =>
        output.output_type === "stream" ? output.text : "data" in output ? String(output.data["text/plain"]) : "",
      )
      .join(""),
  );
}

describe.each(LANGUAGES)("the examples in %s", (language) => {
  test.each(examples.map(({ title }) => title))("run: %s", async (title) => {
    expect((await outputsOf(title, language)).join("")).not.toBe("");
  });

  test("show what their titles say", async () => {
    expect((await outputsOf("A warp's sum, step by step", language))[1]).toBe(String((31 * 32) / 2));
    // Eight words apart, 32 lanes share four banks.
    expect((await outputsOf("Bank conflicts", language))[1]).toBe("8");
    expect((await outputsOf("A race, found", language))[0]).toContain("race");
  });
});
