/** Code cells are read from a notebook's JSON as JSON.parse has them, without making anything of its outputs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CodeCell, codeCells, handedInExercises } from "../../../src/node/grade/notebook-cells.js";
import { Refused } from "../../../src/node/grade/refused.js";

/** The cells by JSON.parse; a message where the text is no notebook. */
function parsed(text: string): readonly CodeCell[] | string {
  let notebook: { nbformat?: unknown; cells?: unknown } | null;
  try {
    notebook = JSON.parse(text) as typeof notebook;
  } catch {
    return "no JSON";
  }
  if (typeof notebook !== "object" || notebook?.nbformat !== 4 || !Array.isArray(notebook.cells)) return "nbformat";
  return notebook.cells.flatMap((cell: unknown, index) => {
    const { cell_type: kind, source } = (cell ?? {}) as { cell_type?: unknown; source?: unknown };
    const lines: unknown = typeof source === "string" ? [source] : source;
    if (kind !== "code" || !Array.isArray(lines) || !lines.every((line) => typeof line === "string")) return [];
    return [{ number: index + 1, source: lines.join("") }];
  });
}

function read(text: string): readonly CodeCell[] | string {
  try {
    return codeCells("my.ipynb", text);
  } catch (problem) {
    expect(problem).toBeInstanceOf(Refused);
    return (problem as Refused).what.includes("no JSON") ? "no JSON" : "nbformat";
  }
}

const name = fc.constantFrom("cell_type", "source", "outputs", "__proto__", "constructor", 'a"b\\', "\u2028\n");
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 4, -0.5, 1e30, "code", "", 'say "\\u0041\\"', "\\", "\ud800"),
    fc.string(),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(name, tie("any"), { maxKeys: 3 }),
  ),
})).any;
const source = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 }), value);
const cell = fc.oneof(
  fc.record({ cell_type: fc.constantFrom("code", "markdown"), source, outputs: value }, { requiredKeys: [] }),
  value,
);
const notebook = fc.record(
  {
    metadata: value,
    nbformat: fc.constantFrom<unknown>(4, 4, 4, 3, "4", [4], null),
    cells: fc.array(cell, { maxLength: 4 }),
  },
  { requiredKeys: ["nbformat"] },
);

describe("the cells of a notebook", () => {
  it("are those of JSON.parse, for whatever notebook and however it is broken", () => {
    const change = fc.record({
      at: fc.nat(300),
      drop: fc.nat(3),
      insert: fc.constantFrom("", "", ",", "]", "}", '"', "\\", "0"),
    });
    fc.assert(
      fc.property(notebook, fc.constantFrom(0, 2), fc.option(change), (made, indent, changed) => {
        const whole = JSON.stringify(made, null, indent);
        const text =
          changed === null
            ? whole
            : whole.slice(0, changed.at) + changed.insert + whole.slice(changed.at + changed.drop);
        const [own, other] = [read(text), parsed(text)];
        // Escapes within what is passed over are not looked at: such a text may be read all the same.
        if (changed !== null && other === "no JSON" && own !== "no JSON") return;
        expect(own).toEqual(other);
      }),
      { seed: 38, numRuns: 3000 },
    );
  });

  it("are the last ones, where a field is there twice", () => {
    const text =
      '{"nbformat":4,"cells":[{"cell_type":"code","source":"1"}],"cells":[{"source":"a","cell_type":"markdown","cell_type":"code","source":["b","c"]}]}';
    expect(codeCells("a", text)).toEqual([{ number: 1, source: "bc" }]);
    expect(parsed(text)).toEqual(codeCells("a", text));
  });

  it("are read beside 50 MB of output, and not below ten thousand brackets", () => {
    const cells = (output: string): string =>
      `{"nbformat":4,"cells":[{"outputs":${output},"cell_type":"code","source":"1"}]}`;
    expect(read(cells(`["${"x\\\\\\n".repeat(10_000_000)}"]`))).toEqual([{ number: 1, source: "1" }]);
    const deep = cells("[".repeat(10_000) + "]".repeat(10_000));
    expect(() => codeCells("my.ipynb", deep)).toThrow("my.ipynb is no notebook: its JSON has more than 200 levels.");
  });

  it("name the exercises that they hand in, each once", () => {
    const sources = [
      'checkExercise("lab-28", a)',
      "checkExercise ( 'lab-30' ,a); checkExercise(`lab-28`)",
      "check('x')",
    ];
    expect(handedInExercises(sources.map((each, number) => ({ number, source: each })))).toEqual(["lab-28", "lab-30"]);
  });
});
