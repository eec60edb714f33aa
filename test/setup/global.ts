/** Before all tests: compiles src, and makes the folder of what several test files need and one of them makes. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { createProgress } from "../../src/node/progress.mjs";
import { prepare, root } from "../../src/node/setup/prepare.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    readonly sharedFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  if (process.env.WARPLAB_PREPARED === "yes") {
    // `npm test` has compiled, and is this process's parent. Before it has, there is nothing to import, nor to resolve.
    const watch = pathToFileURL(join(root, "src/dist/node/parent-watch.js")).href;
    const { endWithParent } = (await import(watch)) as { readonly endWithParent: () => void };
    endWithParent();
  } else await prepare(createProgress());
  // Inside of the course's folder, so that notebooks in it find the packages.
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "tests-"));
  project.provide("sharedFolder", folder);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.on("exit", remove);
  return remove;
}
