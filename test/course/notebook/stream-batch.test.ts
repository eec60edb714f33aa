import { expect, test } from "vitest";
import { StreamBatch } from "../../../src/course/notebook/stream-batch.js";

function batch(): {
  readonly sent: (readonly [string, string])[];
  readonly texts: StreamBatch;
  wait(ms: number): void;
} {
  const sent: (readonly [string, string])[] = [];
  let nowMs = 0;
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return {
    sent,
    wait,
    texts: new StreamBatch(
      (name, text) => sent.push([name, text]),
      () => nowMs,
    ),
  };
}

test("a cell's first lines go out one by one", () => {
  const { sent, texts } = batch();
  for (let line = 0; line < 10; line++) texts.write("stdout", `${line}\n`);
  expect(sent).toHaveLength(10);
});

test("20,000 lines at once are few messages, and all of the text", () => {
  const { sent, texts } = batch();
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}\n`);
  for (const line of lines) texts.write("stdout", line);
  texts.flush();
  expect(sent.length).toBeLessThan(60);
  expect(sent.map(([, text]) => text).join("")).toBe(lines.join(""));
});

test("a slow cell's lines go out as they come", () => {
  const { sent, texts, wait } = batch();
  for (let line = 0; line < 200; line++) {
    texts.write("stdout", `${line}\n`);
    wait(100);
  }
  expect(sent).toHaveLength(200);
});

test("the two streams keep their order", () => {
  const { sent, texts } = batch();
  for (let line = 0; line < 60; line++) texts.write("stdout", "o");
  texts.write("stderr", "e");
  texts.write("stdout", "o");
  texts.flush();
  const both = sent.map(([name, text]) => (name === "stdout" ? text : text.toUpperCase())).join("");
  expect(both).toBe(`${"o".repeat(60)}Eo`);
});
