/** `npm run starters`: writes labs/<id>/starter.ts from each solution.ts. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { prepare, root, runCommand } from "../commands/prepare.mjs";
import { createProgress } from "../progress.mjs";

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  const { starterOf } = await import("../../dist/course/exercises/starter.js");
  const { exerciseIds } = await import("../../dist/course/exercises/exercise-files.js");
  const { replaceFile } = await import("../../dist/course/setup/replace.js");
  for (const id of exerciseIds()) {
    const path = join(root, "labs", id, "starter.ts");
    const text = starterOf(readFileSync(join(root, "labs", id, "solution.ts"), "utf8"));
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    replaceFile(path, text);
    progress.say(`labs/${id}/starter.ts: written`);
  }
});
