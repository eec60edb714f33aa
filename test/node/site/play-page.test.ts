/** The workbench's examples run as a page's session runs them, and show what they promise. */
import { expect, test } from "vitest";
import { NotebookOutputs } from "../../../src/course/notebook/cell-outputs.js";
import { Session } from "../../../src/live/cells/session.js";
import * as warplab from "../../../src/live/index.js";
import { examples } from "../../../src/node/site/play-page.js";

/** What the cells of the example put out, as text. */
async function outputsOf(title: string): Promise<readonly string[]> {
  const { texts } = examples.find((each) => each.title === title)!;
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

test.each(examples.map(({ title }) => title))("%s runs", async (title) => {
  expect((await outputsOf(title)).join("")).not.toBe("");
});

test("the examples show what their titles say", async () => {
  expect((await outputsOf("A warp's sum, step by step"))[1]).toBe(String((31 * 32) / 2));
  // Eight words apart, 32 lanes share four banks.
  expect((await outputsOf("Bank conflicts"))[1]).toBe("8");
  expect((await outputsOf("A race, found"))[0]).toContain("race");
});
