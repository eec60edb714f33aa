import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createProgress } from "../../src/course/progress.mjs";
import { start } from "../../src/course/start.js";
import { serveFolder } from "../../src/course/web-server.js";

const fixtures = join(import.meta.dirname, "fixtures");
// Inside of the course's folder, so that the notebooks find the packages.
const cache = join(import.meta.dirname, "../../.cache");
mkdirSync(cache, { recursive: true });
const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

/** A course of these notebooks. */
function courseOf(...names: string[]): string {
  const root = mkdtempSync(join(cache, "start-"));
  roots.push(root);
  mkdirSync(join(root, "notebooks/pictures"), { recursive: true });
  writeFileSync(join(root, "notebooks/pictures/warp.svg"), "<svg/>");
  for (const name of names) copyFileSync(join(fixtures, `${name}.ipynb`), join(root, "notebooks", `${name}.ipynb`));
  return root;
}

interface Run {
  readonly root: string;
  readonly code: number;
  readonly said: string;
}

async function run(root: string, ...args: string[]): Promise<Run> {
  const lines: string[] = [];
  const code = await start(
    root,
    ["--no-serve", ...args],
    createProgress((text) => lines.push(text)),
  );
  return { root, code, said: lines.join("") };
}

describe("a run of the course", () => {
  let good: Run;
  beforeAll(async () => {
    good = await run(courseOf("expected-failure", "sample"));
  });
  const written = (path: string): string => readFileSync(join(good.root, "out", path), "utf8");

  test("ends with code 0 when no cell fails unexpectedly", () => {
    expect(good.code, good.said).toBe(0);
  });

  test("says of each notebook that it begins and that it ran, in the order of their names", () => {
    expect(good.said).toMatch(/expected-failure: starting[\s\S]*sample: starting/);
    expect(good.said).toMatch(/sample: 7 cells ran in/);
  });

  test("writes each notebook with its outputs, and what it refers to", () => {
    expect(JSON.parse(written("notebooks/sample.ipynb")).cells[2].outputs[1].data["text/plain"]).toBe("43");
    expect(written("notebooks/pictures/warp.svg")).toBe("<svg/>");
  });

  test("writes each notebook as a page that leads to its neighbours", () => {
    expect(written("notebooks/sample.html")).toContain('href="expected-failure.html"');
  });

  test("writes a first page that leads to every notebook", () => {
    expect(written("index.html")).toContain('<a href="notebooks/sample.html">A sample</a>');
    expect(written("index.html")).toContain('<a href="notebooks/expected-failure.html">expected-failure</a>');
  });

  test("writes pages whose every file lies beside them", () => {
    const pages = ["index.html", "notebooks/sample.html"];
    for (const page of pages) {
      for (const [, address = ""] of written(page).matchAll(/(?:src|href)="([^"#]+)"/g)) {
        if (address.startsWith("data:")) continue;
        expect(address).not.toMatch(/^([a-z]+:|\/)/);
        expect(existsSync(join(good.root, "out", dirname(page), address)), `${page}: ${address}`).toBe(true);
      }
    }
  });

  test("that has a failing cell names notebook, cell and error, still writes all, and ends with code 1", async () => {
    const { root, code, said } = await run(courseOf("failures", "sample"));
    expect(code).toBe(1);
    expect(said).toContain("failures.ipynb, cell 2 failed:");
    expect(said).toContain("  | type Row = {");
    expect(said).toContain("RangeError: negative: -3");
    expect(readFileSync(join(root, "out/notebooks/sample.html"), "utf8")).toContain("printed object");
    expect(readFileSync(join(root, "out/index.html"), "utf8")).toContain("a cell failed");
  });

  test("runs only the notebooks that are named", async () => {
    const { root, code } = await run(courseOf("failures", "sample"), "sam");
    expect(code).toBe(0);
    expect(existsSync(join(root, "out/notebooks/failures.html"))).toBe(false);
  });

  test("says which notebooks there are when none has the name", async () => {
    const { code, said } = await run(courseOf("sample"), "lab-99");
    expect(code).toBe(1);
    expect(said).toContain("No notebook begins with lab-99. There are: sample");
  });

  test("explains its options, and an option that it does not know", async () => {
    expect(await run(courseOf(), "--help")).toMatchObject({ code: 0, said: expect.stringContaining("--no-serve") });
    expect(await run(courseOf(), "--prot", "1")).toMatchObject({ code: 1, said: expect.stringContaining("--prot") });
    expect(await run(courseOf(), "--port", "x")).toMatchObject({ code: 1, said: expect.stringContaining("no port") });
  });
});

describe("what a run says", () => {
  test("names the work that lasts, each time that nothing was said for 1.5 s", async () => {
    vi.useFakeTimers();
    try {
      let said = "";
      let finish = (): void => {};
      const progress = createProgress((text) => {
        said += text;
      });
      const work = () => new Promise<void>((done) => (finish = done));
      const running = progress.during("lab-25", work, () => ", cell 2 of 9");
      await vi.advanceTimersByTimeAsync(1499);
      expect(said).toBe("");
      await vi.advanceTimersByTimeAsync(1);
      expect(said).toBe("  lab-25, cell 2 of 9 … 1.5 s\n");
      await vi.advanceTimersByTimeAsync(1500);
      expect(said).toContain("… 3.0 s\n");
      finish();
      await running;
      said = "";
      await vi.advanceTimersByTimeAsync(10_000);
      expect(said).toBe("");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the server of the pages", () => {
  const folder = mkdtempSync(join(cache, "server-"));
  roots.push(folder);
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "out/index.html"), "first");
  writeFileSync(join(folder, "out/a b.json"), "{}");
  writeFileSync(join(folder, "secret.txt"), "secret");

  test("serves the first page at its address, and files by their types", async () => {
    const server = await serveFolder(join(folder, "out"), 0);
    try {
      expect(server.address).toMatch(/^http:\/\/localhost:\d+\/$/);
      expect(await (await fetch(server.address)).text()).toBe("first");
      const json = await fetch(`${server.address}a%20b.json?x=1`);
      expect([json.status, json.headers.get("content-type")]).toEqual([200, "application/json"]);
    } finally {
      server.close();
    }
  });

  test("serves nothing outside of its folder", async () => {
    const server = await serveFolder(join(folder, "out"), 0);
    try {
      for (const path of ["..%2fsecret.txt", "%2e%2e/secret.txt", "nothing.html", "%00", "%zz"]) {
        expect((await fetch(server.address + path)).status, path).toBe(404);
      }
    } finally {
      server.close();
    }
  });
});
