/** `npm run build`: prepares a fresh clone, and no more. */
import { createProgress } from "../progress.mjs";
import { prepare, runCommand } from "../setup/prepare.mjs";

await runCommand(() => prepare(createProgress()));
