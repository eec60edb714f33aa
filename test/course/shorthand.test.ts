import { describe, expect, test } from "vitest";
import { writeOutShorthand } from "../../src/course/shorthand.js";

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
    const source = "const g = ({ params, n }) => params + n;\nconst { n: m } = { n: 1 };";
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
});
