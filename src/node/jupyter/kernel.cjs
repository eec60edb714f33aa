/** Jupyter starts this file (kernels/tslab/kernel.json). Its argument is Jupyter's connection file. */
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const kernel = join(__dirname, "../../dist/node/jupyter/jupyter-kernel.js");
if (existsSync(kernel)) {
  import(pathToFileURL(kernel).href)
    .then(({ startKernel }) => startKernel(process.argv[2]))
    .catch((error) => {
      console.error(`The kernel did not start: ${error.message}`);
      process.exitCode = 1;
    });
} else {
  console.error(`${kernel} is missing: run "npm run jupyter" (or "npm run build") in the course's folder first.`);
  process.exitCode = 1;
}
