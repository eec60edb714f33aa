/** `npm test`: prepares a fresh clone, then runs vitest with the arguments given (`npm test -- test/core/base`). */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgress } from "../progress.mjs";
import { childEnd, startChild } from "../setup/children.mjs";
import { prepare, root, runCommand } from "../setup/prepare.mjs";

/** The folder's name, or a link to it where the name has signs that Vite takes for parts of an address. */
function testRoot() {
  if (!/[#?%]/.test(root)) return root;
  const folder = mkdtempSync(join(tmpdir(), "warplab-test-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const link = join(folder, "course");
  symlinkSync(root, link, "junction");
  return link;
}

await runCommand(async () => {
  await prepare(createProgress());
  const at = testRoot();
  const isLink = at !== root;
  const args = [
    // Otherwise Node gives vitest's own files the folder's name again.
    ...(isLink ? ["--preserve-symlinks", "--preserve-symlinks-main"] : []),
    ...[join(at, "node_modules/vitest/vitest.mjs"), "run", "--root", at, ...process.argv.slice(2)],
  ];
  const vitest = startChild(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...(isLink ? { WARPLAB_TEST_ROOT: at } : {}), WARPLAB_PREPARED: "yes" },
    stdio: ["ignore", "inherit", "inherit"],
    endSignal: "SIGTERM",
  });
  process.exitCode = (await childEnd(vitest)).code ?? 1;
});
