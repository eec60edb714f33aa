/** A kernel's line is quoted as it was written, whatever a compiler has put before imported names. */
import { describe, expect, it } from "vitest";
import { caret } from "../../../src/core/base/errors.js";
import { writtenLine } from "../../../src/core/base/written-line.js";

const forms: readonly (readonly [by: string, object: string])[] = [
  ["an earlier cell of tslab", "exports"],
  ["TypeScript's CommonJS", "warplab_1"],
  ["esbuild", "import_warplab"],
  ["Babel", "_warplab"],
  ["vitest", "__vi_import_0__"],
  ["webpack", "warplab__WEBPACK_IMPORTED_MODULE_0__"],
];

describe("a line of a kernel's text", () => {
  it.each(forms)("is told as it was written, compiled by %s", (_, object) => {
    const text = `() => {\n  data[${object}.threadIdx.x] = (0, ${object}.min)(${object}.blockDim.x, 2);\n}`;
    expect(writtenLine({ text }, 2)).toBe("  data[threadIdx.x] = min(blockDim.x, 2);");
  });

  it("keeps the members of the kernel's own variables, whatever they are called", () => {
    const text = "() => {\n  const v_1 = load(a);\n  out[v_1.x] = v_1.width + (0, v_1.y);\n}";
    expect(writtenLine({ text }, 3)).toBe("  out[v_1.x] = v_1.width + (0, v_1.y);");
  });

  it("is undefined where the text has no such line", () => {
    expect(writtenLine({ text: "() => 1" }, 2)).toBeUndefined();
  });

  it("has its caret under the same part", () => {
    const text = "() => {\n  a[0] = (0, warplab_1.idiv)(warplab_1.threadIdx.x, b);\n}";
    const source = { name: "k", text, firstLine: 1 };
    const under = (part: string): string => {
      const column = (text.split("\n")[1] ?? "").indexOf(part);
      const [line = "", marks = ""] = caret(source, { line: 2, column, length: part.length }).split("\n");
      return line.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1);
    };
    expect(caret(source, { line: 2, column: 2, length: 4 })).toBe("2 |   a[0] = idiv(threadIdx.x, b);\n  |   ^^^^");
    expect(under("(0, warplab_1.idiv)(warplab_1.threadIdx.x, b)")).toBe("idiv(threadIdx.x, b)");
    expect(under("warplab_1.idiv")).toBe("idiv");
    expect(under("warplab_1.threadIdx")).toBe("threadIdx");
    expect(under("b)")).toBe("b)");
  });
});
