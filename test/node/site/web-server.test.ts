import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveFolder, type WebServer } from "../../../src/node/site/web-server.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-server-"));
const out = join(folder, "out");
const LARGE_BYTES = 2 ** 26;
/** Signs that mean something in addresses and in HTML. */
const HARD_NAME = "a#b?c%41 <i>&\"é'.html";

let server: WebServer;
beforeAll(async () => {
  mkdirSync(join(out, "notebooks/frames"), { recursive: true });
  const files = {
    "index.html": "first",
    "a b.json": "{}",
    [HARD_NAME]: "hard",
    "notes.md": "# é",
    ".part-1-1": "part",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text);
  writeFileSync(join(out, "notebooks/x.ipynb"), "{}");
  writeFileSync(join(out, "notebooks/frames/x-1.html"), "frame");
  mkdirSync(join(out, "assets/live"), { recursive: true });
  writeFileSync(join(out, "assets/live/session.html"), "session");
  writeFileSync(join(folder, "secret.txt"), "secret");
  symlinkSync("../secret.txt", join(out, "leak.txt"));
  symlinkSync("..", join(out, "leak"));
  symlinkSync("index.html", join(out, "inside.html"));
  symlinkSync("circle.html", join(out, "circle.html"));
  writeFileSync(join(out, "large.bin"), "");
  truncateSync(join(out, "large.bin"), LARGE_BYTES);
  server = await serveFolder(out, 0);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Asks without the cleaning of addresses that fetch does. */
function ask(path: string, method = "GET", headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((done, failed) => {
    const asked = request(`${server.address}`, { path, method, headers: { ...headers }, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.on("error", failed);
    asked.end();
  });
}

describe("the server of the pages", () => {
  test("serves the first page at its address, and files by their types", async () => {
    expect(server.address).toMatch(/^http:\/\/localhost:\d+\/$/);
    expect(await ask("/")).toMatchObject({ status: 200, text: "first" });
    const types = await Promise.all(
      ["/index.html", "/a%20b.json?x=1", "/notes.md", "/notebooks/x.ipynb"].map((path) => ask(path)),
    );
    expect(types.map(({ headers }) => headers["content-type"])).toEqual([
      "text/html; charset=utf-8",
      "application/json; charset=utf-8",
      "text/markdown; charset=utf-8",
      "application/x-ipynb+json",
    ]);
  });

  test("serves a file whatever its name", async () => {
    expect(await ask(`/${encodeURIComponent(HARD_NAME)}`)).toMatchObject({ status: 200, text: "hard" });
  });

  test.each([
    ["a file as a folder", "/index.html/"],
    ["a name that is longer than any", `/${"x".repeat(300)}`],
    ["a path that is longer than any", `/${"x/".repeat(4000)}`],
    ["no text", "/%zz"],
    ["a zero byte", "/index.html%00"],
    ["a folder", "/notebooks"],
    ["what is not there", "/nothing.html"],
    ["what is being written", "/.part-1-1"],
  ])("answers that %s is no page, and goes on", async (_, path) => {
    expect((await ask(path)).status).toBe(404);
    expect((await ask("/")).status).toBe(200);
  });

  test.each(["/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/leak.txt", "/leak/secret.txt"])(
    "serves nothing from outside of its folder, by a path or by a link: %s",
    async (path) => {
      const { status, text } = await ask(path);
      expect([status >= 400, text.includes("secret")]).toEqual([true, false]);
    },
  );

  test("serves a link to a file of its folder", async () => {
    expect(await ask("/inside.html")).toMatchObject({ status: 200, text: "first" });
  });

  test("says of a file that cannot be opened that it cannot, and goes on", async () => {
    expect(await ask("/circle.html")).toMatchObject({ status: 500, text: "The file cannot be read.\n" });
    expect((await ask("/")).status).toBe(200);
  });

  test("reads alone: HEAD has no body, and other methods are refused", async () => {
    expect(await ask("/", "HEAD")).toMatchObject({ status: 200, text: "", headers: { "content-length": "5" } });
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect(await ask("/", method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
    }
  });

  test("answers those who mean this machine, not a name elsewhere that leads here", async () => {
    expect((await ask("/", "GET", { host: "127.0.0.1:80" })).status).toBe(200);
    for (const host of ["evil.example", "localhost.evil.example", "evil.example:80", "localhost@evil.example"]) {
      const { status, text } = await ask("/", "GET", { host });
      expect([status, text.includes("first")], host).toEqual([403, false]);
    }
  });

  test("listens on 127.0.0.1 alone", async () => {
    const port = Number(new URL(server.address).port);
    const failure = await new Promise((done) => {
      connect(port, "::1")
        .on("error", done)
        .on("connect", () => done("connected"));
    });
    expect(failure).toBeInstanceOf(Error);
  });

  test("lets pages run scripts of its own files alone, and frames none on its origin", async () => {
    const policy = async (path: string): Promise<string> =>
      String((await ask(path)).headers["content-security-policy"]);
    expect(await policy("/")).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(await policy("/notebooks/frames/x-1.html")).toMatch(/^sandbox allow-scripts;/);
    expect(await policy("/nothing.html")).toContain("script-src 'self'");
    // Where the reader's cells are evaluated, nothing can be loaded and there is no origin.
    expect(await policy("/assets/live/session.html")).toMatch(/^sandbox allow-scripts; default-src 'none';/);
  });

  test("closes the file of a download that is broken off", async () => {
    const begin = (): Promise<void> =>
      new Promise((done, failed) => {
        const asked = request(`${server.address}large.bin`, { agent: false }, (response) => {
          response.once("data", () => {
            asked.destroy();
            done();
          });
        });
        asked.on("error", failed);
        asked.end();
      });
    for (let time = 0; time < 8; time++) await begin();
    const open = (): readonly string[] =>
      readdirSync("/proc/self/fd").filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).endsWith("large.bin");
        } catch {
          return false;
        }
      });
    while (open().length > 0) await sleep(20);
    expect((await ask("/")).status).toBe(200);
  });

  test("has the same address each time, or another one while a program has that", async () => {
    const first = await serveFolder(out, null);
    const second = await serveFolder(out, null);
    for (const { address } of [first, second]) expect((await fetch(address)).status).toBe(200);
    expect(second.address).not.toBe(first.address);
    first.close();
    second.close();
  });

  test("says in a sentence that a port is in use", async () => {
    const port = Number(new URL(server.address).port);
    await expect(serveFolder(out, port)).rejects.toThrow(
      `Another program uses port ${port}.\nName another one with --port`,
    );
  });
});
