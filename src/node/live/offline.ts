/**
 * What lets a browser keep the whole site: a service worker whose one cache holds one version of all files. A new version
 * is loaded beside it and takes its place when the reader says so.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { courseRoot } from "../course-root.js";
import { replaceFile } from "../setup/replace.js";
import { keptPagePolicy, pagePolicy, withoutHeaderOnly } from "../site/content-policy.js";
import { CLANG_FOLDER } from "./clang-files.js";
import { START_WORKER } from "./live-assets.js";

const WORKER = "sw.js";
const PAGE_SCRIPT = "assets/offline.js";

/** The site's files with their hashes, by their addresses below its folder. */
function filesOf(folder: string): readonly (readonly [address: string, hash: string])[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.part\b|^\./.test(entry.name) && entry.name !== WORKER)
      .map((entry) => join(entry.parentPath, entry.name))
      // The compiler's files are kept once a page has loaded them (live/page/compiler.ts).
      .filter((file) => !file.startsWith(join(folder, CLANG_FOLDER, sep)) || file.endsWith(".json"))
      .sort()
      .map((file) => {
        const address = file
          .slice(folder.length + 1)
          .split(sep)
          .map(encodeURIComponent)
          .join("/");
        return [address, `sha256-${createHash("sha256").update(readFileSync(file)).digest("base64")}`] as const;
      })
  );
}

/** Gives each page its script and policy; a page of a deeper folder is a frame's, and needs none. */
function letKeep(folder: string, below: string): void {
  const toRoot = below === "" ? "" : "../";
  for (const name of readdirSync(join(folder, below)).filter((each) => each.endsWith(".html"))) {
    const file = join(folder, below, name);
    const script = `<script src="${toRoot}${PAGE_SCRIPT}" defer></script>`;
    const page = readFileSync(file, "utf8");
    const policy = [pagePolicy(), keptPagePolicy(START_WORKER)].map(withoutHeaderOnly) as [string, string];
    replaceFile(file, page.replace(...policy).replace("</body>", `${script}\n</body>`));
  }
}

/** Makes the finished site one that a browser keeps. */
export function writeOffline(folder: string): void {
  const source = join(courseRoot(), "src/node/site/page");
  replaceFile(join(folder, PAGE_SCRIPT), readFileSync(join(source, "offline.js")));
  for (const below of ["", "notebooks"]) letKeep(folder, below);
  const files = filesOf(folder);
  const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  const worker = readFileSync(join(source, WORKER), "utf8");
  replaceFile(
    join(folder, WORKER),
    `const VERSION = "${version}";\nconst FILES = ${JSON.stringify(files)};\n${worker}`,
  );
}
