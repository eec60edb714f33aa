/** Every kept figure, drawn at the widths of a phone, a tablet and a desk: its texts stay in it, and none lies over another. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import "../../../src/node/files-on-disk.js";
import { plotlyJson } from "../../../src/core/show/figures/figure.js";
import { timeFigure } from "../../../src/core/show/figures/version-figures.js";
import { speedups } from "../../../src/core/show/speedup.js";
import type { Notebook } from "../../../src/course/notebook/notebook.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { inCourseOrder, Site } from "../../../src/node/site/site.js";
import { serveFolder, type WebServer } from "../../../src/node/site/web-server.js";
import { describeInBrowser, launchBrowser } from "../../setup/chromium.js";

const course = join(import.meta.dirname, "../../../notebooks");
const WIDTHS = [390, 768, 1280];
/** What text boxes may share: the space between lines. */
const LEAST = { wide: 2, high: 4 };

/** Runs in the page. */
const FIND = `(() => {
  const found = [];
  document.querySelectorAll("figure.plot .plot-area").forEach((area, index) => {
    const box = area.querySelector(".svg-container").getBoundingClientRect();
    const texts = [...area.querySelectorAll(".main-svg text")].flatMap((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const isShown = element.closest(".modebar, .hoverlayer") === null && right - left >= 1;
      return isShown ? [{ text: element.textContent, left, right, top, bottom }] : [];
    });
    if (texts.length === 0) found.push(index + ": no text");
    for (const { text, left, right, top, bottom } of texts) {
      const isIn = left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
      if (!isIn) found.push(index + ": '" + text + "' leaves the figure");
    }
    texts.forEach((a, at) => {
      for (const b of texts.slice(at + 1)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const isOver = wide > ${LEAST.wide} && high > ${LEAST.high};
        if (isOver) found.push(index + ": '" + a.text + "' lies over '" + b.text + "'");
      }
    });
  });
  return found;
})()`;

/** A figure whose texts are long at both ends: what the search finds where nothing fits them. */
function longTexts(): Notebook {
  const rows = speedups([{ version: "a version", timeMs: 1, bytes: 1 }], { peakGBps: 1 });
  const figure = timeFigure(rows, { title: "A title of many words that no phone shows in one line of its own" });
  const plotly: unknown = JSON.parse(
    plotlyJson({ ...figure, layout: { ...figure.layout, meta: { fixedWidth: true } } }),
  );
  const data = { "application/vnd.plotly.v1+json": plotly, "text/plain": "a figure" };
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [
      {
        cell_type: "code",
        id: "a",
        metadata: {},
        source: "1",
        execution_count: 1,
        outputs: [{ output_type: "display_data", data, metadata: {} }],
      },
    ],
  };
}

describeInBrowser("the kept figures", () => {
  const out = mkdtempSync(join(tmpdir(), "warplab-figures-"));
  const names = inCourseOrder(course);
  let server: WebServer;
  let browser: Browser;

  beforeAll(async () => {
    const kept = new Map(names.map((name) => [name, readNotebook(join(course, `${name}.ipynb`))]));
    new Site(course, out, new Map([...kept, ["long", longTexts()]]), []).end();
    server = await serveFolder(out, 0);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(out, { recursive: true });
  });

  async function opened(name: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: WIDTHS[0] ?? 0, height: 900 } });
    page.setDefaultTimeout(0);
    await page.goto(`${server.address}notebooks/${name}.html`);
    if ((await page.locator("figure.plot").count()) > 0) await page.waitForSelector("html[data-plots]");
    return page;
  }

  /** The figures draw themselves anew for a window of another width. */
  async function resized(page: Page, width: number): Promise<void> {
    if (page.viewportSize()?.width === width || (await page.locator("figure.plot").count()) === 0) return;
    await page.evaluate("document.documentElement.removeAttribute('data-plots')");
    await page.setViewportSize({ width, height: 900 });
    await page.waitForSelector("html[data-plots]");
  }

  test.each(names)("of %s keep their texts apart, and in the figure", async (name) => {
    const page = await opened(name);
    const found: string[] = [];
    for (const width of WIDTHS) {
      await resized(page, width);
      const each = (await page.evaluate(FIND)) as readonly string[];
      found.push(...each.map((what) => `${width} px, figure ${what}`));
    }
    await page.close();
    expect(found).toEqual([]);
  });

  test("would be found with a text that leaves its figure, and with one over another", async () => {
    const moved = `for (const text of document.querySelectorAll(".main-svg .gtitle")) text.setAttribute("x", "-40");
      for (const text of document.querySelectorAll(".main-svg .xtick text")) text.setAttribute("transform", "translate(0, -10)");
      document.querySelector(".main-svg .xtitle")?.setAttribute("y", document.querySelector(".main-svg .xtick text").getAttribute("y"));`;
    const page = await opened("long");
    await page.evaluate(moved);
    const found = ((await page.evaluate(FIND)) as readonly string[]).join("\n");
    await page.close();
    expect(found).toContain("leaves the figure");
    expect(found).toContain("lies over");
  });
});
