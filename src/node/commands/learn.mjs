/** `npm run learn`: prepares a fresh clone, then leads through the exercises (learn-command.ts). */
import { join } from "node:path";
import { createProgress } from "../progress.mjs";
import { prepare, root, runCommand, terminalWidth, userPath } from "../setup/prepare.mjs";

/** In a terminal each key counts at once; a pipe gives characters. */
const keys = {
  listen(pressed) {
    const { stdin } = process;
    const isTerminal = stdin.isTTY === true;
    if (isTerminal) stdin.setRawMode(true);
    const read = (chunk) => {
      for (const key of chunk) if (isTerminal || key !== "\n") pressed(key);
    };
    stdin.setEncoding("utf8").on("data", read).resume();
    return () => {
      if (isTerminal) stdin.setRawMode(false);
      stdin.off("data", read).pause();
    };
  },
};

await runCommand(async () => {
  await prepare(createProgress((text) => process.stderr.write(text)));
  const { runLearn } = await import("../../dist/node/commands/learn-command.js");
  process.exitCode = await runLearn(process.argv.slice(2), {
    write: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    width: terminalWidth,
    isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.CI !== "true",
    keys,
    work: join(root, "work"),
    out: join(root, "out"),
    file: (path) => userPath(path, "learn"),
  });
});
