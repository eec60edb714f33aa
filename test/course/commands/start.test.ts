import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { start } from "../../../src/course/commands/start.js";
import { readNotebook } from "../../../src/course/notebook/notebook.js";
import { createProgress } from "../../../src/course/progress.mjs";
import { Site } from "../../../src/course/site/site.js";
import { serveFolder } from "../../../src/course/site/web-server.js";
import { type CourseRun, failingCourse, goodCourse, makeCourse, runCourse } from "../course-run.js";

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "warplab-start-"));
  roots.push(folder);
  return folder;
}

let good: CourseRun;

describe("a run of the course", () => {
  let failing: CourseRun;
  beforeAll(async () => {
    good = await goodCourse();
    failing = await failingCourse();
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

  test("writes the tables, and shows them on the first page", () => {
    expect(good.said).toMatch(/tables: written in/);
    expect(existsSync(join(good.root, "out/tables/lab-28-1-times.csv"))).toBe(true);
    expect(written("index.html")).toContain("Warp-Level Optimization");
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

  test("that has a failing cell names notebook, cell and error, still writes all, and ends with code 1", () => {
    const { root, code, said } = failing;
    expect(code).toBe(1);
    expect(said).toContain("failures.ipynb, cell 2 failed:");
    expect(said).toContain("  | type Row = {");
    expect(said).toContain("RangeError: negative: -3");
    expect(readFileSync(join(root, "out/notebooks/sample.html"), "utf8")).toContain("printed object");
    expect(readFileSync(join(root, "out/index.html"), "utf8")).toContain("a cell failed");
  });

  test("ends with code 1 when the tables cannot be written", async () => {
    const root = newFolder();
    makeCourse(root);
    expect((await runCourse(root, [], false)).code).toBe(0);
    const code = await start(
      root,
      ["--no-serve"],
      createProgress(() => {}),
      async () => false,
    );
    expect(code).toBe(1);
  });

  test("runs only the notebooks whose names begin as those that are given, and shows the others as they are kept", () => {
    const counts = (name: string): readonly unknown[] => {
      const { cells } = JSON.parse(readFileSync(join(failing.root, `out/notebooks/${name}.ipynb`), "utf8"));
      return (cells as { execution_count?: number | null }[]).map((cell) => cell.execution_count ?? null);
    };
    expect(counts("failures")).toContain(2);
    expect(counts("expected-failure").filter((count) => count !== null)).toEqual([]);
    expect(existsSync(join(failing.root, "out/notebooks/expected-failure.html"))).toBe(true);
    expect(failing.said).not.toContain("expected-failure");
  });

  test("with --check ends with code 1 where a notebook is kept with other outputs, and says which", async () => {
    const root = newFolder();
    makeCourse(root, "expected-failure");
    const other = await runCourse(root, ["--check"], false);
    expect(other.code).toBe(1);
    expect(other.said).toMatch(/expected-failure\.ipynb, cell \d+ .*: has no outputs of a run/);
    copyFileSync(join(root, "out/notebooks/expected-failure.ipynb"), join(root, "notebooks/expected-failure.ipynb"));
    expect(await runCourse(root, ["--check"], false)).toMatchObject({ code: 0 });
  });

  test("says which notebooks there are when none has the name", async () => {
    const root = newFolder();
    makeCourse(root, "sample");
    const { code, said } = await runCourse(root, ["lab-99"]);
    expect(code).toBe(1);
    expect(said).toContain("No notebook begins with lab-99. There are: sample");
  });

  test("explains its options, and an option that it does not know", async () => {
    const root = newFolder();
    expect(await runCourse(root, ["--help"])).toMatchObject({ code: 0, said: expect.stringContaining("--no-serve") });
    expect(await runCourse(root, ["--prot", "1"])).toMatchObject({ code: 1, said: expect.stringContaining("--prot") });
    expect(await runCourse(root, ["--port", "x"])).toMatchObject({ code: 1, said: expect.stringContaining("no port") });
  });
});

describe("the pages while notebooks run", () => {
  test("are there before the first has run, say so, and are written anew one by one", () => {
    const root = newFolder();
    makeCourse(root, "expected-failure", "sample");
    const out = join(root, "out");
    const page = (path: string): string => readFileSync(join(out, path), "utf8");
    const names = ["expected-failure", "sample"];
    const kept = new Map(names.map((name) => [name, readNotebook(join(root, "notebooks", `${name}.ipynb`))]));
    const site = new Site(join(root, "notebooks"), out, kept);
    expect(page("index.html")).toContain("0 of 2 pages have been run.");
    expect(page("notebooks/sample.html")).toContain('data-page="sample">Shown as it is kept in the repository');
    expect(JSON.parse(page("progress.json"))).toEqual({
      ended: false,
      pages: { "expected-failure": { state: "waiting" }, sample: { state: "waiting" } },
    });
    site.running("sample", 3, 7);
    expect(JSON.parse(page("progress.json")).pages.sample).toEqual({ state: "running", cell: 3, of: 7 });
    site.ran("sample", readNotebook(join(good.root, "out/notebooks/sample.ipynb")), false);
    expect(page("notebooks/sample.html")).toContain("printed object");
    expect(page("notebooks/sample.html")).not.toContain("run-state");
    expect(page("index.html")).toContain("1 of 2 pages have been run.");
    site.end();
    expect(page("index.html")).not.toContain("run-state");
    expect(JSON.parse(page("progress.json")).ended).toBe(true);
  });

  test("are served before a notebook runs: the address is the first that is said", async () => {
    const root = newFolder();
    makeCourse(root, "sample");
    const said: string[] = [];
    let address = "";
    let first = "";
    const tables = async (): Promise<boolean> => true;
    // As `npm start` at a terminal, which does not end; the server goes with this process.
    vi.stubEnv("CI", "");
    try {
      await start(
        root,
        [],
        createProgress((line) => void said.push(line)),
        tables,
      );
    } finally {
      vi.unstubAllEnvs();
    }
    first = said.find((line) => line.trim() !== "") ?? "";
    address = /http:\/\/localhost:\d+\//.exec(first)?.[0] ?? "";
    expect(first).toContain("Open http://localhost:");
    expect(await (await fetch(address)).text()).toContain("A sample");
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
  const folder = newFolder();
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
