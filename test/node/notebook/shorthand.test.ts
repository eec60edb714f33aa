import { describe, expect, test } from "vitest";
import { writeOutShorthand } from "../../../src/node/notebook/shorthand.js";

const earlier = "declare const params: number, n: number;\ndeclare function warpReduce(): void;\nexport {};\n";

describe("the short form of a property", () => {
  test("is written out where the name is of an earlier cell", () => {
    expect(writeOutShorthand(earlier, "f({ params, functions: { warpReduce } });")).toBe(
      "f({ params: params, functions: { warpReduce: warpReduce } });",
    );
  });

  test("stays where the name is of this cell", () => {
    expect(writeOutShorthand(earlier, "const own = 1;\nf({ own });")).toBe("const own = 1;\nf({ own });");
  });

  test("of a function's parameters stays: that is a pattern", () => {
    const source = "const g = ({ params, n }) => params + n;\nconst { m: o } = { m: 1 };";
    expect(writeOutShorthand(earlier, source)).toBe(source);
  });

  test("in a text or a comment stays", () => {
    const source = 'const t = "{ params }"; // { params }';
    expect(writeOutShorthand(earlier, source)).toBe(source);
  });

  test("leaves every line where it was", () => {
    const source = "f({\n  params,\n  n,\n});";
    expect(writeOutShorthand(earlier, source)).toBe("f({\n  params: params,\n  n: n,\n});");
  });

  test("of a pattern stays where no earlier cell has the name, also with another name", () => {
    const source = "const { other: o } = f();\n({ other: o } = g());";
    expect(writeOutShorthand(earlier, source)).toBe(source);
  });
});

describe("a property's name in a pattern", () => {
  const typed = "declare const rows: { equal: number; at: { x: number } }[];\nexport {};\n";

  test("is quoted where an earlier cell's type may have it", () => {
    expect(writeOutShorthand(typed, "rows.map(({ equal: e, at: { x: [y] } }) => e);")).toBe(
      'rows.map(({ "equal": e, "at": { "x": [y] } }) => e);',
    );
    expect(writeOutShorthand(typed, "let e; ({ equal: e, at: { x: e } } = rows[0]);")).toBe(
      'let e; ({ "equal": e, "at": { "x": e } } = rows[0]);',
    );
    expect(writeOutShorthand(typed, "for ({ equal: e } of rows) f(e);")).toBe('for ({ "equal": e } of rows) f(e);');
  });

  test("of an object that is no pattern stays", () => {
    const source = "f({ equal: 1, at: { x: 2 } }); const y = [{ equal: 3 }];";
    expect(writeOutShorthand(typed, source)).toBe(source);
  });
});
