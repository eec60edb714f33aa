/** The job array of labs/teaching under a real Slurm: two nodes on this machine, of which one is taken down in the middle. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const base = mkdtempSync(join(tmpdir(), "warplab-slurm-"));
const PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue"];
const SUBMISSIONS = 200;
const PARTS = 4;

/** Why there is no Slurm to be started here; null where there is one. */
function whyNot(): string | null {
  const missing = PROGRAMS.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
  if (missing.length > 0) return `${missing.join(", ")} not installed: apt-get install slurm-wlm munge`;
  return process.getuid?.() === 0 ? null : "slurmd starts as root alone";
}

const env = { ...process.env, SLURM_CONF: join(base, "slurm.conf") };

function call(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

function startSlurm(): void {
  const munge = join(base, "munge");
  mkdirSync(munge, { mode: 0o700 });
  writeFileSync(join(munge, "key"), randomBytes(1024), { mode: 0o400 });
  const places = {
    "key-file": "key",
    socket: "socket",
    "pid-file": "munge.pid",
    "log-file": "log",
    "seed-file": "seed",
  };
  call("munged", "--force", ...Object.entries(places).map(([option, name]) => `--${option}=${join(munge, name)}`));
  for (const name of ["state", "n1", "n2"]) mkdirSync(join(base, name));
  const port = 20_000 + (process.pid % 20_000);
  const host = hostname().split(".")[0];
  const node = (name: string, at: number): string =>
    `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${at} CPUs=2 RealMemory=4000`;
  const lines = [
    "ClusterName=test",
    `SlurmctldHost=${host}(127.0.0.1)`,
    `SlurmctldPort=${port}`,
    `AuthInfo=socket=${munge}/socket`,
    "SlurmUser=root",
    `StateSaveLocation=${base}/state`,
    `SlurmctldPidFile=${base}/ctld.pid`,
    `SlurmctldLogFile=${base}/ctld.log`,
    `SlurmdSpoolDir=${base}/%n`,
    `SlurmdPidFile=${base}/%n.pid`,
    `SlurmdLogFile=${base}/%n.log`,
    "SlurmdParameters=config_overrides",
    "ProctrackType=proctrack/pgid",
    "TaskPlugin=task/none",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_CPU",
    "MpiDefault=none",
    node("n1", port + 1),
    node("n2", port + 2),
    "PartitionName=p Nodes=n1,n2 Default=YES State=UP",
  ];
  writeFileSync(join(base, "slurm.conf"), `${lines.join("\n")}\n`);
  call("slurmctld");
  call("slurmd", "-N", "n1");
  call("slurmd", "-N", "n2");
}

afterAll(() => {
  for (const name of ["n1.pid", "n2.pid", "ctld.pid", "munge/munge.pid"]) {
    const path = join(base, name);
    if (existsSync(path)) spawnSync("kill", [readFileSync(path, "utf8").trim()]);
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const resultsIn = (out: string): readonly string[] =>
  (existsSync(out) ? readdirSync(out) : [])
    .filter((name) => name.startsWith("shard-") && existsSync(join(out, name, "results.jsonl")))
    .flatMap((name) => readFileSync(join(out, name, "results.jsonl"), "utf8").split("\n"))
    .filter((line) => line.startsWith('{"kind":"result"'))
    .map((line) => (JSON.parse(line) as { readonly path: string }).path);

const grade = (...args: readonly string[]): string => call("node", "src/node/commands/grade.mjs", ...args);

const reason = whyNot();
it.skipIf(reason !== null)(
  `loses no submission and doubles none${reason === null ? "" : ` (passed over: ${reason})`}`,
  async () => {
    startSlurm();
    const [submissions, out, whole] = [join(base, "class"), join(base, "grades"), join(base, "whole")];
    mkdirSync(submissions);
    // A kernel that does not compile takes no launches.
    const text = readFileSync(join(root, "labs/lab-28/solution.ts"), "utf8").replace("externShared(i32)", "shard(i32)");
    for (let n = 0; n < SUBMISSIONS; n++) writeFileSync(join(submissions, `s${n}-lab-28.ts`), `${text}// ${n}`);
    const submitted = call(
      "sbatch",
      "--parsable",
      `--array=1-${PARTS}`,
      `--output=${base}/job-%a.txt`,
      "labs/teaching/slurm.sbatch",
      submissions,
      out,
    );
    while (resultsIn(out).length < SUBMISSIONS / PARTS) await sleep(100);
    call("scontrol", "update", "nodename=n1", "state=down", "reason=test");
    await sleep(1000);
    call("scontrol", "update", "nodename=n1", "state=resume");
    while (call("squeue", "--noheader", "--job", submitted.trim()) !== "") {
      // A task that is requeued is held back for two minutes by Slurm, which the test does not wait for.
      for (const id of call("squeue", "--noheader", "--states=PD", "--format=%A", "--job", submitted.trim()).split(
        "\n",
      )) {
        if (id !== "") spawnSync("scontrol", ["update", `jobid=${id}`, "starttime=now"], { env });
      }
      await sleep(500);
    }
    const found = resultsIn(out);
    expect([found.length, new Set(found).size]).toEqual([SUBMISSIONS, SUBMISSIONS]);
    const salt = readFileSync(join(out, "salt.txt"), "utf8").trim();
    expect(grade("--class", submissions, "--out", out, "--merge")).toContain(
      `${SUBMISSIONS} scores: ${SUBMISSIONS} graded`,
    );
    grade("--class", submissions, "--out", whole, "--salt", salt);
    for (const name of ["grades.csv", "report.html", "anonymous.csv"]) {
      expect(readFileSync(join(out, name), "utf8")).toBe(readFileSync(join(whole, name), "utf8"));
    }
  },
);
