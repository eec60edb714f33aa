/** A grade of `npm run grade -- ... --json` as Markdown, for the summary of a workflow: node summary.mjs results.json */
import { readFileSync } from "node:fs";

const SIGNS = { pass: "✅ passed", fail: "❌ failed", error: "⚠️ not checked" };

/** A learner's line may hold what Markdown or HTML would take for its own. */
const asText = (text) =>
  String(text ?? "")
    .replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/[\\`*_[\]|~#]/g, (sign) => `\\${sign}`)
    .replaceAll("\n", "<br>");

const path = process.argv[2];
const text = path === undefined ? "" : readFileSync(path, "utf8");
if (text.trim() === "") {
  console.log("## No grade\n\nThe grader gave no result: see the log of the step before.");
} else {
  const { exercise, points, out_of: outOf, message, tests = [], seed } = JSON.parse(text);
  console.log(`## ${asText(exercise)}: ${points} of ${outOf} points\n`);
  if (message) console.log(`${asText(message)}\n`);
  if (tests.length > 0) {
    console.log("| Check | Verdict | Points | What was found |\n|---|---|---|---|");
    for (const { name, status, points: given, out_of: most, message, output } of tests) {
      const verdict = SIGNS[status] ?? asText(status);
      console.log(`| ${asText(name)} | ${verdict} | ${given} of ${most} | ${asText(message ?? output)} |`);
    }
    console.log(`\nThe same file has the same points on every machine (seed ${seed}).`);
  }
}
