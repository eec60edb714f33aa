/** TypeScript as tslab brings it: the one that can be called from a program. */
import { createRequire } from "node:module";
import type * as TypeScript from "@tslab/typescript-for-tslab";

const fromTslab: NodeJS.Require = createRequire(createRequire(import.meta.url).resolve("tslab"));

export const ts: typeof TypeScript = fromTslab("@tslab/typescript-for-tslab") as typeof TypeScript;

// TypeScript watches folders in which a module may appear. Compilations and kept cells appear in .cache, which no cell
// imports; tslab's converter takes no such event while it converts ("Unexpected pending rebuildTimer").
const { watchDirectory } = ts.sys;
ts.sys.watchDirectory = (path, callback, ...rest) =>
  watchDirectory!(path, (file) => (/[\\/]\.cache([\\/]|$)/.test(file) ? undefined : callback(file)), ...rest);
