import { expect, test } from "vitest";
import { codeAlone } from "../../../../src/core/frontend/text/code-alone.js";

test("comments and texts are spaces, and every other character keeps its place", () => {
  expect(codeAlone("a /* b\n c */ d // e\nf(\"g\", 'h', `i\nj`) ;")).toBe(
    "a     \n      d     \nf(   ,    ,   \n  ) ;",
  );
});

test("a character that is a quote opens no text", () => {
  expect(codeAlone(`f('"', a, '"', b)`)).toBe("f(   , a,    , b)");
  expect(codeAlone(`f("\\"", a)`)).toBe("f(    , a)");
});

test("what stands between two numbers with digit separators is code", () => {
  expect(codeAlone("1'000 * a + 2'000 * 0xff'ff + 'b'")).toBe("1'000 * a + 2'000 * 0xff'ff +    ");
});

test("a quote that its line does not close is left", () => {
  expect(codeAlone("#error don't\na")).toBe("#error don't\na");
});
