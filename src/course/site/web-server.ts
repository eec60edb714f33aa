/** Serves a folder of files on this machine's own address, to this machine only. */
import { createReadStream, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, resolve, sep } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".ipynb": "application/x-ipynb+json",
  ".csv": "text/csv; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** The file that a request's path names, if it is one inside the folder. */
function fileFor(folder: string, path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  if (decoded.includes("\0")) return undefined;
  const file = resolve(join(folder, decoded.endsWith("/") ? `${decoded}index.html` : decoded));
  const inside = file.startsWith(resolve(folder) + sep);
  return inside && statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}

export interface WebServer {
  /** Such as http://localhost:40123/ */
  readonly address: string;
  close(): void;
}

/**
 * @param port 0 for any free one
 * @throws {Error} if the port is taken
 */
export async function serveFolder(folder: string, port: number): Promise<WebServer> {
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/[?#].*$/s, "");
    const file = fileFor(folder, path);
    if (file === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end(`There is no ${path} here.\n`);
      return;
    }
    // Every run writes the files anew.
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done, failed) => {
    server.on("error", failed);
    server.listen(port, "localhost", done);
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
