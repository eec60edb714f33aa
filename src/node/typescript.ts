/** TypeScript as tslab brings it: the one that can be called from a program. */
import { createRequire } from "node:module";
import type * as TypeScript from "@tslab/typescript-for-tslab";

const fromTslab: NodeJS.Require = createRequire(createRequire(import.meta.url).resolve("tslab"));

export const ts: typeof TypeScript = fromTslab("@tslab/typescript-for-tslab") as typeof TypeScript;
