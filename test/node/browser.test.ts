/** The pages in a real browser: how they look, and what they reach. test/live/browser.test.ts runs their cells. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import "../../src/node/files-on-disk.js";
import { barFigure } from "../../src/core/show/figures/bar-figure.js";
import { plotlyJson } from "../../src/core/show/figures/figure.js";
import type { Notebook } from "../../src/course/notebook/notebook.js";
import { writeLiveAssets } from "../../src/node/live/live-assets.js";
import { readNotebook } from "../../src/node/notebook/notebook.js";
import { inCourseOrder, Site } from "../../src/node/site/site.js";
import { serveFolder, type WebServer } from "../../src/node/site/web-server.js";
import { describeInBrowser, launchBrowser, until } from "../setup/chromium.js";
import { goodCourse } from "./course-run.js";

const root = join(import.meta.dirname, "../..");
const course = join(root, "notebooks");
/** Its text and its output would write to the page if they could; the output has a frame of its own. */
const MARK = "document.documentElement.dataset.reached = 1";
const ATTEMPT = `<div id="seen" style="height: 77px"></div><script>
  document.getElementById("seen").textContent = "drawn";
  for (const attempt of [() => { parent.${MARK}; }, () => localStorage.setItem("reached", "1"), () => fetch("../index.html")]) {
    try { attempt(); } catch (error) { document.getElementById("seen").textContent += " " + error.name; }
  }
</script>`;
const STRANGER: Notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [
    {
      cell_type: "markdown",
      metadata: {},
      source: `# A stranger\n\n<script>${MARK}</script><b onclick="${MARK}">x</b>`,
    },
    {
      cell_type: "code",
      metadata: {},
      source: "draw()",
      execution_count: 1,
      outputs: [
        { output_type: "display_data", metadata: {}, data: { "text/html": ATTEMPT, "text/plain": "a drawing" } },
      ],
    },
  ],
};

interface Visit {
  readonly page: Page;
  /** Addresses asked for, and what went wrong. */
  readonly requests: string[];
  readonly problems: string[];
}

