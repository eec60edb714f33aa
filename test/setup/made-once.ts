/** What several test files need and one of them makes, once for all of a run: the first that asks; the others wait. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";

type Made<T> = { readonly value: T } | { readonly failure: string };

const MILLISECONDS_BETWEEN_LOOKS = 100;

/** Text of a file, or null where there is none yet. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Whether this process is the first to ask. */
function takes(claim: string): boolean {
  try {
    writeFileSync(claim, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function hasEnded(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * @param name what is made
 * @param make makes it in an empty folder of its own, which lasts until all tests have ended; JSON holds its result
 * @throws Error also where another test file tried to make it and failed
 */
export async function madeOnce<T>(name: string, make: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(inject("sharedFolder"), name);
  const [claim, file] = [`${folder}.claim`, `${folder}.json`];
  if (takes(claim)) {
    let made: Made<T>;
    try {
      mkdirSync(folder);
      made = { value: await make(folder) };
    } catch (error) {
      made = { failure: (error as Error).stack ?? String(error) };
    }
    writeFileSync(`${file}.part`, JSON.stringify(made));
    renameSync(`${file}.part`, file);
  }
  for (;;) {
    const text = textOf(file);
    if (text !== null) {
      const made = JSON.parse(text) as Made<T>;
      if ("value" in made) return made.value;
      throw new Error(`${name} could not be made: ${made.failure}`);
    }
    const maker = textOf(claim)?.trim() ?? "";
    if (maker !== "" && hasEnded(maker) && textOf(file) === null) {
      throw new Error(`${name} was not made: the process ${maker} that began it has ended.`);
    }
    await sleep(MILLISECONDS_BETWEEN_LOOKS);
  }
}
