/** Tells of changes in a folder. */
import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";

const MILLISECONDS_BETWEEN_LOOKS = 500;
/** An editor writes a file in several steps. */
const SETTLED_MILLISECONDS = 50;

function timesOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs}`)
    .join("\n");
}

/** For systems that have no watches left: looks at the files' times. */
function look(folder: string, changed: () => void): () => void {
  let before = timesOf(folder);
  const timer = setInterval(() => {
    const now = timesOf(folder);
    if (now === before) return;
    before = now;
    changed();
  }, MILLISECONDS_BETWEEN_LOOKS);
  return () => clearInterval(timer);
}

/** Calls `changed` after files of the folder have changed. @returns what ends it */
export function watchFolder(folder: string, changed: () => void): () => void {
  let settling: NodeJS.Timeout | undefined;
  const soon = (): void => {
    clearTimeout(settling);
    settling = setTimeout(changed, SETTLED_MILLISECONDS);
  };
  let stop: () => void;
  const fallBack = (): void => {
    stop = look(folder, changed);
  };
  try {
    const watcher: FSWatcher = watch(folder, soon);
    stop = () => watcher.close();
    watcher.on("error", () => {
      watcher.close();
      fallBack();
    });
  } catch {
    fallBack();
  }
  return () => {
    clearTimeout(settling);
    stop();
  };
}
