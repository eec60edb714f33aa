/** `npm run fuzz -- --coverage`: what random kernels reach, as tables. Kernels are generated and not run. */
import { countCells, faults } from "../coverage/count.js";
import { legendText, reasonsText, tableData, tableText } from "../coverage/table.js";

/** Of 10,000 kernels, that many at least hit each possible cell. */
const LEAST_SHARE = 0.01;

/** Asked for as JSON in the first argument; prints. */
export function main([json]: readonly string[]): void {
  const task = JSON.parse(json ?? "{}") as { readonly kernels: number; readonly seed: number; readonly json: boolean };
  const { kernels, seed } = task;
  const least = Math.floor(kernels * LEAST_SHARE);
  const counted = countCells(seed, kernels);
  const found = counted.flatMap((one) => faults(one, least));
  if (task.json) {
    console.log(JSON.stringify({ kernels, seed, least, tables: counted.map(tableData), faults: found }, null, 1));
  } else {
    console.log(`In how many of ${kernels} kernels, seeds ${seed} to ${seed + kernels - 1}.\n\n${legendText()}`);
    for (const one of counted) console.log(`\n${tableText(one)}\n\nImpossible (-):\n${reasonsText(one) || "none"}`);
    console.log(found.length === 0 ? `\nEach possible cell: ${least} or more.` : `\nToo few:\n${found.join("\n")}`);
  }
  if (found.length > 0) process.exitCode = 1;
}
