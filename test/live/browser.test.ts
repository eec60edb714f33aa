/**
 * The pages' cells in a real browser. One page runs whole, or all of them with LIVE_PAGES=all; its
 * outputs are compared with those that Node's run has left in the repository.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { i32, kernel, ptr } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { stepView } from "../../src/core/profiler/step-record.js";
import { stepsHtml } from "../../src/core/show/output/step-viewer.js";
import { type Notebook, parseNotebook } from "../../src/course/notebook/notebook.js";
import { hasClang } from "../../src/node/clang/clang.js";
import { writeOffline } from "../../src/node/live/offline.js";
import { writeSite } from "../../src/node/live/write-site.js";
import { changedOutputs } from "../../src/node/notebook/kept-outputs.js";
import { readNotebook } from "../../src/node/notebook/notebook.js";
import { framePage } from "../../src/node/site/clean-html.js";
import { examples } from "../../src/node/site/play-page.js";
import { inCourseOrder } from "../../src/node/site/site.js";
import { serveFolder, type WebServer } from "../../src/node/site/web-server.js";
import { describeInBrowser, launchBrowser, until } from "../setup/chromium.js";
import { OTHER_LINES } from "./exceptions.js";

const root = join(import.meta.dirname, "../..");
const course = join(root, "notebooks");
const PAGE = "lab-27-first-add-during-load";
const names = process.env.LIVE_PAGES === "all" ? inCourseOrder(course) : [PAGE];

const STEPPED = `import { Gpu, kernel, i32, ptr, display, stepView, threadIdx } from "warplab";
const gpu = new Gpu("v100");
const double = kernel("double", { to: ptr(i32) }, ({ to }) => {
  const tid = i32(threadIdx.x);
  let twice = 0;
  for (let k = 0; k < 2; k++) twice += tid;
  to[tid] = twice;
});
display(stepView(gpu, double, { grid: 1, block: 64 }, { to: gpu.alloc(i32, 64) }));`;

/** A check draws its sizes anew for each reader. The kept outputs are those of this seed, which a reader can give, too. */
const SEED = 1;

/** The reader's own text of the check's cell, as the browser keeps it. */
function seededCheck(notebook: Notebook): Readonly<Record<string, { readonly text: string; readonly of: string }>> {
  const check = notebook.cells.filter(({ cell_type }) => cell_type === "code").at(-1)!;
  const text = check.source.replace(/(checkExercise\("[\w-]+", answer)\)/, `$1, { seed: ${SEED} })`);
  expect(text).not.toBe(check.source);
  return { [check.id ?? ""]: { text, of: check.source } };
}

