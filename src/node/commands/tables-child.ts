/**
 * Writes the tables into the folder named by the first argument, a line on stdout for each that begins. With two more
 * they are of so many elements and of blocks of that size, instead of the published ones.
 */
import "../files-on-disk.js";
import "../platform.js";
import { endWithParent } from "../parent-watch.js";
import { failureText } from "../setup/failure.mjs";
import { writeTables } from "../tables/tables.js";

endWithParent();
const [out = "out", n, block] = process.argv.slice(2);
const other = n === undefined || block === undefined ? {} : { n: Number(n), block: Number(block) };
try {
  await writeTables(out, (line) => console.log(line), other);
} catch (error) {
  console.error(failureText(error));
  process.exitCode = 1;
}
