import { expect, test } from "vitest";
import type { CellSink } from "../../../src/course/notebook/cell-sink.js";
import { wellFormed, wellFormedSink } from "../../../src/course/notebook/well-formed.js";

test("each half of a surrogate pair becomes U+FFFD, in every string of a value", () => {
  const value = { "text/plain": "a\ud800b", nested: ["\udc00", 1, null, "😀"] };
  expect(wellFormed(value)).toEqual({ "text/plain": "a\ufffdb", nested: ["\ufffd", 1, null, "😀"] });
});

test("a pair that two writes have a half each of is put together, and a half alone replaced", () => {
  const written: string[] = [];
  const sink: CellSink = {
    stream: (name, text) => void written.push(`${name}: ${text}`),
    display: () => void written.push("display"),
    result: () => void written.push("result"),
  };
  const whole = wellFormedSink(sink);
  whole.stream("stdout", "smile \ud83d");
  whole.stream("stdout", "\ude00\n");
  whole.stream("stdout", "cut \ud83d");
  whole.stream("stderr", "other");
  whole.stream("stdout", "\ud83d");
  whole.display({ data: {}, metadata: {}, transient: {} }, false);
  whole.stream("stdout", "\ud83d");
  whole.end();
  expect(written).toEqual([
    "stdout: smile ",
    "stdout: 😀\n",
    "stdout: cut ",
    "stdout: \ufffd",
    "stderr: other",
    "stdout: \ufffd",
    "display",
    "stdout: \ufffd",
  ]);
});
