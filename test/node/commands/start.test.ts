import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { start } from "../../../src/node/commands/start.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { createProgress } from "../../../src/node/progress.mjs";
import { Site } from "../../../src/node/site/site.js";
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

describe("what is in out/ before a run", () => {
  /** A course whose pages an earlier run wrote, without running its notebooks anew. */
  function ranBefore(): { readonly root: string; readonly read: (path: string) => string } {
    const root = newFolder();
    makeCourse(root, "expected-failure", "sample");
    cpSync(join(good.root, "out"), join(root, "out"), { recursive: true });
    writeFileSync(join(root, "out/notes.txt"), "mine");
    writeFileSync(join(root, "out/tables/mine.json"), "no table");
    writeFileSync(join(root, "out/plots/mine.json"), "{}");
    return { root, read: (path) => readFileSync(join(root, "out", path), "utf8") };
  }

  test("stays but for what is rerun: other notebooks' outputs and a learner's own files", async () => {
    const { root, read } = ranBefore();
    const before = read("notebooks/sample.ipynb");
    writeFileSync(join(root, "out/notebooks/expected-failure.ipynb"), read("notebooks/sample.ipynb"));
    expect(await runCourse(root, ["expected"], false)).toMatchObject({ code: 0 });
    expect(read("notebooks/sample.ipynb")).toBe(before);
    expect(read("notebooks/sample.html")).toContain("printed object");
    expect(read("notebooks/expected-failure.ipynb")).toContain("went on");
    expect([read("notes.txt"), read("tables/mine.json"), read("plots/mine.json")]).toEqual(["mine", "no table", "{}"]);
    expect(read("index.html")).toContain("Warp-Level Optimization");
  });

  test("stays whole where the run is broken off before a notebook has run", () => {
    const { root, read } = ranBefore();
    const before = read("notebooks/sample.ipynb");
    const names = ["expected-failure", "sample"];
    const kept = new Map(names.map((name) => [name, readNotebook(join(root, "notebooks", `${name}.ipynb`))]));
    const site = new Site(join(root, "notebooks"), join(root, "out"), kept);
    site.running("sample", 1, 7);
    expect(read("notebooks/sample.ipynb")).toBe(before);
    expect(read("notebooks/sample.html")).toContain("printed object");
    expect(read("notebooks/sample.html")).toContain("as an earlier run left it");
  });

  test("loses what a killed process left half written, and nothing that runs", () => {
    const { root } = ranBefore();
    const out = join(root, "out");
    const [dead, living] = [`.part-${2 ** 30}-1`, `.part-${process.ppid}-1`];
    for (const name of [dead, living]) writeFileSync(join(out, name), "half");
    new Site(join(root, "notebooks"), out, new Map());
    expect([existsSync(join(out, dead)), existsSync(join(out, living))]).toEqual([false, true]);
  });

  test("stays where the port is in use, which is said at once in a sentence", async () => {
    const { root, read } = ranBefore();
    rmSync(join(root, "out/index.html"));
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    vi.stubEnv("CI", "");
    const said: string[] = [];
    try {
      const progress = createProgress((line) => void said.push(line));
      await expect(start(root, ["--port", String(port)], progress)).rejects.toThrow(
        `Another program uses port ${port}.`,
      );
    } finally {
      vi.unstubAllEnvs();
      server.close();
    }
    expect(said).toEqual([]);
    expect(existsSync(join(root, "out/index.html"))).toBe(false);
    expect(read("notes.txt")).toBe("mine");
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
      results: [],
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
