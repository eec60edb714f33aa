/** A session's cells, beside what tslab's kernel does with the same cells (test/node/notebook). */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { NotebookOutputs } from "../../../src/course/notebook/cell-outputs.js";
import type { Output } from "../../../src/course/notebook/notebook.js";
import type { LocatedFailure } from "../../../src/live/cells/failure.js";
import { Session } from "../../../src/live/cells/session.js";
import * as warplab from "../../../src/live/index.js";

interface Ran {
  readonly outputs: readonly Output[];
  readonly failure: LocatedFailure | undefined;
}

/** Runs the cells in one session, as numbers 1, 2 ... */
async function run(...cells: readonly string[]): Promise<readonly Ran[]> {
  const session = new Session(new Map([["warplab", warplab]]));
  const outputs = new NotebookOutputs();
  const ran: Ran[] = [];
  const before = globalThis.console;
  globalThis.console = session.console as unknown as Console;
  try {
    for (const [index, source] of cells.entries()) {
      const failure = await session.run(source, index + 1, outputs.sink(index, index + 1));
      ran.push({ outputs: outputs.of(index), failure });
    }
  } finally {
    globalThis.console = before;
  }
  return ran;
}

/** What the last of the cells prints and shows, as text; its failure throws. */
async function lastText(...cells: readonly string[]): Promise<string> {
  const { outputs, failure } = (await run(...cells)).at(-1)!;
  if (failure !== undefined) throw new Error(failure.traceback.join("\n"));
  return outputs
    .map((output) =>
      output.output_type === "stream" ? output.text : "data" in output ? output.data["text/plain"] : "",
    )
    .join("|");
}

const KERNEL = `import { Gpu, i32, kernel, ptr, threadIdx } from "warplab";
const bad = kernel("bad", { data: ptr(i32) }, ({ data }) => {
  const i = threadIdx.x;
  if (i < 40)
    data[i] = i;
});`;

describe("a cell", () => {
  test.each([
    ["the value of its last expression", ["1 + 2"], "3"],
    ["a value in brackets, with a comment behind it", ["(1, 2) // two"], "2"],
    ["a string as it is", ["const a = 1;\n'a' + a"], "a1"],
    [
      "an object as Node writes it",
      ["({ a: [1, 2], b: new Map([[1, 'x']]) })"],
      "{ a: [ 1, 2 ], b: Map(1) { 1 => 'x' } }",
    ],
    [
      "nothing of a declaration, undefined and null",
      ["const a = 1;", "let b", "undefined", "null", "type T = number"],
      "",
    ],
    ["printed values as Node writes them", ["console.log('a %d', 1, [2], { b: 3n })"], "a 1 [ 2 ] { b: 3n }\n"],
  ])("shows %s", async (_, cells, text) => {
    expect(await lastText(...cells)).toBe(text);
  });

  test.each([
    ["variables", ["const a = 1, { b, c: [d] } = { b: 2, c: [3] };\nlet e", "[a, b, d, e]"], "[ 1, 2, 3, undefined ]"],
    [
      "functions before their text, and classes",
      ["const two = f();\nfunction f() { return 2; }\nclass A { x = f(); }", "[two, new A()]"],
      "[ 2, A { x: 2 } ]",
    ],
    ["enums and interfaces", ["enum E { a = 4 }\ninterface I { x: number }\nconst i: I = { x: E.a };", "i.x"], "4"],
    [
      "variables that follow a line without a semicolon",
      ["const a = [1]\nconst b = a\nconst c = 3", "[b, c]"],
      "[ [ 1 ], 3 ]",
    ],
    [
      "what is declared again, also to functions of earlier cells",
      ["let a = 1; const f = () => a;", "let a = 5;", "f()"],
      "5",
    ],
    ["what another cell assigns", ["let a = 1;", "a += 2;", "a"], "3"],
    ["awaited values", ["const a = await Promise.resolve(7);", "a"], "7"],
    ["names that the browser has, too", ["const name = 'mine', self = 1;", "name + self"], "mine1"],
  ])("sees %s of earlier cells", async (_, cells, text) => {
    expect(await lastText(...cells)).toBe(text);
  });

  test("runs under strict rules, as a module does", async () => {
    const [{ failure }] = await run("notDeclared = 1;");
    expect(failure?.traceback).toEqual([
      "ReferenceError: notDeclared is not defined",
      "    in cell [1], line 1: notDeclared = 1;",
      "Run the cell that declares notDeclared first.",
    ]);
  });
});

