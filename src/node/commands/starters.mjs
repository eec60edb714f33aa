/** `npm run starters`: writes labs/<id>/starter.ts and .cu from each solution; or those of the folders that are named. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand, userPath } from "../setup/prepare.mjs";

await runCommand(async () => {
  const progress = createProgress();
  await prepare(progress);
  await import("../../dist/node/files-on-disk.js");
  const { starterOf } = await import("../../dist/course/exercises/starter.js");
  const { exerciseIds } = await import("../../dist/course/exercises/exercise.js");
  const { replaceFile } = await import("../../dist/node/setup/replace.js");
  const named = process.argv.slice(2).map((path) => ({ name: path, folder: userPath(path, "starters") }));
  const all = () => exerciseIds().map((id) => ({ name: `labs/${id}`, folder: join(root, "labs", id) }));
  for (const { name, folder } of named.length > 0 ? named : all()) {
    for (const ending of ["ts", "cu"]) {
      const solution = join(folder, `solution.${ending}`);
      // An exercise of a teacher's own may be in TypeScript alone.
      if (ending === "cu" && !existsSync(solution)) continue;
      const path = join(folder, `starter.${ending}`);
      const text = starterOf(readFileSync(solution, "utf8"));
      if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
      replaceFile(path, text);
      progress.say(`${name}/starter.${ending}: written`);
    }
  }
});
