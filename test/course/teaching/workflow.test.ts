/** The workflow that a teacher copies: what it may do, and its grading step run as it is. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const workflow = readFileSync(join(root, "labs/teaching/autograde.yml"), "utf8");

interface Step {
  readonly name: string;
  readonly text: string;
  /** The lines of its `run: |`. */
  readonly run: string | null;
}

/** The steps, by their indentation: the file has one job, and each step begins with its name. */
function steps(): readonly Step[] {
  const [, list = ""] = workflow.split("    steps:\n");
  return list.split(/^ {6}- name: /m).flatMap((text) => {
    if (!/^\w/.test(text)) return [];
    const [, run] = /^ {8}run: \|\n((?: {10}.*\n)+)/m.exec(text) ?? [];
    return [{ name: text.split("\n")[0] ?? "", text, run: run?.replace(/^ {10}/gm, "") ?? null }];
  });
}

const folder = mkdtempSync(join(tmpdir(), "warplab-workflow-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the workflow for a learner's repository", () => {
  it("is not active in this repository, and may read contents only", () => {
    // The project's own checks are all that runs here.
    expect(readdirSync(join(root, ".github/workflows"))).toEqual(["checks.yml"]);
    const checks = readFileSync(join(root, ".github/workflows/checks.yml"), "utf8");
    expect([...checks.matchAll(/run: (.*)/g)].map(([, command]) => command)).toEqual([".ci/run"]);
    expect(checks).toContain("permissions:\n  contents: read\n");
    expect(/^permissions:\n((?: {2}.*\n)+)/m.exec(workflow)?.[1]).toBe("  contents: read\n");
    expect(workflow.match(/permissions:/g)).toHaveLength(1);
    expect(workflow).not.toMatch(/secrets\.|pull_request_target|github\.event|github\.head_ref/);
    expect(workflow).not.toContain("\t");
  });

  it("uses actions by a whole version, the course at a tag, and folders of their own for course and submission", () => {
    const uses = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@v\d+\.\d+\.\d+$/);
    expect(uses).toHaveLength(3);
    const checkouts = steps().filter(({ text }) => text.includes("actions/checkout"));
    expect(checkouts.map(({ text }) => /path: (\w+)/.exec(text)?.[1])).toEqual(["submission", "course"]);
    expect(checkouts[1]?.text).toMatch(/ref: \$\{\{ env\.COURSE_TAG \}\}/);
    for (const { text } of checkouts) expect(text).toContain("persist-credentials: false");
  });

  it("has no expression in a shell's text, where a name could be taken for a command", () => {
    const runs = steps().flatMap(({ run }) => (run === null ? [] : [run]));
    expect(runs).toHaveLength(2);
    for (const run of runs) expect(run).not.toMatch(/\$\{\{/);
    const words = [...runs.join("").matchAll(/npm run (?:--silent )?(\w+)/g)].map(([, word = ""]) => word);
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly scripts: object };
    for (const word of words) expect(Object.keys(scripts)).toContain(word);
  });
});

/** Runs the grading step as Actions does, in the course's folder. */
function gradeStep(
  name: string,
  prepare: (file: string) => void,
): { readonly code: number | null; readonly summary: string } {
  const workspace = join(folder, name);
  mkdirSync(join(workspace, "submission"), { recursive: true });
  prepare(join(workspace, "submission/lab-28.ts"));
  const summary = join(workspace, "summary.md");
  writeFileSync(summary, "");
  const run = steps().find((step) => step.name === "Grade")?.run ?? "";
  const { status } = spawnSync("bash", ["-e", "-c", run], {
    cwd: root,
    env: {
      ...process.env,
      EXERCISE: "lab-28",
      SUBMISSION: "lab-28.ts",
      GITHUB_WORKSPACE: workspace,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: workspace,
    },
  });
  return { code: status, summary: readFileSync(summary, "utf8") };
}

describe("the workflow's grading step", () => {
  const lab = (file: string): string => join(root, "labs/lab-28", file);

  it("ends with 0 for all points, and its summary has each check's verdict", () => {
    const { code, summary } = gradeStep("solution", (file) => copyFileSync(lab("solution.ts"), file));
    expect([code, summary]).toEqual([0, expect.stringContaining("## lab-28: 10 of 10 points")]);
    for (const check of ["result", "hazards", "primitives", "additions", "barriers", "shared-requests"]) {
      expect(summary).toMatch(new RegExp(`^\\| ${check} \\| ✅ passed \\| (\\d) of \\1 \\| \\S`, "m"));
    }
  });

  it("ends with 1 for fewer, with the learner's text as text, and with 2 for a link out of the repository", () => {
    const wrong = gradeStep("wrong", (file) => {
      const text = readFileSync(lab("solution.ts"), "utf8");
      writeFileSync(file, text.replace("s > 32; s >>= 1", "s > 64; s >>= 1 /* <b>|*x* */"));
    });
    expect([wrong.code, wrong.summary]).toEqual([1, expect.stringMatching(/\| result \| ❌ failed \| [\d.]+ of 3 \|/)]);
    expect(wrong.summary).not.toMatch(/<b>|[^\\]\*x/);
    const link = gradeStep("link", (file) => symlinkSync(lab("solution.ts"), file));
    expect([link.code, link.summary]).toEqual([2, expect.stringMatching(/0 of 10 points\n\n.*link/s)]);
  });
});
