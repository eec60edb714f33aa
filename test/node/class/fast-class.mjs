/** A class run whose checks take a moment: its processes are real, its verdicts are not. For class-kill.test.ts. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dist = "", folder = "", out = "", checks = ""] = process.argv.slice(2);
const { runClass } = await import(pathToFileURL(join(dist, "node/class/class-command.js")).href);

/** Says in a file that the check was begun, and answers by the file's hash. */
const CHILD = `
  const { appendFileSync, readFileSync } = require("node:fs");
  const { createHash } = require("node:crypto");
  const [path, checks] = process.argv.slice(1);
  const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
  appendFileSync(checks, "x");
  const grade = { kind: "refused", what: "Score of " + sha256.slice(0, 8) + ".", cure: "None.", at: null };
  process.stdout.write(JSON.stringify({ sha256, fingerprint: null, grade }));
`;

function start(request) {
  const child = spawn(process.execPath, ["-e", CHILD, request.path, checks], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  const killed = { kind: "stopped", by: "killed", what: "Killed.", cure: "None." };
  const output = new Promise((done) => child.on("close", (code) => done(code === 0 ? text : killed)));
  return { output, cancel: () => child.kill("SIGKILL") };
}

process.exitCode = await runClass(["--class", folder, "--out", out, "--jobs", "2"], {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  file: (path) => path,
  start,
});
