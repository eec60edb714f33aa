/** Serves a folder of files on this machine's own address, to this machine only. */
import { realpathSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join, sep } from "node:path";
import send from "send";
import { InputError } from "../../core/base/errors.js";
import { FRAMES_FOLDER, framePolicy, pagePolicy, SESSION_PAGE, sessionPolicy } from "./content-policy.js";

const ADDRESS = "127.0.0.1";

/** Types that the library does not know. */
const TYPES: Readonly<Record<string, string>> = { ".ipynb": "application/x-ipynb+json" };

export interface WebServer {
  /** Such as http://localhost:40123/ */
  readonly address: string;
  close(): void;
}

/** The library sets them for a file that it then cannot send. */
const FILE_HEADERS = ["accept-ranges", "content-length", "content-range", "etag", "last-modified"];

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of FILE_HEADERS) response.removeHeader(name);
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

/**
 * Whether a browser that asks means this machine. A page elsewhere may have a name of its own lead to 127.0.0.1, and
 * would read the answers as its own.
 */
function isOwnHost(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? "");
}

/** Whether the file lies in the folder when all links are followed. The library answers for a file that is not there. */
function isInside(folder: string, path: string): boolean {
  try {
    const file = realpathSync(join(folder, path));
    return file === folder || file.startsWith(folder + sep);
  } catch {
    return true;
  }
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("content-security-policy", pagePolicy());
  const missing = (): void => refuse(response, 404, "There is no such page here. The first one is at /");
  if (!isOwnHost(request.headers.host)) {
    refuse(response, 403, "These pages are for this machine: use localhost.");
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    refuse(response, 405, "These pages can only be read.");
    return;
  }
  const address = (request.url ?? "/").split(/[?#]/)[0] ?? "/";
  const path = decoded(address);
  if (path === null || path.includes("\0") || !isInside(folder, path)) {
    missing();
    return;
  }
  // A page that somebody else's HTML is in has no access to the others, also where it is opened by itself.
  if (path.split("/").includes(FRAMES_FOLDER)) response.setHeader("content-security-policy", framePolicy());
  if (path.endsWith(`/live/${SESSION_PAGE}`)) response.setHeader("content-security-policy", sessionPolicy());
  // A run writes the files again: no browser keeps them without asking.
  send(request, address, { root: folder, dotfiles: "ignore", cacheControl: false })
    .on("headers", (headers: ServerResponse, file: string) => {
      headers.setHeader("cache-control", "no-cache");
      const type = TYPES[/\.[^.]*$/.exec(file)?.[0] ?? ""];
      if (type !== undefined) headers.setHeader("content-type", type);
    })
    .on("error", (error: NodeJS.ErrnoException & { readonly status?: number }) => {
      if (error.status === 404 || error.status === undefined) missing();
      else refuse(response, error.status, error.status === 500 ? "The file cannot be read." : error.message);
    })
    .on("directory", missing)
    .pipe(response);
}

function listenFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new InputError({
      what: `Another program uses port ${port}.`,
      cure: "Name another one with --port, or none: a free one is taken then.",
    });
  }
  if (error.code === "EACCES") {
    return new InputError({
      what: `Port ${port} is not yours to use.`,
      cure: "Name one from 1024 on with --port, or none: a free one is taken then.",
    });
  }
  return error;
}

/** A browser keeps a reader's texts and points by the address, port included. */
const USUAL_PORT = 8425;

/**
 * @param port 0 for any free one; null for the usual one, or any where another program has that
 * @throws {InputError} if the port is taken
 */
export async function serveFolder(folder: string, port: number | null): Promise<WebServer> {
  if (port !== null) return serveAt(folder, port);
  return serveAt(folder, USUAL_PORT).catch(() => serveAt(folder, 0));
}

async function serveAt(folder: string, port: number): Promise<WebServer> {
  const root = realpathSync(folder);
  const server = createServer((request, response) => {
    // A reader that goes away is no error of the server's.
    response.on("error", () => {});
    try {
      answer(root, request, response);
    } catch {
      refuse(response, 500, "The page cannot be shown.");
    }
  });
  server.on("clientError", (_, socket) => socket.destroy());
  await new Promise<void>((done, failed) => {
    server.once("error", (error) => failed(listenFailure(error, port)));
    server.listen(port, ADDRESS, done);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    address: `http://localhost:${address.port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
