/** The text of printf reaches stdout when CUDA says that its buffer is put out: where the host waits, and in the order of the launches. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { i32, kernel, launch, printf, ptr, sanitize, threadIdx } from "../../../src/index.js";
import { runNotebook } from "../../../src/node/notebook/notebook-runner.js";

const say = kernel("say", { n: i32 }, ({ n }) => {
  printf("%d:%d ", n, threadIdx.x);
});
const child = kernel("child", {}, () => {
  printf("child\n");
});
const parent = kernel("parent", {}, () => {
  printf("parent\n");
  launch(child, { grid: 1, block: 1 }, {});
});
const touch = kernel("touch", { data: ptr(i32) }, ({ data }) => {
  printf("%d\n", data[0]);
});

let out: string[] = [];

beforeEach(() => {
  out = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out.push(String(text));
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** What is on stdout by now. */
function seen(): string {
  return out.join("");
}

const two = { grid: 1, block: 2 };
const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });

describe("the text of printf", () => {
  it("waits for the host, and comes in the order of the launches", () => {
    gpu.launch(say, two, { n: 1 });
    gpu.launch(say, two, { n: 2 });
    expect(seen()).toBe("");
    gpu.synchronize();
    expect(seen()).toBe("1:0 1:1 2:0 2:1 ");
    gpu.synchronize();
    expect(seen()).toBe("1:0 1:1 2:0 2:1 ");
  });

  const [stream, other, event] = [gpu.stream(), gpu.stream(), gpu.event()];
  const data = gpu.upload(new Int32Array([7, 8]));
  const pinned = gpu.hostAlloc(i32, 2);
  const waits: readonly (readonly [string, () => unknown])[] = [
    ["cudaDeviceSynchronize", () => gpu.synchronize()],
    ["cudaStreamSynchronize", () => stream.synchronize()],
    ["cudaStreamSynchronize of another stream, as there is one buffer", () => other.synchronize()],
    ["cudaEventSynchronize", () => event.record(stream).synchronize()],
    ["cudaMemcpy to the host", () => data.read()],
    ["cudaMemcpy to the device", () => data.write(new Int32Array(2))],
    ["cudaMemcpy within the device", () => gpu.copy(data, data)],
    ["cudaMemcpy of a part", () => data.sub(1, 1).read()],
  ];
  it.each(waits)("comes with %s", (_, wait) => {
    stream.launch(say, two, { n: 3 });
    expect(seen()).toBe("");
    wait();
    expect(seen()).toBe("3:0 3:1 ");
  });

  const others: readonly (readonly [string, () => unknown])[] = [
    ["cudaMemcpyAsync", () => stream.read(data, pinned)],
    ["cudaMemset", () => data.fill(0)],
    ["cudaMalloc", () => gpu.alloc(i32, 1).free()],
    ["cudaEventRecord and cudaEventQuery", () => event.record(stream).done],
    ["another GPU's synchronisation", () => new Gpu("h200").synchronize()],
  ];
  it.each(others)("does not come with %s", (_, work) => {
    stream.launch(say, two, { n: 4 });
    work();
    expect(seen()).toBe("");
    gpu.synchronize();
    expect(seen()).toBe("4:0 4:1 ");
  });

  it("comes with cudaDeviceReset", () => {
    const own = new Gpu("m2070");
    own.launch(say, two, { n: 5 });
    own.reset();
    expect(seen()).toBe("5:0 5:1 ");
  });

  it("of child grids comes with their parent's", () => {
    gpu.launch(parent, { grid: 1, block: 1 }, {});
    gpu.synchronize();
    expect(seen()).toBe("parent\nchild\n");
  });

  it("comes at the latest when the program has run to its end", async () => {
    gpu.launch(say, two, { n: 6 });
    expect(seen()).toBe("");
    await Promise.resolve();
    expect(seen()).toBe("6:0 6:1 ");
  });

  it("is not there twice where the program takes it from the result", () => {
    const first = gpu.launch(say, two, { n: 7 });
    gpu.launch(say, two, { n: 8 });
    expect(first.printed.map(({ text }) => text)).toEqual(["7:0 ", "7:1 "]);
    gpu.synchronize();
    expect(seen()).toBe("8:0 8:1 ");
    expect(first.printed.length).toBe(2);
  });

  it("comes once from a sanitized program, however many schedules are tried", () => {
    const program = (): unknown => {
      gpu.launch(touch, { grid: 1, block: 1 }, { data });
      return data.read();
    };
    data.fill(9);
    sanitize(program, { schedules: 5 });
    expect(seen()).toBe("9\n");
  });
});

const PROGRAM = `
import { Gpu, kernel, printf } from "warplab";
const hello = kernel("hello", {}, () => { printf("hello\\n"); });
const gpu = new Gpu("v100");
gpu.launch(hello, { grid: 1, block: 1 }, {});
console.log("before");
gpu.synchronize();
console.log("between");
gpu.launch(hello, { grid: 1, block: 1 }, {});
console.log("last");
`;

const EXPECTED = "before\nhello\nbetween\nlast\nhello\n";

describe("a program of its own", () => {
  it("has the text on stdout between its own lines", () => {
    const options = { cwd: join(import.meta.dirname, "../../.."), encoding: "utf8" } as const;
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM], options)).toBe(EXPECTED);
  });

  it("has the text in the cell that launches", async () => {
    const folder = mkdtempSync(join(import.meta.dirname, "../../out-printf-"));
    try {
      const cell = (source: string) => ({
        cell_type: "code",
        metadata: {},
        execution_count: null,
        outputs: [],
        source,
      });
      const cells = [cell(PROGRAM), cell('console.log("next cell")')];
      const metadata = { kernelspec: { display_name: "TypeScript", language: "typescript", name: "tslab" } };
      writeFileSync(join(folder, "a.ipynb"), JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }));
      const { notebook } = await runNotebook(join(folder, "a.ipynb"));
      const texts = notebook.cells.map((each) =>
        each.cell_type === "code" ? each.outputs.map((output) => ("text" in output ? output.text : "")).join("") : "",
      );
      expect(texts).toEqual([EXPECTED, "next cell\n"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