describeInBrowser("the pages in a browser", () => {
  const out = mkdtempSync(join(tmpdir(), "warplab-pages-"));
  let server: WebServer;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    mkdirSync(join(out, "tables"));
    mkdirSync(join(out, "plots"));
    const versions = ["lab25", "lab26"];
    const series = ["simulated", "published"].map((name, index) => ({ name, values: [3 + index, 1 + index] }));
    const bars = barFigure({ title: "Kernel time", versions, series, axisTitle: "ms", format: { decimals: 1 } });
    writeFileSync(join(out, "plots/bars.json"), plotlyJson(bars));
    writeFileSync(join(out, "tables/times.json"), JSON.stringify({ rows: [{ version: "lab25", timeMs: 3 }] }));
    const kept = new Map(inCourseOrder(course).map((name) => [name, readNotebook(join(course, `${name}.ipynb`))]));
    const sample = readNotebook(join((await goodCourse()).root, "out/notebooks/sample.ipynb"));
    const site = new Site(course, out, new Map([...kept, ["sample", sample], ["stranger #1?", STRANGER]]));
    site.ran("sample", sample, false);
    await writeLiveAssets(out);
    server = await serveFolder(out, 0);
    browser = await launchBrowser();
    context = await browser.newContext();
    // Only the test's own end ends what waits.
    context.setDefaultTimeout(0);
    await context.addInitScript({ path: join(import.meta.dirname, "fixtures/page-probe.js") });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(out, { recursive: true });
  });

  /** Opens a page and waits until its figures are drawn. */
  async function open(path: string, colorScheme: "light" | "dark", width = 1000): Promise<Visit> {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const [requests, problems]: [string[], string[]] = [[], []];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => problems.push(message.text()));
    page.on("requestfailed", (request) => problems.push(request.url()));
    await page.goto(server.address + path);
    if ((await page.locator("figure.plot").count()) > 0) await page.waitForSelector("html[data-plots]");
    return { page, requests, problems };
  }

  /** Each page is opened once in each scheme: plotly takes seconds. */
  const opened = new Map<string, Promise<Visit>>();
  function visit(path: string, colorScheme: "light" | "dark"): Promise<Visit> {
    const key = `${path} ${colorScheme}`;
    const before = opened.get(key) ?? open(path, colorScheme);
    opened.set(key, before);
    return before;
  }

  const contrast = (page: Page, selector: string): Promise<number> =>
    page.evaluate(`probe.contrast(${JSON.stringify(selector)})`);

  test.each(["index.html", "notebooks/sample.html"])("%s asks only its own server, without an error", async (path) => {
    const { requests, problems } = await visit(path, "light");
    expect(requests.filter((address) => !address.startsWith(server.address) && !address.startsWith("data:"))).toEqual(
      [],
    );
    expect(problems).toEqual([]);
  });

  test("draw figures that can be used: bars in a picture with plotly's tools", async () => {
    const { page } = await visit("index.html", "light");
    expect(await page.locator(".plot-area .barlayer .point path").count()).toBe(4);
    await page.locator(".plot-area .barlayer .point path").first().hover({ force: true });
    await page.waitForSelector(".hoverlayer .hovertext");
    expect(await page.locator(".hoverlayer .hovertext").first().textContent()).toContain("lab25");
  });

  test("show the notebook's outputs, its figure drawn in place of the picture", async () => {
    const { page } = await visit("notebooks/sample.html", "light");
    expect(await page.locator(".stream.stdout").first().textContent()).toBe("printed object\n");
    expect(await page.locator(".plot-area .barlayer .point path").count()).toBe(2);
    expect(await page.locator(".plot-area img").count()).toBe(0);
  });

  test.each(["light", "dark"] as const)(
    "read well on a %s page: text, faint text, and the figures' own",
    async (scheme) => {
      const { page } = await visit("index.html", scheme);
      // WCAG 2.1 AA: 4.5 to 1 for text.
      for (const selector of ["p", "footer", "a", ".xtick text", ".ytick text", ".gtitle", ".legendtext"]) {
        expect(await contrast(page, selector), selector).toBeGreaterThan(4.5);
      }
    },
  );

  test.each(["light", "dark"] as const)("have code in colours that read well on a %s page", async (scheme) => {
    const { page } = await visit("notebooks/sample.html", scheme);
    for (const selector of [".hljs-keyword", ".hljs-string", ".hljs-number", ".hljs-comment", ".count", ".stderr"]) {
      expect(await contrast(page, selector), selector).toBeGreaterThan(4.5);
    }
  });

  const kinds = ["index.html", "notebooks/lab-27-first-add-during-load.html", "notebooks/sample.html"];
  describe.each([...kinds, "notebooks/glossary.html", "notebooks/errata.html"])("%s", (path) => {
    test.each(["light", "dark"] as const)("is accessible on a %s page, by all of axe's rules", async (scheme) => {
      const { page } = await visit(path, scheme);
      await page.evaluate("probe.openAll()");
      // The page's policy lets no script in that is not the site's: the browser's own console does.
      await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
      const violations: Result[] = await page.evaluate(
        'axe.run({ resultTypes: ["violations"] }).then((run) => run.violations)',
      );
      expect(
        violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target, failureSummary])),
      ).toEqual([]);
    });
  });

  test("let a stranger's notebook draw in its frame, as high as it asks, and reach nothing else", async () => {
    const { page } = await open(`notebooks/${encodeURIComponent("stranger #1?")}.html`, "light");
    const frame = page.frameLocator("iframe.output-frame");
    expect(await frame.locator("#seen").textContent()).toBe("drawn SecurityError SecurityError");
    await until(page, 'document.querySelector("iframe.output-frame").style.height === "77px"');
    expect(
      await page.evaluate("document.documentElement.dataset.reached ?? localStorage.getItem('reached')"),
    ).toBeNull();
    await page.close();
  });

  test("print in dark ink from a dark page, with figures that fit the sheet", async () => {
    const { page } = await open("index.html", "dark");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    // The figures are drawn again when the page learns that it is printed.
    await until(page, 'probe.contrast(".xtick text") > 15');
    expect(await contrast(page, "p")).toBeGreaterThan(15);
    expect(await page.evaluate("probe.figuresFit()")).toBe(true);
    await page.close();
  });

  test("draw figures for a narrow screen's width", async () => {
    const { page } = await open("index.html", "light", 390);
    const wide = await page.evaluate(
      () =>
        [...document.querySelectorAll("figure.plot")].filter((plot) => plot.scrollWidth > plot.clientWidth + 1).length,
    );
    expect(wide).toBe(0);
    await page.close();
  });

  test("show on a narrow screen that a table, a plot or a text goes on, and at its end that it does not", async () => {
    const { page } = await open("notebooks/lab-27-first-add-during-load.html", "light", 390);
    await page.waitForSelector(".more-right");
    const cut = await page.evaluate(() => {
      const scrolled = [...document.querySelectorAll("pre, .scroll, figure.plot")].filter(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
      );
      return scrolled.map(({ className }) => className).filter((name) => !name.includes("more-right"));
    });
    expect(cut).toEqual([]);
    const atEnd = await page.evaluate(async () => {
      const wide = document.querySelector(".more-right")!;
      wide.scrollLeft = wide.scrollWidth;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return wide.className;
    });
    expect(atEnd).toContain("more-left");
    expect(atEnd).not.toContain("more-right");
    await page.close();
  });

  test.each(["lab-27-first-add-during-load", "day-42-profiling", "INSTRUCTORS", "errata"])(
    "%s lets no table be read sideways on a narrow screen, and has tables on a wide one",
    async (name) => {
      const { page } = await open(`notebooks/${name}.html`, "light", 390);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await until(page, "document.querySelector('.blocks') !== null");
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll(".scroll:has(table)")]
          .filter((place) => place.scrollWidth > place.clientWidth)
          .map(({ textContent }) => textContent?.slice(0, 60)),
      );
      expect(cut).toEqual([]);
      await page.setViewportSize({ width: 1000, height: 800 });
      await until(page, "document.querySelector('.blocks') === null");
      await page.close();
    },
  );

  test.each([
    [390, false],
    [1100, true],
  ])("have plotly's tool bar where it covers no title: at %i pixels %s", async (width, hasBar) => {
    const { page } = await open("index.html", "light", width);
    await page.waitForSelector(".plot-area .modebar", { state: "attached" });
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll(".plot-area .modebar")].map((bar) => getComputedStyle(bar).display !== "none"),
    );
    expect(new Set(shown)).toEqual(new Set([hasBar]));
    await page.close();
  });

  test("do not scroll sideways on a narrow screen", async () => {
    const { page } = await open("index.html", "light", 400);
    expect(await page.evaluate("probe.overflow()")).toBeLessThanOrEqual(0);
    await page.close();
  });
});