describeInBrowser("the cells of a page in a browser", () => {
  const out = mkdtempSync(join(tmpdir(), "warplab-live-"));
  // The pages need no place of their own on a host.
  const below = "any/path";
  let server: WebServer;
  let browser: Browser;

  beforeAll(async () => {
    const progress = { say: () => {}, during: <T>(_: string, work: () => T): T => work() };
    expect(await writeSite(root, [join(out, below)], (path) => path, progress as never)).toBe(0);
    server = await serveFolder(out, 0);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(out, { recursive: true });
  });

  /** @param kept what the browser's storage holds before */
  async function open(name = PAGE, kept: Readonly<Record<string, unknown>> = {}): Promise<Page> {
    // A browser that keeps nothing of other tests.
    const page = await (await browser.newContext()).newPage();
    await page.addInitScript((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, JSON.stringify(value));
    }, kept);
    page.setDefaultTimeout(0);
    await page.goto(`${server.address}${below}/notebooks/${name}.html`);
    await page.waitForSelector("html[data-live]");
    return page;
  }

  const cell = (page: Page, at = 0) => page.locator("section.cell.code").nth(at);
  const press = (page: Page, button: string) => page.getByRole("button", { name: button, exact: true }).click();
  const status = (page: Page) => page.locator(".live-bar p");

  /** Types a text in place of a cell's own, in CodeMirror. */
  async function type(page: Page, text: string, at = 0): Promise<void> {
    const editor = cell(page, at).locator(".cm-content");
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  }

  /** Runs the text as the page's first cell. @returns what stands below it */
  async function run(page: Page, text: string): Promise<string> {
    await type(page, text);
    await page.keyboard.press("Control+Enter");
    await until(page, "/ has run| failed|could not/.test(document.querySelector('.live-bar p').textContent)");
    return (await cell(page).locator(".outputs").textContent()) ?? "";
  }

  test.each(names)("of %s give the outputs that Node gives", async (name) => {
    const kept = readNotebook(join(course, `${name}.ipynb`));
    const page = await open(name, { [`warplab-edits:${name}`]: seededCheck(kept) });
    await press(page, "Run all");
    await until(page, "/^(?!Cell \\d+ is running|The )/.test(document.querySelector('.live-bar p').textContent)");
    const said = await status(page).textContent();
    expect(said).toMatch(/^Cell \d+ has run\.$/);
    const download = page.waitForEvent("download");
    await press(page, "Download");
    const file = await (await download).path();
    const now = parseNotebook("the download", JSON.parse(readFileSync(file, "utf8")));
    const changes = changedOutputs(kept, now);
    const cells = changes.map((change) => /\((\S+)\): /.exec(change)?.[1] ?? change);
    const known = OTHER_LINES[name] ?? [];
    expect(changes.filter((_, index) => !known.includes(cells[index]!))).toEqual([]);
    expect(known.filter((id) => !cells.includes(id))).toEqual([]);
    // The exercise was checked on the page, and its points are kept.
    expect(await page.locator(".exercise-points").textContent()).toMatch(/\d+ of \d+ points\.$/);
    await page.context().close();
  });

  test("are run with the cells that they build on", async () => {
    const page = await open();
    await press(page, "Run cell 3");
    await until(page, "document.querySelector('.live-bar p').textContent === 'Cell 3 has run.'");
    expect(await cell(page, 2).getAttribute("data-state")).toBe("ran");
    await page.context().close();
  });

  test("have their session before the first click, which a run of all takes; a second run begins another", async () => {
    const page = await open("play");
    const session = page.locator('iframe[title="Runs the page\'s cells"]');
    await session.waitFor({ state: "attached" });
    await session.evaluate((frame) => frame.setAttribute("data-first", ""));
    for (const isFirst of [1, 0]) {
      await press(page, "Run all");
      await until(page, "/Cell 3 has run/.test(document.querySelector('.live-bar p').textContent)");
      expect(await page.locator("iframe[data-first]").count()).toBe(isFirst);
      expect(await session.count()).toBe(1);
      await type(page, "1", 2);
    }
    // Who saves data loads it by a click.
    const saving = await page.context().newPage();
    await saving.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })");
    const asked: string[] = [];
    saving.on("request", (request) => asked.push(request.url()));
    await saving.goto(page.url(), { waitUntil: "networkidle" });
    expect(asked.filter((url) => url.endsWith("worker.js"))).toEqual([]);
    await press(saving, "Run cell 3");
    await until(saving, "/has run/.test(document.querySelector('.live-bar p').textContent)");
    expect(asked.filter((url) => url.endsWith("worker.js")).length).toBe(1);
    await page.context().close();
  });

  test("step through a recorded block forwards and backwards, by buttons and by the slider's keys", async () => {
    const page = await open("play");
    const fails: string[] = [];
    page.on("pageerror", ({ message }) => fails.push(message));
    await run(page, STEPPED);
    const view = cell(page).locator(".steps");
    const said = () => view.locator(".steps-sentence").textContent();
    expect(await said()).toMatch(/^Step 1 of \d+: warp 0, line \d+, 32 of 32 lanes active\.$/);
    await view.getByRole("button", { name: "Forward", exact: true }).click();
    expect(await said()).toMatch(/^Step 2 of /);
    await view.getByRole("slider").press("ArrowLeft");
    expect(await said()).toMatch(/^Step 1 of /);
    // The last step is warp 1's: thread 37 is its lane 5.
    await view.getByRole("button", { name: "Last", exact: true }).click();
    const values = await view.locator(".steps-value:nth-child(6)").allTextContents();
    expect(values).toContain("74");
    await view.getByRole("combobox").selectOption("twice");
    await view.getByRole("button", { name: "First", exact: true }).click();
    await view.getByRole("button", { name: "Forward to it" }).click();
    expect(await view.locator(".steps-name").allTextContents()).toContain("twice (changed)");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await view.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    }
    expect(fails).toEqual([]);
    await page.context().close();
  });

  test("step in a notebook's own output, which brings the view along", async () => {
    const page = await (await browser.newContext()).newPage();
    const gpu = new Gpu("v100");
    const twice = kernel("twice", { to: ptr(i32) }, ({ to }, { threadIdx }) => {
      to[threadIdx.x] = threadIdx.x * 2;
    });
    const record = stepView(gpu, twice, { grid: 1, block: 64 }, { to: gpu.alloc(i32, 64) });
    // As a page of the course frames it: no origin, and the frame's own policy.
    await page.setContent(framePage(stepsHtml(record), "twice"));
    await page.getByRole("button", { name: "Last", exact: true }).click();
    expect(await page.locator(".steps-sentence").textContent()).toContain(`Step ${record.steps.length} of`);
    await page.context().close();
  });

  test("show an error with its line, which is marked, and print and show what ran before it", async () => {
    const page = await open("play");
    const text = await run(page, 'console.log("before");\nnull.x;');
    expect(text).toContain("before");
    expect(text).toContain("in cell [1], line 2: null.x;");
    expect(await page.locator(".failed-line").allTextContents()).toEqual(["null.x;"]);
    // One that no cell's own promise carries.
    expect(await run(page, "1;\nPromise.reject(new Error('forgotten'));\n2")).toContain(
      "Error: forgotten\n    in cell [2], line 2",
    );
    await page.context().close();
  });

  test("are stopped in an endless loop, and run again in a new session", async () => {
    const page = await open("play");
    expect(await run(page, "const a = 1;\na + 1")).toBe("2");
    await type(page, "while (true) {}");
    await page.keyboard.press("Control+Enter");
    await page.locator('[data-state="running"]').waitFor();
    await press(page, "Stop");
    expect(await cell(page).locator(".failure").textContent()).toContain("The session went with it");
    expect(await run(page, "typeof a")).toBe("undefined");
    await page.context().close();
  });

  test("reach neither the page, nor what the browser keeps, nor an address", async () => {
    const page = await open("play");
    const attempt = `const tried = [
  () => localStorage, () => document, () => indexedDB.open("x"), () => caches.keys(),
  () => fetch("${server.address}"), () => fetch("../main.js"), () => importScripts("${server.address}${below}/assets/plots.js"),
  () => new Promise((done, failed) => {
    const socket = new WebSocket("${server.address.replace("http", "ws")}");
    socket.onopen = done;
    socket.onerror = () => failed(new Error());
  }),
];
for (const each of tried) {
  try {
    await each();
    console.log("reached");
  } catch (error) {
    console.log(error.name);
  }
}`;
    const said = await run(page, attempt);
    expect(said.match(/\w*Error/g)?.length).toBe(8);
    expect(said).not.toContain("reached");
    await page.context().close();
  });

  test("complete CUDA's words and the package's, members by their types, and say what types object to", async () => {
    const page = await open("play");
    await type(page, "");
    await page.keyboard.type("shfl_dow");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "shfl_down_sync" }).waitFor();
    await type(page, `import { Gpu } from "warplab";\nconst gpu = new Gpu("v100");\ngpu.lunch();`);
    const notes = page.getByLabel("Types in cell 1").locator("li");
    await notes.first().waitFor();
    expect(await notes.allTextContents()).toEqual([
      "Line 3: Property 'lunch' does not exist on type 'Gpu'. Did you mean 'launch'?",
    ]);
    expect(await cell(page).locator(".type-mark").allTextContents()).toEqual(["lunch"]);
    await type(page, "gpu", 1);
    await page.keyboard.type(".");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "upload" }).waitFor();
    // Members of a launch's result are offered where the type is not known.
    expect(await page.locator(".cm-tooltip-autocomplete").textContent()).not.toContain("timeMs");
    await page.context().close();
  });

  test("complete CUDA's words and a text's own names within cuda`...`, and explain them", async () => {
    const page = await open("play");
    const offers = page.locator(".cm-tooltip-autocomplete");
    const text = `const { f } = cuda\`
// At the
__global__ void f(const float* elements, int howMany) {
  __shared__ float partial[32];
  // END
}
\`;`;
    const [before, after] = text.split("// END") as [string, string];
    await type(page, before + after);
    await cell(page).locator(".hljs-type", { hasText: "float" }).first().waitFor();
    const write = async (part: string, back = "}\n`;".length + 1): Promise<void> => {
      await page.keyboard.press("Control+End");
      for (let step = 0; step < back; step++) await page.keyboard.press("ArrowLeft");
      await page.keyboard.type(part);
    };
    await write("__shfl_dow");
    const shuffle = offers.locator("li", { hasText: /^__shfl_down_sync/ });
    await shuffle.waitFor();
    // The name as TypeScript has it is none in C++.
    expect(await offers.locator("li", { hasText: /^shfl_down_sync/ }).count()).toBe(0);
    const help = page.locator(".cm-completionInfo");
    await help.getByText("int __shfl_down_sync(unsigned mask, int value, unsigned delta, int width = 32)").waitFor();
    expect(await help.textContent()).toContain("The value of the lane");
    await page.keyboard.press("Enter");
    expect(await cell(page).locator(".cm-content").innerText()).toContain("__shfl_down_sync");
    for (const [part, label] of [
      ["(0xffffffff, part", "partial"],
      [", how", "howMany"],
      [" + threadIdx.", "y"],
      ["x); __sh", "__shared__"],
      ["; retu", "return"],
      ["; elem", "elements"],
    ]) {
      await page.keyboard.type(part!);
      await offers.locator("li", { hasText: RegExp(`^${label}`) }).waitFor();
      await page.keyboard.press("Escape");
    }
    await page.keyboard.type("; __syncthreads");
    await page.keyboard.press("Escape");
    await page.keyboard.press("F1");
    await page.locator(".word-help", { hasText: "void __syncthreads()" }).waitFor();
    await page.context().close();
  });

  test("keep the reader's text over a reload; Reset has the page's own, Undo the reader's", async () => {
    const page = await open("play");
    const own = await cell(page).locator(".cm-content").innerText();
    await type(page, "const mine = 1;");
    await page.reload();
    const text = () => cell(page).locator(".cm-content").innerText();
    await page.locator(".cm-content").first().waitFor();
    expect(await text()).toBe("const mine = 1;");
    await press(page, "Reset cell 1");
    expect(await text()).toBe(own);
    // The text before is kept over a reload, too.
    await page.reload();
    await page.locator(".cm-content").first().waitFor();
    expect(await text()).toBe(own);
    await press(page, "Undo in cell 1: back to the text before");
    expect(await text()).toBe("const mine = 1;");
    // The same page in another tab shows what this one changes.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator(".cm-content").first().waitFor();
    await type(page, "const mine = 2;");
    await until(other, "document.querySelector('.cm-content').innerText === 'const mine = 2;'");
    expect(await status(other).textContent()).toContain("Cell 1 was changed in another tab");
    await page.context().close();
  });

  test("open a downloaded notebook and an answer again, and lose no text by it", async () => {
    const page = await open();
    const open1 = async (name: string, text: string): Promise<string> => {
      const chooser = page.waitForEvent("filechooser");
      await press(page, "Open");
      const before = await status(page).textContent();
      await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
      await until(page, `document.querySelector('.live-bar p').textContent !== ${JSON.stringify(before)}`);
      return (await status(page).textContent()) ?? "";
    };
    const text = () => cell(page).locator(".cm-content").innerText();
    await type(page, "const first = 1;");
    const download = page.waitForEvent("download");
    await press(page, "Download");
    const file = readFileSync(await (await download).path(), "utf8");
    await type(page, "const second = 2;");
    expect(await open1(`${PAGE}.ipynb`, file)).toContain("1 cell has the text of");
    expect(await text()).toBe("const first = 1;");
    await press(page, "Undo in all cells");
    expect(await text()).toBe("const second = 2;");
    const answer = "export const answer = mine;";
    expect(await open1("lab-27.ts", `${answer}\n`)).toContain("1 cell has the text of lab-27.ts");
    const exercise = page.locator("section.cell.code").nth(-2);
    await exercise.scrollIntoViewIfNeeded();
    await exercise.locator(".cm-content", { hasText: answer }).waitFor();
    await page.evaluate("scrollTo(0, 0)");
    // Another page's notebook, a broken one, another file.
    const lab25 = readFileSync(join(course, "lab-25-interleaved-addressing.ipynb"), "utf8");
    expect(await open1("lab-25.ipynb", lab25)).toContain('is the notebook of "Lab 25');
    expect(await open1("cut.ipynb", file.slice(0, 1000))).toContain("cut.ipynb is broken");
    expect(await open1("page.pdf", "%PDF")).toContain("page.pdf is neither");
    expect(await text()).toBe("const second = 2;");
    await page.context().close();
  });

  test("take guesses as fields, which uncover what was found, also after a reload", async () => {
    const page = await open();
    const table = page.locator("table", { hasText: "What you guessed and what was found" });
    expect(await table.isVisible()).toBe(false);
    const field = page.locator('.cell-controls input[type="number"]').first();
    await field.fill("3.25");
    await press(page, "These are my guesses");
    expect(await table.isVisible()).toBe(true);
    expect(await table.locator("tbody tr").first().locator("td").nth(1).textContent()).toBe("3.25");
    await page.reload();
    await page.waitForSelector("html[data-live]");
    expect(await table.isVisible()).toBe(true);
    expect(await field.inputValue()).toBe("3.25");
    await page.context().close();
  });

  test("follow a slider and a list of GPUs, and explain a word by F1", async () => {
    const page = await open("play");
    await page.getByLabel("Examples").selectOption("Bank conflicts");
    await press(page, "Run all");
    await until(page, "/Cell 3 has run/.test(document.querySelector('.live-bar p').textContent)");
    const wavefronts = () => cell(page, 1).locator(".outputs").textContent();
    // Eight words apart, 32 lanes share 4 banks.
    expect(await wavefronts()).toBe("8");
    // While it moves, and when it rests. A move is dropped while another cell runs, as the next follows at once.
    const moved = `(() => {
      const slider = document.querySelector("input[type=range]");
      slider.value = "2";
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      return document.querySelectorAll(".outputs")[1].textContent === "4";
    })()`;
    await until(page, moved);
    await page.getByLabel("distance").focus();
    for (const _ of [3, 4]) await page.keyboard.press("ArrowRight");
    await until(page, "document.querySelectorAll('.outputs')[1].textContent === '16'");
    expect(await cell(page).locator(".cm-content").innerText()).toContain("const distance = 16;");
    await page.getByLabel("GPU").selectOption("h200");
    expect(await cell(page).locator(".cm-content").innerText()).toContain('new Gpu("h200")');
    await cell(page).locator(".cm-content").getByText("externShared", { exact: false }).first().click();
    await page.keyboard.press("Control+Home");
    for (let column = 0; column < 12; column++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("F1");
    await page.locator(".word-help", { hasText: "externShared" }).waitFor();
    await page.context().close();
  });

  test("uncover hints one at a time, and the solution after a check", async () => {
    const page = await open();
    const hint = (number: number) => page.locator("details", { hasText: `Hint ${number}` });
    expect(await hint(1).isVisible()).toBe(true);
    expect(await hint(2).isVisible()).toBe(false);
    await hint(1).locator("summary").click();
    await hint(2).waitFor();
    expect(await hint(3).isVisible()).toBe(false);
    const solution = page.locator("details", { hasText: "A solution" });
    expect(await solution.isVisible()).toBe(false);
    await press(page, "Show the solution");
    expect(await solution.isVisible()).toBe(true);
    await page.context().close();
  });

  test("show on a phone what a check found below the check's name, under heads that a screen reader has", async () => {
    const page = await open();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: /^Check the exercise/ }).click();
    await until(page, "/ has run/.test(document.querySelector('.live-bar p').textContent)");
    const verdict = page.locator(".outputs table", { hasText: "What was found" }).locator("visible=true");
    const [name, finding] = [verdict.locator("tbody tr td").nth(0), verdict.locator("tbody tr td").nth(3)];
    expect((await finding.textContent())?.length).toBeGreaterThan(45);
    const [above, below] = [await name.boundingBox(), await finding.boundingBox()];
    expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height);
    expect([below!.x >= 0, below!.x + below!.width <= 390]).toEqual([true, true]);
    // As the browser itself tells screen readers.
    const reader = await page.context().newCDPSession(page);
    const { nodes } = await reader.send("Accessibility.getFullAXTree");
    const parts = (role: string) => nodes.filter((node) => node.role?.value === role).map((node) => node.name?.value);
    expect(parts("columnheader")).toEqual(expect.arrayContaining(["Check", "Passed", "Points", "What was found"]));
    // The head before a value is for the eye: a screen reader has the column's.
    expect(parts("cell")).toContain("0 of 3");
    const found = (await page.evaluate(`${axe.source}; axe.run()`)) as axe.AxeResults;
    expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
    await page.context().close();
  });

  test("of a page of one's own go into a link, which shows them and runs nothing", async () => {
    const page = await open("play");
    await type(page, 'console.log("shared ü");', 2);
    await press(page, "Share");
    await until(page, "location.hash.startsWith('#code=')");
    const other = await (await browser.newContext()).newPage();
    await other.goto(page.url());
    await until(other, "/came with the link/.test(document.querySelector('.live-bar p')?.textContent)");
    await cell(other, 2).locator(".cm-content").waitFor();
    expect(await cell(other, 2).locator(".cm-content").innerText()).toContain('console.log("shared ü");');
    expect(await other.locator("[data-state]").count()).toBe(0);
    const broken = await (await browser.newContext()).newPage();
    await broken.goto(page.url().slice(0, -9));
    await until(broken, "/link is broken/.test(document.querySelector('.live-bar p')?.textContent)");
    // A small link that holds a text without end, and one for another page's frame.
    const endless = deflateRawSync(Buffer.alloc(50_000_000, "a")).toString("base64url");
    await broken.goto("about:blank");
    await broken.goto(`${server.address}${below}/notebooks/play.html#code=${endless}`);
    await until(broken, "/link is broken/.test(document.querySelector('.live-bar p')?.textContent)");
    await type(page, "40 + 2");
    await press(page, "Embed");
    const snippet = page.getByLabel("Text of the frame for your own page");
    await snippet.waitFor();
    await broken.setContent(await snippet.inputValue());
    const frame = broken.frameLocator("iframe");
    await frame.locator("html[data-live]").waitFor();
    expect(await frame.locator("[data-state]").count()).toBe(0);
    await frame.getByRole("button", { name: "Run all" }).click();
    await frame.locator(".live-bar p", { hasText: /failed|could not|has run/ }).waitFor({ timeout: 0 });
    expect(await frame.locator(".outputs").first().textContent()).toBe("42");
    for (const each of [page, other, broken]) await each.context().close();
  });

  test("of bad programs end with a sentence, and the page goes on", async () => {
    const page = await open("play");
    expect(await run(page, 'for (let i = 0; i < 100_000; i++) console.log("line", i);')).toContain("Write less.");
    const endless = `import { Gpu, i32, kernel, ptr } from "warplab";
const forever = kernel("forever", { data: ptr(i32) }, ({ data }) => { while (data[0] === 0) data[1] += 1; });
const gpu = new Gpu("v100");
gpu.launch(forever, { grid: 1, block: 32 }, { data: gpu.alloc(i32, 32) });`;
    expect(await run(page, endless)).toContain("an endless loop");
    expect(await run(page, "new Float64Array(2 ** 27).length")).toBe(String(2 ** 27));
    expect(await run(page, '"x".repeat(2 ** 30)')).toContain("RangeError");
    await page.evaluate(`for (let size = 2 ** 20; size > 100; size /= 2) {
      try { for (let i = 0; ; i++) localStorage.setItem(\`fill \${size} \${i}\`, "x".repeat(size)); } catch {}
    }`);
    await type(page, `// ${"y".repeat(2000)}`);
    expect(await status(page).textContent()).toContain("Your browser keeps no more for this page");
    const bare = await (await browser.newContext()).newPage();
    await bare.route("**/worker.js", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `delete globalThis.WebAssembly;${await response.text()}` });
    });
    await bare.goto(page.url());
    await bare.waitForSelector("html[data-live]");
    await press(bare, "Run cell 1");
    await until(bare, "/no WebAssembly/.test(document.querySelector('.live-bar p').textContent)");
    for (const each of [page, bare]) await each.context().close();
  });

  test.skipIf(!hasClang())(
    "of CUDA C++ load their compiler once, and do without it where it cannot be had",
    async () => {
      const page = await open("play");
      const compiler = `**/assets/clang/*/*`;
      const [of] = examples;
      await page.getByLabel("Language of kernels").selectOption("CUDA C++");
      await page.route(compiler, (route) => route.abort());
      expect(await run(page, of.cuda)).toContain("clang, and it could not be loaded: the connection is lost");
      expect(await run(page, "40 + 2")).toBe("42");
      // Loading can be stopped.
      await page.unroute(compiler);
      let asked = (): void => {};
      const isAsked = new Promise<void>((done) => {
        asked = done;
      });
      await page.route(compiler, asked);
      await type(page, of.cuda);
      await page.keyboard.press("Control+Enter");
      await isAsked;
      await press(page, "Stop");
      expect(await status(page).textContent()).toMatch(/^Stopped\./);
      await page.unroute(compiler);
      expect(await run(page, of.cuda)).toMatch(/^2 /);
      // The same in C++ as in TypeScript, whose keywords are its own.
      await cell(page).locator(".hljs-keyword, .hljs-type", { hasText: "void" }).waitFor();
      const text = await run(page, of.cuda.replace("data[i] *= 2", "dat[i] *= 2"));
      expect(text).toContain("Use of undeclared identifier 'dat'");
      expect(text).toContain("line 7 of cell");
      expect(text).toContain("Write data.");
      expect(await page.locator(".failed-line").allTextContents()).toContain("  dat[i] *= 2;");
      // At another visit the browser has it; a link's text says its language.
      await type(page, of.cuda);
      await press(page, "Share");
      await until(page, "location.hash.startsWith('#code=')");
      const other = await page.context().newPage();
      await other.route(compiler, (route) => route.abort());
      await other.goto(page.url());
      await until(other, "/came with the link/.test(document.querySelector('.live-bar p')?.textContent)");
      expect(await other.getByLabel("Language of kernels").inputValue()).toBe("CUDA C++");
      await other.getByRole("button", { name: "Run cell 1", exact: true }).click();
      await until(other, "/^Cell 1 has run/.test(document.querySelector('.live-bar p').textContent)");
      expect(await cell(other).locator(".outputs").textContent()).toMatch(/^2 /);
      await page.context().close();
    },
  );

  test("run without a connection once the page was there; a new version is offered, and comes whole", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const notebooks = `${server.address}${below}/notebooks/`;
    await page.goto(`${notebooks}glossary.html`);
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await context.setOffline(true);
    await page.goto(`${notebooks}play.html`);
    await page.waitForSelector("html[data-live]");
    expect(await run(page, "40 + 2")).toBe("42");
    await context.setOffline(false);
    const file = join(out, below, "notebooks/glossary.html");
    writeFileSync(file, readFileSync(file, "utf8").replace("<main>", "<main><p>version two</p>"));
    writeOffline(join(out, below));
    await page.goto(`${notebooks}glossary.html`);
    await page.locator(".new-version").waitFor();
    expect(await page.getByText("version two").count()).toBe(0);
    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByText("version two").waitFor();
    await context.close();
  });

  test("and the pages around them pass axe, and the view of a block is reached by keys", async () => {
    const page = await open("play");
    const faults = async (): Promise<readonly string[]> => {
      const found = (await page.evaluate(`${axe.source}; axe.run()`)) as axe.AxeResults;
      return found.violations.map(({ id, nodes }) => `${page.url()}: ${id}: ${nodes[0]?.html}`);
    };
    await page.getByLabel("Examples").selectOption("A warp's sum, step by step");
    await press(page, "Run cell 1");
    await page.locator(".steps").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "First", exact: true }).focus();
    const reached: string[] = [];
    for (let tab = 0; tab < 8; tab++) {
      reached.push(String(await page.evaluate("document.activeElement.textContent || document.activeElement.type")));
      await page.keyboard.press("Tab");
    }
    expect(reached.slice(0, 4)).toEqual(["First", "Back", "Forward", "Last"]);
    expect(reached.slice(5)).toEqual(["Back to it", "Forward to it", "range"]);
    await page.goto(`${server.address}${below}/notebooks/${PAGE}.html`);
    await page.waitForSelector("html[data-live]");
    // The front page's warp is there before anything is run: 1 + 2 + ... + 32 in each lane.
    await page.goto(`${server.address}${below}/index.html`);
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Last", exact: true }).click();
    expect(await page.locator(".steps-value").allTextContents()).toEqual(new Array(32).fill("528"));
    expect(await page.locator(".progress").textContent()).toContain("Continue with");
    await page.context().close();
  });

  test("are read with their kept outputs where scripts are off", async () => {
    const without = await browser.newContext({ javaScriptEnabled: false });
    const page = await without.newPage();
    await page.goto(`${server.address}${below}/notebooks/${PAGE}.html`);
    const body = (await page.locator("main").textContent()) ?? "";
    expect(body).toContain("Hint 2");
    expect(await page.locator("button").count()).toBe(0);
    expect(await page.locator(".outputs table").count()).toBeGreaterThan(0);
    await without.close();
  });
});
