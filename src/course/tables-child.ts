/** Writes the tables into the folder named by the argument, a line on stdout for each that begins. */
import { loadTables } from "./tables-step.js";

const { writeTables } = await loadTables();
await writeTables(process.argv[2] ?? "out", (line) => console.log(line));
