import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** Digests by kind of launch, each of which ran twice. */
async function digests(...processors: readonly string[]): Promise<Record<string, string>> {
  const entry = pathToFileURL(join(root, "src/dist/node/index.js")).href;
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "launches.mjs"), entry, ...processors]);
  return JSON.parse(stdout) as Record<string, string>;
}

/**
 * Run by hand with Node 22 and 24 too: `node test/determinism/launches.mjs $PWD/src/dist/node/index.js` prints the same under each.
 */
test("launches give the same results, counters, times and memory in five processes, with one, two or three workers", async () => {
  const first = await digests();
  expect(Object.keys(first).length).toBeGreaterThan(15);
  expect(Object.entries(first).filter(([, digest]) => !/^[0-9a-f]{16}$/.test(digest))).toEqual([]);
  for (const processors of ["1", "2", "3", "4"]) expect(await digests(processors)).toEqual(first);
});
