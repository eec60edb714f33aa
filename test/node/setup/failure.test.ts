import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failureText, PreparationError } from "../../../src/node/setup/failure.mjs";

function thrown(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test.each([
  ["a disk that is full", () => writeFileSync("/dev/full", "x"), "The disk is full"],
  ["a file that is not there", () => readFileSync("/nothing/here"), "/nothing/here is missing."],
  [
    "a folder that cannot be made below one that is there",
    () => {
      // As Node's mkdir with `recursive` says it of a file system that is read-only.
      throw Object.assign(new Error("ENOENT"), { code: "ENOENT", syscall: "mkdir", path: "/warplab-work" });
    },
    "/warplab-work cannot be written: its file system is read-only.",
  ],
  [
    "a file where a folder belongs",
    () => readFileSync("/dev/null/x"),
    "/dev/null/x cannot be opened: a part of its path",
  ],
  [
    "what is said already",
    () => {
      throw new PreparationError("Said.");
    },
    "Said.",
  ],
  [
    "what was not foreseen",
    () => {
      throw new TypeError("x is not a function");
    },
    "TypeError: x is not a function\nThis was not foreseen",
  ],
])("of %s a command says a sentence, without a stack", (_, work, text) => {
  const said = failureText(thrown(work));
  expect(said).toContain(text);
  expect(said).not.toMatch(/^ +at /m);
});
