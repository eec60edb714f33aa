/** A name beside a file that no file has. */
import { existsSync } from "node:fs";
import { join, parse } from "node:path";

/** `work/lab-28.1.ts` for `work/lab-28.ts`, or the first number that is free. */
export function freeName(path: string): string {
  const { dir, name, ext } = parse(path);
  for (let number = 1; ; number++) {
    const free = join(dir, `${name}.${number}${ext}`);
    if (!existsSync(free)) return free;
  }
}
