/** Runs a TypeScript tool of the tests, with the arguments after it: `node test/run.mjs test/random/fuzz/slice.ts`. */
import { resolve } from "node:path";
import { runnerImport } from "vite";

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) throw new Error("Name the tool: node test/run.mjs test/random/fuzz/slice.ts");
const root = resolve(import.meta.dirname, "..");
const { module } = await runnerImport(resolve(root, file), { root, configFile: false, logLevel: "error" });
await module.main(rest);