describe("a cell that fails", () => {
  test("names each cell's line on the way, the innermost first", async () => {
    const ran = await run(
      '// one\nconst f = (x: {\n  a: number;\n}) => {\n  throw new RangeError("no " + x.a);\n};',
      "\n\nf({ a: 1 });",
    );
    expect(ran[1]!.failure).toEqual({
      ename: "RangeError",
      evalue: "no 1",
      traceback: [
        "RangeError: no 1",
        '    in cell [1], line 5: throw new RangeError("no " + x.a);',
        "    in cell [2], line 3: f({ a: 1 });",
      ],
      places: [
        { cell: 1, line: 5 },
        { cell: 2, line: 3 },
      ],
    });
  });

  test("says where its text is no TypeScript, and runs nothing", async () => {
    const [{ failure, outputs }] = await run("console.log(1);\nconst a = (1 + ;");
    expect(failure?.ename).toBe("SyntaxError");
    expect(failure?.places).toEqual([{ cell: 1, line: 2 }]);
    expect(failure?.traceback[0]).toContain("2 | const a = (1 + ;");
    expect(outputs).toEqual([]);
  });

  test("quotes the kernel's line as it stands in its cell, which the page marks", async () => {
    const launch =
      'const gpu = new Gpu("v100");\ngpu.launch(bad, { grid: 1, block: 64 }, { data: gpu.alloc(i32, 32) });';
    const { failure } = (await run(KERNEL, launch))[1]!;
    expect(failure?.evalue).toContain("in kernel bad, line 5 of cell [1]\n5 |     data[i] = i;");
    expect(failure?.places[0]).toEqual({ cell: 1, line: 5 });
  });

  test.each([
    ['import { x } from "fs";', 'There is no module "fs" here.', 'Import from "warplab".'],
    ['import { Gpuu } from "warplab";', '"warplab" has no Gpuu.', "spelling"],
    ['import { toPng } from "warplab";\ntoPng();', "toPng needs Node", "toSvg"],
  ])("says what %s cannot have here, with the cure", async (source, what, cure) => {
    const [{ failure }] = await run(source);
    expect(failure?.evalue).toContain(what);
    expect(failure?.evalue).toContain(cure);
  });
});

test("display shows tables as HTML and figures as SVG, beside the text that Node has", async () => {
  const [{ outputs, failure }] = await run(`import { barFigure, display, table } from "warplab";
display(table({ title: "T", columns: [{ key: "a", title: "A" }], rows: [{ a: 1 }] }));
display(barFigure({ title: "B", versions: ["v"], series: [{ name: "s", values: [1] }], axisTitle: "ms", format: { decimals: 1 } }));`);
  expect(failure).toBeUndefined();
  expect(outputs.map((output) => ("data" in output ? Object.keys(output.data) : []))).toEqual([
    ["text/html", "text/markdown", "text/plain"],
    ["application/vnd.plotly.v1+json", "image/svg+xml", "text/plain"],
  ]);
});

test("fifteen hundred runs leave no more memory than seven hundred", () => {
  // A process of its own: the test's runner keeps what it evaluates.
  const program = `
import { Session } from ${JSON.stringify(new URL("../../../src/dist/live/cells/session.js", import.meta.url).href)};
const session = new Session(new Map());
const nothing = { stream() {}, display() {}, result() {} };
async function bytesAfter(last, from) {
  for (let count = from; count <= last; count++) {
    const text = \`const data = new Float64Array(2 ** 16); // \${count} \${"x".repeat(20_000)}\`;
    if (await session.run(text, count, nothing)) throw new Error("the cell failed");
  }
  for (let time = 0; time < 3; time++) gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
// V8 keeps no evaluated text of its own here; what it makes once is made by then.
const before = await bytesAfter(700, 1);
console.log(await bytesAfter(1500, 701) - before);`;
  const said = execFileSync(
    process.execPath,
    ["--expose-gc", "--no-compilation-cache", "--input-type=module", "-e", program],
    {
      encoding: "utf8",
    },
  );
  expect(said).toMatch(/^-?\d+\n$/);
  // Kept, the texts of the others would take 32 MB, their arrays 400.
  expect(Number(said)).toBeLessThan(4e6);
});
