/** Serves a folder of files on this machine's own address, to this machine only. */
import { createServer } from "node:http";
import { extname } from "node:path";
import sirv from "sirv";

/** Types that sirv does not know, or of which it does not say that the text is UTF-8. */
const TYPES: Readonly<Record<string, string>> = {
  ".csv": "text/csv; charset=utf-8",
  ".ipynb": "application/x-ipynb+json",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

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
  // `dev` reads each file anew and lets no browser keep it: a run writes the files again.
  const files = sirv(folder, {
    dev: true,
    setHeaders: (response, path) => {
      const type = TYPES[extname(path)];
      if (type !== undefined) response.setHeader("content-type", type);
    },
  });
  const server = createServer((request, response) =>
    files(request, response, () => {
      response.writeHead(404, { "content-type": "text/plain" }).end(`There is no ${request.url} here.\n`);
    }),
  );
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
