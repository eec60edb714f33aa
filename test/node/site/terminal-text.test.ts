import { expect, test } from "vitest";
import { terminalText } from "../../../src/node/site/terminal-text.js";

test.each([
  ["a progress bar leaves its last state", "10 %\r20 %\r100 %\ndone\n", "100 %\ndone\n"],
  ["a shorter text leaves the end of a longer one", "loading\rdone", "doneing"],
  ["erasing to the line's end removes it", "loading\rdone\x1b[K\n", "done\n"],
  ["erasing the whole line too", "loading\x1b[2K\rdone", "done"],
  ["a backspace goes one back", "12\b3", "13"],
  ["CR LF is a line's end", "one\r\ntwo\r\n", "one\r\ntwo\r\n"],
  ["going up overwrites lines before", "first: 0\nsecond: 0\n\x1b[2Afirst: 9\n", "first: 9\nsecond: 0\n"],
  ["moving right leaves blanks", "a\x1b[3Cb", "a   b"],
  ["a column is counted from 1", "abc\x1b[1GX", "Xbc"],
  ["clearing the screen leaves what comes after", "old\nlines\x1b[2Jnew", "new"],
  ["titles of a terminal's window are not text", "\x1b]0;title\x07text", "text"],
  ["a plain text stays as it is, with its colours", "\x1b[31mred\x1b[0m text\n", "\x1b[31mred\x1b[0m text\n"],
])("%s", (_, written, shown) => {
  expect(terminalText(written)).toBe(shown);
});

test("colours go with the characters that are overwritten", () => {
  expect(terminalText("\x1b[31mfail\x1b[0m\r\x1b[32mpass\x1b[0m")).toBe("\x1b[0m\x1b[32mpass\x1b[0m");
});
