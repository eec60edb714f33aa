/** `npm run build`: prepares a fresh clone, and no more. */
import { createProgress } from "../progress.mjs";
import { prepare, runCommand } from "./prepare.mjs";

await runCommand(() => prepare(createProgress()));
