/** Every link between the site's pages leads to a file that the site writes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import "../../../src/node/files-on-disk.js";
import { readNotebook } from "../../../src/node/notebook/notebook.js";
import { inCourseOrder, Site } from "../../../src/node/site/site.js";

const course = join(import.meta.dirname, "../../../notebooks");
const out = mkdtempSync(join(tmpdir(), "warplab-links-"));
afterAll(() => rmSync(out, { recursive: true }));

/** The links of a page that lead to files, as it writes them. */
function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/\shref="([^"#?]+)[^"]*"/g)]
    .map(([, href = ""]) => href)
    .filter((href) => !/^[a-z]+:/i.test(href));
}

test("each link leads to a file", () => {
  const kept = new Map(inCourseOrder(course).map((name) => [name, readNotebook(join(course, `${name}.ipynb`))]));
  new Site(course, out, kept, []).end();
  const pages = (readdirSync(out, { recursive: true }) as string[]).filter((file) => file.endsWith(".html"));
  expect(pages).toContain(join("notebooks", "INSTRUCTORS.html"));
  const dead = pages.flatMap((page) =>
    linksOf(readFileSync(join(out, page), "utf8"))
      .filter((href) => !existsSync(join(out, dirname(page), decodeURIComponent(href))))
      .map((href) => `${page}: ${href}`),
  );
  expect([...new Set(dead)]).toEqual([]);
});
