/** A real browser for the tests of pages, where there is one; see test/DEVIATIONS.md for where there is none. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { describe, expect, test } from "vitest";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const passesOver = "no Chromium is installed here (Debian: apt-get install chromium): see test/DEVIATIONS.md";

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Describes what needs the browser; without one there is one test, which finds the reason written down. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (executablePath !== undefined) {
    describe(name, tests);
    return;
  }
  console.log(`Passing over the tests in a browser: ${passesOver}`);
  test("the browser is passed over, and the reason is written down", () => {
    expect(readFileSync(join(import.meta.dirname, "../DEVIATIONS.md"), "utf8")).toContain("Chromium");
  });
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: ARGUMENTS, timeout: 0 });
}

/** Playwright's own waitForFunction evaluates in the page, whose policy forbids it. Ends by the test's time limit. */
export async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition))) await page.waitForTimeout(50);
}
