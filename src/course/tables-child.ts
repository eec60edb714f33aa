/** Writes the tables into the folder named by the argument, a line on stdout for each that begins. */
import { endWithParent } from "./parent-watch.js";
import { loadTables } from "./tables-step.js";

endWithParent();
const { writeTables } = await loadTables();
await writeTables(process.argv[2] ?? "out", (line) => console.log(line));
